//! The parsers, on recorded files.

use std::io::Cursor;
use std::path::PathBuf;

use base::entry_functions::EVERYTHING;
use formats::callgrind::{self, CallGraph, CallGraphReader, EnteredCalls, TotalsOf};
use formats::{cachegrind, dhat, log, massif};
use iai_callgrind::{library_benchmark, library_benchmark_group};
use own_benchmarks::limits;
use own_benchmarks::recorded::{bytes, path};

/// The totals of a profile that is small enough to be read as a whole, as those of most benchmarks
/// are.
#[library_benchmark(config = limits::of("callgrind_totals"), setup = bytes)]
#[bench::compressed("callgrind/3.24.0/full_compressed/callgrind.out.1001")]
fn callgrind_totals(file: Vec<u8>) -> callgrind::CallgrindProfile {
    let profile = callgrind::read_totals(&mut Cursor::new(file));
    profile.unwrap().unwrap()
}

/// Every line.
#[library_benchmark(config = limits::of("callgrind_pass"), setup = bytes)]
#[bench::compressed("callgrind/3.24.0/full_compressed/callgrind.out.1001")]
fn callgrind_pass(file: Vec<u8>) -> callgrind::CallgrindProfile {
    callgrind::read(file.as_slice()).unwrap().unwrap()
}

/// The calls of the measured function, as every result is read.
#[library_benchmark(config = limits::of("callgrind_calls"), setup = path)]
#[bench::sorts("replay/first/kernels/sort.reversed/out.1001")]
fn callgrind_calls(path: PathBuf) -> (callgrind::CallgrindProfile, Vec<EnteredCalls>) {
    let read = callgrind::read_calls_of_file(&path, TotalsOf::All, &EVERYTHING);
    read.unwrap().unwrap()
}

/// All functions and calls.
#[library_benchmark(config = limits::of("callgrind_graph"), setup = bytes)]
#[bench::compressed("callgrind/3.24.0/full_compressed/callgrind.out.1001")]
fn callgrind_graph(file: Vec<u8>) -> CallGraph {
    let mut reader = CallGraphReader::default();
    reader.add(file.as_slice()).unwrap();
    reader.finish()
}

#[library_benchmark(config = limits::of("cachegrind_file"), setup = bytes)]
#[bench::odd_names("cachegrind/3.24.0/names_odd/cachegrind.out.1001")]
fn cachegrind_file(file: Vec<u8>) -> cachegrind::CachegrindProfile {
    cachegrind::read(file.as_slice()).unwrap().unwrap()
}

#[library_benchmark(config = limits::of("dhat_file"), setup = bytes)]
#[bench::rust("dhat/3.24.0/names_rust_v0/dhat.out.1001")]
fn dhat_file(file: Vec<u8>) -> dhat::DhatProfile {
    dhat::read(file.as_slice()).unwrap().unwrap()
}

#[library_benchmark(config = limits::of("massif_file"), setup = bytes)]
#[bench::peak("massif/3.24.0/peak/massif.out.1001")]
fn massif_file(file: Vec<u8>) -> massif::MassifProfile {
    massif::read(file.as_slice()).unwrap().unwrap()
}

/// A log with errors in it.
#[library_benchmark(config = limits::of("memcheck_log"), setup = bytes)]
#[bench::errors("memcheck/3.24.0/error_list/log.1001")]
fn memcheck_log(file: Vec<u8>) -> log::Log {
    log::read(file.as_slice()).unwrap().unwrap()
}

library_benchmark_group!(
    name = parsers,
    benchmarks = [
        callgrind_totals,
        callgrind_pass,
        callgrind_calls,
        callgrind_graph,
        cachegrind_file,
        dhat_file,
        massif_file,
        memcheck_log
    ]
);
