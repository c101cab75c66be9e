//! Symbols in the form that newer compilers write.

use benchmark_tests::{build, Bench, Home};

#[test]
fn the_measured_function_is_found_under_either_name() {
    let [legacy, v0] = [build::bench("counts"), build::v0_bench("counts")];
    let count = |executable| {
        let home = Home::new();
        Bench::at(executable)
            .measure(&home)
            .arg("exact::nops_1000")
            .run()
            .code(0)
            .quiet();
        home.count("counts::exact::nops_1000", "Ir")
    };
    assert_eq!(count(&legacy), count(&v0));
    // Only the new form separates a length from a name that begins with `_`.
    let new_form = b"27___iai_callgrind_wrapper_mod".as_slice();
    let has_new_form = |executable| {
        let bytes = std::fs::read(executable).unwrap();
        bytes.windows(new_form.len()).any(|part| part == new_form)
    };
    assert!(has_new_form(&v0) && !has_new_form(&legacy));
}
