//! Parts of all benchmarks of a project that take about the same time, for machines that share
//! them.
//!
//! In: the times that earlier results tell. Out: the part of each benchmark. Every machine that has
//! the same results divides in the same way: nothing else goes into it, also not which benchmarks
//! this run selects.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use iai_callgrind::shared::hash::hash;

/// The time that a benchmark took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchmarkTime {
    /// The package.
    pub package: String,
    /// The whole name of the benchmark.
    pub path: String,
    /// Number of the file that has the result: results of one file are of one run, unless files
    /// were concatenated.
    pub run: u32,
    /// Start, in UTC.
    pub started_at: String,
    /// Wall time, in nanoseconds.
    pub duration_ns: u64,
}

/// The parts of all benchmarks that earlier results have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimedParts {
    parts: u64,
    /// The index of the part by package and path.
    known: BTreeMap<(String, String), u64>,
}

/// A first benchmark that took this many times as long as is usual in its group carried the start
/// of its server.
const START: u64 = 10;

impl TimedParts {
    /// Divides benchmarks into parts: the longest first, each into the part with the least time so
    /// far.
    #[must_use]
    pub fn new(times: &[BenchmarkTime], parts: u64) -> Self {
        let mut sorted: Vec<((String, String), u64)> = durations(times).into_iter().collect();
        // Names decide between equal times: each machine has to divide in the same way.
        sorted.sort_by(|(one, this), (other, that)| that.cmp(this).then_with(|| one.cmp(other)));
        // More parts than benchmarks stay empty, so the number of parts may be any.
        let used = parts.min(sorted.len() as u64);
        // In 128 bits, which no sum of such times leaves.
        let mut loads: BinaryHeap<Reverse<(u128, u64)>> =
            (0..used).map(|part| Reverse((0, part))).collect();
        let mut known = BTreeMap::new();
        for (name, duration) in sorted {
            let Some(Reverse((load, part))) = loads.pop() else {
                break;
            };
            // A benchmark without a time still has its turn.
            loads.push(Reverse((load + u128::from(duration.max(1)), part)));
            known.insert(name, part);
        }
        Self { parts, known }
    }

    /// The index of the part of a benchmark, from 0. Those that no result knows are in the part of
    /// their hash.
    #[must_use]
    pub fn part(&self, package: &str, path: &str) -> u64 {
        let name = (package.to_owned(), path.to_owned());
        match self.known.get(&name) {
            Some(part) => *part,
            // `parts` is 0 in the default alone.
            None => hash(path.as_bytes()) % self.parts.max(1),
        }
    }
}

/// The time of each benchmark, without the start of a server. Of several results the shortest time
/// counts, since a busy machine only makes it longer.
fn durations(times: &[BenchmarkTime]) -> BTreeMap<(String, String), u64> {
    let mut groups: BTreeMap<(u32, &str, &str), Vec<&BenchmarkTime>> = BTreeMap::new();
    for time in times {
        // By run: each started its servers anew.
        let key = (time.run, time.package.as_str(), group(&time.path));
        groups.entry(key).or_default().push(time);
    }
    let mut durations = BTreeMap::new();
    for members in groups.values() {
        let first = members.iter().map(|time| &time.started_at).min();
        let usual = median(members);
        for time in members {
            let starts = Some(&time.started_at) == first;
            let is_start = starts && time.duration_ns > usual.saturating_mul(START);
            let duration = if is_start { usual } else { time.duration_ns };
            let name = (time.package.clone(), time.path.clone());
            let shortest = durations.entry(name).or_insert(duration);
            *shortest = duration.min(*shortest);
        }
    }
    durations
}

/// The file and the group of a path.
fn group(path: &str) -> &str {
    let end = path.match_indices("::").nth(1);
    end.map_or(path, |(end, _)| &path[..end])
}

/// The lower median, so that of two benchmarks the short one is the usual one.
fn median(members: &[&BenchmarkTime]) -> u64 {
    let mut durations: Vec<u64> = members.iter().map(|time| time.duration_ns).collect();
    durations.sort_unstable();
    // A group has a member, or it would not be there.
    durations[(durations.len() - 1) / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(path: &str, started_at: &str, duration_ns: u64) -> BenchmarkTime {
        BenchmarkTime {
            package: "p".to_owned(),
            run: 0,
            path: path.to_owned(),
            started_at: started_at.to_owned(),
            duration_ns,
        }
    }

    #[track_caller]
    fn check(times: &[BenchmarkTime], parts: u64, expected: &[(&str, u64)]) {
        let divided = TimedParts::new(times, parts);
        for (path, part) in expected {
            assert_eq!(divided.part("p", path), *part, "{path}");
        }
        let reversed: Vec<BenchmarkTime> = times.iter().rev().cloned().collect();
        assert_eq!(TimedParts::new(&reversed, parts), divided);
    }

    #[test]
    fn the_longest_come_first_and_ties_go_to_the_lowest_part() {
        let times = [
            time("f::g::a", "1", 3),
            time("f::g::b", "2", 7),
            time("f::g::c", "3", 3),
            time("f::g::d", "4", 4),
        ];
        let expected = [
            ("f::g::b", 0),
            ("f::g::d", 1),
            ("f::g::a", 1),
            ("f::g::c", 0),
        ];
        check(&times, 2, &expected);
    }

    #[test]
    fn the_start_of_a_server_does_not_count() {
        let times = [
            time("f::g::first", "1", 1000),
            time("f::g::second", "2", 10),
            time("f::g::third", "3", 9),
            time("f::other::long", "4", 1000),
        ];
        // With the start, `first` would have a part of its own.
        let expected = [
            ("f::other::long", 0),
            ("f::g::first", 1),
            ("f::g::second", 1),
            ("f::g::third", 1),
        ];
        check(&times, 2, &expected);
    }

    #[test]
    fn of_several_results_the_shortest_time_counts() {
        let mut times = [
            time("f::g::a", "1", 3),
            time("f::g::a", "9", 90),
            time("f::g::b", "2", 5),
            time("f::g::c", "3", 4),
        ];
        // The second one is of another run, whose server started with it.
        times[1].run = 1;
        check(&times, 2, &[("f::g::b", 0), ("f::g::c", 1), ("f::g::a", 1)]);
    }

    #[test]
    fn unknown_benchmarks_are_divided_by_their_hash() {
        let divided = TimedParts::new(&[time("f::g::a", "1", 3)], 3);
        for path in ["f::g::x", "f::g::y", "f::g::z"] {
            assert_eq!(divided.part("p", path), hash(path.as_bytes()) % 3);
            assert_eq!(
                divided.part("p", path),
                TimedParts::new(&[], 3).part("p", path)
            );
        }
        let huge = TimedParts::new(&[time("f::g::a", "1", 3)], u64::MAX);
        assert_eq!(huge.part("p", "f::g::a"), 0);
    }
}
