//! From the runs that perf counted to one figure for each event: which runs count, and their means.

use std::fmt::Write as _;

use iai_callgrind::protocol;

use crate::perf::{count, PerfFigure};
use base::event_glob;
use formats::perf::{EventRecord, MissingCount, PerfProfile};

/// Values of events, by name.
pub type ByEvent<T> = Vec<(String, T)>;

/// The samples of perf that count.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleFilter {
    /// The least share of the time that a counter has to run, in percent.
    pub least_running: f64,
    /// Globs of events that cannot be 0.
    pub non_zero: Vec<String>,
}

impl Default for SampleFilter {
    fn default() -> Self {
        Self {
            least_running: protocol::Perf::MIN_RUNNING,
            non_zero: protocol::Perf::NON_ZERO.map(str::to_owned).to_vec(),
        }
    }
}

impl SampleFilter {
    /// One figure for each event, and the events that have none.
    pub fn figures(&self, profile: &PerfProfile) -> (ByEvent<PerfFigure>, ByEvent<MissingCount>) {
        let mut groups = profile.groups();
        if groups.len() > 1 {
            // The first run warms up.
            groups.remove(0);
        }
        let events = groups.first().copied().unwrap_or_default().iter();
        let whole: Vec<&[EventRecord]> = groups
            .iter()
            .copied()
            .filter(|group| self.is_whole(group))
            .collect();
        let mut figures = Vec::new();
        let mut without = Vec::new();
        for (index, record) in events.enumerate() {
            // Each run most often lists the same events in the same order.
            let of_event = whole.iter().filter_map(|group| {
                let same = group.get(index).filter(|other| other.event == record.event);
                same.or_else(|| group.iter().find(|other| other.event == record.event))
            });
            let all: Vec<&EventRecord> = of_event.collect();
            let counted: Vec<(&EventRecord, f64)> = all
                .iter()
                .filter(|record| !self.is_estimate(record))
                .filter_map(|record| Some((*record, record.value.ok()?)))
                .collect();
            match mean(&counted) {
                Some(figure) => figures.push((record.event.clone(), figure)),
                None => {
                    let reasons = all.iter().map(|record| record.value.err());
                    let reason = reasons
                        .map(|reason| reason.unwrap_or(MissingCount::Multiplexed))
                        .min();
                    without.push((
                        record.event.clone(),
                        reason.unwrap_or(MissingCount::NothingCounted),
                    ));
                }
            }
        }
        (figures, without)
    }

    /// Did the counter run for too small a share of the time?
    fn is_estimate(&self, record: &EventRecord) -> bool {
        record.value.is_ok()
            && record
                .running
                .is_some_and(|running| running < self.least_running)
    }

    /// Is every event above 0 that cannot be 0?
    fn is_whole(&self, group: &[EventRecord]) -> bool {
        let cannot_be_zero = |record: &EventRecord| {
            let mut patterns = self.non_zero.iter();
            patterns.any(|pattern| event_glob::matches(pattern, &record.event))
        };
        !group
            .iter()
            .any(|record| record.value == Ok(0.0) && cannot_be_zero(record))
    }
}

