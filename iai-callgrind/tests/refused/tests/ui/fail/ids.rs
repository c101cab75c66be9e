use iai_callgrind::library_benchmark;

#[library_benchmark]
#[bench]
#[bench(1)]
#[bench::a::b(1)]
#[bench::no_parentheses]
#[bench::brackets[1]]
#[bench::value = 1]
#[benches(1)]
fn malformed(_: u64) {}

#[library_benchmark]
#[bench::a(1)]
#[bench::a(2)]
fn same(_: u64) {}

#[library_benchmark]
#[benches::a(1, 2)]
#[bench::a_1(2)]
#[bench::r#a_0(2)]
fn same_as_numbered(_: u64) {}

fn main() {}
