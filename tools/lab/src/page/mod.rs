//! `cargo xtask page`: the page for browsers, in browsers.
//!
//! In: the files of the page in the runner, and comparisons that are written by hand
//! (`sample.json`). Out: pages, browsers that show them, and figures. `tests/it/page` looks at the
//! same pages.

mod accessibility;
mod browser;
mod check;
mod chromium;
mod command;
mod fill;
mod firefox;
#[path = "../../../../crates/report/src/html/page/mod.rs"]
mod parts;
mod sample;

pub use self::accessibility::Checker;
pub use self::browser::lacking;
pub use self::browser::{missing, without_firefox, Tab};
pub use self::check::{check, check_in_firefox};
pub use self::chromium::Chromium;
pub use self::command::run;
pub use self::fill::security_policy_hashes;
pub use self::firefox::Firefox;
pub use self::sample::Sample;
