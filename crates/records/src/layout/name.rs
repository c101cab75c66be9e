//! Names of result files:
//! `<tool>.<function>[.<id>][.<pid>][.t<thread>][.p<part>].<kind>[.old|.base@<name>]`.

use std::path::Path;

use iai_callgrind::shared::hash::hash;

use super::{picture, RECORDS, SUMMARY, SUMMARY_OF_LAST};
use base::tool::{Tool, ToolFile};

/// Longest part of a name that comes from the user.
const LONGEST: usize = 200;

/// The end of the names of the previous run.
pub const OLD: &str = ".old";

/// Separator between the name of a current file and that of a baseline. No name of a benchmark has
/// an `@`.
pub const BASE: &str = ".base@";

/// A slot of a benchmark: the place of one kept result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Slot {
    /// The result of the last run.
    Last,
    /// The baseline of this name.
    Named(String),
}

impl Slot {
    /// The name of the baseline.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Last => None,
            Self::Named(name) => Some(name),
        }
    }

    /// File name in this slot of a file with this name in the last result.
    pub fn file(&self, current: &str) -> String {
        match self {
            Self::Last => current.to_owned(),
            Self::Named(name) => format!("{current}{BASE}{name}"),
        }
    }

    /// The baseline whose records a file of this name has.
    pub fn of_records(name: &str) -> Option<&str> {
        let baseline = name.strip_prefix(RECORDS)?.strip_prefix(BASE)?;
        (!baseline.is_empty()).then_some(baseline)
    }

    /// File name in the last result of a file with this name in this slot. `None`: the file is not
    /// in this slot.
    fn current<'a>(&self, name: &'a str) -> Option<&'a str> {
        match (self, name.split_once(BASE)) {
            (Self::Last, None) => Some(name).filter(|name| !name.ends_with(OLD)),
            (Self::Named(ours), Some((current, theirs))) => (ours == theirs).then_some(current),
            _ => None,
        }
    }
}

impl std::fmt::Display for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Last => f.write_str("the last run"),
            Self::Named(name) => write!(f, "the baseline `{name}`"),
        }
    }
}

/// The ends of the names of current files.
const ENDS: [&str; 7] = [
    ".out",
    ".out.orig",
    ".log",
    ".xtree",
    ".xleak",
    ".data",
    ".digest",
];

fn extension(tool: Tool, file: ToolFile) -> &'static str {
    match (file, tool) {
        (ToolFile::Out, Tool::Bbv) => "bb.out",
        (ToolFile::Out, _) => "out",
        (ToolFile::Log, _) => "log",
        (ToolFile::Pc, _) => "pc.out",
        (ToolFile::Original, _) => "out.orig",
        (ToolFile::Data, _) => "data",
        (ToolFile::RecordLog, _) => "record.log",
        (ToolFile::XTree, _) => "xtree",
        (ToolFile::XLeak, _) => "xleak",
        (ToolFile::Digest, _) => "digest",
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
    /// Thread, with its number of digits.
    pub thread: Option<String>,
    /// Part, with its number of digits.
    pub part: Option<String>,
    /// Kind of the file.
    pub file: ToolFile,
}

impl<'a> FileName<'a> {
    /// Name of a digest, which is one for all processes, threads and parts.
    pub fn of_digest(tool: Tool, stem: &'a str) -> Self {
        Self {
            tool,
            stem,
            pid: None,
            thread: None,
            part: None,
            file: ToolFile::Digest,
        }
    }

    /// The name.
    pub fn current(&self) -> String {
        let mut name = format!("{}.{}", self.tool, limited(self.stem));
        if let Some(pid) = self.pid {
            name.push_str(&format!(".{pid}"));
        }
        if let Some(thread) = &self.thread {
            name.push_str(&format!(".t{thread}"));
        }
        if let Some(part) = &self.part {
            name.push_str(&format!(".p{part}"));
        }
        name.push('.');
        name.push_str(extension(self.tool, self.file));
        name
    }

    /// Process id in the name of a file, if there is one.
    pub fn pid(path: &Path, tool: Tool, stem: &str) -> Option<u32> {
        let name = path.file_name()?.to_str()?;
        let rest = name.strip_prefix(&format!("{tool}.{}.", limited(stem)))?;
        rest.split('.').next()?.parse().ok()
    }

    /// Is this the name of a result of the tool, of the last run or the one before?
    pub fn belongs(name: &str, tool: Tool) -> bool {
        if let Some(picture) = picture::PictureNameParts::of(name, tool) {
            return picture.is_last();
        }
        let current = name.strip_suffix(OLD).unwrap_or(name);
        !name.contains(BASE) && is_result(current, tool)
    }

