//! Digests of kept results, and what they tell of the rows of a report.
//!
//! | | |
//! | --- | --- |
//! | `home` | the digests of a home |
//! | `details/` | details of a row for the page: frames, functions, lines, machine code |

mod details;
mod home;

pub use self::details::SideDetails;
pub use self::details::{BenchmarkDetails, DetailSource, WantedDetails};
pub use self::home::{find, KeptDigest};
