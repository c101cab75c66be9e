use iai_callgrind::library_benchmark;

fn text(_: u64) -> String {
    String::new()
}

fn check(_: String) {}

#[library_benchmark]
#[bench::wrong_result(1, setup = text)]
#[bench::wrong_argument("x", setup = u64::from)]
#[bench::wrong_number(1, 2, setup = u64::from)]
#[bench::wrong_teardown(1, teardown = check)]
fn number(x: u64) -> u64 {
    x
}

fn main() {}
