//! Output of the terminal, byte for byte, plain and in colors. The expected texts are files in
//! `data/output`; `bench.rs` says how they are compared.

mod bench;
mod expectations;
mod headers;
mod limits;
mod parts;
pub(crate) mod readers;
mod runs;
mod streams;
mod terminal;
mod throughput;
mod tools;
