//! What a user of the library compiles stays as small as promised.

#[test]
fn a_user_compiles_few_crates() {
    xtask::dependencies::run().unwrap();
}
