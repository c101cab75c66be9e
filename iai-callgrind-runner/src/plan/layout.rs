//! The layout of a benchmark on the terminal.

use iai_callgrind::protocol::{OutputFormat, Truncate};

use base::benchmark_path::DESCRIPTION_WIDTH;

/// Layout of a benchmark on the terminal. Neither figures nor limits depend on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layout {
    /// Length at which the description in headlines is cut.
    pub truncate: Truncate,
    /// Differences within this percentage are shown as no change.
    pub tolerance: Option<f64>,
    /// Lines connect the rows of the benchmark.
    pub grid: bool,
    /// Metrics are left out, comparisons with other benchmarks are not.
    pub only_comparison: bool,
}

impl Layout {
    /// Layout of a configuration that is merged from all levels, with defaults for the rest.
    pub(super) fn new(said: OutputFormat) -> Self {
        let default = Self::default();
        Self {
            truncate: said.truncate_description.unwrap_or(default.truncate),
            tolerance: said.tolerance,
            grid: said.show_grid.unwrap_or(default.grid),
            only_comparison: said.show_only_comparison.unwrap_or(default.only_comparison),
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
    fn what_is_not_said_has_a_default() {
        let nothing = Layout::new(OutputFormat::default());
        assert_eq!(nothing, Layout::default());
        let said = OutputFormat {
            truncate_description: Some(Truncate::Never),
            show_intermediate: None,
            show_grid: Some(true),
            show_only_comparison: Some(true),
            tolerance: Some(1.0),
        };
        let expected = Layout {
            truncate: Truncate::Never,
            tolerance: Some(1.0),
            grid: true,
            only_comparison: true,
        };
        assert_eq!(Layout::new(said), expected);
    }
}
