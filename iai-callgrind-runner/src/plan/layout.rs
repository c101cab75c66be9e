//! How a benchmark is shown.

use iai_callgrind::protocol::{OutputFormat, Truncate};

use crate::cli::{OutputOptions, DESCRIPTION_WIDTH};

/// How a benchmark is shown. The figures do not depend on it, and neither do limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layout {
    /// Where the description in headlines is cut.
    pub truncate: Truncate,
    /// Differences within this percentage are shown as no change.
    pub tolerance: Option<f64>,
    /// Lines connect what belongs to the benchmark.
    pub grid: bool,
    /// Metrics are left out, comparisons with other benchmarks are not.
    pub only_comparison: bool,
}

impl Layout {
    /// The command line over what is configured.
    pub(super) fn new(options: &OutputOptions, configured: OutputFormat) -> Self {
        let default = Self::default();
        let truncate = options
            .truncate_description
            .or(configured.truncate_description);
        let grid = options.show_grid.or(configured.show_grid);
        let only_comparison = options
            .show_only_comparison
            .or(configured.show_only_comparison);
        Self {
            truncate: truncate.unwrap_or(default.truncate),
            tolerance: options.tolerance.or(configured.tolerance.map(f64::abs)),
            grid: grid.unwrap_or(default.grid),
            only_comparison: only_comparison.unwrap_or(default.only_comparison),
        }
    }
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            truncate: Truncate::At(DESCRIPTION_WIDTH),
            tolerance: None,
            grid: false,
            only_comparison: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_wins() {
        let configured = OutputFormat {
            truncate_description: Some(Truncate::Never),
            show_intermediate: None,
            show_grid: Some(true),
            show_only_comparison: Some(true),
            tolerance: Some(-1.0),
        };
        let expected = Layout {
            truncate: Truncate::Never,
            tolerance: Some(1.0),
            grid: true,
            only_comparison: true,
        };
        assert_eq!(Layout::new(&OutputOptions::default(), configured), expected);
        let options = OutputOptions {
            tolerance: Some(2.0),
            show_grid: Some(false),
            show_only_comparison: Some(false),
            truncate_description: Some(Truncate::At(3)),
            ..OutputOptions::default()
        };
        let expected = Layout {
            truncate: Truncate::At(3),
            tolerance: Some(2.0),
            grid: false,
            only_comparison: false,
        };
        assert_eq!(Layout::new(&options, configured), expected);
        let nothing = Layout::new(&OutputOptions::default(), OutputFormat::default());
        assert_eq!(nothing, Layout::default());
    }
}
