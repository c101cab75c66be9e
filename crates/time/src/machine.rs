//! The time that others take from this machine, as far as Linux tells it.

use std::fs;
use std::path::{Path, PathBuf};

/// Time since the machine was started, in ticks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProcessorTime {
    /// Time that other virtual machines took.
    pub stolen: u64,
    /// All time.
    pub total: u64,
    /// Periods in which the limit of the cgroup held its processes up.
    pub throttled: u64,
}

impl ProcessorTime {
    /// The time until now; zero where the system does not tell it.
    #[must_use]
    pub fn now() -> Self {
        let text = fs::read_to_string("/proc/stat").unwrap_or_default();
        let (stolen, total) = of_stat(&text);
        Self {
            stolen,
            total,
            throttled: throttled(),
        }
    }

    /// The time since another moment.
    #[must_use]
    pub fn since(self, before: Self) -> Self {
        Self {
            stolen: self.stolen.saturating_sub(before.stolen),
            total: self.total.saturating_sub(before.total),
            throttled: self.throttled.saturating_sub(before.throttled),
        }
    }
}

/// The stolen time, which is the eighth number of the first line, and the sum of these eight.
fn of_stat(text: &str) -> (u64, u64) {
    let line = text.lines().next().unwrap_or_default();
    // The two numbers behind these, of guests, are contained in the first two.
    let numbers = line.split_whitespace().skip(1).take(8);
    let numbers: Vec<u64> = numbers.map_while(|number| number.parse().ok()).collect();
    let total = numbers
        .iter()
        .fold(0_u64, |sum, it| sum.saturating_add(*it));
    (numbers.get(7).copied().unwrap_or(0), total)
}

/// In all cgroups of this process: that which has a limit counts.
fn throttled() -> u64 {
    let files = cgroup_files(Path::new("/"), "cpu.stat").into_iter();
    let texts = files.filter_map(|file| fs::read_to_string(file).ok());
    texts.fold(0, |sum, text| sum.saturating_add(of_cgroup(&text)))
}

/// Paths of a file in the cgroups of this process for CPUs, from its own to the outermost. Not each
/// of them exists: a container sees its own cgroup as the outermost one.
pub(crate) fn cgroup_files(root: &Path, name: &str) -> Vec<PathBuf> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let paths = groups.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        // Those of version 2 have no list of controllers.
        let mount = match controllers.split(',').find(|it| ["", "cpu"].contains(it))? {
            "" => root.join("sys/fs/cgroup"),
            controller => root.join("sys/fs/cgroup").join(controller),
        };
        let own = mount.join(path.trim_start_matches('/'));
        let directories = own.ancestors().take_while(|path| path.starts_with(&mount));
        Some(directories.map(|path| path.join(name)).collect::<Vec<_>>())
    });
    paths.flatten().collect()
}

fn of_cgroup(text: &str) -> u64 {
    let mut lines = text.lines();
    let number = lines.find_map(|line| line.strip_prefix("nr_throttled "));
    number.and_then(|it| it.trim().parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stolen_time_is_the_eighth_number() {
        let text = "cpu  100 1 20 800 5 0 3 70 9 0\ncpu0 1 2 3\n";
        assert_eq!(of_stat(text), (70, 999));
        assert_eq!(of_stat("cpu  100"), (0, 100));
        assert_eq!(of_stat("what"), (0, 0));
        assert_eq!(of_stat(""), (0, 0));
        assert_eq!(of_stat("cpu 18446744073709551615 9").1, u64::MAX);
    }

    #[test]
    fn a_cgroup_tells_how_often_it_held_processes_up() {
        assert_eq!(of_cgroup("nr_periods 9\nnr_throttled 4\n"), 4);
        assert_eq!(of_cgroup("nr_throttled x"), 0);
    }
}
