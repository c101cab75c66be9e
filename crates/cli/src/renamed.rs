//! Options and variables that had another name before: what to write instead.

use clap::error::{Error, ErrorKind};
use clap::CommandFactory;

use super::Args;

/// `--regression` before 0.15.
pub(super) fn renamed(limits: &str) -> Error {
    let text = format!(
        "`--regression` has another name now; write `--callgrind-limits={}`",
        callgrind_limits(limits)
    );
    Args::command().error(ErrorKind::UnknownArgument, text)
}

/// The limits of `--regression` in the form of `--callgrind-limits`: all were percentages.
pub(super) fn callgrind_limits(regression: &str) -> String {
    let limits = regression.split(',').map(|limit| {
        let limit = limit.trim().to_lowercase();
        match limit.as_str() {
            "" | "default" => "ir=10%".to_owned(),
            limit if limit.ends_with('%') => limit.to_owned(),
            limit => format!("{limit}%"),
        }
    });
    limits.collect::<Vec<_>>().join(",")
}
