//! Explanations: why a benchmark costs more or less than before.
//!
//! ```text
//! bytes ↔ digest                                    format/, digest.rs, costs.rs, check.rs
//! ```

mod check;
mod costs;
pub mod digest;
pub mod format;
#[cfg(test)]
mod sample;

pub use check::DigestFault;
