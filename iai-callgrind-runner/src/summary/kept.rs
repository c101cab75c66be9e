//! The records beside kept results: with which arguments and under which circumstances a result was made that is
//! compared with.
//!
//! Several stages ask the record of a benchmark, so it is read and understood once: that takes as long as everything else
//! that the runner does for a small benchmark.

use std::cell::RefCell;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use iai_callgrind::protocol::Throughput;
use memchr::memmem::Finder;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::known_facts::MadeWith;
use super::{
    read_record, Allocations, Baselines, Environment, Files, Input, KnownFacts, Mode,
    RecordedThroughput, System, VERSION,
};
use crate::compare::Circumstances;
use crate::explain::AllocationCount;
use crate::store::{BenchmarkEntry, Slot, SUMMARY_OF_LAST};
use crate::tool::Tool;

/// The records beside the kept results of one benchmark, each read when it is first asked for.
#[derive(Debug, Default)]
pub(crate) struct KeptRecords {
    read: RefCell<Vec<(PathBuf, ReadRecord)>>,
    known: Arc<KnownFacts>,
}

/// What a file says. `Ok(None)`: there is no such file. `Err`: its path, and why it cannot be read.
type ReadRecord = Rc<Result<Option<Said>, Damaged>>;

/// A record that cannot be read as a whole.
#[derive(Debug)]
struct Damaged {
    reason: String,
    /// The part of it that names the result, where at least that can be read.
    head: Option<RecordHead>,
}

/// The parts of a record about the result of one tool.
#[derive(Debug)]
pub(crate) struct KeptRecord {
    record: ReadRecord,
    /// The place of the profile of the tool.
    profile: usize,
}

/// The parts of a profile about the way in which a tool measured, and figures that are not in the tool's own file.
#[derive(Debug, Deserialize)]
struct KeptProfile<E = Arc<Environment>> {
    tool: String,
    mode: Mode,
    environment: E,
    #[serde(default)]
    allocations: Option<Allocations>,
    #[serde(default)]
    throughput: Option<RecordedThroughput>,
}

/// The parts of a [`Summary`](super::Summary) that are read here.
#[derive(Debug)]
struct Said {
    benchmark: NamedBenchmark,
    baselines: Baselines,
    profiles: Vec<KeptProfile>,
    files: Arc<Files>,
    system: Arc<System>,
}

/// The same in the file, where most records have the same texts in some places.
#[derive(Deserialize)]
struct SaidText<'a> {
    version: u32,
    benchmark: NamedBenchmark,
    baselines: Baselines,
    #[serde(borrow)]
    profiles: Vec<KeptProfile<&'a RawValue>>,
    files: &'a RawValue,
    system: &'a RawValue,
}

/// The parts of a record that tell which result it is about.
#[derive(Debug, Deserialize)]
struct RecordHead {
    version: u32,
    benchmark: NamedBenchmark,
    baselines: Baselines,
}

/// The parts of a benchmark by which its results are told apart.
#[derive(Debug, Deserialize)]
struct NamedBenchmark {
    #[serde(default)]
    input: Option<Input>,
}

impl KeptRecords {
    /// Records that may have facts in common with earlier ones.
    pub(crate) fn new(known: &Arc<KnownFacts>) -> Self {
        Self {
            read: RefCell::default(),
            known: Arc::clone(known),
        }
    }

    /// The record of the result of a tool. `None`: no record speaks of this result, such as one that
    /// `--save-baseline` left alone.
    ///
    /// # Errors
    ///
    /// There is a record, but it cannot be read: its path and why.
    pub(crate) fn of_tool(
        &self,
        entry: &BenchmarkEntry,
        slot: &Slot,
        tool: Tool,
    ) -> Result<Option<KeptRecord>, String> {
        let mut record = self.in_file(entry.summary(slot));
        let Some(said) = whole(&record)? else {
            return Ok(None);
        };
        // The file may be about a baseline, and another one keeps what was said about the last run.
        if said.baselines.new.as_deref() != slot.name() {
            let of_last = self.in_file(entry.directory().join(SUMMARY_OF_LAST));
            if whole(&of_last)?.is_none() || *slot != Slot::Last {
                return Ok(None);
            }
            record = of_last;
        }
        let profiles = whole(&record)?.map(|said| said.profiles.as_slice());
        let mut profiles = profiles.unwrap_or_default().iter();
        let profile = profiles.position(|profile| profile.tool == tool.id());
        Ok(profile.map(|profile| KeptRecord { record, profile }))
    }

