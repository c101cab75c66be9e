//! The developer commands that measure and try, and what they share with the other ones.
//!
//! `xtask` has the command line. Its own commands check and build the repository; these are here:
//!
//! | command | what it does |
//! | --- | --- |
//! | `cargo xtask machines` | runs the recipes for many machines |
//! | `cargo xtask page` | shows the page for browsers in browsers, and measures it |
//! | `cargo xtask perf` | measures what `docs/maintainers/performance.md` promises |
//! | `cargo xtask planted` | edits crates, and checks that explanations name the edited function |
//! | `cargo xtask sources` | counts bench files that packages wrote for Criterion and Divan, twice |
//!
//! The commands of both crates start processes (`process`), build the runner (`runner`), make
//! crates as a user does (`fresh_crate`, `readme`), and get what they need (`valgrind`, `npm`).

use std::path::{Path, PathBuf};

pub mod fresh_crate;
pub mod fuzz;
pub mod machines;
pub mod npm;
mod package_sources;
pub mod page;
#[cfg(all(feature = "perf", target_os = "linux"))]
pub mod perf;
pub mod planted;
pub mod process;
pub mod readme;
pub mod runner;
pub mod sources;
pub mod valgrind;

/// The root directory of this checkout.
pub fn workspace_root() -> PathBuf {
    let manifest_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest_dir
        .ancestors()
        .nth(2)
        .expect("lab lies in `tools` of the workspace")
        .to_owned()
}

/// Announces the next step.
pub fn step(text: &str) {
    println!("==> {text}");
}