    /// Is this the name of a result of the tool in this slot?
    pub fn is_in(name: &str, slot: &Slot, tool: Tool) -> bool {
        if let Some(picture) = picture::PictureNameParts::of(name, tool) {
            // A flamegraph of a difference to a replaced result is of no use.
            return slot.name().is_some_and(|baseline| picture.shows(baseline));
        }
        slot.current(name).is_some_and(|name| is_result(name, tool))
    }

    /// Is this the name of a file of this kind of the tool in this slot?
    pub fn is_file(name: &str, slot: &Slot, tool: Tool, file: ToolFile) -> bool {
        let has_end = |name: &str| {
            let rest = name.strip_suffix(extension(tool, file));
            rest.is_some_and(|rest| rest.ends_with('.'))
        };
        // Most names have another end, and that is seen at once.
        if *slot == Slot::Last && !has_end(name) {
            return false;
        }
        slot.current(name)
            .is_some_and(|name| has_end(name) && is_result(name, tool))
    }

    /// Is this the name of a result of the run before the last one, or of a difference to it?
    pub fn is_old(name: &str, tool: Tool) -> bool {
        match picture::PictureNameParts::of(name, tool) {
            Some(picture) => picture.is_old(),
            None => name.ends_with(OLD),
        }
    }

    /// The baseline that a file of this name holds a result of.
    pub fn baseline(name: &str) -> Option<&str> {
        let (current, baseline) = name.split_once(BASE)?;
        let is_of_tool = || Tool::ALL.iter().any(|tool| is_result(current, *tool));
        let is_record = [SUMMARY, SUMMARY_OF_LAST].contains(&current);
        (is_record || is_of_tool()).then_some(baseline)
    }

    /// Is this the name of a file that we keep, of whichever tool and result? Such a name is that
    /// of a file in the directory of a benchmark, and of nothing elsewhere.
    pub fn is_ours(name: &str) -> bool {
        // The name may come from a note or record that somebody else wrote.
        let is_plain = !name.contains(['/', '\0']);
        let current = name.split_once(BASE).map_or_else(
            || name.strip_suffix(OLD).unwrap_or(name),
            |(current, _)| current,
        );
        let is_of_tool = || Tool::ALL.iter().any(|tool| is_result(current, *tool));
        let is_record = current == SUMMARY || without_baseline(name) == SUMMARY_OF_LAST;
        is_plain && (is_record || is_of_tool() || picture::is_one(name))
    }

    /// Is this the name of a log, of whichever result?
    pub fn is_log(name: &str) -> bool {
        without_baseline(name).ends_with(".log")
    }

    /// Is this the name of a digest, of whichever result?
    pub fn is_digest(name: &str) -> bool {
        without_baseline(name).ends_with(".digest")
    }

    /// The name that a current file takes when a new one comes.
    pub fn old(current: &str) -> String {
        picture::old(current).unwrap_or_else(|| format!("{current}{OLD}"))
    }
}

fn without_baseline(name: &str) -> &str {
    name.split_once(BASE).map_or(name, |(current, _)| current)
}

fn is_result(current: &str, tool: Tool) -> bool {
    current.split('.').next() == Some(tool.id()) && ENDS.iter().any(|end| current.ends_with(end))
}

/// A name that file systems take: long ones are cut and get a hash of the whole, so that two that
/// begin alike stay apart.
pub fn limited(stem: &str) -> String {
    limited_to(LONGEST, stem)
}

