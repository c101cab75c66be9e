use iai_callgrind::{
    binary_benchmark, binary_benchmark_group, library_benchmark, library_benchmark_group, main, Command,
};

#[library_benchmark]
fn library() {}

#[binary_benchmark]
fn binary() -> Command {
    Command::new("true").build()
}

library_benchmark_group!(name = functions; benchmarks = library);
binary_benchmark_group!(name = programs; benchmarks = binary);

main!(library_benchmark_groups = functions; binary_benchmark_groups = programs);
