//! Explanations: why a benchmark costs more or less than before.
//!
//! ```text
//! bytes ↔ digest                                    format.rs, digest.rs, costs.rs, check.rs
//! ```

mod check;
mod costs;
pub mod digest;

pub use check::DigestFault;