    /// The arguments of a kept result, if they are known.
    pub(crate) fn input(&self, entry: &BenchmarkEntry, slot: &Slot) -> Option<Input> {
        let input = |record: ReadRecord| match head(&record)? {
            (benchmark, baselines) if baselines.new.as_deref() == slot.name() => {
                Some(benchmark.input.clone())
            }
            _ => None,
        };
        let found = input(self.in_file(entry.summary(slot))).or_else(|| match slot {
            // The file may be about a baseline.
            Slot::Last => input(self.in_file(entry.directory().join(SUMMARY_OF_LAST))),
            Slot::Named(_) => None,
        });
        found.flatten()
    }

    /// Is `summary.json` about the last run, and not about a baseline?
    pub(crate) fn is_about_last(&self, entry: &BenchmarkEntry) -> bool {
        let record = self.in_file(entry.summary(&Slot::Last));
        head(&record).is_some_and(|(_, baselines)| baselines.new.is_none())
    }

    /// Circumstances that a result was made under.
    pub(crate) fn circumstances(&self, of: &KeptRecord) -> Arc<Circumstances> {
        self.known.circumstances(&of.made_with())
    }

    fn in_file(&self, path: PathBuf) -> ReadRecord {
        let mut known = self.read.borrow_mut();
        if let Some((_, record)) = known.iter().find(|(other, _)| *other == path) {
            return Rc::clone(record);
        }
        let record = Rc::new(read(&path, &self.known));
        known.push((path, Rc::clone(&record)));
        record
    }
}

impl KeptRecord {
    /// Facts that the result was made with.
    fn made_with(&self) -> MadeWith {
        let (said, profile) = self.parts();
        MadeWith {
            system: Arc::clone(&said.system),
            files: Arc::clone(&said.files),
            environment: Arc::clone(&profile.environment),
            mode: profile.mode,
        }
    }

    /// Mode and facts of the tool.
    pub(crate) fn made(&self) -> (Mode, Arc<Environment>) {
        let (_, profile) = self.parts();
        (profile.mode, Arc::clone(&profile.environment))
    }

    /// Calls of the allocator, if they are known.
    pub(crate) fn allocations(&self) -> Option<AllocationCount> {
        Some(self.parts().1.allocations?.new)
    }

    /// Amounts that the benchmark handled, if it said some.
    pub(crate) fn throughput(&self) -> Option<Throughput> {
        self.parts().1.throughput?.new.map(Throughput::from)
    }

    /// Arguments of the tool.
    pub(crate) fn valgrind_args(&self) -> &[String] {
        &self.parts().1.environment.valgrind_args
    }

    fn parts(&self) -> (&Said, &KeptProfile) {
        let said = whole(&self.record).ok().flatten();
        let said = said.expect("only records that were read are handed out");
        (said, &said.profiles[self.profile])
    }
}

/// Mode of the kept result of a tool, if its record tells it.
pub(crate) fn kept_mode(entry: &BenchmarkEntry, slot: &Slot, tool: Tool) -> Option<Mode> {
    let kept = KeptRecords::default().of_tool(entry, slot, tool).ok()??;
    Some(kept.made().0)
}

/// A record that was read as a whole; `None`: there is no such file.
fn whole(record: &ReadRecord) -> Result<Option<&Said>, String> {
    match &**record {
        Ok(said) => Ok(said.as_ref()),
        Err(damaged) => Err(damaged.reason.clone()),
    }
}

/// The parts that name the result, also of a record that cannot be read as a whole.
fn head(record: &ReadRecord) -> Option<(&NamedBenchmark, &Baselines)> {
    match &**record {
        Ok(said) => said.as_ref().map(|said| (&said.benchmark, &said.baselines)),
        Err(damaged) => {
            let head = damaged.head.as_ref()?;
            Some((&head.benchmark, &head.baselines))
        }
    }
}

/// A record without the figures and the costs of functions, which are nothing that is read here and most of it: to pass over them takes a
/// fraction of the time that a parser takes to leave them out.
fn without_figures(json: &[u8]) -> Vec<u8> {
    static BEGINS: LazyLock<[Finder<'static>; 2]> = LazyLock::new(|| {
        let begins: [&[u8]; 2] = [b"\"metrics\":[{", b"\"functions\":[{"];
        begins.map(Finder::new)
    });
    let [metrics, functions] = &*BEGINS;
    without_lists(&without_lists(json, metrics), functions)
}

