use iai_callgrind::library_benchmark;

fn make() -> u64 {
    1
}

#[library_benchmark(confg = 1)]
fn unknown() {}

#[library_benchmark(setup = make, setup = make)]
#[bench::one()]
fn twice(_: u64) {}

#[library_benchmark(1)]
fn positional() {}

#[library_benchmark]
#[bench::unknown(file = "x")]
#[bench::assignment(x = 3)]
#[bench::twice(args = (1), args = (2))]
#[bench::both(1, args = (1))]
#[bench::after(setup = make, 1)]
fn of_bench(_: u64) {}

#[library_benchmark]
#[benches::unknown(arg = [1])]
#[benches::both(1, args = [1])]
fn of_benches(_: u64) {}

#[library_benchmark(crate = "iai_callgrind")]
fn library() {}

fn main() {}
