//! Variables of the loader and lengths of paths change no count, and what reaches a benchmark is
//! recorded.

use std::fs;

use benchmark_tests::binary::{command, program, Binary};
use benchmark_tests::{build, executables, Bench, Home};
use iai_callgrind::protocol::{Config, EnvVar};

const LIBRARIES: [&str; 3] = ["", "/nonexistent", "/a/longer/path:/and/another/one:/x"];

fn passed(name: &str) -> Config {
    let name = name.into();
    Config {
        envs: vec![EnvVar { name, value: None }],
        ..Config::default()
    }
}

#[test]
fn programs_count_alike_whatever_the_loader_is_told_outside() {
    let counts = |libraries: &str, preload: &str| {
        let binary = Binary::new()
            .case("system", command("/bin/true", &[]))
            .case("own", program(&["work", "1"]));
        let bench = binary.bench(&[]).env("LD_LIBRARY_PATH", libraries);
        let bench = bench.env("LD_PRELOAD", preload).env("LD_BIND_NOW", "1");
        bench.run().code(0);
        ["system", "own"].map(|name| {
            let path = format!("binary::group::{name}");
            let profile = binary.home.profile(&path, "callgrind");
            assert_eq!(profile["environment"].get("loader_variables"), None);
            binary.home.new_values(&path)
        })
    };
    let expected = counts("", "");
    for libraries in LIBRARIES {
        assert_eq!(counts(libraries, ""), expected, "{libraries}");
    }
    assert_eq!(counts("", "libm.so.6"), expected);
}

#[test]
fn variables_that_are_asked_for_are_recorded_and_said() {
    let binary = Binary::new()
        .case("system", command("/bin/true", &[]))
        .config(passed("LD_LIBRARY_PATH"));
    let run = |libraries: &str| binary.bench(&[]).env("LD_LIBRARY_PATH", libraries).run();
    run("").code(0).quiet();
    let count = || binary.home.count("binary::group::system", "Ir");
    let before = count();
    let text = "the last run was made without variables of the loader, this one with \
        `LD_LIBRARY_PATH=/a:/b`; the loader of a program counts differently, and may find other \
        libraries: instructions are judged on own code, cache events and cycles are not judged";
    run("/a:/b").code(0).says(&[text]);
    assert!(count() > before, "{} {before}", count());
    let profile = binary.home.profile("binary::group::system", "callgrind");
    let recorded = &profile["environment"]["loader_variables"];
    assert_eq!(recorded[0], "LD_LIBRARY_PATH=/a:/b", "{profile:#}");
}

/// A static glibc allocates these paths before `main`.
#[test]
fn the_heap_of_a_static_executable_begins_at_the_same_place() {
    let executable = build::static_bench("copies");
    let folder = tempfile::tempdir().unwrap();
    let counts = |name: &str, libraries: &str| {
        let folder = folder.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        let copy = folder.join("copies");
        if !copy.exists() {
            executables::copy(&executable, &copy);
        }
        let home = Home::new();
        let bench = Bench::at(&copy).measure(&home);
        bench.env("LD_LIBRARY_PATH", libraries).run().code(0);
        let records = home.records("copies");
        let counts = records
            .iter()
            .filter(|record| record["type"] == "benchmark");
        let counts = counts.map(|record| {
            let metrics = record["profiles"][0]["metrics"].as_array().unwrap();
            let kind = metrics.iter().find(|metric| metric["kind"] == "Ir");
            (
                record["benchmark"]["path"].clone(),
                kind.unwrap()["new"].clone(),
            )
        });
        counts.collect::<Vec<_>>()
    };
    let expected = counts("a", "");
    assert!(expected.len() > 4, "{expected:?}");
    for name in ["ab", "a_longer_name_of_a_directory", &"x".repeat(123)] {
        assert_eq!(counts(name, ""), expected, "{name}");
    }
    for libraries in LIBRARIES {
        assert_eq!(counts("a", libraries), expected, "{libraries}");
    }
}
