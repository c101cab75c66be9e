//! The feature `cachegrind`, with every Valgrind that can do it and with those that cannot.

use std::path::Path;

use benchmark_tests::{build, valgrinds, Bench, Home};

/// From here on Cachegrind can start to count later.
const NEEDED: (u32, u32) = (3, 22);

fn bench(valgrind: &Path, home: &Home) -> Bench {
    let bench = Bench::at(&build::cachegrind_bench("brackets")).measure(home);
    bench.arg("--valgrind-bin").arg(valgrind)
}

#[test]
fn only_the_benchmark_function_counts() {
    valgrinds::with_each(|valgrind| {
        let home = Home::new();
        let run = |words: &[&str]| bench(valgrind, &home).args(words).run();
        if valgrinds::number(valgrind) < NEEDED {
            run(&["work::short"])
                .code(1)
                .says(&["error: ", "3.22", "--default-tool=callgrind"]);
            assert!(!home.has("brackets::group::work::short"));
            // The hint of the message helps.
            run(&["work::short", "--default-tool=callgrind"])
                .code(0)
                .quiet();
            return;
        }
        run(&["work"]).code(0).quiet();
        let ir = |id: &str| {
            let benchmark = format!("brackets::group::work::{id}");
            home.values_of(&benchmark, "cachegrind")["Ir"].unwrap()
        };
        let mode = &home.profile("brackets::group::work::short", "cachegrind")["mode"];
        assert_eq!(mode, "fork");
        // Callgrind counts the same instructions: nothing of the harness is in the figures.
        let callgrind = home.count("brackets::group::work::callgrind", "Ir");
        assert!(callgrind - 2 * 1000 < 10, "{callgrind}");
        assert_eq!(ir("short"), callgrind);
        assert_eq!(ir("long"), callgrind + 2 * 1000);
        assert_eq!(ir("after_setup"), ir("short"));
        run(&["work"]).code(0).quiet().unchanged();
        // Nor is it where the process is no fork, which has no rehearsal.
        run(&["work", "--fork=no"]).code(0);
        assert_eq!(ir("short"), callgrind);
        assert_eq!(ir("long"), callgrind + 2 * 1000);
        run(&["region"])
            .code(1)
            .says(&["Cachegrind cannot count the regions of `measure`"]);
    });
}
