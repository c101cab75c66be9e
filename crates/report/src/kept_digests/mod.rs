//! Digests of kept results, and what they tell of the rows of a report.
//!
//! | | |
//! | --- | --- |
//! | `home` | the digests of a home |
//! | `recorded` | the digest of a recorded result |
//! | `explained_rows` | causes of the regressions of a report |
//! | `details/` | details of a row for the page: frames, functions, lines, machine code |

mod details;
mod explained_rows;
mod home;
mod recorded;

pub use self::details::SideDetails;
pub use self::details::{BenchmarkDetails, DetailSource, WantedDetails};
pub use self::explained_rows::explain_rows;
pub use self::home::{find, KeptDigest};
