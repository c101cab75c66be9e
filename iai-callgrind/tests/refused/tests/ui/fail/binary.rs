use iai_callgrind::{binary_benchmark, Command};

#[binary_benchmark]
#[bench::one()]
fn too_few(_: u64) -> Command {
    Command::new("true").build()
}

#[binary_benchmark]
#[bench::one(1, 2)]
#[benches::two((1, "a"), (2))]
fn too_many(_: u64) -> Command {
    Command::new("true").build()
}

#[binary_benchmark(setup = drop)]
fn without_arguments(_: u64) -> Command {
    Command::new("true").build()
}

#[binary_benchmark(sandbox = true)]
fn unknown() -> Command {
    Command::new("true").build()
}

#[binary_benchmark]
#[bench::a(setup = "text")]
#[bench::a(setup = drop, teardown = 1)]
#[bench]
#[bench::b]
#[bench::c::d()]
#[bench::x("a", args = ("b"))]
#[bench::y(args = 3)]
#[benches::z(args = [1], iter = [1])]
fn everywhere() -> Command {
    Command::new("true").build()
}

#[binary_benchmark]
fn no_result() {}

#[binary_benchmark]
async fn asynchronous() -> Command {
    Command::new("true").build()
}

#[binary_benchmark]
unsafe fn dangerous() -> Command {
    Command::new("true").build()
}

#[binary_benchmark]
#[bench::twice()]
#[bench::twice()]
#[benches::many("a", "b")]
#[bench::many_1()]
fn ids() -> Command {
    Command::new("true").build()
}

#[binary_benchmark]
#[bench::a_name_of_121_bytes_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa()]
fn long_id() -> Command {
    Command::new("true").build()
}

#[binary_benchmark]
#[bench::none(consts = (1))]
fn constants() -> Command {
    Command::new("true").build()
}

#[binary_benchmark]
struct Item;

fn main() {
    let _ = (too_few(1), no_result(), asynchronous(), Item);
}
