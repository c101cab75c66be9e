//! The records beside kept results: with which arguments and under which circumstances a result was made that is
//! compared with.
//!
//! Several stages ask the record of a benchmark, so it is read once.

use std::cell::RefCell;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use iai_callgrind::protocol::Throughput;
use serde::Deserialize;

use super::{
    read_record, Allocations, Baselines, Environment, Files, Input, Mode, ObjectCosts,
    RecordedThroughput, System, VERSION,
};
use crate::explain::AllocationCount;
use crate::model::tool::Tool;
use crate::records::summary::Repeated;
use crate::records::Circumstances;
use crate::store::{BenchmarkEntry, FileName, Slot, SUMMARY_OF_LAST};

/// The records beside the kept results of one benchmark, each read when it is first asked for.
#[derive(Debug, Default)]
pub(crate) struct KeptRecords {
    read: RefCell<Vec<(PathBuf, ReadRecord)>>,
}

/// The content of a file. `Ok(None)`: there is no such file. `Err`: its path, and why it cannot be read.
type ReadRecord = Rc<Result<Option<KeptSummary>, Damaged>>;

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
struct KeptProfile {
    tool: String,
    mode: Mode,
    environment: Environment,
    #[serde(default)]
    allocations: Option<Allocations>,
    #[serde(default)]
    throughput: Option<RecordedThroughput>,
    #[serde(default)]
    objects: Vec<ObjectCosts>,
    #[serde(default)]
    repeated: Option<Repeated>,
    #[serde(default)]
    out_files: Vec<String>,
    #[serde(default)]
    log_files: Vec<String>,
    #[serde(default)]
    file_lengths: Vec<u64>,
}

/// The parts of a [`Summary`](super::Summary) that are read here.
#[derive(Debug, Deserialize)]
struct KeptSummary {
    version: u32,
    benchmark: NamedBenchmark,
    baselines: Baselines,
    profiles: Vec<KeptProfile>,
    files: Files,
    system: System,
    /// The record itself.
    #[serde(skip)]
    json: Arc<[u8]>,
}

/// The parts that tell which result it is about, of a record that cannot be read as a whole.
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
        let Some(summary) = whole(&record)? else {
            return Ok(None);
        };
        // The file may be about a baseline, and another one keeps what was said about the last run.
        if summary.baselines.new.as_deref() != slot.name() {
            let of_last = self.in_file(entry.directory().join(SUMMARY_OF_LAST));
            if whole(&of_last)?.is_none() || *slot != Slot::Last {
                return Ok(None);
            }
            record = of_last;
        }
        let profiles = whole(&record)?.map(|summary| summary.profiles.as_slice());
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

    fn in_file(&self, path: PathBuf) -> ReadRecord {
        let mut known = self.read.borrow_mut();
        if let Some((_, record)) = known.iter().find(|(other, _)| *other == path) {
            return Rc::clone(record);
        }
        let record = Rc::new(read(&path));
        known.push((path, Rc::clone(&record)));
        record
    }
}

impl KeptRecord {
    /// Circumstances that the result was made under.
    pub(crate) fn circumstances(&self) -> Circumstances {
        let (summary, profile) = self.parts();
        let KeptSummary { system, files, .. } = summary;
        Circumstances::of(system, files, &profile.environment, profile.mode)
    }

    /// Facts of the tool.
    pub(crate) fn environment(&self) -> Environment {
        self.parts().1.environment.clone()
    }

    /// Calls of the allocator, if they are known.
    pub(crate) fn allocations(&self) -> Option<AllocationCount> {
        Some(self.parts().1.allocations?.new)
    }

    /// Amounts that the benchmark handled, if it said some.
    pub(crate) fn throughput(&self) -> Option<Throughput> {
        self.parts().1.throughput?.new.map(Throughput::from)
    }

    /// The whole record.
    pub(crate) fn json(&self) -> Arc<[u8]> {
        Arc::clone(&self.parts().0.json)
    }

    /// Costs by executable and library; empty if they are not known.
    pub(crate) fn objects(&self) -> Vec<ObjectCosts> {
        self.parts().1.objects.clone()
    }

    /// The counts of one more run, if there was one.
    pub(crate) fn repeated(&self) -> Option<Repeated> {
        self.parts().1.repeated
    }

    /// Arguments of the tool.
    pub(crate) fn valgrind_args(&self) -> &[String] {
        &self.parts().1.environment.valgrind_args
    }

    /// The first file that does not fit the record, and how it differs: a power cut may truncate or
    /// lose files. Older records have no lengths and fit always.
    pub(crate) fn misfit(&self, entry: &BenchmarkEntry) -> Option<String> {
        let profile = self.parts().1;
        let names = profile.out_files.iter().chain(&profile.log_files);
        let mut files = names.zip(&profile.file_lengths);
        files.find_map(|(name, expected)| {
            let path = FileName::is_ours(name).then(|| entry.directory().join(name));
            let found = path.and_then(|path| path.symlink_metadata().ok());
            match found.map(|data| data.len()) {
                None => Some(format!("`{name}` is missing")),
                Some(found) if found != *expected => {
                    Some(format!("`{name}` has {found} bytes instead of {expected}"))
                }
                Some(_) => None,
            }
        })
    }

    fn parts(&self) -> (&KeptSummary, &KeptProfile) {
        let summary = whole(&self.record).ok().flatten();
        let summary = summary.expect("only records that were read are handed out");
        (summary, &summary.profiles[self.profile])
    }
}

/// Mode of the kept result of a tool, if its record tells it.
pub(crate) fn kept_mode(entry: &BenchmarkEntry, slot: &Slot, tool: Tool) -> Option<Mode> {
    let kept = KeptRecords::default().of_tool(entry, slot, tool).ok()??;
    Some(kept.parts().1.mode)
}

/// A record that was read as a whole; `None`: there is no such file.
fn whole(record: &ReadRecord) -> Result<Option<&KeptSummary>, String> {
    match &**record {
        Ok(summary) => Ok(summary.as_ref()),
        Err(damaged) => Err(damaged.reason.clone()),
    }
}

/// The parts that name the result, also of a record that cannot be read as a whole.
fn head(record: &ReadRecord) -> Option<(&NamedBenchmark, &Baselines)> {
    match &**record {
        Ok(summary) => {
            let summary = summary.as_ref()?;
            Some((&summary.benchmark, &summary.baselines))
        }
        Err(damaged) => {
            let head = damaged.head.as_ref()?;
            Some((&head.benchmark, &head.baselines))
        }
    }
}

fn read(path: &Path) -> Result<Option<KeptSummary>, Damaged> {
    let damaged = |reason: String, head| Damaged {
        reason: format!("`{}` cannot be read: {reason}", path.display()),
        head,
    };
    let json = match read_record(path) {
        Ok(json) => json,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(damaged(error.to_string(), None)),
    };
    match serde_json::from_slice::<KeptSummary>(&json) {
        Ok(summary) if summary.version == VERSION => Ok(Some(KeptSummary {
            json: json.into(),
            ..summary
        })),
        Ok(KeptSummary { version, .. }) => Err(damaged(
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
