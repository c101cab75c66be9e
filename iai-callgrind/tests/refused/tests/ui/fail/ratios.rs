//! Ratios of what is not in the group, and in other forms.

use iai_callgrind::{library_benchmark, library_benchmark_group};

#[library_benchmark]
fn fast() {}

#[library_benchmark]
fn slow() {}

library_benchmark_group!(name = unknown, benchmarks = [fast], ratios = [fast <= 0.5 * slow]);
library_benchmark_group!(name = itself, benchmarks = [fast, slow], ratios = [fast <= 2 * fast]);
library_benchmark_group!(name = smaller, benchmarks = [fast, slow], ratios = [fast < 2 * slow]);
library_benchmark_group!(name = swapped, benchmarks = [fast, slow], ratios = [fast <= slow * 2]);
library_benchmark_group!(name = a_path, benchmarks = [fast, slow], ratios = [crate::m::fast <= slow]);
library_benchmark_group!(name = zero, benchmarks = [fast, slow], ratios = [fast <= 0.0 * slow]);
library_benchmark_group!(name = typed, benchmarks = [fast, slow], ratios = [fast <= 2f64 * slow]);
library_benchmark_group!(name = exponent, benchmarks = [fast, slow], ratios = [fast <= 1e3 * slow]);
library_benchmark_group!(name = long, benchmarks = [fast, slow], ratios = [fast <= 0.1234567890123456 * slow]);
library_benchmark_group!(name = constant, benchmarks = [fast, slow], ratios = [fast <= HALF * slow]);
library_benchmark_group!(name = nothing; benchmarks = fast, slow; ratios = ;);

fn main() {}
