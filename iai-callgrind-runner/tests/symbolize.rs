//! Executables as `symbolize` reads them, with binutils and the compiler as witnesses.
#![allow(
    clippy::disallowed_methods,
    reason = "compilers and witnesses are processes"
)]

#[path = "symbolized/frames.rs"]
mod frames;
#[path = "symbolized/programs.rs"]
mod programs;
