//! `accept`: writes regressed counts, or all counts, into the file of accepted counts.

use std::collections::BTreeMap;
use std::ffi::OsString;

use iai_callgrind::protocol::Filter;

use super::accepted_file::AcceptedFile;
use super::home::home;
use super::results::{comparison_options, not_whole, SideReader};
use super::with_report;
use crate::error::{Error, FileContext, Result};
use crate::run_report::{Event, Reports};
use base::exit::Exit;
use base::listed_names::listed_names;
use cli::env::RunnerEnvironment;
use cli::AcceptArgs;
use records::RecordReader;
use store::write_whole;
use verdict::accepted::{
    self, AcceptedBenchmark, AcceptedChanges, AcceptedCounts, AcceptedDocument, AcceptedName,
};
use verdict::sides::{compare_sides, ComparisonReport, ResultSide};

pub(super) fn run(options: &AcceptArgs, environment: &RunnerEnvironment) -> Exit {
    with_report(environment, |reports| accept(options, environment, reports))
}

fn accept(
    options: &AcceptArgs,
    environment: &RunnerEnvironment,
    reports: &Reports,
) -> Result<Exit> {
    if options.results.is_empty() && !options.all {
        return Err(no_results(options, environment));
    }
    let file = AcceptedFile::find(options.judgement.accepted.as_deref());
    file.belongs_somewhere()?;
    // From reading to writing: without a lock, six at once lost lines in 12 of 12 rounds.
    let _lock = file.lock();
    let mut opened = Opened::new(&file)?;
    let (changes, nothing) = changes(options, environment, &mut opened, &file)?;
    let text = opened.document.text();
    let is_same = match &opened.text {
        Some(before) => *before == text,
        None => changes.lines.is_empty(),
    };
    if !is_same {
        write_whole(&file.path, text.as_bytes()).context("write", &file.path)?;
    }
    show(&file, &changes, &nothing, reports)
}

/// The mistake of a command line that names nothing to compare with, with the names that there are.
fn no_results(options: &AcceptArgs, environment: &RunnerEnvironment) -> Error {
    let home = home(options.judgement.read.home.as_deref(), environment);
    let names = home.map(|home| records::baseline_names(&home));
    let names: Vec<String> = names.unwrap_or_default().into_iter().collect();
    let name = names.first().map_or("NAME", String::as_str);
    let there_are = match names.as_slice() {
        [] => "none; `cargo bench -- --save-baseline=NAME` makes one".to_owned(),
        names => listed_names(names),
    };
    let (place, what) = match options.prune {
        true => (
            "accept --prune",
            format!("`accept --prune @{name}` removes lines that these results have reached"),
        ),
        false => (
            "accept",
            format!(
                "`accept @{name}` accepts what regressed since that baseline, `accept --all` all \
                 counts of the last run"
            ),
        ),
    };
    Error::Setting {
        place: place.to_owned(),
        reason: format!(
            "no results to compare with are named\n  baselines: {there_are}\n  hint: {what}"
        ),
    }
}

/// Reads the results, and changes the opened file. Out: the changes, and what is said if there are
/// none.
fn changes(
    options: &AcceptArgs,
    environment: &RunnerEnvironment,
    opened: &mut Opened,
    file: &AcceptedFile,
) -> Result<(AcceptedChanges, String)> {
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
        let changes = accepted::accept_all(&mut opened.document, &new, &only, reason);
        let nothing = format!("nothing to accept: `{}` has these counts", file.name());
        return Ok((changes, nothing));
    }
    let (old, new) = options.results.split_at(1);
    let old = read(old)?;
    if options.prune {
        opened.is_without_conflict(file)?;
        let nothing = match &opened.text {
            Some(_) => format!(
                "nothing to remove: each line of `{}` has an effect",
                file.name()
            ),
            None => format!("nothing to remove: there is no `{}`", file.name()),
        };
        return Ok((accepted::prune(&mut opened.document, &old), nothing));
    }
    let new = read(new)?;
    opened.covers(file, &new)?;
    let judged = comparison_options(&options.judgement);
    let counts: &AcceptedCounts = opened.document.counts();
    let report = compare_sides(Some(&old), &new, &judged, counts);
    let document = &mut opened.document;
    let changes = accepted::accept_regressions(document, &opened.conflicts, &report, &new, reason);
    let nothing = nothing_regressed(&report, &old, &new, &changes);
    Ok((changes, nothing))
}

/// Why nothing is accepted of a comparison.
fn nothing_regressed(
    report: &ComparisonReport,
    old: &ResultSide,
    new: &ResultSide,
    changes: &AcceptedChanges,
) -> String {
    let sides = [old, new].map(|side| side.arguments.join("`, `"));
    let sides = sides.join("` to `");
    if !changes.refused.is_empty() {
        "nothing was accepted".to_owned()
    } else if report.limits.is_empty() {
        format!(
            "nothing to accept: no limit says what regressed from `{sides}`\n  \
             hint: `--callgrind-limits=ir=5%` is one; `accept --all` accepts all counts of the last run"
        )
    } else if report.counts.compared == 0 {
        format!("nothing to accept: no benchmark was compared from `{sides}`")
    } else if report.counts.accepted > 0 {
        format!("nothing to accept: all that regressed from `{sides}` is accepted already")
    } else {
        format!("nothing to accept: nothing regressed from `{sides}`")
    }
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
    file: &AcceptedFile,
    changes: &AcceptedChanges,
    nothing: &str,
    reports: &Reports,
) -> Result<Exit> {
    for refused in &changes.refused {
        reports.event(Event::Warning(refused))?;
    }
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