/// The mean of the values of one event, with its error.
fn mean(counted: &[(&EventRecord, f64)]) -> Option<PerfFigure> {
    let (first, only) = counted.first()?;
    let n = counted.len() as f64;
    let of = |value: fn(&EventRecord) -> Option<f64>| {
        let values: Vec<f64> = counted
            .iter()
            .filter_map(|(record, _)| value(record))
            .collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let mut figure = PerfFigure {
        runtime: of(|record| record.runtime),
        running: of(|record| record.running),
        ..PerfFigure::exact(*only, first.unit.as_str().into())
    };
    // `perf stat --repeat` has made the mean, and its file has the error but not the single values.
    if let ([_], Some(of_several)) = (counted, first.mean) {
        figure.value = of_several.mean;
        figure.rse = of_several.rse;
        figure.n = of_several.n;
    } else if counted.len() > 1 {
        let mean = counted.iter().map(|(_, value)| value).sum::<f64>() / n;
        let squares = counted
            .iter()
            .map(|(_, value)| (value - mean).powi(2))
            .sum::<f64>();
        // Of a sample (n - 1), as in `perf stat --repeat`; the error of the mean is s / √n.
        let deviation = (squares / (n - 1.0)).sqrt();
        figure.value = mean;
        figure.n = counted.len() as u64;
        // Relative to 0 there is no error; NaN would spread to each comparison.
        if mean != 0.0 {
            figure.rse = deviation / n.sqrt() / mean;
        }
    } else if figure.unit.as_str().is_empty() {
        figure.value = count(figure.value);
    }
    Some(figure)
}

/// Subtracts the figures of the empty benchmark.
pub fn subtract(figures: &mut [(String, PerfFigure)], empty: &[(String, PerfFigure)]) {
    for (event, figure) in figures {
        let Some((_, other)) = empty.iter().find(|(other, _)| other == event) else {
            continue;
        };
        if other.family() != figure.family() {
            continue;
        }
        // A figure below that of the empty benchmark is 0, not negative.
        let rest = (figure.base() - other.base()).max(0.0);
        // Both were measured independently, so their errors add up in squares.
        let error = figure.error().hypot(other.error());
        figure.rse = if rest > 0.0 { error / rest } else { 0.0 };
        figure.value = figure.of_base(rest);
    }
}

/// The figures as perf would have written them, each with the number of its samples.
pub fn written(figures: &[(String, PerfFigure)], without: &[(String, MissingCount)]) -> String {
    let mut out = String::new();
    let text = |text: &str| serde_json::Value::from(text).to_string();
    for (event, figure) in figures {
        let PerfFigure { value, n, rse, .. } = *figure;
        let whole = if figure.unit().is_none() {
            count(value)
        } else {
            value
        };
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "{{\"counter-value\" : \"{whole:.6}\", \"unit\" : {}, \"event\" : {}",
            text(figure.unit.as_str()),
            text(event),
        );
        for (key, value) in [
            ("event-runtime", figure.runtime),
            ("pcnt-running", figure.running),
        ] {
            if let Some(value) = value {
                let _ = write!(out, ", \"{key}\" : {value:.2}");
            }
        }
        let _ = writeln!(
            out,
            ", \"iai-callgrind-n\" : {n}, \"iai-callgrind-mean\" : {value:?}, \"iai-callgrind-rse\" : {rse:?}}}"
        );
    }
    for (event, missing) in without {
        let value = match missing {
            MissingCount::NotSupported => "<not supported>",
            MissingCount::NotCounted | MissingCount::Multiplexed | MissingCount::NothingCounted => {
                "<not counted>"
            }
        };
        let _ = writeln!(
            out,
            "{{\"counter-value\" : \"{value}\", \"unit\" : \"\", \"event\" : {}}}",
            text(event)
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::perf::read;

    fn figures(samples: &SampleFilter, text: &str) -> (ByEvent<PerfFigure>, ByEvent<MissingCount>) {
        samples.figures(&read(text.as_bytes()).unwrap().unwrap())
    }

    fn line(event: &str, value: &str, running: f64) -> String {
        format!(
            "{{\"counter-value\" : \"{value}\", \"unit\" : \"\", \"event\" : \"{event}\", \"pcnt-running\" : {running}}}\n"
        )
    }

    #[test]
    fn the_first_sample_warms_up() {
        let text: String = ["9", "1", "2", "3"]
            .map(|value| line("faults", value, 100.0))
            .concat();
        let (figures, _) = figures(&SampleFilter::default(), &text);
        let (_, figure) = &figures[0];
        assert_eq!((figure.value, figure.n), (2.0, 3));
        // 1 / sqrt(3) / 2
        assert!(
            (figure.rse - 0.288_675_134_594_8).abs() < 1e-12,
            "{}",
            figure.rse
        );
    }

    #[test]
    fn estimates_and_samples_without_time_are_dropped() {
        let samples = SampleFilter::default();
        let (found, without) = figures(&samples, &line("cycles", "7", 99.9));
        assert!(found.is_empty());
        assert_eq!(without, [("cycles".to_owned(), MissingCount::Multiplexed)]);
        let lenient = SampleFilter {
            least_running: 50.0,
            ..SampleFilter::default()
        };
        assert_eq!(
            figures(&lenient, &line("cycles", "7", 99.9)).0[0].1.value,
            7.0
        );
        let text = line("task-clock", "0", 100.0) + &line("faults", "3", 100.0);
        let (found, without) = figures(&samples, &text);
        assert!(found.is_empty());
        assert!(without
            .iter()
            .all(|(_, missing)| *missing == MissingCount::NothingCounted));
        let anything = SampleFilter {
            non_zero: Vec::new(),
            ..SampleFilter::default()
        };
        assert_eq!(figures(&anything, &text).0.len(), 2);
    }

    #[test]
    fn what_is_written_reads_back() {
        let run = |value| line(r#"a \"b\""#, value, 100.0) + &line("x", "<not supported>", 100.0);
        let text: String = ["9.0", "1.5", "2", "3"].map(run).concat();
        let samples = SampleFilter::default();
        let (first, without) = figures(&samples, &text);
        assert_eq!((first[0].0.as_str(), first[0].1.n), ("a \"b\"", 3));
        assert_eq!(without, [("x".to_owned(), MissingCount::NotSupported)]);
        let again = figures(&samples, &written(&first, &without));
        assert_eq!(again, (first, without));
    }

    #[test]
    fn an_empty_benchmark_is_subtracted_with_its_error() {
        let figure = |value, rse, unit: &str| PerfFigure {
            n: 4,
            rse,
            ..PerfFigure::exact(value, unit.into())
        };
        let mut all = vec![
            ("task-clock".to_owned(), figure(10.0, 0.3, "msec")),
            ("faults".to_owned(), figure(2.0, 0.0, "")),
        ];
        let empty = [
            ("task-clock".to_owned(), figure(5000.0, 0.8, "usec")),
            ("faults".to_owned(), figure(3.0, 0.0, "")),
        ];
        subtract(&mut all, &empty);
        assert!((all[0].1.value - 5.0).abs() < 1e-9);
        // Errors of 3 ms and 4 ms make one of 5 ms.
        assert!((all[0].1.rse - 1.0).abs() < 1e-9);
        assert_eq!(all[1].1.value, 0.0);
    }
}
