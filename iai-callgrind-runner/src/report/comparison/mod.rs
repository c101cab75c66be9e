//! Reports on two sides, one file for each format.

mod bmf;
mod circumstances;
mod csv;
mod format;
mod github;
mod github_action_benchmark;
mod gitlab;
mod json;
mod junit;
mod markdown;
mod source_places;
mod text;
mod words;

pub use self::bmf::write as write_bmf;
pub use self::format::{ComparisonFormat, ComparisonWriter};
pub use self::github::{commands as write_github_commands, without_commands};
pub use self::github_action_benchmark::{
    left_out as left_out_of_github_action_benchmark, write as write_github_action_benchmark,
};
pub use self::gitlab::write as write_gitlab;
pub use self::junit::write as write_junit;
pub use self::markdown::write as write_markdown;
pub use self::source_places::SourcePlaces;
