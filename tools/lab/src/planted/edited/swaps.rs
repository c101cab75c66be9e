//! Functions that call another function, instance or constant after their edit.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::hint::black_box;

mod v1 {
    pub mod parse {
        #[inline(never)]
        pub fn run(text: &[u8]) -> u64 {
            text.iter().fold(0, |sum, byte| step(sum, *byte))
        }

        #[inline(never)]
        fn step(sum: u64, byte: u8) -> u64 {
            sum.wrapping_mul(31) ^ u64::from(byte)
        }
    }
}

mod v2 {
    pub mod reader {
        #[inline(never)]
        pub fn run(text: &[u8]) -> u64 {
            text.iter().fold(1, |sum, byte| step(sum, *byte))
        }

        #[inline(never)]
        fn step(sum: u64, byte: u8) -> u64 {
            (0..8).fold(sum, |sum, n| sum.wrapping_mul(31).rotate_left(n) ^ u64::from(byte))
        }
    }
}

// Otherwise the first edit makes dead code of what it no longer calls.
#[used]
static BOTH: [fn(&[u8]) -> u64; 2] = [v1::parse::run, v2::reader::run];

#[inline(never)]
pub fn own_module(text: &[u8]) -> u64 {
    v1::parse::run(text)
}

#[inline(never)]
pub fn std_module(numbers: &mut [u64]) -> u64 {
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}

#[inline(never)]
pub fn package_module(text: &str) -> usize {
    let names = aho_corasick::nfa::noncontiguous::NFA::new(text.split(' ')).unwrap();
    aho_corasick::automaton::Automaton::patterns_len(&names)
}

#[inline(never)]
fn fill<const N: usize>(n: u64) -> u64 {
    (0..N as u64).fold(n, |sum, n| black_box(sum + n))
}

#[inline(never)]
fn fills<const N: usize>(n: u64) -> u64 {
    fill::<N>(n) + 1
}

#[inline(never)]
pub fn const_argument(count: u64) -> u64 {
    (0..count).map(|n| fills::<4>(n)).sum()
}

pub trait Run {
    fn run(&self) -> u64;
}

pub struct Cheap(u64);
pub struct Dear(u64);

impl Run for Cheap {
    #[inline(never)]
    fn run(&self) -> u64 {
        black_box(self.0)
    }
}

impl Run for Dear {
    #[inline(never)]
    fn run(&self) -> u64 {
        (0..20).fold(self.0, |sum, n| black_box(sum + n))
    }
}

#[inline(never)]
fn middle<T: Run>(one: T) -> u64 {
    one.run() + 1
}

#[inline(never)]
fn outer<T: Run>(one: T) -> u64 {
    middle(one) + 1
}

#[inline(never)]
pub fn type_argument(count: u64) -> u64 {
    (0..count).map(|n| outer(Cheap(n))).sum()
}

#[inline(never)]
pub fn collection(count: u64) -> usize {
    let mut map: BTreeMap<u64, u64> = BTreeMap::new();
    for n in 0..count {
        map.insert(n * 7919 % 613, n);
    }
    map.len()
}

#[inline(never)]
pub fn dyn_type(count: u64) -> u64 {
    let one: Box<dyn Run> = black_box(Box::new(Cheap(count)));
    (0..count).map(|_| one.run()).sum()
}

#[inline(never)]
pub fn format_string(count: u64) -> String {
    let mut text = String::new();
    for n in 0..count {
        write!(text, "{}", n).unwrap();
    }
    text
}

#[inline(never)]
fn work(count: u64) -> u64 {
    (0..count).fold(0, |sum, n| black_box(sum + n))
}

static SIZES: [u64; 8] = [3, 1, 4, 1, 5, 9, 2, 6];

#[inline(never)]
pub fn data_only(count: usize) -> u64 {
    (0..count).map(|n| work(SIZES[n % SIZES.len()])).sum()
}

#[inline(never)]
pub fn argument_only(count: u64) -> u64 {
    work(count)
}

#[inline(never)]
pub fn first(n: u64) -> u64 {
    (0..5).fold(n, |sum, n| black_box(sum ^ n))
}

#[inline(never)]
pub fn alike(n: u64) -> u64 {
    (0..5).fold(n, |sum, n| black_box(sum ^ n))
}

#[inline(never)]
pub fn second(n: u64) -> u64 {
    (0..9).fold(n, |sum, n| black_box(sum ^ n))
}

#[inline(never)]
pub fn merged(count: u64) -> u64 {
    (0..count).map(|n| first(n)).sum::<u64>() + alike(count)
}

#[inline(never)]
pub fn temporary(text: &str) -> u64 {
    text.lines().map(|line| line.trim().len() as u64).sum()
}

/// Types that an edit needs.
pub type Pairs = BTreeSet<(u64, u64)>;
