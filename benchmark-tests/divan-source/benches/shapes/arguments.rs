//! Arguments of all kinds, in a file of their own.

use divan::Bencher;
use divan_source::rounds;

const LENGTHS: &[u64] = &[100, 200];

#[derive(Debug, Clone, Copy)]
enum Choice {
    One,
    Two(u64),
}

#[divan::bench(args = [100, LENGTHS[1], 100])]
fn values(n: u64) {
    rounds(n);
}

#[divan::bench(args = LENGTHS)]
fn shared(n: u64) {
    rounds(n);
}

#[divan::bench(args = 1..=2)]
fn range(bencher: Bencher, n: u64) {
    bencher.counter(n).bench(|| rounds(n));
}

#[divan::bench(args = [Choice::One, Choice::Two(200)])]
fn debugged(choice: Choice) {
    match choice {
        Choice::One => rounds(100),
        Choice::Two(n) => rounds(n),
    }
}

#[divan::bench(args = (1..3).map(|n| "x".repeat(n)))]
fn strings(text: &str) -> &str {
    text.trim()
}

#[divan::bench(args = [vec![1, 2], vec![3]])]
#[allow(clippy::ptr_arg)] // The type of the elements.
fn references(bencher: Bencher, numbers: &Vec<u64>) {
    bencher.bench_local(|| numbers.iter().copied().for_each(rounds));
}
