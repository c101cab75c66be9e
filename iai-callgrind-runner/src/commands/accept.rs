//! `accept`: writes regressed counts, or all counts, into the file of accepted counts.

use std::collections::BTreeMap;
use std::ffi::OsString;

use iai_callgrind::protocol::Filter;

use super::accepted_file::AcceptedFile;
use super::results::{comparison_options, not_whole, SideReader};
use super::with_report;
use crate::error::{Error, FileContext, Result};
use crate::run_report::{Event, Reports};
use base::exit::Exit;
use cli::env::RunnerEnvironment;
use cli::AcceptArgs;
use records::RecordReader;
use store::write_whole;
use verdict::accepted::{
    self, AcceptedBenchmark, AcceptedChanges, AcceptedCounts, AcceptedDocument, AcceptedName,
};
use verdict::sides::{compare_sides, ResultSide};

pub(super) fn run(options: &AcceptArgs, environment: &RunnerEnvironment) -> Exit {
    with_report(environment, |reports| accept(options, environment, reports))
}

fn accept(
    options: &AcceptArgs,
    environment: &RunnerEnvironment,
    reports: &Reports,
) -> Result<Exit> {
    if options.results.is_empty() && !options.all {
        return Err(Error::Setting {
            place: "command line".to_owned(),
            reason: "the results to compare with are missing: `accept OLD [NEW]...`".to_owned(),
        });
    }
    let file = AcceptedFile::find(options.judgement.accepted.as_deref());
    file.belongs_somewhere()?;
    let _lock = file.lock();
    let mut opened = Opened::new(&file)?;
    let changes = changes(options, environment, &mut opened, &file)?;
    let text = opened.document.text();
    let is_same = match &opened.text {
        Some(before) => *before == text,
        None => changes.lines.is_empty(),
    };
    if !is_same {
        write_whole(&file.path, text.as_bytes()).context("write", &file.path)?;
    }
    show(options, &file, &changes, reports)
}

/// Reads the results, and changes the opened file.
fn changes(
    options: &AcceptArgs,
    environment: &RunnerEnvironment,
    opened: &mut Opened,
    file: &AcceptedFile,
) -> Result<AcceptedChanges> {
    let sides = SideReader::new(&options.judgement.read, environment)?;
    let read = |words: &[OsString]| -> Result<ResultSide> {
        let side = sides.read(words, RecordReader::default())?;
        let is_usable = match options.all {
            true => side.errors.is_empty(),
            // The regression that a run stopped at may be accepted.
            false => side.errors_of_results().next().is_none(),
        };
        match is_usable {
            true => Ok(side),
            false => Err(not_whole(&side)),
        }
    };
    let reason = options.reason.as_deref();
    if options.all {
        let new = read(&options.results)?;
        opened.covers(file, &new)?;
        let only = selected(options)?;
        return Ok(accepted::accept_all(
            &mut opened.document,
            &new,
            &only,
            reason,
        ));
    }
    let (old, new) = options.results.split_at(1);
    let old = read(old)?;
    if options.prune {
        opened.is_without_conflict(file)?;
        return Ok(accepted::prune(&mut opened.document, &old));
    }
    let new = read(new)?;
    opened.covers(file, &new)?;
    let judged = comparison_options(&options.judgement);
    let counts: &AcceptedCounts = opened.document.counts();
    let report = compare_sides(Some(&old), &new, &judged, counts);
    let document = &mut opened.document;
    Ok(accepted::accept_regressions(
        document,
        &opened.conflicts,
        &report,
        &new,
        reason,
    ))
}

/// The benchmarks of `--only`.
fn selected(options: &AcceptArgs) -> Result<Filter> {
    let filter = options.judgement.read.filter();
    filter.map_err(|reason| Error::Setting {
        place: "--only".to_owned(),
        reason,
    })
}

fn show(
    options: &AcceptArgs,
    file: &AcceptedFile,
    changes: &AcceptedChanges,
    reports: &Reports,
) -> Result<Exit> {
    for refused in &changes.refused {
        reports.event(Event::Warning(refused))?;
    }
    let nothing = match (options.prune, options.all) {
        (true, _) => "nothing to remove: each line has an effect",
        (_, true) => "nothing to accept: the file has these counts",
        _ if changes.refused.is_empty() => "nothing to accept: nothing regressed",
        _ => "nothing was accepted",
    };
    reports.event(Event::Accepted {
        changes,
        file: &file.name(),
        nothing,
    })?;
    let refused_all = changes.lines.is_empty() && !changes.refused.is_empty();
    Ok(if refused_all { Exit::Error } else { Exit::Ok })
}

/// The file as it was opened, without conflicts.
struct Opened {
    text: Option<String>,
    document: AcceptedDocument,
    /// The benchmarks between conflict markers.
    conflicts: BTreeMap<AcceptedName, AcceptedBenchmark>,
}

impl Opened {
    fn new(file: &AcceptedFile) -> Result<Self> {
        let text = file.text()?;
        let (document, conflicts) = match &text {
            None => Default::default(),
            Some(text) if accepted::has_conflict(text) => {
                let resolved = accepted::resolve(text).map_err(|error| file.mistake(&error))?;
                (resolved.document, resolved.benchmarks)
            }
            Some(text) => {
                let document =
                    AcceptedDocument::parse(text).map_err(|error| file.mistake(&error))?;
                (document, BTreeMap::new())
            }
        };
        Ok(Self {
            text,
            document,
            conflicts,
        })
    }

    /// Checks that the new results cover all benchmarks inside conflict markers: neither side of a
    /// conflict can be trusted.
    fn covers(&self, file: &AcceptedFile, new: &ResultSide) -> Result<()> {
        let missing = self.conflicts.iter().find(|(name, _)| {
            let mut all = new.benchmarks.iter();
            !all.any(|benchmark| AcceptedName::from(&benchmark.identity) == **name)
        });
        match missing {
            None => Ok(()),
            Some((name, benchmark)) => Err(Error::Results(format!(
                "`{}`, line {}: {name} stands in a conflict of a merge, and the new results have no {name}\n  \
                 hint: measure what stands between the conflict markers, or resolve the conflict by hand",
                file.name(),
                benchmark.line
            ))),
        }
    }

    fn is_without_conflict(&self, file: &AcceptedFile) -> Result<()> {
        match self.text.as_deref().is_some_and(accepted::has_conflict) {
            false => Ok(()),
            true => Err(Error::Results(format!(
                "`{}` has conflict markers of a merge\n  hint: `iai-callgrind-runner accept OLD NEW` resolves them",
                file.name()
            ))),
        }
    }
}
