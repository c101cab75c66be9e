//! Differences between operating systems, behind one function for each.
//!
//! Measuring needs Linux, or another system that Valgrind runs on. On macOS there is none, but the
//! commands that read results (`compare`, `open`, `history`, …) work there, so everything is
//! compiled. `cargo xtask platforms` checks it for each system. Windows is none of them: the
//! library is empty there, and `main.rs` says what works.

pub mod addresses;
pub mod children;
pub mod descriptors;
pub mod file_lock;
pub mod foreground;
pub mod inherited;
pub mod left_behind;
pub mod parent;
pub mod processors;
