//! The value of one metric in rows of counters.

use iai_callgrind::protocol::EventKind;

use super::derived;
use formats::ParseErrorKind;

/// The columns of counters, for the value of one metric in each row of them.
pub struct RowValues {
    kind: EventKind,
    is_derived: bool,
    /// The metrics that are counted, and their columns.
    columns: Vec<(EventKind, usize)>,
    /// Column of the metric itself.
    column: Option<usize>,
}

impl RowValues {
    /// `events` are the tool's names of the columns.
    pub fn new<'a>(kind: EventKind, events: impl Iterator<Item = &'a str> + Clone) -> Self {
        let column = |kind: EventKind| {
            let name = kind.to_name();
            let found = events
                .clone()
                .position(|event| event.eq_ignore_ascii_case(&name));
            found.map(|column| (kind, column))
        };
        Self {
            kind,
            is_derived: kind.is_derived(),
            column: column(kind).map(|(_, column)| column),
            columns: EventKind::all().filter_map(column).collect(),
        }
    }

    /// The value of the metric in one row of counters, if it was collected. Counters that are
    /// missing at the end of the row are zero.
    pub fn value(&self, row: &[u64]) -> Result<Option<u64>, ParseErrorKind> {
        let cell = |column: usize| row.get(column).copied().unwrap_or_default();
        let counter = |kind: EventKind| {
            let mut columns = self.columns.iter();
            let (_, column) = columns.find(|(counted, _)| *counted == kind)?;
            Some(cell(*column))
        };
        match self.is_derived {
            false => Ok(self.column.map(cell)),
            // Derived counters are linear, so they may be computed for each row and added up; rates
            // may not.
            true => derived(self.kind, counter),
        }
    }
}
