//! How results are shown.

use super::into_protocol;
use crate::protocol::{self, Truncate};

/// How the results of a benchmark are shown on the terminal.
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
    /// Cuts descriptions of arguments that have more characters than this. `None` shows all of
    /// them. The default is `Some(50)`.
    pub fn truncate_description(&mut self, characters: impl Into<Option<usize>>) -> &mut Self {
        let truncate = characters.into().map_or(Truncate::Never, Truncate::At);
        self.0.truncate_description = Some(truncate);
        self
    }

    /// Shows differences of at most this percentage, up or down, as no change. By default every
    /// difference is shown.
    pub fn tolerance(&mut self, percent: f64) -> &mut Self {
        self.0.tolerance = Some(percent.abs());
        self
    }

    /// A copy by value, to end a chain of calls with.
    #[must_use]
    pub fn build(&mut self) -> Self {
        self.clone()
    }
}

into_protocol!(OutputFormat => protocol::OutputFormat);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_arrive() {
        let format: protocol::OutputFormat = OutputFormat::default()
            .truncate_description(None)
            .tolerance(-0.5)
            .into();
        assert_eq!(format.truncate_description, Some(Truncate::Never));
        assert_eq!(format.tolerance, Some(0.5));
        let format: protocol::OutputFormat =
            (&*OutputFormat::default().truncate_description(Some(7))).into();
        assert_eq!(format.truncate_description, Some(Truncate::At(7)));
    }
}
