//! The processors that a process may run on: one, or the fast ones. Only Linux is asked; elsewhere
//! every process runs where it wants.
//!
//! Valgrind runs one thread at a time anyway, but which one is next depends less on chance if they
//! all wait for the same processor.

use std::process::Command;
use std::{fs, io};

/// The processors that this process may use, by number. Empty: not known.
pub fn allowed() -> io::Result<Vec<usize>> {
    system::allowed()
}

/// Lets the process that the command starts use these processors only.
pub fn restrict(command: &mut Command, processors: &[usize]) -> io::Result<()> {
    system::restrict(command, processors)
}

/// Pins the process to one of the processors that this process may use. Each `number` gets the next
/// one, so that several processes do not share a processor.
pub fn pin(command: &mut Command, number: usize) -> io::Result<()> {
    let allowed = allowed()?;
    match allowed.len() {
        0 => Ok(()),
        count => restrict(command, &[allowed[number % count]]),
    }
}

/// Restricts the process to the fast processors of those that this process may use, if some are
/// slower: otherwise chance would decide about the figures of perf.
pub fn on_fast_processors(command: &mut Command) -> io::Result<()> {
    let fast = fast_allowed()?;
    match fast.len() == allowed()?.len() {
        true => Ok(()),
        false => restrict(command, &fast),
    }
}

/// The fast processors of those that this process may use. Empty: not known.
pub fn fast_allowed() -> io::Result<Vec<usize>> {
    let allowed = allowed()?;
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
    let capacities = (0..most()).map_while(|cpu| Some((cpu, capacity(cpu)?)));
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
    ranges.flatten().take(most()).collect()
}

/// The most processors that there can be.
pub use self::system::most;

#[cfg(target_os = "linux")]
mod system {
    use std::os::unix::process::CommandExt;

    use nix::sched::{sched_getaffinity, sched_setaffinity, CpuSet};
    use nix::unistd::Pid;

    use super::*;

    /// This thread, or the process between fork and exec.
    const THIS: Pid = Pid::from_raw(0);

    pub(super) fn allowed() -> io::Result<Vec<usize>> {
        let allowed = sched_getaffinity(THIS)?;
        let all = (0..most()).filter(|number| allowed.is_set(*number).unwrap_or(false));
        Ok(all.collect())
    }

    pub(super) fn restrict(command: &mut Command, processors: &[usize]) -> io::Result<()> {
        let set = set(processors)?;
        let prepare = move || Ok(sched_setaffinity(THIS, &set)?);
        // SAFETY: one system call, which is safe between fork and exec.
        unsafe { command.pre_exec(prepare) };
        Ok(())
    }

    fn set(processors: &[usize]) -> nix::Result<CpuSet> {
        let mut set = CpuSet::new();
        for number in processors {
            set.set(*number)?;
        }
        Ok(set)
    }

    /// The most processors that a set may have.
    #[must_use]
    pub const fn most() -> usize {
        CpuSet::count()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::*;

    pub(super) fn allowed() -> io::Result<Vec<usize>> {
        Ok(Vec::new())
    }

    pub(super) fn restrict(_command: &mut Command, _processors: &[usize]) -> io::Result<()> {
        Ok(())
    }

    /// The most processors that a set may have.
    #[must_use]
    pub const fn most() -> usize {
        1024
    }
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
