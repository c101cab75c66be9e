//! Before 0.13. One error for each group, and none in `main!`.

use iai_callgrind::{binary_benchmark_group, main};

fn my_setup() {}

binary_benchmark_group!(
    name = with_program;
    setup = my_setup;
    benchmark = |"my-program", group: &mut BinaryBenchmarkGroup| {
        group.bench(Run::with_arg(Arg::new("do foo", ["--foo=bar"])))
    }
);

binary_benchmark_group!(
    name = without_program;
    benchmark = |group: &mut BinaryBenchmarkGroup| {
        group.bench(Run::with_cmd(env!("CARGO_BIN_EXE_my-exe"), Arg::empty("some id")));
    }
);

binary_benchmark_group!(
    name = before_and_after;
    before = my_setup, bench = true;
    after = my_setup;
    benchmark = |"my-program", group: &mut BinaryBenchmarkGroup| {}
);

binary_benchmark_group!(name = before_only; before = my_setup; benchmarks = |group| ());
binary_benchmark_group!(name = after_only; after = my_setup; benchmarks = |group| ());
binary_benchmark_group!(name = measured; setup = my_setup, bench = true; benchmarks = |group| ());

main!(
    binary_benchmark_groups =
        with_program, without_program, before_and_after, before_only, after_only, measured
);
