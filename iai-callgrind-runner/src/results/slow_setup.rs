//! Benchmarks that spend most of their time where nothing is counted.
//!
//! With `fast_setup` a setup runs about ten times faster, and the switch costs each fork a few
//! milliseconds: Callgrind translates the code anew that its server had translated. So it pays for
//! a setup that was expensive in the last run.

use std::sync::Arc;
use std::time::Duration;

use crate::plan::{Instrumentation, Job, Plan};
use base::tool::Tool;
use iai_callgrind::protocol::metric::EventKind;
use metrics::CounterSet;
use records::summary::Mode;
use records::{KeptRecord, KeptRecords};
use store::Store;

/// Time under Callgrind that is worth a hint.
const LONG: Duration = Duration::from_secs(1);

/// Instructions that Callgrind executes and counts in a second, at the least: with simulated caches
/// it is 60 to 140 times slower than the processor.
const SLOWEST: u64 = 20_000_000;

/// Time of a setup that a fast one makes clearly shorter.
const SLOW: Duration = Duration::from_millis(200);

/// The cost of the start of a second server.
const START: Duration = Duration::from_millis(500);

/// The cost of the switch for a fork.
const TRANSLATION: Duration = Duration::from_millis(5);

/// Chooses for the jobs with [`Instrumentation::Faster`] whether their setups are fast, by what
/// they cost in the result that this run replaces. Without one they are not.
pub(crate) fn choose(plan: &mut Plan, store: &Store) {
    let slot = plan.baseline.write.clone();
    let mut jobs = Vec::new();
    for benchmark in plan.benchmarks_mut() {
        for job in &mut benchmark.jobs {
            if job.args.instrumentation == Instrumentation::Faster {
                let entry = store.entry(&benchmark.path).ok();
                let kept = entry.and_then(|entry| {
                    let record = KeptRecords::default().of_tool(&entry, &slot, job.tool);
                    record.ok().flatten()
                });
                // Without an old result nothing is known to be slow, so no first run pays for a
                // switch.
                jobs.push((kept.map_or(Duration::ZERO, |kept| last_cost(&kept)), job));
            }
        }
    }
    let costs: Vec<Duration> = jobs.iter().map(|(cost, _)| *cost).collect();
    for index in worth(&costs) {
        let job = &mut jobs[index].1;
        Arc::make_mut(&mut job.args).instrumentation = Instrumentation::Function;
    }
}

/// The indices of the setups that are worth it. Benchmarks with and without a fast setup do not
/// share a server.
fn worth(costs: &[Duration]) -> Vec<usize> {
    // With a switch each fork translates its code anew: 400 small benchmarks took 4.7 s instead of
    // 3.6 s.
    let slow = |index: &usize| costs[*index] > SLOW;
    let found: Vec<usize> = (0..costs.len()).filter(slow).collect();
    let sum: Duration = found.iter().map(|index| costs[*index]).sum();
    // If all setups are slow, they share one server as before. Otherwise a second one has to pay
    // for its start.
    match found.len() == costs.len() || sum > START {
        true => found,
        false => Vec::new(),
    }
}

/// The cost of the setup in the last run, were it not fast.
fn last_cost(record: &KeptRecord) -> Duration {
    let instructions = record.result.count(EventKind::Ir.into()).unwrap_or(0);
    let was_fast = record.environment.fast_setup == Some(true);
    // Not the wall time, which may have the start of a server in it.
    let cpu = record.cpu.unwrap_or(Duration::ZERO);
    cost(cpu, instructions, was_fast)
}

/// The cost of a setup that is not fast, by the processor time of the whole benchmark.
fn cost(cpu: Duration, instructions: u64, was_fast: bool) -> Duration {
    let outside = cpu.saturating_sub(explained(instructions));
    match was_fast {
        // Ten times faster, but for what it takes to translate the code anew.
        true => outside.saturating_sub(TRANSLATION) * 10,
        false => outside,
    }
}

/// A hint on `fast_setup`, where counted instructions explain less than a fifth of the processor
/// time. Nothing is said where it is used already, or cannot be.
pub(super) fn hint(job: &Job, cpu: Option<Duration>, sets: &[CounterSet]) -> Option<String> {
    let possible = job.tool == Tool::Callgrind
        && job.mode == Mode::Fork
        && job.args.instrumentation != Instrumentation::Function
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
    cpu > LONG && explained(instructions) < cpu / 5
}

/// Time in which Callgrind counts so many instructions.
fn explained(instructions: u64) -> Duration {
    Duration::from_secs_f64(instructions as f64 / SLOWEST as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_slow_setups_together_have_to_pay_for_the_switch() {
        let millis = Duration::from_millis;
        let check = |costs: &[u64], expected: &[usize]| {
            let costs: Vec<Duration> = costs.iter().copied().map(millis).collect();
            assert_eq!(worth(&costs), expected);
        };
        // A hundred small setups.
        check(&[3; 100], &[]);
        check(&[3, 400, 3], &[]);
        check(&[3, 400, 150, 300, 3], &[1, 3]);
        // One server is enough.
        check(&[400], &[0]);
        check(&[], &[]);
    }

    #[test]
    fn a_fast_setup_is_as_expensive_as_before() {
        let millis = Duration::from_millis;
        assert_eq!(cost(millis(500), 1_000_000, false), millis(450));
        assert_eq!(cost(millis(65), 1_000_000, true), millis(100));
        assert_eq!(cost(millis(5), 1_000_000, false), millis(0));
    }

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
