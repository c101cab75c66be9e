//! The standard library finds out once for each process what the processor can do.

use benchmark_tests::{Bench, Home};

/// It has done so before the first benchmark, which therefore counts what a second one would.
#[test]
fn finding_out_the_features_of_the_processor_belongs_to_no_benchmark() {
    for fork in ["--fork=yes", "--fork=no"] {
        let home = Home::new();
        Bench::new("features")
            .measure(&home)
            .arg(fork)
            .run()
            .code(0)
            .quiet();
        for kind in ["Ir", "Dr", "Dw"] {
            let count = |id| home.count(&format!("features::group::dispatches::{id}"), kind);
            assert_eq!(count("first"), count("second"), "{kind}, {fork}");
        }
    }
}
