use iai_callgrind::main;

main!(binary_benchmark_groups = some_group);
