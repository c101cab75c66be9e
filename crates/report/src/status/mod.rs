//! The line at the end of a terminal while benchmarks run: how many are done, which one runs, and
//! how long the rest may take.

mod line;
mod remaining;

pub use self::line::{LineStatus, StatusLine};
pub use self::remaining::RemainingTime;
