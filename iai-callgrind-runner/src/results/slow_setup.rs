//! Benchmarks that spend most of their time where nothing is counted.

use std::time::Duration;

use crate::plan::{Instrumentation, Job};
use base::tool::Tool;
use metrics::CounterSet;
use records::summary::Mode;

/// Time under Callgrind that is worth a hint.
const LONG: Duration = Duration::from_secs(1);

/// Instructions that Callgrind executes and counts in a second, at the least: with simulated caches it is 60 to 140
/// times slower than the processor.
const SLOWEST: u64 = 20_000_000;

/// A hint on `fast_setup`, where counted instructions explain less than a fifth of the processor time. Nothing
/// is said where it is used already, or cannot be.
pub(super) fn hint(job: &Job, cpu: Option<Duration>, sets: &[CounterSet]) -> Option<String> {
    let possible = job.tool == Tool::Callgrind
        && job.mode == Mode::Fork
        && job.args.instrumentation == Instrumentation::Process
        && job.args.counts_only_the_function();
    let counters = sets.iter().flat_map(|set| &set.counters);
    let instructions = counters
        .filter(|(event, _)| event == "Ir")
        .map(|(_, count)| *count)
        .fold(0, u64::saturating_add);
    (possible && is_unexplained(cpu?, instructions)).then(|| TEXT.to_owned())
}

const TEXT: &str = "a benchmark took more than a second, and what it counts explains less than a fifth of that\n  \
     hint: `--fast-setup`, or `Callgrind::default().fast_setup(true)`, runs setups and teardowns some ten times faster; \
     instructions are the same, and simulated caches are empty when the benchmark function begins";

fn is_unexplained(cpu: Duration, instructions: u64) -> bool {
    let explained = Duration::from_secs_f64(instructions as f64 / SLOWEST as f64);
    cpu > LONG && explained < cpu / 5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_explained_by_instructions() {
        let check = |milliseconds, instructions, expected| {
            let cpu = Duration::from_millis(milliseconds);
            assert_eq!(
                is_unexplained(cpu, instructions),
                expected,
                "{milliseconds}"
            );
        };
        check(1500, 1000, true);
        check(900, 1000, false);
        check(10_000, 39_000_000, true);
        check(10_000, 41_000_000, false);
        check(1500, u64::MAX, false);
    }
}
