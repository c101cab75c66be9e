//! Setups and teardowns on both levels; everything writes its name to the file `ORDER`, and fails
//! if `FAILS` names it.

use std::fs::OpenOptions;
use std::io::Write;

use iai_callgrind::{library_benchmark, library_benchmark_group, main, LibraryBenchmarkConfig};

fn happens(name: &str) {
    let path = std::env::var_os("ORDER").expect("ORDER names a file");
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .unwrap();
    writeln!(file, "{name}").unwrap();
    if std::env::var("FAILS").as_deref() == Ok(name) {
        println!("{name} prints this");
        panic!("{name} fails");
    }
}

#[library_benchmark]
#[bench::a("first a")]
#[bench::b("first b")]
fn first(name: &str) {
    happens(name);
}

#[library_benchmark]
fn second() {
    happens("second");
}

library_benchmark_group!(
    name = with_hooks,
    setup = happens("group setup"),
    teardown = happens("group teardown"),
    benchmarks = [first]
);
library_benchmark_group!(name = without_hooks, benchmarks = [second]);
main!(
    config = LibraryBenchmarkConfig::default().pass_through_envs(["ORDER", "FAILS"]),
    setup = happens("main setup"),
    teardown = happens("main teardown"),
    library_benchmark_groups = [with_hooks, without_hooks]
);
