use iai_callgrind::{
    binary_benchmark, binary_benchmark_group, main, BinaryBenchmarkConfig, Callgrind, Command,
    EntryPoint, ExitWith, Pipe, Sandbox, Stdin,
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_count-lines");

fn write_input(lines: usize) {
    std::fs::write("in.txt", "some words\n".repeat(lines)).unwrap();
}

fn print_input(lines: usize) {
    print!("{}", "some words\n".repeat(lines));
}

/// Each case runs in an empty directory of its own, in which the setup writes.
#[binary_benchmark(setup = write_input)]
#[bench::few(10)]
#[bench::many(10_000)]
fn file(_lines: usize) -> Command {
    Command::new(PROGRAM).arg("in.txt").build()
}

#[binary_benchmark(setup = print_input)]
#[bench::many(10_000)]
fn stdin(_lines: usize) -> Command {
    Command::new(PROGRAM)
        .stdin(Stdin::Setup(Pipe::Stdout))
        .build()
}

/// Any other end is an error.
#[binary_benchmark]
fn missing_file() -> Command {
    Command::new(PROGRAM)
        .arg("not-there.txt")
        .exit_with(ExitWith::Failure)
        .build()
}

binary_benchmark_group!(
    name = lines,
    config = BinaryBenchmarkConfig::default()
        .sandbox(Sandbox::new(true))
        // Without the start of the process, which is more than all else of a small program.
        .tool(Callgrind::default().entry_point(EntryPoint::Main)),
    benchmarks = [file, stdin, missing_file]
);
main!(binary_benchmark_groups = [lines]);
