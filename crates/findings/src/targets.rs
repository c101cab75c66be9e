//! The targets that `cargo bench` starts, and their harnesses.

use std::fs;

use toml::{Table, Value};

use crate::project::{CargoTarget, Package, Project, LIBRARY};
use crate::{Cure, Finding};

/// Looks at the targets of all packages that have benchmarks.
pub fn examine(project: &Project) -> Vec<Finding> {
    let packages = project.packages.iter();
    let findings: Vec<Finding> = packages.filter_map(package).flatten().collect();
    match project.packages.first() {
        Some(package) if findings.is_empty() => vec![Finding::note(
            format!("no bench target uses {LIBRARY}"),
            Cure::write(
                &package.manifest_path,
                &["[[bench]]", "name = \"my_benchmark\"", "harness = false"],
            ),
        )],
        _ => findings,
    }
}

/// The bench targets that use the library.
pub(crate) fn benches(project: &Project) -> impl Iterator<Item = &CargoTarget> {
    project.packages.iter().flat_map(benches_of)
}

fn benches_of(package: &Package) -> impl Iterator<Item = &CargoTarget> {
    let targets = package.targets.iter();
    targets.filter(|target| target.is("bench") && uses_library(package, target))
}

/// Looks at the targets of a package. `None`: it has no benchmarks.
fn package(package: &Package) -> Option<Vec<Finding>> {
    let benches: Vec<&CargoTarget> = benches_of(package).collect();
    if benches.is_empty() {
        return None;
    }
    let harnesses = benches.iter().filter_map(|target| harness(package, target));
    let others = package.targets.iter().filter(|target| target.is_tested());
    let flags = others.filter_map(|target| bench_flag(package, target));
    let mut findings: Vec<Finding> = harnesses.chain(flags).collect();
    if findings.is_empty() {
        let text = format!("bench targets of `{}` have `harness = false`", package.name);
        findings.push(Finding::fine(text));
    }
    Some(findings)
}

impl CargoTarget {
    fn is(&self, kind: &str) -> bool {
        self.kind.iter().any(|other| other == kind)
    }

    /// Does `cargo bench` start this target, unless its entry says `bench = false`?
    fn is_tested(&self) -> bool {
        const LIBRARIES: [&str; 6] = ["lib", "rlib", "dylib", "cdylib", "staticlib", "proc-macro"];
        self.is("bin") || LIBRARIES.iter().any(|kind| self.is(kind))
    }
}

/// Does the root file of a target, in which `main!` stands, name the library?
fn uses_library(package: &Package, target: &CargoTarget) -> bool {
    // Cargo reports a file that cannot be read.
    let source = fs::read_to_string(&target.src_path).unwrap_or_default();
    source.contains(&package.identifier)
}

/// Checks a bench target for `harness = false`, without which libtest's `main` runs and no
/// benchmark.
fn harness(package: &Package, target: &CargoTarget) -> Option<Finding> {
    let entry = package.entry("bench", &target.name);
    (flag(entry, "harness") != Some(false)).then(|| {
        let name = format!("name = \"{}\"", target.name);
        let lines = ["[[bench]]", &name, "harness = false"];
        Finding::problem(
            format!(
                "the bench target `{}` of `{}` has libtest's harness and would run no benchmark",
                target.name, package.name
            ),
            Cure::write(&package.manifest_path, &lines),
        )
    })
}

/// Checks another target for `bench = false`: cargo passes the words behind `--` to all targets
/// that it benches, and libtest refuses our options.
fn bench_flag(package: &Package, target: &CargoTarget) -> Option<Finding> {
    let is_bin = target.is("bin");
    let section = if is_bin { "bin" } else { "lib" };
    let entry = package.entry(section, &target.name);
    // Without libtest there is nothing that refuses the words.
    if flag(entry, "bench") == Some(false) || flag(entry, "harness") == Some(false) {
        return None;
    }
    let what = if is_bin { "program" } else { "library" };
    let name = format!("name = \"{}\"", target.name);
    let lines = match is_bin {
        true => vec!["[[bin]]", &name, "bench = false"],
        false => vec!["[lib]", "bench = false"],
    };
    Some(Finding::problem(
        format!(
            "`cargo bench -- <options>` passes the options to the {what} `{}` of `{}` as well, whose \
             harness refuses them",
            target.name, package.name
        ),
        Cure::write(&package.manifest_path, &lines),
    ))
}

fn flag(entry: Option<&Table>, key: &str) -> Option<bool> {
    entry?.get(key).and_then(Value::as_bool)
}
