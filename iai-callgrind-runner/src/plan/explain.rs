//! Settings of explanations, checked.

use iai_callgrind::protocol::metric::Number;
use iai_callgrind::protocol::{self, EventKind};

/// The settings of the explanation of a benchmark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExplainSettings {
    /// The metric whose change is explained; `None`: the first one over its limit, else the first that is shown.
    pub metric: Option<EventKind>,
    /// Most causes that are shown; `None`: as many as the width of the terminal suggests.
    pub rows: Option<usize>,
}

impl ExplainSettings {
    /// Checks the configuration. `None`: nothing is explained. `Err`: the mistake.
    pub(super) fn new(said: &protocol::Explain) -> Result<Option<Self>, String> {
        if said.enabled == Some(false) {
            return Ok(None);
        }
        if let Some(rate) = said
            .metric
            .filter(|metric| metric.number() == Number::Float)
        {
            return Err(format!(
                "the change of {rate} cannot be explained, since rates do not add up; choose a counter \
                 such as `EventKind::Ir` or `EventKind::EstimatedCycles`"
            ));
        }
        let rows = match said.rows {
            Some(0) => {
                return Err(
                    "`rows` of the explanation is 0; switch explanations off with \
                     `enabled(false)`, or leave them out of the output with `--explain=no`"
                        .to_owned(),
                )
            }
            Some(rows) => Some(usize::try_from(rows).unwrap_or(usize::MAX)),
            None => None,
        };
        Ok(Some(Self {
            metric: said.metric,
            rows,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(said: protocol::Explain) -> Result<Option<ExplainSettings>, String> {
        ExplainSettings::new(&said)
    }

    #[test]
    fn every_change_is_explained_unless_it_is_switched_off() {
        let said = protocol::Explain::default;
        assert_eq!(plan(said()), Ok(Some(ExplainSettings::default())));
        let off = plan(protocol::Explain {
            enabled: Some(false),
            ..said()
        });
        assert_eq!(off, Ok(None));
        let chosen = plan(protocol::Explain {
            metric: Some(EventKind::EstimatedCycles),
            rows: Some(2),
            ..said()
        });
        let expected = ExplainSettings {
            metric: Some(EventKind::EstimatedCycles),
            rows: Some(2),
        };
        assert_eq!(chosen, Ok(Some(expected)));
    }

    #[test]
    fn what_cannot_be_explained_is_refused() {
        let refused = |said| plan(said).unwrap_err();
        let rate = refused(protocol::Explain {
            metric: Some(EventKind::L1HitRate),
            ..<_>::default()
        });
        assert!(
            rate.starts_with("the change of L1 Hit Rate cannot be explained"),
            "{rate}"
        );
        let none = refused(protocol::Explain {
            rows: Some(0),
            ..<_>::default()
        });
        assert!(none.contains("`enabled(false)`"), "{none}");
    }
}
