//! Programs as benchmarks, once in the form of attributes and once in the low-level form.

use iai_callgrind::{
    binary_benchmark, binary_benchmark_attribute, binary_benchmark_group, main, Bench,
    BinaryBenchmark, BinaryBenchmarkConfig, Callgrind, Command, Delay, EntryPoint, ExitWith, Pipe,
    Sandbox, Stdin,
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_binary_program");

fn write_file(name: &str) {
    std::fs::write(name, "text").unwrap();
    println!("wrote {name}");
}

fn check_file(name: &str) {
    assert_eq!(std::fs::read_to_string(name).unwrap(), "text");
}

fn config() -> BinaryBenchmarkConfig {
    BinaryBenchmarkConfig::default()
        .tool(Callgrind::default().entry_point(EntryPoint::Main))
        .sandbox(Sandbox::new(true).fixtures(["README.md"]))
        .build()
}

#[binary_benchmark(config = config(), setup = write_file, teardown = check_file)]
#[bench::one(args = ("input"))]
#[benches::two(args = ["input", "other"])]
fn reads(name: &str) -> Command {
    Command::new(PROGRAM).args(["read", name]).build()
}

#[binary_benchmark(config = BinaryBenchmarkConfig::default().exit_with(ExitWith::Code(3)))]
fn exits() -> Command {
    Command::new(PROGRAM).args(["exit", "3"]).build()
}

#[binary_benchmark(setup = print!("from the setup"))]
fn counts() -> Command {
    Command::new(PROGRAM)
        .arg("count")
        .stdin(Stdin::Setup(Pipe::Stdout))
        .build()
}

#[binary_benchmark(config = BinaryBenchmarkConfig::default().sandbox(Sandbox::new(true)))]
#[bench::fails(setup = std::process::exit(4))]
#[bench::waits(setup = ())]
fn failing() -> Command {
    Command::new(PROGRAM)
        .arg("nothing")
        .delay(Delay::from_path("never").timeout(std::time::Duration::from_millis(50)))
        .build()
}

binary_benchmark_group!(
    name = attributes,
    benchmarks = [reads, exits, counts, failing]
);
binary_benchmark_group!(
    name = low_level,
    benchmarks = |group: &mut BinaryBenchmarkGroup| {
        let mut same = BinaryBenchmark::new("reads");
        same.config(config());
        for (id, name) in [("one", "input"), ("two_0", "input"), ("two_1", "other")] {
            let command = Command::new(PROGRAM).args(["read", name]).build();
            let mut bench = Bench::new(id);
            bench
                .setup(move || write_file(name))
                .teardown(move || check_file(name))
                .command(command);
            same.bench(bench);
        }
        group.binary_benchmark(same);
        group.binary_benchmark(binary_benchmark_attribute!(exits));
    }
);
main!(binary_benchmark_groups = [attributes, low_level]);