/// JSON without the content of lists of objects that begin in this way.
///
/// Texts in JSON have no quotation marks, so the begin is one wherever it stands. A name in a list might look like the end;
/// what is left then is no JSON.
fn without_lists(json: &[u8], begin: &Finder<'_>) -> Vec<u8> {
    static END: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"}],\""));
    let mut kept = Vec::with_capacity(json.len());
    let mut rest = json;
    while let Some(place) = begin.find(rest) {
        let (before, list) = rest.split_at(place + begin.needle().len());
        let Some(end) = END.find(list) else { break };
        kept.extend_from_slice(before);
        rest = &list[end..];
    }
    kept.extend_from_slice(rest);
    kept
}

fn read(path: &Path, known: &KnownFacts) -> Result<Option<Said>, Damaged> {
    let damaged = |reason: String, head| Damaged {
        reason: format!("`{}` cannot be read: {reason}", path.display()),
        head,
    };
    let json = match read_record(path) {
        Ok(json) => json,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(damaged(error.to_string(), None)),
    };
    // What is wrong, and where, only the whole record tells.
    let said = said(&without_figures(&json), known).or_else(|_| said(&json, known));
    match said {
        Ok((VERSION, said)) => Ok(Some(said)),
        Ok((version, _)) => Err(damaged(
            format!("it has version {version} of the format"),
            None,
        )),
        Err(error) => {
            let head: Option<RecordHead> = serde_json::from_slice(&json).ok();
            let head = head.filter(|head| head.version == VERSION);
            Err(damaged(error.to_string(), head))
        }
    }
}

/// What a record says, and the version of its format.
fn said(json: &[u8], known: &KnownFacts) -> serde_json::Result<(u32, Said)> {
    let SaidText {
        version,
        benchmark,
        baselines,
        profiles,
        files,
        system,
    } = serde_json::from_slice(json)?;
    let profile = |profile: KeptProfile<&RawValue>| {
        Ok(KeptProfile {
            tool: profile.tool,
            mode: profile.mode,
            environment: known.environment.read("environment", profile.environment)?,
            allocations: profile.allocations,
            throughput: profile.throughput,
        })
    };
    let profiles: serde_json::Result<_> = profiles.into_iter().map(profile).collect();
    let said = Said {
        benchmark,
        baselines,
        profiles: profiles?,
        files: known.files.read("files", files)?,
        system: known.system.read("system", system)?,
    };
    Ok((version, said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, expected: &str) {
        let kept = String::from_utf8(without_figures(json.as_bytes())).unwrap();
        assert_eq!(kept, expected);
    }

    #[test]
    fn figures_are_left_out_and_nothing_else() {
        check(
            r#"{"a":[1],"functions":[{"name":"<[T]>::f]","own":[1,[]]},{"name":"}]"}],"b":{"functions":[]}}"#,
            r#"{"a":[1],"functions":[{}],"b":{"functions":[]}}"#,
        );
        check(
            r#"[{"metrics":[{"kind":"Ir","new":{"value":1}}],"parts":[{"metrics":[{"new":1}],"name":1}],"functions":[{"own":[1]}],"b":1}]"#,
            r#"[{"metrics":[{}],"parts":[{"metrics":[{}],"name":1}],"functions":[{}],"b":1}]"#,
        );
        check(
            r#"[{"functions":[{"own":[1]}],"b":[{}],"c":1},{"functions":[{"name":"\\"}],"b":2}]"#,
            r#"[{"functions":[{}],"b":[{}],"c":1},{"functions":[{}],"b":2}]"#,
        );
        for same in [
            "",
            r#"{"functions":7,"b":[{}],"c":1}"#,
            r#"{"functions":[],"b":[{}],"c":1}"#,
            r#"{"label":"\"functions\":[{1","b":[{}],"c":1}"#,
            r#"{"functions":[{"name":"x"},"#,
            r#"{"functions":[{"name":"x"}]}"#,
        ] {
            check(same, same);
        }
    }

    #[test]
    fn names_of_functions_may_look_like_the_end_of_them() {
        for name in ["f}],", "}],", "f}],x", "}]", "}],:1,", "}],\",\"}],"] {
            let name = serde_json::to_string(name).unwrap();
            for end in [r#","own":[1]}],"b":1}"#, r#"}],"b":1}"#] {
                let json = format!(r#"{{"a":0,"functions":[{{"name":{name}{end}"#);
                let whole: serde_json::Value = serde_json::from_str(&json).unwrap();
                let left: Option<serde_json::Value> =
                    serde_json::from_slice(&without_figures(json.as_bytes())).ok();
                // What is left is the same, or nothing that can be read.
                assert!(left.is_none_or(|left| left["b"] == whole["b"]), "{json}");
            }
        }
    }
}
