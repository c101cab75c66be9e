use iai_callgrind::library_benchmark;

const N: u64 = 3;

#[library_benchmark]
#[bench::one(1, ids = ["a"])]
#[benches::too_few(1, 2, ids = ["a"])]
#[benches::too_many(args = [1], ids = ["a", "b"])]
#[benches::no_array(1, 2, ids = "a")]
#[benches::other_word(1, 2, ids = literal)]
#[benches::no_text(1, 2, ids = ["a", 2])]
#[benches::characters(1, 2, 3, ids = ["a-b", "a b", ""])]
#[benches::twice(1, 2, ids = ["a", "a"])]
#[benches::with_iter(iter = 0..3, ids = ["a", "b", "c"])]
#[benches::with_iter_values(iter = 0..3, ids = values)]
fn own(_: u64) {}

#[library_benchmark]
#[benches::constant(1, N, ids = values)]
#[benches::call(1, u64::from(1_u8), ids = values)]
#[benches::sum(1, 1 + 1, ids = values)]
#[benches::same(1, 0x1, ids = values)]
fn values(_: u64) {}

#[library_benchmark]
#[benches::nothing(ids = values)]
fn nothing() {}

#[library_benchmark]
#[bench::a_b(1)]
#[benches::a(1, 2, ids = ["b", "c"])]
fn of_another(_: u64) {}

#[library_benchmark]
#[benches::long(
    args = [1],
    ids = ["x23456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890"]
)]
fn long(_: u64) {}

fn main() {}
