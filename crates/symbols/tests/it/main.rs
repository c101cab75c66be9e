//! Executables as this crate reads them, with binutils and the compiler as witnesses: one
//! executable, so that an edit links it once.
#![expect(
    clippy::disallowed_methods,
    reason = "compilers and witnesses are processes"
)]

mod code;
mod frames;
mod marks;
mod names;
mod objects;
mod programs;
