//! Parameters of the macros in any order, with any separators; hooks are called or evaluated.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use iai_callgrind::{library_benchmark, library_benchmark_group};

static RUNS: AtomicUsize = AtomicUsize::new(0);
const COMPARE: bool = true;

fn prepare() -> usize {
    RUNS.fetch_add(1, Relaxed)
}

#[library_benchmark]
fn a() {}
#[library_benchmark]
fn b() {}

mod inner {
    use iai_callgrind::{library_benchmark, library_benchmark_group};

    #[library_benchmark]
    fn c() {}
    library_benchmark_group!(name = group; benchmarks = c);
}
use inner::c;

library_benchmark_group!(name = semicolons; compare_by_id = true;; setup = prepare(); benchmarks = a, b,);
library_benchmark_group!(
    name = commas,
    benchmarks = [a, b,],
    compare_by_id = !COMPARE,
);
library_benchmark_group!(benchmarks = a, b, name = mixed; teardown = prepare,);
library_benchmark_group!(benchmarks = inner::c,; name = path, setup = || { prepare(); },, teardown = { prepare(); prepare() });
iai_callgrind::library_benchmark_group!(name = imported, benchmarks = c);

mod suite {
    use super::{commas, inner, mixed, path, prepare, semicolons};

    iai_callgrind::main!(
        library_benchmark_groups = [
            semicolons,
            commas,
            mixed,
            path,
            super::imported,
            inner::group
        ],
        setup = prepare(),
    );

    pub fn run() {
        main();
    }
}

fn main() {
    let names = |group: &iai_callgrind::__internal::Group| {
        let names: Vec<_> = group
            .functions
            .iter()
            .map(|function| function.name)
            .collect();
        names.join(" ")
    };
    assert_eq!(names(&semicolons::__GROUP), "a b");
    assert_eq!(names(&commas::__GROUP), "a b");
    assert_eq!(names(&mixed::__GROUP), "a b");
    assert_eq!(names(&path::__GROUP), "c");
    assert_eq!(names(&imported::__GROUP), "c");
    assert!((semicolons::__GROUP.compare_by_id)());
    assert!(!(commas::__GROUP.compare_by_id)());
    assert!(!(mixed::__GROUP.compare_by_id)());

    (semicolons::__GROUP.hooks.setup.unwrap())();
    (mixed::__GROUP.hooks.teardown.unwrap())();
    (path::__GROUP.hooks.setup.unwrap())();
    (path::__GROUP.hooks.teardown.unwrap())();
    assert_eq!(RUNS.load(Relaxed), 5);
    assert!(semicolons::__GROUP.hooks.teardown.is_none());
    suite::run();
}
