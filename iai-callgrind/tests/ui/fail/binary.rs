use iai_callgrind::binary_benchmark;

#[binary_benchmark]
#[bench::one(1, setup = println!("x"), teardown = { drop(1) })]
#[bench::two(2, setup = |x| drop(x))]
fn command(_: u64) {}

#[binary_benchmark]
#[bench::one()]
fn checked(_: u64) {}

#[binary_benchmark(sandbox = true)]
fn unknown() {}

fn main() {
    command(1);
}
