//! Names of result files: `<tool>.<function>[.<id>][.<pid>][.t<thread>][.p<part>].<kind>[.old]`.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::tool::Tool;

/// Longest part of a name that comes from the user.
const LONGEST: usize = 200;

/// The end of the names of the previous run.
const OLD: &str = ".old";

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The tool's result.
    Out,
    /// Valgrind's log.
    Log,
}

impl Kind {
    fn extension(self) -> &'static str {
        match self {
            Self::Out => "out",
            Self::Log => "log",
        }
    }
}

/// The parts of a name. Numbers are there only if a run has several of their kind.
#[derive(Debug, Clone)]
pub struct FileName<'a> {
    /// The tool that wrote the file.
    pub tool: Tool,
    /// `<function>[.<id>]`.
    pub stem: &'a str,
    /// Process id.
    pub pid: Option<u32>,
    /// Thread and part, both with their number of digits.
    pub thread_part: Option<(String, String)>,
    /// What the file holds.
    pub kind: Kind,
}

impl FileName<'_> {
    /// The name.
    pub fn current(&self) -> String {
        let mut name = format!("{}.{}", self.tool, limited(self.stem));
        if let Some(pid) = self.pid {
            name.push_str(&format!(".{pid}"));
        }
        if let Some((thread, part)) = &self.thread_part {
            name.push_str(&format!(".t{thread}.p{part}"));
        }
        name.push('.');
        name.push_str(self.kind.extension());
        name
    }

    /// Is this the name of a result of the tool, current or old?
    pub fn belongs(name: &str, tool: Tool) -> bool {
        let end = name.strip_suffix(OLD).unwrap_or(name);
        let kinds = [Kind::Out, Kind::Log];
        name.split('.').next() == Some(tool.id())
            && kinds
                .iter()
                .any(|kind| end.ends_with(&format!(".{}", kind.extension())))
    }

    /// Is this the name of a result of the run before the last one?
    pub fn is_old(name: &str) -> bool {
        name.ends_with(OLD)
    }

    /// The name that a current file takes when a new one comes.
    pub fn old(current: &str) -> String {
        format!("{current}{OLD}")
    }
}

/// A name that file systems take: long ones are cut and get a hash of the whole, so that two that
/// begin alike stay apart.
pub(super) fn limited(stem: &str) -> String {
    let clean: String = stem
        .chars()
        .map(|c| if c == '/' || c.is_control() { '_' } else { c })
        .collect();
    if clean.len() <= LONGEST {
        return clean;
    }
    let mut hasher = DefaultHasher::new();
    stem.hash(&mut hasher);
    let suffix = format!("-{:016x}", hasher.finish());
    let mut end = LONGEST - suffix.len();
    while !clean.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{suffix}", &clean[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(pid: Option<u32>, thread_part: Option<(&str, &str)>, kind: Kind) -> String {
        FileName {
            tool: Tool::Callgrind,
            stem: "sort.large",
            pid,
            thread_part: thread_part.map(|(t, p)| (t.to_owned(), p.to_owned())),
            kind,
        }
        .current()
    }

    #[test]
    fn numbers_are_there_only_if_needed() {
        assert_eq!(name(None, None, Kind::Out), "callgrind.sort.large.out");
        assert_eq!(
            name(Some(77), Some(("02", "1")), Kind::Log),
            "callgrind.sort.large.77.t02.p1.log"
        );
    }

    #[test]
    fn a_tool_knows_its_files() {
        for name in [
            "callgrind.f.out",
            "callgrind.f.log.old",
            "callgrind.f.7.t1.p1.out.old",
        ] {
            assert!(FileName::belongs(name, Tool::Callgrind), "{name}");
        }
        for name in [
            "dhat.f.out",
            "callgrind.f.svg",
            "summary.json",
            "callgrind_f.out",
        ] {
            assert!(!FileName::belongs(name, Tool::Callgrind), "{name}");
        }
    }

    #[test]
    fn long_names_are_cut_but_stay_apart() {
        let one = format!("{}ä1", "x".repeat(198));
        let two = format!("{}ä2", "x".repeat(198));
        assert!(limited(&one).len() <= LONGEST);
        assert_ne!(limited(&one), limited(&two));
        assert_eq!(limited("a/b\n"), "a_b_");
    }
}
