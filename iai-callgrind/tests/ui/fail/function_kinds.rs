use iai_callgrind::library_benchmark;

#[library_benchmark]
async fn asynchronous() {}

#[library_benchmark]
unsafe fn not_safe() {}

struct Method;

impl Method {
    #[library_benchmark]
    #[bench::one(1)]
    fn method(&self) {}
}

#[library_benchmark]
#[bench::one(1)]
struct NotAFunction;

fn main() {
    let _ = asynchronous();
    unsafe { not_safe() };
    Method.method();
    let _ = NotAFunction;
}
