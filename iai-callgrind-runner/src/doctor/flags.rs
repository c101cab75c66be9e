//! Flags for the compiler that let it use instructions Valgrind does not know.

use super::cargo_config::CargoConfig;
use super::{Cure, Finding};

/// Processors with AVX-512, as the compiler names them.
const WITH_AVX512: [&str; 17] = [
    "x86-64-v4",
    "knl",
    "knm",
    "skylake-avx512",
    "cannonlake",
    "icelake-client",
    "icelake-server",
    "tigerlake",
    "rocketlake",
    "cascadelake",
    "cooperlake",
    "sapphirerapids",
    "emeraldrapids",
    "graniterapids",
    "diamondrapids",
    "znver4",
    "znver5",
];

/// Looks at `RUSTFLAGS` and what is configured instead. `machine`: this processor has AVX-512.
pub(super) fn examine(config: &CargoConfig<'_>, machine: bool) -> Vec<Finding> {
    let flags = config.rustflags();
    let findings = flags
        .iter()
        .flat_map(|(place, flags)| of_place(place, flags, machine));
    let findings: Vec<Finding> = findings.collect();
    match findings.is_empty() {
        true => vec![Finding::fine(
            "the compiler uses no instructions that Valgrind does not know",
        )],
        false => findings,
    }
}

fn of_place(place: &str, flags: &[String], machine: bool) -> Vec<Finding> {
    let values = |option: &str| -> Vec<String> {
        let glued = format!("-C{option}=");
        let pairs = flags.iter().zip(flags.iter().skip(1));
        let apart = pairs.filter_map(|(first, second)| {
            let is_codegen = first == "-C" || first == "--codegen";
            let value = second.strip_prefix(option)?.strip_prefix('=')?;
            is_codegen.then_some(value)
        });
        let glued = flags.iter().filter_map(|flag| flag.strip_prefix(&glued));
        apart.chain(glued).map(str::to_owned).collect()
    };
    let mut findings = Vec::new();
    for cpu in values("target-cpu") {
        let flag = format!("target-cpu={cpu}");
        if WITH_AVX512.contains(&cpu.as_str()) || (cpu == "native" && machine) {
            findings.push(unknown(place, &flag, "target-cpu=x86-64-v3"));
        } else if cpu == "native" {
            findings.push(Finding::note(
                format!("{place} sets `{flag}`: counts depend on the machine that builds"),
                None,
            ));
        }
    }
    for features in values("target-feature") {
        let avx512 = features
            .split(',')
            .find(|name| name.starts_with("+avx512") || name.starts_with("+avx10"));
        if let Some(feature) = avx512 {
            let without = feature.replacen('+', "-", 1);
            findings.push(unknown(
                place,
                &format!("target-feature={feature}"),
                &format!("target-feature={without}"),
            ));
        }
    }
    findings
}

fn unknown(place: &str, flag: &str, instead: &str) -> Finding {
    Finding::problem(
        format!(
            "{place} sets `{flag}`: the compiler may use AVX-512, and Valgrind stops at such \
             instructions"
        ),
        Cure {
            place: format!("write in {place}, instead of `{flag}`"),
            lines: vec![instead.to_owned()],
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Level;

    #[track_caller]
    fn check(flags: &str, machine: bool, expected: &[Level]) {
        let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        let findings = of_place("RUSTFLAGS", &flags, machine);
        let levels: Vec<Level> = findings.iter().map(|finding| finding.level).collect();
        assert_eq!(levels, expected, "{flags:?}");
    }

    #[test]
    fn the_native_processor_may_know_more_than_valgrind() {
        check("-C target-cpu=native", true, &[Level::Problem]);
        check("-Ctarget-cpu=native", true, &[Level::Problem]);
        check("--codegen target-cpu=native", true, &[Level::Problem]);
        check("-C target-cpu=native", false, &[Level::Note]);
        check("-C target-cpu=x86-64-v3", true, &[]);
        check("-C opt-level=3", true, &[]);
    }

    #[test]
    fn processors_and_features_with_avx512() {
        check("-C target-cpu=znver4", false, &[Level::Problem]);
        check("-C target-cpu=znver3", true, &[]);
        check("-C target-feature=+avx2,+avx512f", false, &[Level::Problem]);
        check("-C target-feature=+avx2,-avx512f", true, &[]);
    }
}
