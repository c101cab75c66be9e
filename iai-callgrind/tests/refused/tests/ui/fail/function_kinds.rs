use iai_callgrind::{binary_benchmark, library_benchmark, Command};

#[binary_benchmark]
async fn asynchronous() -> Command {
    Command::new("true")
}

fn run<T>(_: T) {}

#[library_benchmark(executor = run)]
fn not_async() {}

#[library_benchmark(executor = run())]
async fn no_function() {}

#[library_benchmark(executer = run)]
async fn misspelled() {}

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
    let _ = (asynchronous(), no_function(), misspelled());
    not_async();
    unsafe { not_safe() };
    Method.method();
    let _ = NotAFunction;
}
