//! Settings for the results on the terminal.

use super::into_protocol;
use crate::protocol::{self, Truncate};

/// Settings for the results of a benchmark on the terminal.
///
/// # Examples
///
/// ```
/// use iai_callgrind::{LibraryBenchmarkConfig, OutputFormat};
///
/// LibraryBenchmarkConfig::default()
///     .output_format(OutputFormat::default().truncate_description(None).tolerance(0.5));
/// ```
#[derive(Debug, Clone, Default)]
pub struct OutputFormat(protocol::OutputFormat);

impl OutputFormat {
    /// Cuts descriptions of arguments that have more characters than this. `None` shows all that
    /// the compiler keeps, which is 5000 bytes. The middle is left out, so that the begin and the
    /// end stay readable. The default is `Some(50)`; the option `--truncate-description` wins.
    pub fn truncate_description(&mut self, characters: impl Into<Option<usize>>) -> &mut Self {
        let truncate = characters.into().map_or(Truncate::Never, Truncate::At);
        self.0.truncate_description = Some(truncate);
        self
    }

    /// Shows also each process, thread and part of a benchmark with several of them, not only their
    /// total. The default is `false`; the option `--show-intermediate` wins.
    ///
    /// ```
    /// iai_callgrind::OutputFormat::default().show_intermediate(true);
    /// ```
    pub fn show_intermediate(&mut self, show: bool) -> &mut Self {
        self.0.show_intermediate = Some(show);
        self
    }

    /// Draws lines that connect the metrics of the tools. The default is `false`; the option
    /// `--show-grid` wins.
    ///
    /// ```
    /// iai_callgrind::OutputFormat::default().show_grid(true);
    /// ```
    pub fn show_grid(&mut self, show: bool) -> &mut Self {
        self.0.show_grid = Some(show);
        self
    }

    /// Shows only the headline of the benchmark and the comparisons with others of the same id
    /// (`compare_by_id`). The default is `false`; the option `--show-only-comparison` wins.
    ///
    /// ```
    /// iai_callgrind::OutputFormat::default().show_only_comparison(true);
    /// ```
    pub fn show_only_comparison(&mut self, show: bool) -> &mut Self {
        self.0.show_only_comparison = Some(show);
        self
    }

    /// Shows differences of at most this percentage, up or down, as `(Tolerance)`. Limits know
    /// nothing of it. By default every difference is shown; the option `--tolerance` wins.
    #[doc(alias = "noise_threshold")]
    pub fn tolerance(&mut self, percent: f64) -> &mut Self {
        self.0.tolerance = Some(percent.abs());
        self
    }

    /// A copy by value, to end a chain of calls with.
    ///
    /// ```
    /// use iai_callgrind::OutputFormat;
    ///
    /// let format: OutputFormat = OutputFormat::default().tolerance(0.5).build();
    /// ```
    #[must_use]
    pub fn build(&mut self) -> Self {
        self.clone()
    }
}

into_protocol!(OutputFormat => protocol::OutputFormat);
