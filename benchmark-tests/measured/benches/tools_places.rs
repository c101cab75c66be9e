//! Where benchmarks run and how they have to end.

use std::fs;
use std::path::Path;

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, ExitWith, LibraryBenchmarkConfig, Sandbox,
};

/// Prints where it runs and what is there, and leaves a file.
#[library_benchmark]
fn shows_its_place() {
    let here = std::env::current_dir().unwrap();
    println!("here: {}", here.display());
    let mut names: Vec<String> = fs::read_dir(".")
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    println!("holds: {}", names.join(" "));
    if here.ends_with("sandbox") {
        fs::write("left behind", "").unwrap();
    }
}

fn sandbox(fixtures: &[&str]) -> LibraryBenchmarkConfig {
    LibraryBenchmarkConfig::default()
        .sandbox(Sandbox::new(true).fixtures(fixtures))
        .build()
}

/// Says in its place that it has begun, and does not end if `SPIN` is set.
#[library_benchmark]
fn spins() {
    fs::write("started", "").unwrap();
    while std::env::var_os("SPIN").is_some() {
        std::hint::spin_loop();
    }
}

#[library_benchmark]
fn panics() {
    panic!("on purpose");
}

#[library_benchmark]
fn exits() {
    std::process::exit(3);
}

#[library_benchmark]
fn aborts() {
    std::process::abort();
}

#[library_benchmark]
fn returns() {}

fn exit(with: ExitWith) -> LibraryBenchmarkConfig {
    LibraryBenchmarkConfig::default().exit_with(with).build()
}

library_benchmark_group!(name = as_cargo, benchmarks = [shows_its_place]);
library_benchmark_group!(
    name = sandboxed,
    config = sandbox(&["benchmark-tests/Cargo.toml", "benchmark-tests/src"]),
    benchmarks = [shows_its_place]
);
library_benchmark_group!(
    name = spinning,
    config = sandbox(&["benchmark-tests/src"]).pass_through_env("SPIN"),
    benchmarks = [spins]
);
library_benchmark_group!(
    name = in_fixture,
    config = sandbox(&["benchmark-tests/src"]).current_dir("src"),
    benchmarks = [shows_its_place]
);
library_benchmark_group!(
    name = no_fixture,
    config = sandbox(&["benchmark-tests/no-such-file"]),
    benchmarks = [shows_its_place]
);
library_benchmark_group!(
    name = elsewhere,
    config = LibraryBenchmarkConfig::default().current_dir("src"),
    benchmarks = [shows_its_place]
);
library_benchmark_group!(
    name = nowhere,
    config = LibraryBenchmarkConfig::default().current_dir(Path::new("no-such-directory")),
    benchmarks = [shows_its_place]
);
library_benchmark_group!(
    name = to_fail,
    config = exit(ExitWith::Failure),
    benchmarks = [panics, exits, aborts, returns]
);
library_benchmark_group!(
    name = to_exit_with_three,
    config = exit(ExitWith::Code(3)),
    benchmarks = [panics, exits, aborts, returns]
);
library_benchmark_group!(
    name = to_abort,
    config = exit(ExitWith::Signal(6)),
    benchmarks = [panics, exits, aborts, returns]
);
main!(
    library_benchmark_groups = [
        as_cargo,
        sandboxed,
        spinning,
        in_fixture,
        no_fixture,
        elsewhere,
        nowhere,
        to_fail,
        to_exit_with_three,
        to_abort
    ]
);
