//! Pairs of processes, threads and parts of two runs.
//!
//! Numbers of processes change from run to run, and so does the order of processes that run at the
//! same time. So processes are paired by their commands, in the order of their start; threads and
//! parts have numbers that mean the same in every run. What has no partner stands alone.

use metrics::{CounterSet, MeasuredProcess};

/// A thread or part of a process.
#[derive(Debug, Clone, Copy)]
pub struct ProcessPart<'a> {
    /// The process.
    pub process: &'a MeasuredProcess,
    /// The thread and part.
    pub set: &'a CounterSet,
}

/// One part in the new and in the old run; at least one side is there.
pub type PartPair<'a> = (Option<ProcessPart<'a>>, Option<ProcessPart<'a>>);

/// Pairs the parts of two runs: in the order of the new run, then parts that only the old run has.
#[must_use]
pub fn pairs<'a>(new: &'a [MeasuredProcess], old: &'a [MeasuredProcess]) -> Vec<PartPair<'a>> {
    let mut left: Vec<&MeasuredProcess> = old.iter().collect();
    let mut pairs = Vec::new();
    for process in new {
        let same = left.iter().position(|other| is_same(process, other));
        let partner = same.map(|index| left.remove(index));
        pairs.extend(of_process(Some(process), partner));
    }
    for process in left {
        pairs.extend(of_process(None, Some(process)));
    }
    pairs
}

fn of_process<'a>(
    new: Option<&'a MeasuredProcess>,
    old: Option<&'a MeasuredProcess>,
) -> Vec<PartPair<'a>> {
    let places = |process: Option<&'a MeasuredProcess>| -> Vec<ProcessPart<'a>> {
        let places = process.into_iter().flat_map(|process| {
            let sets = process.sets.iter();
            sets.map(move |set| ProcessPart { process, set })
        });
        places.collect()
    };
    let mut left = places(old);
    let mut pairs: Vec<PartPair<'a>> = Vec::new();
    for place in places(new) {
        let number = |place: &ProcessPart<'_>| (place.set.thread, place.set.part);
        let same = left
            .iter()
            .position(|other| number(other) == number(&place));
        pairs.push((Some(place), same.map(|index| left.remove(index))));
    }
    pairs.extend(left.into_iter().map(|place| (None, Some(place))));
    pairs
}

fn is_same(new: &MeasuredProcess, old: &MeasuredProcess) -> bool {
    without_hash(&new.command) == without_hash(&old.command)
}

/// The command of a benchmark executable changes with every build: `bench-0123456789abcdef`.
fn without_hash(command: &str) -> (&str, &str) {
    // Hexadecimal digits behind the last `-` in cargo's file names.
    const HASH: usize = 16;
    let end = command.find(' ').unwrap_or(command.len());
    let (program, arguments) = command.split_at(end);
    let name = match program.rsplit_once('-') {
        Some((name, hash))
            if hash.len() == HASH && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) =>
        {
            name
        }
        _ => program,
    };
    (name, arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: u32, command: &str, threads: &[u64]) -> MeasuredProcess {
        MeasuredProcess {
            pid: Some(pid),
            command: command.to_owned(),
            sets: threads
                .iter()
                .map(|thread| CounterSet {
                    thread: Some(*thread),
                    ..CounterSet::default()
                })
                .collect(),
            ..MeasuredProcess::default()
        }
    }

    /// Process and thread.
    type Number = Option<(u32, u64)>;

    #[track_caller]
    fn check(new: &[MeasuredProcess], old: &[MeasuredProcess], expected: &[(Number, Number)]) {
        let place = |place: Option<ProcessPart<'_>>| {
            place.map(|place| (place.process.pid.unwrap(), place.set.thread.unwrap()))
        };
        let actual: Vec<_> = pairs(new, old)
            .into_iter()
            .map(|(new, old)| (place(new), place(old)))
            .collect();
        assert_eq!(actual, expected);
    }

    #[test]
    fn threads_are_paired_by_number() {
        check(
            &[process(1, "x", &[1, 3])],
            &[process(2, "x", &[1, 2, 3])],
            &[
                (Some((1, 1)), Some((2, 1))),
                (Some((1, 3)), Some((2, 3))),
                (None, Some((2, 2))),
            ],
        );
    }

    #[test]
    fn processes_are_paired_by_command() {
        check(
            &[
                process(10, "/t/bench-0123456789abcdef", &[1]),
                process(11, "a b", &[1]),
                process(12, "c", &[1]),
            ],
            &[
                process(20, "/t/bench-fedcba9876543210", &[1]),
                process(21, "d", &[1]),
                process(22, "a b", &[1]),
            ],
            &[
                (Some((10, 1)), Some((20, 1))),
                (Some((11, 1)), Some((22, 1))),
                (Some((12, 1)), None),
                (None, Some((21, 1))),
            ],
        );
    }
}
