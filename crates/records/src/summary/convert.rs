//! Values of the runner, in the types of the format.

use iai_callgrind::protocol;

use super::{Input, Number};
use metrics;

impl From<&protocol::Input> for Input {
    fn from(input: &protocol::Input) -> Self {
        let protocol::Input { text, positional } = input.clone();
        Self { text, positional }
    }
}

impl From<Input> for protocol::Input {
    fn from(Input { text, positional }: Input) -> Self {
        Self { text, positional }
    }
}

impl From<metrics::MetricValue> for Number {
    fn from(value: metrics::MetricValue) -> Self {
        match value {
            metrics::MetricValue::Int(count) => Self::Count(count),
            metrics::MetricValue::Float(rate) => Self::Rate(rate),
            metrics::MetricValue::Perf(figure) if figure.is_count() => {
                Self::Count(metrics::perf::count(figure.value) as u64)
            }
            metrics::MetricValue::Perf(figure) => Self::Rate(figure.value),
        }
    }
}

impl From<Number> for metrics::MetricValue {
    fn from(number: Number) -> Self {
        match number {
            Number::Count(count) => Self::Int(count),
            Number::Rate(rate) => Self::Float(rate),
        }
    }
}
