//! Properties of a machine that decide how much its times are worth, as far as Linux tells them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::machine::cgroup_files;

/// The most CPUs that are looked at.
const MOST_CPUS: usize = 4096;

/// Properties of a machine. What the system does not tell is `None`, and as in virtual machines
/// need not be true.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TimingConditions {
    /// CPUs that are threads of one core, such as `0-1`: the first ones, if there are several.
    pub shared_core: Option<String>,
    /// The source of the clock, such as `tsc`.
    pub clock: Option<String>,
    /// Does the counter of an x86 processor have a constant rate, also while it sleeps?
    pub has_constant_tsc: Option<bool>,
    /// The governors of the frequencies: of all CPUs, each once.
    pub governors: BTreeSet<String>,
    /// The limit of a cgroup, in CPUs.
    pub quota: Option<f64>,
}

impl TimingConditions {
    /// The properties of this machine.
    #[must_use]
    pub fn of_this_machine() -> Self {
        Self::read(Path::new("/"))
    }

    /// The properties that files of the kernel below `root` tell.
    fn read(root: &Path) -> Self {
        let text = |path: &str| fs::read_to_string(root.join(path)).ok();
        let word = |path: &str| text(path).map(|text| text.trim().to_owned());
        let of_cpu =
            |cpu: usize, file: &str| word(&format!("sys/devices/system/cpu/cpu{cpu}/{file}"));
        let directories = (0..MOST_CPUS).take_while(|cpu| {
            root.join(format!("sys/devices/system/cpu/cpu{cpu}"))
                .is_dir()
        });
        let cpus: Vec<usize> = directories.collect();
        let shared = cpus.iter().find_map(|cpu| {
            let siblings = of_cpu(*cpu, "topology/thread_siblings_list")?;
            // A list of several: `0-1` or `0,4`. One CPU alone is its own sibling.
            siblings.contains(['-', ',']).then_some(siblings)
        });
        let governors = cpus
            .iter()
            .filter_map(|cpu| of_cpu(*cpu, "cpufreq/scaling_governor"));
        let quotas = ["cpu.max", "cpu.cfs_quota_us"]
            .into_iter()
            .flat_map(|name| cgroup_files(root, name));
        let quotas = quotas.filter_map(|file| quota(&file));
        Self {
            shared_core: shared,
            clock: word("sys/devices/system/clocksource/clocksource0/current_clocksource"),
            has_constant_tsc: text("proc/cpuinfo").and_then(|text| has_constant_tsc(&text)),
            governors: governors.collect(),
            // A process is bound by its cgroup and by all above that, so the least counts.
            quota: quotas.min_by(f64::total_cmp),
        }
    }
}

/// `None`: the processor has no such counter.
fn has_constant_tsc(cpuinfo: &str) -> Option<bool> {
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"))?;
    let has = |flag: &str| flags.split_whitespace().any(|word| word == flag);
    has("tsc").then(|| has("constant_tsc") && has("nonstop_tsc"))
}

/// The limit of a cgroup in CPUs: of `50000 100000` in one file, or of one number in each of two.
/// `None`: there is none.
fn quota(file: &Path) -> Option<f64> {
    let text = fs::read_to_string(file).ok()?;
    let mut words = text.split_whitespace();
    let most: f64 = words.next()?.parse().ok()?;
    let period: f64 = match words.next() {
        Some(period) => period.parse().ok()?,
        None => {
            let period = fs::read_to_string(file.with_file_name("cpu.cfs_period_us")).ok()?;
            period.trim().parse().ok()?
        }
    };
    let quota = most / period;
    // Without a limit there is the word `max`, or -1.
    (quota.is_finite() && quota > 0.0).then_some(quota)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory with files of the kernel.
    fn read(files: &[(&str, &str)]) -> TimingConditions {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        TimingConditions::read(root.path())
    }

    #[test]
    fn the_kernel_tells_cores_clock_and_governors() {
        let found = read(&[
            (
                "sys/devices/system/cpu/cpu0/topology/thread_siblings_list",
                "0\n",
            ),
            (
                "sys/devices/system/cpu/cpu1/topology/thread_siblings_list",
                "1-2\n",
            ),
            (
                "sys/devices/system/cpu/cpu2/topology/thread_siblings_list",
                "1-2\n",
            ),
            (
                "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
                "powersave\n",
            ),
            (
                "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor",
                "powersave\n",
            ),
            (
                "sys/devices/system/cpu/cpu2/cpufreq/scaling_governor",
                "performance\n",
            ),
            (
                "sys/devices/system/clocksource/clocksource0/current_clocksource",
                "hpet\n",
            ),
            (
                "proc/cpuinfo",
                "processor\t: 0\nflags\t\t: fpu tsc constant_tsc\n",
            ),
        ]);
        let governors = ["performance", "powersave"].map(str::to_owned);
        let expected = TimingConditions {
            shared_core: Some("1-2".to_owned()),
            clock: Some("hpet".to_owned()),
            has_constant_tsc: Some(false),
            governors: governors.into(),
            quota: None,
        };
        assert_eq!(found, expected);
        assert_eq!(read(&[]), TimingConditions::default());
    }

    #[test]
    fn the_counter_has_to_run_on_while_the_processor_sleeps() {
        let flags = |flags: &str| has_constant_tsc(&format!("flags : {flags}\n"));
        assert_eq!(flags("tsc constant_tsc nonstop_tsc"), Some(true));
        assert_eq!(flags("tsc constant_tsc"), Some(false));
        assert_eq!(flags("fpu"), None);
        assert_eq!(has_constant_tsc("Features : fp asimd\n"), None);
    }

    #[test]
    fn the_smallest_limit_of_all_cgroups_holds() {
        let groups = ("proc/self/cgroup", "0::/a/b\n");
        let two = ("sys/fs/cgroup/cpu.max", "200000 100000\n");
        let half = ("sys/fs/cgroup/a/cpu.max", "50000 100000\n");
        let none = ("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
        assert_eq!(read(&[groups, two, half, none]).quota, Some(0.5));
        assert_eq!(read(&[groups, none]).quota, None);
        let first = |quota| {
            read(&[
                ("proc/self/cgroup", "2:cpuacct:/x\n1:cpu:/docker/1\n0::/\n"),
                ("sys/fs/cgroup/cpu/cpu.cfs_quota_us", quota),
                ("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"),
            ])
        };
        assert_eq!(first("150000\n").quota, Some(1.5));
        assert_eq!(first("-1\n").quota, None);
        assert_eq!(first("what\n").quota, None);
    }
}
