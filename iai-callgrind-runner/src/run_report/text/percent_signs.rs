//! Limits of the command line that are likely to lack their `%`: one message, at the end.

use crate::run_report::event::UnderTool;
use crate::settings::Settings;
use base::per_tool::PerTool;
use base::tool::Tool;
use metrics::TypedLimits;

/// The typed limits of a run, and the first one that is likely to lack its `%`.
#[derive(Debug, Default)]
pub(super) struct PercentSigns {
    typed: PerTool<Option<TypedLimits>>,
    pub(super) missing: Option<String>,
}

impl PercentSigns {
    pub(super) fn of(settings: &Settings) -> Self {
        let mut signs = Self::default();
        for tool in Tool::ALL {
            signs.typed[tool].clone_from(&settings.of_tools[tool].limits);
        }
        signs
    }

    /// Looks at the values of a result.
    pub(super) fn look_at(&mut self, measured: UnderTool<'_>) {
        let result = measured.result;
        let Some(typed) = &self.typed[result.tool] else {
            return;
        };
        let mut rows = result.total.rows.iter();
        // One will do: a limit that lacks its sign is exceeded by nearly every benchmark.
        if self.missing.is_none() {
            self.missing =
                rows.find_map(|row| typed.without_percent_sign(row.kind.name(), row.new?.as_f64()));
        }
    }
}
