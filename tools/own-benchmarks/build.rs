//! Tells the crate which compiler builds it, and what for.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let rustc = std::env::var_os("RUSTC").expect("cargo says which compiler it uses");
    let output = Command::new(rustc).arg("--version").output();
    let output = output.expect("the compiler says its version");
    let version = String::from_utf8_lossy(&output.stdout);
    let target = std::env::var("TARGET").expect("cargo says for which target it builds");
    println!("cargo:rustc-env=OWN_TOOLCHAIN={} {target}", version.trim());
}
