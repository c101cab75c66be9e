use iai_callgrind::library_benchmark;

const VALUES: [u64; 2] = [1, 2];

#[library_benchmark]
#[bench::too_few(1)]
#[bench::too_many(1, 2, 3)]
#[bench::named(args = (1))]
#[bench::none()]
#[bench::no_list(args = 1)]
#[bench::repeated(args = [1; 2])]
#[benches::case((1, 2), (3, 4, 5))]
#[benches::named(args = [(1, 2), 3])]
#[benches::empty(args = [])]
#[benches::no_array(args = VALUES)]
fn two(_first: u64, (_a, _b): &(u8, Vec<u8>)) {}

#[library_benchmark]
#[bench::tuple(1, 2)]
#[benches::tuple((1, 2))]
fn one(_pair: (u64, u64)) {}

#[library_benchmark]
#[bench::one(1)]
fn none() {}

#[library_benchmark]
fn missing(_first: u64, _second: u64) {}

#[library_benchmark]
fn of_another_framework(_b: &mut criterion::Bencher<'_>) {}

#[library_benchmark]
#[bench::two(args = [1, 2])]
fn several(_n: u64) {}

fn main() {}
