//! One source that Divan times, and that is counted with the feature `count`.

#[cfg(feature = "count")]
use counted as divan;

fn main() {
    divan::main();
}

#[divan::bench]
fn sum() -> u64 {
    (0..divan::black_box(100)).sum()
}
