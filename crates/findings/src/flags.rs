//! Flags for the compiler that let it use instructions Valgrind does not know, or strip symbols.

use crate::{Cure, Finding};
use ::project::CargoConfig;

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

/// Does this processor have AVX-512?
#[must_use]
pub fn machine_has_avx512() -> bool {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    info.split_whitespace()
        .any(|word| word.starts_with("avx512"))
}

/// Looks at `RUSTFLAGS` or the configured flags. `machine`: this processor has AVX-512.
pub fn examine(config: &CargoConfig<'_>, machine: bool) -> Vec<Finding> {
    let flags = config.rustflags();
    let findings = flags
        .iter()
        .flat_map(|(place, flags)| of_place(place, flags, machine));
    let findings: Vec<Finding> = findings.collect();
    match findings.is_empty() {
        true => vec![Finding::fine(
            "no flag lets the compiler use instructions that Valgrind does not know",
        )],
        false => findings,
    }
}

fn of_place(place: &str, flags: &[String], machine: bool) -> Vec<Finding> {
    let options = codegen_options(flags);
    let values = |option: &str| -> Vec<&str> {
        let pairs = options.iter().filter_map(|text| text.split_once('='));
        let ours = pairs.filter(|(key, _)| *key == option);
        ours.map(|(_, value)| value).collect()
    };
    let mut findings = Vec::new();
    // Of several the compiler takes the last one.
    if values("strip").last() == Some(&"symbols") {
        findings.push(Finding::problem(
            format!(
                "{place} sets `strip=symbols`: the benchmarks lose the names of their functions, and \
                 without them nothing can be counted"
            ),
            Cure {
                place: format!("write in {place}, instead of `strip=symbols`"),
                lines: vec!["strip=none".to_owned()],
            },
        ));
    }
    if let Some(cpu) = values("target-cpu").pop() {
        let flag = format!("target-cpu={cpu}");
        // `native` has AVX-512 only where this processor does.
        if WITH_AVX512.contains(&cpu) || (cpu == "native" && machine) {
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

/// The codegen options (`-C`, `--codegen`), in their order.
pub(crate) fn codegen_options(flags: &[String]) -> Vec<&str> {
    let mut options = Vec::new();
    let mut words = flags.iter().map(String::as_str);
    while let Some(word) = words.next() {
        options.extend(match word {
            "-C" | "--codegen" => words.next(),
            word => word
                .strip_prefix("-C")
                .or_else(|| word.strip_prefix("--codegen=")),
        });
    }
    options
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
    use crate::Severity;

    #[track_caller]
    fn check(flags: &str, machine: bool, expected: &[Severity]) {
        let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        let findings = of_place("RUSTFLAGS", &flags, machine);
        let levels: Vec<Severity> = findings.iter().map(|finding| finding.level).collect();
        assert_eq!(levels, expected, "{flags:?}");
    }

    #[test]
    fn the_native_processor_may_know_more_than_valgrind() {
        check("-C target-cpu=native", true, &[Severity::Problem]);
        check("-Ctarget-cpu=native", true, &[Severity::Problem]);
        check("--codegen target-cpu=native", true, &[Severity::Problem]);
        check("-C target-cpu=native", false, &[Severity::Note]);
        check("-C target-cpu=x86-64-v3", true, &[]);
        check("-C opt-level=3", true, &[]);
    }

    #[test]
    fn symbols_may_be_stripped_by_a_flag() {
        check("-C strip=symbols", false, &[Severity::Problem]);
        check(
            "-Cstrip=none --codegen=strip=symbols",
            false,
            &[Severity::Problem],
        );
        check("-C strip=symbols -C strip=none", false, &[]);
        check("-C strip=debuginfo", false, &[]);
    }

    #[test]
    fn processors_and_features_with_avx512() {
        check("-C target-cpu=znver4", false, &[Severity::Problem]);
        check("-C target-cpu=znver3", true, &[]);
        check("-Ctarget-cpu=znver4 -Ctarget-cpu=znver3", true, &[]);
        check(
            "-C target-feature=+avx2,+avx512f",
            false,
            &[Severity::Problem],
        );
        check("-C target-feature=+avx2,-avx512f", true, &[]);
    }
}
