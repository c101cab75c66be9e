use iai_callgrind::{library_benchmark, library_benchmark_group};

#[library_benchmark]
fn a() {}

mod inner {
    #[iai_callgrind::library_benchmark]
    pub fn a() {}
}

library_benchmark_group!();
library_benchmark_group!(name = no_benchmarks);
library_benchmark_group!(benchmarks = a);
library_benchmark_group!(name = empty; benchmarks = );
library_benchmark_group!(name = empty_list, benchmarks = []);
library_benchmark_group!(name = unknown, benchmark = [a], benchmarks = [a]);
library_benchmark_group!(name = parallel, max_parallel = , benchmarks = [a]);
library_benchmark_group!(name = twice, name = again, benchmarks = [a]);
library_benchmark_group!(name = same_function, benchmarks = [a, a]);
library_benchmark_group!(name = same_name, benchmarks = [a, inner::a]);
library_benchmark_group!(name = no_path, benchmarks = [a()]);
library_benchmark_group!(name = "text", benchmarks = [a]);
library_benchmark_group!(name = no_value, config = ; benchmarks = a);
library_benchmark_group!(name = bare, a);

fn main() {}
