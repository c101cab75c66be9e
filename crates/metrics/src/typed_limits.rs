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

/// Limits above this are seldom meant in percent.
const MOST_PERCENT: f64 = 100.0;

/// Values that are so many times their limit were hardly meant by it.
const FAR_ABOVE: f64 = 10.0;

impl TypedLimits {
    /// Returns a hint on how to write a limit on the change of this metric, if the limit on its
    /// value is likely to lack its `%`. `value`: the value of the metric.
    #[must_use]
    pub fn without_percent_sign(&self, metric: &str, value: f64) -> Option<String> {
        let mut hard = self.hard.iter();
        let (_, limit) = hard.find(|(kind, _)| kind.name() == metric)?;
        let number = match *limit {
            Limit::Int(count) => count as f64,
            Limit::Float(rate) => rate,
        };
        // A limit of 0 is for what must not happen at all.
        let is_percent = number > 0.0 && number <= MOST_PERCENT && value >= FAR_ABOVE * number;
        let (name, limit) = (metric.to_lowercase(), limit_text(*limit));
        is_percent.then(|| {
            format!(
                "`{name}={limit}` limits the value, which is {value}; `{name}={limit}%` limits the change"
            )
        })
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

#[cfg(test)]
mod tests {
    use iai_callgrind::protocol::EventKind;

    use crate::typed_metrics::limits;

    #[test]
    fn a_limit_far_below_the_value_may_lack_its_percent_sign() {
        let hint = |text: &str, metric: &str, value: f64| {
            limits::<EventKind>(text)
                .unwrap()
                .without_percent_sign(metric, value)
        };
        assert_eq!(
            hint("ir=5", "Ir", 2823.0).as_deref(),
            Some("`ir=5` limits the value, which is 2823; `ir=5%` limits the change")
        );
        // Nothing ever falls below it.
        assert!(hint("l1hitrate=0.5", "L1HitRate", 99.5).is_some());
        assert!(hint("ir=3%|5,l1hits=1%", "Ir", 2823.0).is_some());
        // Limits on values, and others.
        for (text, metric, value) in [
            ("ir=5%", "Ir", 2823.0),
            ("ir=5000", "Ir", 2823.0),
            ("ir=5000", "Ir", 200_000.0),
            ("ramhits=0", "RamHits", 3.0),
            ("ramhits=5", "RamHits", 7.0),
            ("l1hitrate=99", "L1HitRate", 98.0),
            ("ir=5", "L1hits", 2823.0),
        ] {
            assert_eq!(hint(text, metric, value), None, "{text}");
        }
    }
}
