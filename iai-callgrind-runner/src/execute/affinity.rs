//! The processors of a measured process: one, or the fast ones.
//!
//! Valgrind runs one thread at a time anyway, but which one is next depends less on chance if they
//! all wait for the same processor.

use std::process::Command;
use std::{fs, io};

use base::os::processors;

/// Pins the process to one of the processors that the runner may use. Each `number` gets the next
/// one, so that several processes do not share a processor.
pub(super) fn pin(command: &mut Command, number: usize) -> io::Result<()> {
    let allowed = processors::allowed()?;
    match allowed.len() {
        0 => Ok(()),
        count => processors::restrict(command, &[allowed[number % count]]),
    }
}

/// Restricts the process to the fast processors of those that the runner may use, if some are
/// slower: otherwise chance would decide about the figures of perf.
pub(super) fn on_fast_processors(command: &mut Command) -> io::Result<()> {
    let fast = fast_allowed()?;
    match fast.len() == processors::allowed()?.len() {
        true => Ok(()),
        false => processors::restrict(command, &fast),
    }
}

/// Pins the process to this processor.
pub(super) fn on(command: &mut Command, number: usize) -> io::Result<()> {
    processors::restrict(command, &[number])
}

/// The fast processors of those that the runner may use. Empty: not known.
pub(super) fn fast_allowed() -> io::Result<Vec<usize>> {
    let allowed = processors::allowed()?;
    let mut fast = fast_processors();
    fast.retain(|number| allowed.contains(number));
    Ok(if fast.is_empty() { allowed } else { fast })
}

/// The fast processors; none if all are alike. On Intel, Linux lists them; on ARM it gives the
/// capacity of each.
fn fast_processors() -> Vec<usize> {
    if let Ok(list) = fs::read_to_string("/sys/devices/cpu_core/cpus") {
        return listed(&list);
    }
    let capacity = |cpu: usize| -> Option<u64> {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/cpu_capacity");
        fs::read_to_string(path).ok()?.trim().parse().ok()
    };
    let capacities = (0..processors::most()).map_while(|cpu| Some((cpu, capacity(cpu)?)));
    fastest(&capacities.collect::<Vec<_>>())
}

/// Processors with at least 90 % of the largest capacity; none if these are all.
fn fastest(capacities: &[(usize, u64)]) -> Vec<usize> {
    let largest = capacities
        .iter()
        .map(|(_, capacity)| *capacity)
        .max()
        .unwrap_or(0);
    let fast = capacities
        .iter()
        .filter(|(_, capacity)| capacity * 10 >= largest * 9);
    let fast: Vec<usize> = fast.map(|(cpu, _)| *cpu).collect();
    if fast.len() == capacities.len() {
        Vec::new()
    } else {
        fast
    }
}

/// The numbers of a list such as `0-3,8`.
fn listed(list: &str) -> Vec<usize> {
    let ranges = list.trim().split(',').filter_map(|range| {
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        Some(from.parse::<usize>().ok()?..=to.parse().ok()?)
    });
    ranges.flatten().take(processors::most()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_listed_by_ranges() {
        assert_eq!(listed("0-3,8\n"), [0, 1, 2, 3, 8]);
        assert_eq!(listed("5"), [5]);
        assert!(listed("").is_empty());
    }

    #[test]
    fn fast_processors_have_nearly_the_largest_capacity() {
        assert_eq!(fastest(&[(0, 400), (1, 1024), (2, 930)]), [1, 2]);
        assert!(fastest(&[(0, 1024), (1, 1024)]).is_empty());
        assert!(fastest(&[]).is_empty());
    }
}
