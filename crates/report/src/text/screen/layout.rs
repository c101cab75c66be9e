//! The columns of rows on a terminal: as many as fit, the most important first.

use crate::numbers;

/// Widths of the columns, and which of them there are.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowLayout {
    /// The least width of a label with its colon.
    pub(super) label: usize,
    /// The least width of a value.
    pub(super) value: usize,
    /// Old values have a column.
    pub(super) has_old: bool,
    pub(super) has_factor: bool,
    /// Writes the change in percent.
    pub(super) percent: fn(f64) -> String,
    /// The most columns of a value.
    pub(super) most_of_value: usize,
    /// The most columns of a label with its colon.
    pub(super) most_of_label: usize,
}

/// Wide enough for usual labels, and for counts below a thousand billion.
const ALL: RowLayout = RowLayout {
    label: 21,
    value: 15,
    has_old: true,
    has_factor: true,
    percent: numbers::percent,
    most_of_value: usize::MAX,
    most_of_label: usize::MAX,
};

/// Columns take no more than the widest row needs.
const NARROW: RowLayout = RowLayout {
    label: 0,
    value: 0,
    has_old: false,
    has_factor: false,
    percent: numbers::short_percent,
    ..ALL
};

/// The layouts, from that with most columns. The last one fits forty columns.
pub(super) const LAYOUTS: [RowLayout; 7] = [
    ALL,
    RowLayout {
        has_factor: false,
        ..ALL
    },
    RowLayout {
        label: 18,
        value: 11,
        has_factor: false,
        ..ALL
    },
    RowLayout {
        label: 18,
        value: 11,
        has_old: false,
        has_factor: false,
        ..ALL
    },
    NARROW,
    RowLayout {
        most_of_value: 9,
        most_of_label: 18,
        ..NARROW
    },
    RowLayout {
        most_of_value: 7,
        most_of_label: 12,
        ..NARROW
    },
];
