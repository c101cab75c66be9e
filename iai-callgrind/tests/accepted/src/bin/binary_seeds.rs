//! Examples from the guides of earlier versions for 0.13 and later.

use iai_callgrind::{
    binary_benchmark, binary_benchmark_group, main, Bench, BinaryBenchmark, BinaryBenchmarkConfig,
    ExitWith, Pipe, Sandbox, Stdin, Stdio,
};
use std::path::PathBuf;

const PROGRAM: &str = "my-foo";

fn create_file(path: &str) {
    std::fs::write(path, "some content").unwrap();
}

fn create_fixed_file() {
    create_file("foo.txt");
}

fn delete_file(path: &str) {
    std::fs::remove_file(path).unwrap();
}

#[binary_benchmark]
#[bench::some_id("foo.txt")]
fn quickstart(path: &str) -> iai_callgrind::Command {
    iai_callgrind::Command::new(PROGRAM).arg(path).build()
}

binary_benchmark_group!(
    name = my_group;
    benchmarks = quickstart
);

binary_benchmark_group!(
    name = low_level;
    benchmarks = |group: &mut BinaryBenchmarkGroup| {
        group.binary_benchmark(BinaryBenchmark::new("bench_binary")
            .bench(Bench::new("some_id")
                .command(iai_callgrind::Command::new(PROGRAM)
                    .arg("foo.txt")
                    .build()
                )
            )
        )
    }
);

#[binary_benchmark]
#[bench::foo("foo.txt")]
#[bench::bar("bar.json")]
fn output(path: &str) -> iai_callgrind::Command {
    let path = PathBuf::from(path);
    let stdout = if path.extension().is_some_and(|extension| extension == "txt") {
        Stdio::Inherit
    } else {
        Stdio::File(path.with_extension("out"))
    };
    iai_callgrind::Command::new(PROGRAM)
        .stdout(stdout)
        .arg(path)
        .build()
}

#[binary_benchmark]
#[bench::foo("foo.txt", setup = create_fixed_file())]
fn setup_after_arguments(path: &str) -> iai_callgrind::Command {
    iai_callgrind::Command::new(PROGRAM).arg(path).build()
}

#[binary_benchmark]
#[bench::foo(args = ("foo.txt"), setup = create_file)]
#[bench::bar(args = ("bar.txt"), setup = create_file, teardown = delete_file)]
fn with_arguments(path: &str) -> iai_callgrind::Command {
    iai_callgrind::Command::new(PROGRAM).arg(path).build()
}

#[binary_benchmark]
#[bench::foo(
    args = ("foo.txt"),
    config = BinaryBenchmarkConfig::default().sandbox(Sandbox::new(true)),
    setup = create_file
)]
#[bench::fixtures(
    args = ("foo.txt"),
    config = BinaryBenchmarkConfig::default()
        .sandbox(Sandbox::new(true)
            .fixtures(["benches/foo.txt"])),
)]
fn sandbox(path: &str) -> iai_callgrind::Command {
    iai_callgrind::Command::new(PROGRAM).arg(path).build()
}

fn copy_fixture(path: &str) {
    let workspace_root = PathBuf::from(std::env::var_os("_WORKSPACE_ROOT").unwrap());
    std::fs::copy(workspace_root.join("benches").join(path), path).unwrap();
}

fn copy_back(path: &str) {
    let workspace_root = PathBuf::from(std::env::var_os("_WORKSPACE_ROOT").unwrap());
    std::fs::copy(path, workspace_root.join("tmp").join(path)).unwrap();
}

#[binary_benchmark]
#[bench::foo(
    args = ("foo.txt"),
    config = BinaryBenchmarkConfig::default().sandbox(Sandbox::new(true)),
    setup = copy_fixture,
    teardown = copy_back("bar.json")
)]
fn from_and_to_the_workspace(path: &str) -> iai_callgrind::Command {
    iai_callgrind::Command::new(PROGRAM).arg(path).build()
}

fn setup_pipe() {
    println!("The output to `Stdout` here will be the input or `Stdin` of the `Command`");
}

#[binary_benchmark]
#[bench::foo(setup = setup_pipe())]
fn piped() -> iai_callgrind::Command {
    iai_callgrind::Command::new(PROGRAM)
        .stdin(Stdin::Setup(Pipe::Stdout))
        .build()
}

#[binary_benchmark]
#[bench::foo(
    config = BinaryBenchmarkConfig::default().exit_with(ExitWith::Code(2))
)]
#[bench::bar(
    config = BinaryBenchmarkConfig::default().exit_with(ExitWith::Failure)
)]
fn exit_codes() -> iai_callgrind::Command {
    iai_callgrind::Command::new(PROGRAM).build()
}

binary_benchmark_group!(
    name = all;
    benchmarks =
        output,
        setup_after_arguments,
        with_arguments,
        sandbox,
        from_and_to_the_workspace,
        piped,
        exit_codes
);

mod suite {
    use super::*;

    main!(binary_benchmark_groups = my_group, low_level, all);

    pub fn _run() {
        main();
    }
}

fn main() {
    assert_eq!((all::__GROUP.functions)().len(), 7);
}
