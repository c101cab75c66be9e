//! Conditions that decide how much wall time (`--time`) is worth: those of the machine, and whether
//! builds place their functions alike.
//!
//! Nothing of it is a problem: counts do not depend on it, and the ratio of two executables that
//! run in turn depends on the placement of functions alone.

use std::path::Path;

use crate::flags::codegen_options;
use crate::{Cure, Finding};
use ::project::CargoConfig;
use time::TimingConditions;

/// Every function begins at a multiple of 2^6 bytes.
const ALIGNMENT: u32 = 6;

/// The flag for it.
const ALIGNED: &str = "-Cllvm-args=-align-all-functions=6";

/// The line with it in cargo's configuration.
const ALIGNED_LINE: &str = "rustflags = [\"-Cllvm-args=-align-all-functions=6\"]";

/// Clocks that a process reads without a system call.
const FAST_CLOCKS: [&str; 4] = [
    "tsc",
    "kvm-clock",
    "hyperv_clocksource_tsc_page",
    "arch_sys_counter",
];

/// CPUs that a process of one thread and the runner beside it never exceed.
const ENOUGH_CPUS: f64 = 2.0;

/// Examines a machine.
pub fn of_machine(machine: &TimingConditions) -> Vec<Finding> {
    let clock = machine
        .clock
        .as_deref()
        .map(|clock| clock_finding(clock, machine.has_constant_tsc.unwrap_or(true)));
    // A system that tells its clock tells its cores as well.
    let shared = machine.clock.as_ref().map(|_| match &machine.shared_core {
        Some(cpus) => Finding::fine(format!(
            "wall time: CPUs {cpus} are threads of one core, so a call may take twice as long while \
             the other one is busy; only ratios of executables that ran in turn are worth something"
        )),
        None => Finding::fine(
            "wall time: no two CPUs are threads of one core, unless this is a virtual machine that \
             hides it",
        ),
    });
    let others = [shared, clock, governor(machine), quota(machine)];
    others.into_iter().flatten().collect()
}

fn clock_finding(clock: &str, is_constant: bool) -> Finding {
    match (FAST_CLOCKS.contains(&clock), is_constant) {
        (true, true) => Finding::fine(format!(
            "wall time: the clock is `{clock}`, fast to read and of constant rate"
        )),
        (true, false) => Finding::note(
            format!(
                "wall time: the clock is `{clock}`, and the counter of this processor (TSC) has no \
                 constant rate; absolute times may be wrong, ratios are not"
            ),
            None,
        ),
        (false, _) => Finding::note(
            format!(
                "wall time: the clock is `{clock}`, which is slow to read: times of calls below some \
                 microseconds are worth little"
            ),
            Cure::run("cat /sys/devices/system/clocksource/clocksource0/available_clocksource"),
        ),
    }
}

fn governor(machine: &TimingConditions) -> Option<Finding> {
    let mut names = machine.governors.iter();
    let other = names.find(|name| *name != "performance");
    if machine.governors.is_empty() {
        return None;
    }
    Some(match other {
        None => Finding::fine("wall time: the governor of all CPUs is `performance`"),
        Some(name) => Finding::note(
            format!(
                "wall time: the governor of CPUs is `{name}`, so their frequency depends on the load; \
                 absolute times vary with it, ratios do not"
            ),
            Cure::run("sudo cpupower frequency-set --governor performance"),
        ),
    })
}

fn quota(machine: &TimingConditions) -> Option<Finding> {
    let quota = machine.quota?;
    let limit = format!("wall time: this cgroup is limited to the time of {quota:.2} CPUs");
    Some(match quota < ENOUGH_CPUS {
        true => Finding::note(
            format!(
                "{limit}; processes that exceed it are stopped for a while, and rows say `CPU \
                 throttled` if that happens in most starts"
            ),
            None,
        ),
        false => Finding::fine(format!("{limit}, which a benchmark of one thread keeps")),
    })
}

/// Are functions aligned by the flags of cargo's configuration? `directory` is the root of the
/// project.
pub fn of_flags(config: &CargoConfig<'_>, directory: &Path) -> Finding {
    let flags = config.rustflags();
    if flags.iter().any(|(_, flags)| is_aligned(flags)) {
        return Finding::fine(
            "wall time: flags let every function begin at a multiple of 64 bytes, so builds are \
             comparable",
        );
    }
    // A variable replaces all files, and the nearest file comes first.
    let cure = match flags.first() {
        Some((place, _)) => Cure {
            place: format!("add to the flags of {place}"),
            lines: vec![ALIGNED.to_owned()],
        },
        None => Cure::write(
            &directory.join(".cargo/config.toml"),
            &["[build]", ALIGNED_LINE],
        ),
    };
    Finding::note(
        "wall time: no flag aligns functions, so small differences of time (below 20 % of a call \
         below 1 us, 1 % of a long one) may come from their place in memory, and are not judged",
        cure,
    )
}

