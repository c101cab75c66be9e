//! Copies and fills around the sizes at which the C library changes its method.

use std::ffi::OsString;
use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

fn buffer(size: usize) -> Vec<u8> {
    vec![1; size]
}

#[library_benchmark(setup = buffer)]
#[bench::at_2048(2048)]
#[bench::at_2049(2049)]
#[bench::at_64k(65_536)]
fn fill(mut buffer: Vec<u8>) -> Vec<u8> {
    buffer.fill(black_box(7));
    buffer
}

fn buffers(size: usize) -> (Vec<u8>, Vec<u8>) {
    (buffer(size), buffer(size))
}

#[library_benchmark(setup = buffers)]
#[bench::at_8192(8192)]
#[bench::at_8193(8193)]
#[bench::at_64k(65_536)]
fn copy((mut to, from): (Vec<u8>, Vec<u8>)) -> (Vec<u8>, Vec<u8>) {
    to.copy_from_slice(black_box(&from));
    (to, from)
}

#[library_benchmark]
fn sees() -> Option<OsString> {
    let tunables = std::env::var_os("GLIBC_TUNABLES");
    println!("tunables: {tunables:?}");
    tunables
}

library_benchmark_group!(name = sizes, benchmarks = [fill, copy, sees]);
main!(library_benchmark_groups = sizes);
