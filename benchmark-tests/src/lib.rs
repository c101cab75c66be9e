//! End-to-end tests with real Valgrind: the driver.
//!
//! `measured/` holds benchmark files and programs, `tests/` what is expected of them. A test makes
//! a [`Home`] for results, runs a [`Bench`] and looks at what it printed ([`Ended`]) and left on
//! disk. Figures are checked against instructions that can be added up by hand, and against
//! [`counted`], which counts without the runner.

pub mod bench;
pub mod binary;
pub mod build;
pub mod counted;
pub mod executables;
pub mod home;
pub mod kills;
pub mod locked_down;
pub mod perfs;
pub mod processes;
pub mod requests;
pub mod sample;
pub mod server;
pub mod user;
pub mod valgrinds;
pub mod verified;

pub use bench::{Bench, Ended, Started};
pub use home::Home;