fn is_aligned(flags: &[String]) -> bool {
    let options = codegen_options(flags);
    let arguments = options
        .iter()
        .filter_map(|option| option.strip_prefix("llvm-args="));
    let mut words = arguments.flat_map(str::split_whitespace);
    words.any(|word| {
        let alignment = word
            // LLVM takes its options with one dash or two.
            .trim_start_matches('-')
            .strip_prefix("align-all-functions=");
        let alignment = alignment.and_then(|alignment| alignment.parse::<u32>().ok());
        // A larger power of two is a multiple of the smaller one.
        alignment.is_some_and(|alignment| alignment >= ALIGNMENT)
    })
}

#[cfg(test)]
mod tests {
    use base::repository::of_repository;
    use base::variables::EnvironmentVariables;

    use super::*;
    use crate::Severity;

    #[test]
    fn the_machine_is_described() {
        let good = TimingConditions {
            shared_core: None,
            clock: Some("tsc".to_owned()),
            has_constant_tsc: Some(true),
            governors: ["performance".to_owned()].into(),
            quota: Some(4.0),
        };
        let levels = |machine: &TimingConditions| -> Vec<Severity> {
            let found = of_machine(machine);
            found.iter().map(|finding| finding.level).collect()
        };
        assert_eq!(levels(&good), [Severity::Fine; 4]);
        let bad = TimingConditions {
            shared_core: Some("0,2".to_owned()),
            clock: Some("hpet".to_owned()),
            has_constant_tsc: Some(false),
            governors: ["performance", "powersave"].map(str::to_owned).into(),
            quota: Some(0.5),
        };
        let found = of_machine(&bad);
        let texts: Vec<&str> = found.iter().map(|finding| finding.text.as_str()).collect();
        for (text, part) in texts.iter().zip([
            "CPUs 0,2 are threads of one core",
            "`hpet`, which is slow to read",
            "is `powersave`, so",
            "limited to the time of 0.50 CPUs; ",
        ]) {
            assert!(
                text.starts_with("wall time: ") && text.contains(part),
                "{text}"
            );
        }
        let note = Severity::Note;
        assert_eq!(levels(&bad), [Severity::Fine, note, note, note]);
        let drifting = TimingConditions {
            has_constant_tsc: Some(false),
            ..good
        };
        assert_eq!(levels(&drifting)[1], note);
        // Where the system tells nothing, nothing is said.
        assert_eq!(of_machine(&TimingConditions::default()), []);
    }

    #[track_caller]
    fn flags(variables: &[(&str, &str)], directory: &Path) -> Finding {
        let environment: EnvironmentVariables = variables.iter().copied().collect();
        of_flags(&CargoConfig::read(directory, &environment), directory)
    }

    #[test]
    fn functions_are_aligned_by_a_flag() {
        let folder = tempfile::tempdir().unwrap();
        let of_variable = |value: &str| flags(&[("RUSTFLAGS", value)], folder.path());
        for aligned in [
            ALIGNED,
            "-C llvm-args=-align-all-functions=7",
            "-Copt-level=3 --codegen=llvm-args=--align-all-functions=6",
        ] {
            assert_eq!(of_variable(aligned).level, Severity::Fine, "{aligned}");
        }
        for other in [
            "-Cllvm-args=-align-all-functions=5",
            "-Cllvm-args=-align-all-nofallthru-blocks=6",
            "-Copt-level=3",
        ] {
            let found = of_variable(other);
            assert_eq!(found.level, Severity::Note, "{other}");
            let cure = found.cure.unwrap();
            assert_eq!(cure.place, "add to the flags of RUSTFLAGS");
            assert_eq!(cure.lines, [ALIGNED]);
        }
    }

    #[test]
    fn the_two_lines_are_for_the_configuration_of_cargo() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().to_str().unwrap();
        let found = flags(&[("CARGO_HOME", home)], folder.path());
        let cure = found.cure.unwrap();
        let file = folder.path().join(".cargo/config.toml");
        assert_eq!(cure.place, format!("write in `{}`", file.display()));
        // They are those of the book, and what is written is found.
        if let Some(book) = of_repository(env!("CARGO_MANIFEST_DIR"), "docs/time.md") {
            let book = std::fs::read_to_string(book).unwrap();
            assert!(book.contains(&cure.lines.join("\n")), "{:?}", cure.lines);
        }
        std::fs::create_dir(file.parent().unwrap()).unwrap();
        std::fs::write(&file, cure.lines.join("\n")).unwrap();
        let found = flags(&[("CARGO_HOME", home)], folder.path());
        assert_eq!(found.level, Severity::Fine, "{}", found.text);
    }
}
