//! Before 0.13. One error for each chain of calls.

use iai_callgrind::{Arg, BinaryBenchmarkConfig, BinaryBenchmarkGroup, Fixtures, Options, Run};

fn add(group: &mut BinaryBenchmarkGroup) {
    group
        .bench(Run::with_arg(Arg::new("do foo", ["--foo=bar"])).entry_point("my_exe::main"))
        .bench(Run::with_arg(Arg::empty("no argument")));
    let run = Run::with_cmd("my-exe", Arg::empty("some id")).envs(["KEY=VALUE", "KEY"]);
    group.bench(run);
}

fn options() {
    let _ = Run::with_arg(Arg::empty("x")).options(Options::default().exit_with(100));
}

fn config() -> BinaryBenchmarkConfig {
    BinaryBenchmarkConfig::default().fixtures(Fixtures::new("fixtures").follow_symlinks(true)).build()
}

fn main() {
    add(&mut BinaryBenchmarkGroup::default());
    options();
    config();
}