/// [`limited`] with another limit.
pub(super) fn limited_to(longest: usize, stem: &str) -> String {
    let clean: String = stem
        .chars()
        .map(|c| if c == '/' || c.is_control() { '_' } else { c })
        .collect();
    // File systems take 255 bytes; the rest is for the tool, numbers, the kind and the slot.
    if clean.len() <= longest {
        return clean;
    }
    // Of the stem, so that two that differ in replaced characters alone stay apart.
    let suffix = format!("-{:016x}", hash(stem.as_bytes()));
    let mut end = longest - suffix.len();
    // 0 is a boundary.
    while !clean.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{suffix}", &clean[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(pid: Option<u32>, thread_part: Option<(&str, &str)>, file: ToolFile) -> String {
        FileName {
            tool: Tool::Callgrind,
            stem: "sort.large",
            pid,
            thread: thread_part.map(|(thread, _)| thread.to_owned()),
            part: thread_part.map(|(_, part)| part.to_owned()),
            file,
        }
        .current()
    }

    #[test]
    fn numbers_are_there_only_if_needed() {
        assert_eq!(name(None, None, ToolFile::Out), "callgrind.sort.large.out");
        assert_eq!(
            name(Some(77), Some(("02", "1")), ToolFile::Log),
            "callgrind.sort.large.77.t02.p1.log"
        );
    }

    #[test]
    fn files_of_basic_blocks_say_what_they_hold() {
        let name = |file, thread: Option<&str>| {
            let name = FileName {
                tool: Tool::Bbv,
                stem: "f",
                pid: None,
                thread: thread.map(str::to_owned),
                part: None,
                file,
            };
            name.current()
        };
        assert_eq!(name(ToolFile::Out, Some("2")), "exp-bbv.f.t2.bb.out");
        assert_eq!(name(ToolFile::Pc, None), "exp-bbv.f.pc.out");
        assert!(FileName::is_file(
            "exp-bbv.f.bb.out",
            &Slot::Last,
            Tool::Bbv,
            ToolFile::Out
        ));
        assert!(!FileName::is_file(
            "exp-bbv.f.pc.out",
            &Slot::Last,
            Tool::Bbv,
            ToolFile::Out
        ));
    }

    #[test]
    fn names_tell_the_process_if_there_are_several() {
        let pid = |name: &str| FileName::pid(Path::new(name), Tool::Dhat, "f.x");
        assert_eq!(pid("/a/dhat.f.x.77.out"), Some(77));
        assert_eq!(pid("dhat.f.x.out"), None);
        assert_eq!(pid("callgrind.f.x.77.out"), None);
    }

    #[test]
    fn a_tool_knows_its_files() {
        for name in [
            "callgrind.f.out",
            "callgrind.f.digest",
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
    fn our_files_are_known_whichever_result_they_are_of() {
        for name in [
            "callgrind.f.out",
            "perf.f.record.log.old",
            "dhat.f.out.orig.base@v1.x",
            "exp-bbv.f.t2.pc.out",
            "summary.json",
            "summary.json.last",
            "summary.json.base@main",
            "callgrind.f.digest.base@main",
            "callgrind.f.total.Ir.flamegraph.base@a.diff.base@b.svg",
        ] {
            assert!(FileName::is_ours(name), "{name}");
        }
        for name in [
            "",
            ".",
            "..",
            ".lock",
            ".rotation",
            "notes.txt",
            "callgrind",
            "callgrind.f.out.mine",
            "/callgrind.f.out",
            "../callgrind.f.out",
            "callgrind.x/../../victim.out",
            "callgrind.f.out.base@../../x",
            "summary.json.base@/x",
            "callgrind.f\0.out",
        ] {
            assert!(!FileName::is_ours(name), "{name}");
        }
    }

    #[test]
    fn baselines_are_apart() {
        let slot = |name: &str| Slot::Named(name.to_owned());
        for name in ["main", "v1.out", "x.old", "x.out.old", "a-b_c"] {
            let file = slot(name).file("callgrind.f.out");
            assert_eq!(file, format!("callgrind.f.out.base@{name}"));
            let is_in = |slot: &Slot| FileName::is_in(&file, slot, Tool::Callgrind);
            assert!(is_in(&slot(name)) && !is_in(&slot("other")) && !is_in(&Slot::Last));
            assert!(!FileName::belongs(&file, Tool::Callgrind), "{file}");
            assert!(!FileName::is_in(&file, &slot(name), Tool::Dhat));
        }
        assert!(!FileName::is_in(
            "callgrind.f.out",
            &slot("main"),
            Tool::Callgrind
        ));
        assert!(!FileName::is_in(
            "callgrind.f.out.old",
            &Slot::Last,
            Tool::Callgrind
        ));
    }

    #[test]
    fn long_names_are_cut_but_stay_apart() {
        let one = format!("{}ä1", "x".repeat(198));
        let two = format!("{}ä2", "x".repeat(198));
        assert!(limited(&one).len() <= LONGEST);
        assert_ne!(limited(&one), limited(&two));
        assert_eq!(limited("a/b\n"), "a_b_");
    }

    /// The vectors that the authors of the hash have published.
    #[test]
    fn hashes_are_those_of_fnv_1a() {
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8);
        let long = "foobar".repeat(40);
        let name = limited_to(23, &long);
        assert_eq!(name, format!("foobar-{:016x}", hash(long.as_bytes())));
    }
}
