//! Reads what the user wrote.
//!
//! In: the tokens of an attribute with its function, or of a macro call. Out: the model, with spans
//! of the user's tokens. What could not be understood is in the errors. `function` takes the
//! parameters of a function, `bench` those of its cases.

mod bench;
mod function;
pub(crate) mod groups;
mod ids;
mod lines;
mod parameters;
mod ratios;
pub(crate) mod scaling;
pub(crate) mod throughput;

pub(crate) use function::benchmark;
pub(crate) use parameters::bare_type;
