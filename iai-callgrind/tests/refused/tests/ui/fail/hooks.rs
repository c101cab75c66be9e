use iai_callgrind::library_benchmark;

fn make() -> u64 {
    1
}

#[library_benchmark(setup = make())]
fn of_function(_: u64) {}

#[library_benchmark]
#[bench::call(setup = make())]
#[bench::block(setup = { make })]
#[bench::text(1, teardown = "x")]
fn of_bench(_: u64) {}

#[library_benchmark]
#[bench::one(setup = make)]
fn two_parameters(_: u64, _: u64) {}

#[library_benchmark]
#[bench::one(setup = make)]
fn no_parameters() {}

fn main() {}
