//! Limits of metrics as the command line has them.

use iai_callgrind::protocol::Limit;

use super::MetricKind;

/// Limits that replace those of the configuration.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TypedLimits {
    /// Largest changes, in percent.
    pub soft: Vec<(MetricKind, f64)>,
    /// Largest values.
    pub hard: Vec<(MetricKind, Limit)>,
}

impl TypedLimits {
    /// The limits as they can be typed: `Ir=5%,Ir=10000`.
    #[must_use]
    pub fn typed(&self) -> String {
        let soft = self.soft.iter();
        let soft = soft.map(|(kind, limit)| format!("{}={limit}%", kind.name()));
        let hard = self.hard.iter();
        let hard = hard.map(|(kind, limit)| format!("{}={}", kind.name(), limit_text(*limit)));
        soft.chain(hard).collect::<Vec<_>>().join(",")
    }
}

/// A hard limit as it can be typed.
#[must_use]
pub fn limit_text(limit: Limit) -> String {
    match limit {
        Limit::Int(count) => count.to_string(),
        Limit::Float(rate) => rate.to_string(),
    }
}
