//! The traits of what Criterion measures, for the signatures of functions that name them. Nothing
//! here is called: what is counted follows from the tools that iai-callgrind runs.

use std::time::{Duration, Instant};

use crate::Throughput;

/// A way to measure. Implementations compile, and are not asked.
///
/// ```
/// use iai_callgrind_criterion::measurement::{Measurement, WallTime};
/// use iai_callgrind_criterion::{BenchmarkGroup, Criterion};
///
/// fn with_any<M: Measurement>(group: &mut BenchmarkGroup<'_, M>) {
///     group.bench_function("add", |b| b.iter(|| 1 + 2));
/// }
///
/// fn with_time(c: &mut Criterion<WallTime>) {
///     with_any(&mut c.benchmark_group("numbers"));
/// }
///
/// let (time, start) = (WallTime, WallTime.start());
/// let twice = time.add(&time.end(start), &time.zero());
/// assert!(time.to_f64(&twice) >= 0.0);
/// assert_eq!(time.formatter().scale_for_machines(&mut [1.0]), "ns");
/// ```
pub trait Measurement {
    /// State between start and end.
    type Intermediate;
    /// A measured value.
    type Value;

    /// Begins.
    fn start(&self) -> Self::Intermediate;
    /// Ends what began.
    fn end(&self, i: Self::Intermediate) -> Self::Value;
    /// Adds two values.
    fn add(&self, v1: &Self::Value, v2: &Self::Value) -> Self::Value;
    /// The value that changes nothing when it is added.
    fn zero(&self) -> Self::Value;
    /// The value as a number.
    fn to_f64(&self, value: &Self::Value) -> f64;
    /// The formatter of its values.
    fn formatter(&self) -> &dyn ValueFormatter;
}

/// A way to write measured values.
///
/// ```
/// use iai_callgrind_criterion::measurement::{Measurement, WallTime};
///
/// use iai_callgrind_criterion::Throughput;
///
/// let (formatter, bytes) = (WallTime.formatter(), Throughput::Bytes(6));
/// assert_eq!(formatter.format_value(3.0), "3 ns");
/// assert_eq!(formatter.format_throughput(&bytes, 1e9), "6 B/s");
/// let mut values = [2e9];
/// assert_eq!(formatter.scale_values(2e9, &mut values), "ns");
/// assert_eq!(formatter.scale_throughputs(2e9, &bytes, &mut values), "B/s");
/// assert_eq!(formatter.scale_for_machines(&mut values), "ns");
/// assert_eq!(values, [3.0]);
/// ```
pub trait ValueFormatter {
    /// Writes a value with its unit.
    fn format_value(&self, value: f64) -> String {
        let mut values = [value];
        let unit = self.scale_values(value, &mut values);
        format!("{} {unit}", values[0])
    }

    /// Writes a throughput with its unit.
    fn format_throughput(&self, throughput: &Throughput, value: f64) -> String {
        let mut values = [value];
        let unit = self.scale_throughputs(value, throughput, &mut values);
        format!("{} {unit}", values[0])
    }

    /// Scales values like the typical one and returns their unit.
    fn scale_values(&self, typical_value: f64, values: &mut [f64]) -> &'static str;

    /// Turns values into throughputs and returns their unit.
    fn scale_throughputs(
        &self,
        typical_value: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str;

    /// Scales values for programs and returns their unit.
    fn scale_for_machines(&self, values: &mut [f64]) -> &'static str;
}

/// Time. It is not measured; the type is the default of all parameters for a measurement.
///
/// ```
/// use iai_callgrind_criterion::Criterion;
/// use iai_callgrind_criterion::measurement::WallTime;
///
/// let _: Criterion<WallTime> = Criterion::default();
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct WallTime;

impl Measurement for WallTime {
    type Intermediate = Instant;
    type Value = Duration;

    fn start(&self) -> Instant {
        Instant::now()
    }

    fn end(&self, i: Instant) -> Duration {
        i.elapsed()
    }

    fn add(&self, v1: &Duration, v2: &Duration) -> Duration {
        *v1 + *v2
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        &Nanoseconds
    }
}

struct Nanoseconds;

impl ValueFormatter for Nanoseconds {
    fn scale_values(&self, _typical_value: f64, _values: &mut [f64]) -> &'static str {
        "ns"
    }

    fn scale_throughputs(
        &self,
        _typical_value: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str {
        let (number, unit) = match *throughput {
            Throughput::Bits(number) => (number, "bits/s"),
            Throughput::Bytes(number) | Throughput::BytesDecimal(number) => (number, "B/s"),
            Throughput::Elements(elements) | Throughput::ElementsAndBytes { elements, .. } => {
                (elements, "elem/s")
            }
        };
        for value in values {
            *value = number as f64 * 1e9 / *value;
        }
        unit
    }

    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        "ns"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_throughputs_have_units() {
        let time = WallTime;
        let sum = time.add(&time.zero(), &Duration::from_micros(2));
        assert_eq!(time.to_f64(&sum), 2000.0);
        let formatter = time.formatter();
        assert_eq!(formatter.format_value(2000.0), "2000 ns");
        let bytes = Throughput::Bytes(4);
        assert_eq!(formatter.format_throughput(&bytes, 2000.0), "2000000 B/s");
    }
}
