//! The benchmark path and id, in messages and in the names of files.

use std::fmt;

use iai_callgrind::protocol::Truncate;

/// The longest description of a benchmark's arguments, unless an option or the configuration sets it.
pub const DESCRIPTION_WIDTH: usize = 50;

/// The benchmark path of one benchmark: `file::group::function` and the id, if it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchmarkPath {
    /// The name of the bench target as an identifier.
    pub file: String,
    /// The name of the group.
    pub group: String,
    /// The name of the function.
    pub function: String,
    /// The id of the case; a function without `#[bench]` has none.
    pub id: Option<String>,
    /// The arguments as they are written in the source, to be shown only.
    pub args: Option<String>,
}

impl BenchmarkPath {
    /// `<function>[.<id>]`: the stem of file names.
    pub fn stem(&self) -> String {
        match &self.id {
            Some(id) => format!("{}.{id}", self.function),
            None => self.function.clone(),
        }
    }

    /// `file::group::function`
    pub fn function_path(&self) -> String {
        format!("{}::{}::{}", self.file, self.group, self.function)
    }

    /// The arguments on one line, shortened.
    fn shown_args(&self, truncate: Truncate) -> Option<String> {
        let args = self.args.as_ref()?;
        Some(shortened(&on_one_line(args), truncate))
    }

    /// `file::group::function id:arguments`
    pub fn headline(&self, truncate: Truncate) -> String {
        self.function_path() + &self.description(truncate, |_, text| text.to_owned())
    }

    /// ` id:arguments`, ` id`, ` arguments` or nothing, with each piece as `paint` shows it.
    pub fn description(
        &self,
        truncate: Truncate,
        paint: impl Fn(HeadlinePiece, &str) -> String,
    ) -> String {
        let id = self.id.as_ref().map(|id| paint(HeadlinePiece::Id, id));
        let args = self.shown_args(truncate);
        let args = args.map(|args| paint(HeadlinePiece::Arguments, &args));
        match (id, args) {
            (Some(id), Some(args)) => format!(" {id}{}{args}", paint(HeadlinePiece::Id, ":")),
            (Some(text), None) | (None, Some(text)) => format!(" {text}"),
            (None, None) => String::new(),
        }
    }
}

/// Piece of a headline that has a color of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeadlinePiece {
    /// The id, and the colon behind it.
    Id,
    /// The arguments.
    Arguments,
}

/// `file::group::function[::id]`: the path that filters match.
impl fmt::Display for BenchmarkPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}::{}", self.file, self.group, self.function)?;
        match &self.id {
            Some(id) => write!(f, "::{id}"),
            None => Ok(()),
        }
    }
}

/// Joins the lines of source text for a headline.
fn on_one_line(args: &str) -> String {
    args.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

/// Cuts out the middle of a long text. The limit is in characters and does not include the dots.
fn shortened(text: &str, truncate: Truncate) -> String {
    let length = text.chars().count();
    match truncate {
        Truncate::At(limit) if length > limit => {
            let end = limit / 2;
            let start: String = text.chars().take(limit - end).collect();
            let end: String = text.chars().skip(length - end).collect();
            format!("{start}...{end}")
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_arguments_are_cut_in_the_middle() {
        #[track_caller]
        fn check(args: &str, truncate: Truncate, expected: &str) {
            assert_eq!(shortened(args, truncate), expected);
        }
        check("0123456789", Truncate::At(10), "0123456789");
        check("0123456789", Truncate::At(9), "01234...6789");
        check("0123456789", Truncate::At(1), "0...");
        check("0123456789", Truncate::At(0), "...");
        check("", Truncate::At(0), "");
        check("äöü€äöü€", Truncate::At(4), "äö...ü€");
        check("0123456789", Truncate::Never, "0123456789");
    }
}
