//! Digests of real programs: one executable, so that an edit links it once.
#![expect(
    clippy::disallowed_methods,
    reason = "the compiler of the programs is a process"
)]

mod digests;
#[allow(dead_code, reason = "not every helper is needed here")]
#[path = "../../../symbols/tests/it/programs.rs"]
mod programs;
