//! libFuzzer on one of the targets: `FUZZ_TARGET` names it.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

static CHECK: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").expect("FUZZ_TARGET names the target");
    iai_callgrind_fuzz::target(&name).unwrap_or_else(|| panic!("no target `{name}`"))
});

fuzz_target!(|bytes: &[u8]| CHECK(bytes));
