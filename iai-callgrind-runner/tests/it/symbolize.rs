//! Executables as `symbolize` reads them, with binutils and the compiler as witnesses.
#![expect(
    clippy::disallowed_methods,
    reason = "compilers and witnesses are processes"
)]

#[path = "symbolized/code.rs"]
mod code;
#[path = "symbolized/digests.rs"]
mod digests;
#[path = "symbolized/frames.rs"]
mod frames;
#[path = "symbolized/marks.rs"]
mod marks;
#[path = "symbolized/names.rs"]
mod names;
#[path = "symbolized/objects.rs"]
mod objects;
#[path = "symbolized/programs.rs"]
mod programs;
