//! Checks that the dependencies of the library's users stay as small as promised.

#[test]
fn a_user_compiles_few_crates() {
    xtask::dependencies::run().unwrap();
}
