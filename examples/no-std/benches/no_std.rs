//! The bench file runs on the machine where Valgrind is, so it has the standard library. What is
//! measured has not.

use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

#[library_benchmark]
#[bench::packet([7; 64])]
#[bench::page([7; 4096])]
fn checksum<const N: usize>(bytes: [u8; N]) -> u32 {
    no_std_example::crc32(black_box(&bytes))
}

library_benchmark_group!(name = checksums, benchmarks = [checksum]);
main!(library_benchmark_groups = [checksums]);
