//! All forms of Divan's API, as its users write them.

#![forbid(unsafe_code)]

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::time::Duration;

use divan::counter::{BytesCount, BytesFormat, CharsCount, CyclesCount, ItemsCount};
use divan::{black_box, AllocProfiler, Bencher};
use divan_source::{rounds, text};

mod arguments;

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

#[divan::bench]
fn plain() {
    rounds(black_box(100));
}

/// The value is dropped outside.
#[divan::bench]
fn returned() -> String {
    text(black_box(100))
}

#[divan::bench(name = "another name")]
fn named() {
    rounds(black_box(200));
}

#[divan::bench(ignore)]
fn ignored() {
    panic!("nobody asked for it");
}

#[divan::bench]
#[ignore = "slow"]
fn ignored_above() {
    rounds(black_box(300));
}

#[divan::bench(
    sample_count = 1000,
    sample_size = 1,
    threads = [0, 1, 4],
    min_time = 1.5,
    max_time = Duration::from_secs(3),
    skip_ext_time,
)]
fn timed() {
    rounds(black_box(400));
}

/// Its order, and so its count, depends on random numbers.
#[divan::bench]
fn random() -> HashMap<u32, u32> {
    (0..100).map(|n| (n, n)).collect()
}

#[divan::bench]
fn never_calls(_bencher: Bencher) {}

#[divan::bench]
fn panics(_bencher: Bencher) {
    panic!("there is no file");
}

mod bencher {
    use super::*;

    #[divan::bench]
    fn bench(bencher: Bencher) {
        let n = black_box(100);
        bencher.counter(n).bench(|| rounds(n));
    }

    #[divan::bench]
    fn bench_local(bencher: Bencher<'_, '_>) {
        let mut calls = 0;
        bencher.bench_local(|| {
            calls += 1;
            rounds(black_box(100));
        });
    }

    #[divan::bench]
    fn bench_values(bencher: Bencher) {
        bencher
            .with_inputs(|| text(100))
            .input_counter(BytesCount::of_str)
            .bench_values(|text| text + "c");
    }

    #[divan::bench]
    fn bench_local_values(bencher: Bencher) {
        let mut texts = Vec::with_capacity(1);
        bencher
            .with_inputs(|| text(100))
            .bench_local_values(|text| texts.push(text));
    }

    #[divan::bench]
    fn bench_refs(bencher: Bencher) {
        bencher
            .with_inputs(|| (0..100).rev().collect::<Vec<u32>>())
            .bench_refs(|numbers| numbers.sort());
    }

    #[divan::bench]
    fn bench_local_refs(bencher: Bencher) {
        let mut sum = 0;
        bencher
            .with_inputs(|| 100_usize)
            .count_inputs_as::<ItemsCount>()
            .bench_local_refs(|n| sum += *n);
    }
}

#[divan::bench_group(name = "renamed", items_count = 50_u32, sample_count = 10)]
mod group {
    use super::*;

    #[divan::bench]
    fn outer() {
        rounds(black_box(100));
    }

    #[divan::bench_group(counters = [ItemsCount::new(25_u32), BytesCount::of::<u64>(), CyclesCount::new(1_u8)])]
    mod inner {
        use super::*;

        #[divan::bench(counter = CharsCount::of_str("äöü"), bytes_count = 4_usize)]
        fn deep() {
            rounds(black_box(100));
        }
    }

    #[divan::bench_group(ignore)]
    mod left_out {
        use super::*;

        #[divan::bench]
        fn ignored_by_its_group() {
            panic!("nobody asked for it");
        }

        #[divan::bench(ignore = false)]
        fn still_there() {
            rounds(black_box(100));
        }
    }
}

/// Everything that is there beside the attributes.
#[divan::bench]
fn api(bencher: Bencher) {
    assert_eq!(BytesCount::u32(2), BytesCount::of_many::<u32>(2));
    assert_ne!(BytesFormat::default(), BytesFormat::Binary);
    let debugged = format!("{bencher:?}");
    bencher.bench_local(move || {
        debugged
            .split(' ')
            .map(str::to_owned)
            .for_each(divan::black_box_drop)
    });
}

mod generics {
    use super::*;

    const SIZES: &[usize] = &[1, 10, 100];

    #[divan::bench(types = [Vec<u32>, BTreeSet<u32>, HashSet<u32>], args = [0, 16])]
    fn collected<T: FromIterator<u32>>(n: u32) -> T {
        (0..n).collect()
    }

    #[divan::bench(types = [&str, String])]
    fn from_str<'a, T>() -> T
    where
        T: From<&'a str>,
    {
        black_box("hello").into()
    }

    #[divan::bench(consts = SIZES)]
    fn listed<const N: usize>() -> [u8; N] {
        [black_box(1); N]
    }

    #[divan::bench(consts = [false, true])]
    fn flag<const FLAG: bool>() {
        rounds(black_box(if FLAG { 200 } else { 100 }));
    }

    #[divan::bench(types = [u8, u16], consts = [1, SIZES[1]], args = [Words("a b"), Words("c")])]
    fn all<const N: usize, T: Default>(bencher: Bencher, words: &Words) {
        bencher.bench(|| (T::default(), rounds((N + words.0.len()) as u64)));
    }

    #[derive(Debug)]
    struct Words(&'static str);

    impl fmt::Display for Words {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }
}
