use iai_callgrind::library_benchmark;

#[library_benchmark]
#[bench::text("x")]
#[benches::several(1, "y")]
fn number(_: u64) {}

#[library_benchmark]
#[bench::unknown(missing)]
fn names(_: u64) {}

#[library_benchmark]
#[bench::one(1)]
fn bounds<T: AsRef<str>>(_: T) {}

#[library_benchmark]
#[bench::one(1)]
fn not_inferred<T: Default>(_: u64) -> Option<T> {
    None
}

fn main() {}
