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

extern "C" {
    fn strlen(text: *const u8) -> usize;
}

fn text(size: usize) -> Vec<u8> {
    let mut text = buffer(size);
    text.push(0);
    text
}

/// The C library looks at some bytes up to a round address first, so it goes by where the text is.
#[library_benchmark(setup = text)]
#[bench::at_1000(1000)]
#[bench::at_5000(5000)]
fn length(text: Vec<u8>) -> Vec<u8> {
    // SAFETY: the text ends with a 0.
    black_box(unsafe { strlen(black_box(text.as_ptr())) });
    text
}

#[library_benchmark]
fn sees() -> Option<OsString> {
    let tunables = std::env::var_os("GLIBC_TUNABLES");
    println!("tunables: {tunables:?}");
    tunables
}

library_benchmark_group!(name = sizes, benchmarks = [fill, copy, length, sees]);
main!(library_benchmark_groups = sizes);
