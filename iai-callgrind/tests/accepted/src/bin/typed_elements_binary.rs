//! Elements of iterators have the type that their function takes, in its hooks as well.

use std::fmt::Display;

use iai_callgrind::prelude::*;

fn is_large<T: Display>(n: T) {
    assert!(n.to_string().len() >= 10, "{n}");
}

#[binary_benchmark]
#[benches::shown(
    iter = (2..4).map(|i| i * 2_000_000_000),
    setup = is_large,
    teardown = |n| assert!(n > 2_500_000_000)
)]
#[benches::nothing(iter = vec![], setup = is_large)]
#[benches::plain(args = [3_000_000_000], consts = [])]
fn program(n: u64) -> Command {
    Command::new("true").arg(n.to_string()).build()
}

binary_benchmark_group!(name = programs, benchmarks = program);
main!(binary_benchmark_groups = programs);
