//! `compare`, `report` and `merge`: results of runs, read back, to reports and files.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::accepted_file::AcceptedFile;
use super::home::home;
use super::with_colored_report;
use crate::commands::pull_request;
use crate::error::{Error, FileContext, Result};
use crate::run_report::{Event, Reports};
use base::exit::Exit;
use cli::env::RunnerEnvironment;
use cli::{CompareArgs, JudgementOptions, JudgingOptions, MergeArgs, ReadOptions, ReportArgs};
use metrics::MetricKind;
use records::layout::{HISTORY, RECORDS};
use records::{RecordReader, ResultsArgument, ResultsPlace};
use report::kept_digests::SideDetails;
use report::pictures::LibraryPictures;
use report::ComparisonFormat;
use report::{ComparisonWriter, PageSources, SourcePlaces, Styles};
use store::{write_whole, write_whole_with};
use verdict::accepted::{self, AcceptedCounts};
use verdict::history::{self, History, HistoryOptions};
use verdict::sides::{
    compare_sides, explain_rows, previous_side, ComparisonOptions, ComparisonReport,
    PairedSideTimes, ResultSide, SideOptions,
};

pub(super) fn compare(options: &CompareArgs, environment: &RunnerEnvironment) -> Exit {
    let old = match &options.old {
        Some(old) => OldSide::Argument(old.clone()),
        None => OldSide::Previous,
    };
    judge(&old, &options.new, &options.options, environment)
}

pub(super) fn report(options: &ReportArgs, environment: &RunnerEnvironment) -> Exit {
    judge(&OldSide::None, &options.new, &options.options, environment)
}

/// The baseline of a comparison.
#[derive(Debug)]
pub(super) enum OldSide {
    /// There are none.
    None,
    /// Results that an argument names.
    Argument(OsString),
    /// Results that the last ones were compared with; without any a note says what to do next.
    Previous,
    /// Results that the last ones were compared with, if there are any.
    PreviousIfAny,
}

fn judge(
    old: &OldSide,
    new: &[OsString],
    options: &JudgingOptions,
    environment: &RunnerEnvironment,
) -> Exit {
    with_colored_report(options.color, environment, |reports, styles| {
        let compared = compare_results(old, new, options, environment)?;
        compared.write(options, environment, reports, styles)
    })
}

impl ComparedResults {
    /// Writes the report in all requested forms. Out: the verdict.
    pub(super) fn write(
        &self,
        options: &JudgingOptions,
        environment: &RunnerEnvironment,
        reports: &Reports,
        styles: Styles,
    ) -> Result<Exit> {
        let compared = self;
        let workspace = workspace(&compared.new);
        let places = SourcePlaces::detect(environment, workspace);
        let page = match options.wants(ComparisonFormat::Html) {
            true => page_sources(compared, &places, options)?,
            false => PageSources::default(),
        };
        let writer = ComparisonWriter {
            styles,
            places,
            page,
            options: typed(&options.judgement),
        };
        write(&compared.report, &writer, options, environment, reports)?;
        Ok(compared.report.outcome.exit())
    }
}

/// A comparison, with the sides and choices that it was made from.
#[derive(Debug)]
pub(super) struct ComparedResults {
    pub(super) report: ComparisonReport,
    old: Option<Arc<ResultSide>>,
    new: Arc<ResultSide>,
    counts: AcceptedCounts,
    options: ComparisonOptions,
}

impl ComparedResults {
    /// The side that is judged.
    pub(super) fn new_side(&self) -> &ResultSide {
        &self.new
    }
}

/// Reads results, and compares them.
pub(super) fn compare_results(
    old: &OldSide,
    new: &[OsString],
    options: &JudgingOptions,
    environment: &RunnerEnvironment,
) -> Result<ComparedResults> {
    let judgement = &options.judgement;
    // A mistake in it is told before much is read.
    let file = AcceptedFile::find(judgement.accepted.as_deref());
    let counts = file.counts()?;
    let sides = SideReader::new(&judgement.read, environment)?;
    // Causes are in digests and in the texts of records.
    let reader = || RecordReader::with_texts().and_digests();
    let mut first_results = None;
    let (old, new) = match old {
        OldSide::None => (None, sides.read(new, reader())?),
        OldSide::Argument(old) => {
            let old = sides.read(std::slice::from_ref(old), reader())?;
            (Some(old), sides.read(new, reader())?)
        }
        OldSide::Previous | OldSide::PreviousIfAny => {
            let new = sides.read(new, reader())?;
            let previous =
                previous_side(&new, reader()).map_err(|error| Error::Records(Box::new(error)))?;
            let is_there = !previous.benchmarks.is_empty();
            // A failed benchmark was compared with nothing, and its failure is the answer.
            let none_failed = new.benchmarks.iter().all(|it| it.failures.is_empty());
            let is_asked = matches!(old, OldSide::Previous) && !new.benchmarks.is_empty();
            if !is_there && is_asked && none_failed {
                // A run that was killed leaves no word about its old side.
                if !previous.errors.is_empty() {
                    return Err(not_whole(&previous));
                }
                first_results = Some(format!(
                    "the last results in `{}` were compared with nothing; \
                     change something and run `cargo bench` again, or name results: \
                     `iai-callgrind-runner compare OLD NEW`",
                    new.arguments.join("`, `")
                ));
            }
            (Some(previous).filter(|_| is_there), new)
        }
    };
    let only = &sides.options.only;
    let notes = accepted::notes(&counts, &file.name(), old.as_ref(), &new, only);
    // Where all counts are accepted, no other results are needed.
    let old = old.or_else(|| accepted::old_side(&counts, &new, &file.name()));
    let comparison = ComparisonOptions {
        metrics: options.metrics(),
        strict: options.strict,
        requires_comparable: options.require_comparable,
        ..comparison_options(judgement)
    };
    let mut report = compare_sides(old.as_ref(), &new, &comparison, &counts);
    report.notes.extend(notes);
    report.notes.extend(first_results);
    let typed = &judgement.read.only;
    if report.rows.is_empty() && !typed.is_empty() {
        report.notes.push(format!(
            "no benchmark matches `{}`; `cargo bench -- --list` shows all",
            typed.join("` or `")
        ));
    }
    report
        .notes
        .extend(missing_percent_sign(judgement, &report));
    let commit = report.new.commit.as_deref();
    let merge = pull_request::headline(environment, commit);
    report.headlines.splice(..0, merge);
    if let Some(old) = &old {
        explain_rows(&mut report, old, &new);
    }
    Ok(ComparedResults {
        report,
        old: old.map(Arc::new),
        new: Arc::new(new),
        counts,
        options: comparison,
    })
}

/// The note on a limit of the command line that is likely to lack its `%`.
fn missing_percent_sign(judgement: &JudgementOptions, report: &ComparisonReport) -> Option<String> {
    let limits = judgement.limits();
    report.rows.iter().find_map(|row| {
        let typed = limits[row.tool.as_deref()?.parse().ok()?].as_ref()?;
        let metric = row.metric.as_ref()?;
        typed.without_percent_sign(&metric.kind, metric.new?.as_f64())
    })
}

/// Everything that a page shows beside the report.
pub(super) fn page_sources(
    compared: &ComparedResults,
    places: &SourcePlaces,
    options: &JudgingOptions,
) -> Result<PageSources> {
    let ComparedResults {
        report, old, new, ..
    } = compared;
    let sides = || old.iter().chain([new]);
    let recorded = sides().flat_map(|side| &side.benchmarks);
    let recorded = recorded.flat_map(|benchmark| &benchmark.tools);
    let metrics = recorded.flat_map(|tool| tool.metrics.iter().map(|(kind, _)| *kind));
    let all = ComparisonOptions {
        metrics: metrics.collect::<BTreeSet<_>>().into_iter().collect(),
        ..compared.options.clone()
    };
    // Each of the two takes as long as everything else that is done once for a page.
    let (all, history) = std::thread::scope(|scope| {
        let history = scope.spawn(|| page_history(&options.history, new, &all.metrics, options));
        let all = compare_sides(old.as_deref(), new, &all, &compared.counts);
        let history = history.join();
        (
            all,
            history.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        )
    });
    let history = history?;
    Ok(PageSources {
        all_metrics: Some(Arc::new(all)),
        details: Some(Arc::new(SideDetails {
            old: old.clone(),
            new: Arc::clone(new),
        })),
        history: history.map(Arc::new),
        pictures: Some(Arc::new(LibraryPictures::of(old.as_deref(), new))),
        times: Some(Arc::new(PairedSideTimes::of(old.as_deref(), new))),
        files: places.address(report.new.commit.as_deref()),
    })
}

/// The history of some metrics: of the results of several commits, and of the lines that runs have
/// added beside those of the new side.
fn page_history(
    paths: &[PathBuf],
    new: &ResultSide,
    metrics: &[MetricKind],
    options: &JudgingOptions,
) -> Result<Option<History>> {
    let mut reader = RecordReader::with_points();
    let noted = noted_points(new);
    for path in paths.iter().chain(&noted) {
        let place = ResultsPlace::Path(path.clone());
        let read = place.read(&mut reader, io::empty());
        read.map_err(|error| Error::Records(Box::new(error)))?;
    }
    if paths.is_empty() && noted.is_empty() {
        return Ok(None);
    }
    let only = options.judgement.read.filter();
    Ok(Some(history::history(
        &reader.finish(),
        &HistoryOptions {
            only: only.unwrap_or_default(),
            metrics: metrics.to_vec(),
            changes_only: true,
        },
    )))
}

/// The directories of the records of a side that have a history beside them.
fn noted_points(side: &ResultSide) -> Vec<PathBuf> {
    let inputs = side.inputs.iter();
    let directories = inputs.filter_map(|input| {
        let records = Path::new(&input.name);
        let is_kept = records.file_name()?.to_str()?.starts_with(RECORDS);
        let is_there = records.with_file_name(HISTORY).is_file();
        (is_kept && is_there).then(|| records.parent().map(Path::to_owned))?
    });
    // One that has several records is one.
    directories.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Judging options as typed, for a hint that can be copied. Words that are not UTF-8 are left out.
fn typed(judgement: &JudgementOptions) -> Vec<String> {
    let words = judgement.typed().into_iter();
    words.filter_map(|word| word.into_string().ok()).collect()
}

/// The choices about the judgement of a comparison.
pub(super) fn comparison_options(options: &JudgementOptions) -> ComparisonOptions {
    ComparisonOptions {
        limits: options.limits(),
        perf_limits: options.perf_limits.clone(),
        floor: options.floor,
        allows_missing: options.read.allow_missing,
        ..ComparisonOptions::default()
    }
}

pub(super) fn merge(options: &MergeArgs, environment: &RunnerEnvironment) -> Exit {
    with_colored_report(None, environment, |reports, _| {
        let sides = SideReader::new(&options.read, environment)?;
        let reader = RecordReader::with_texts();
        let reader = match options.without_digests {
            true => reader,
            false => reader.and_digests(),
        };
        let side = sides.read(&options.results, reader)?;
        for note in &side.notes {
            reports.event(Event::Warning(note))?;
        }
        if !side.errors.is_empty() {
            return Err(not_whole(&side));
        }
        if options.strict && !side.mixed.is_empty() {
            return Err(Error::Results(format!(
                "the results differ in {} (`--strict`)\n  \
                 hint: measure all parts in one image, or go without `--strict`",
                side.mixed.join(", and in ")
            )));
        }
        let mut text = side.to_text();
        if !options.without_digests {
            let (digests, notes) = side.digest_lines();
            text += &digests;
            for note in &notes {
                reports.event(Event::Warning(note))?;
            }
        }
        match options.output.to_str() {
            Some("-") => reports.event(Event::Formatted(text.as_bytes()))?,
            _ => write_whole(&options.output, text.as_bytes()).context("write", &options.output)?,
        }
        Ok(Exit::Ok)
    })
}

/// The reasons why the results of a side are not whole.
pub(super) fn not_whole(side: &ResultSide) -> Error {
    Error::Results(side.errors.join("\nerror: "))
}

/// Writes the requested files, and stdout. An error of the reader does not change the verdict.
fn write(
    report: &ComparisonReport,
    writer: &ComparisonWriter,
    options: &JudgingOptions,
    environment: &RunnerEnvironment,
    reports: &Reports,
) -> Result<()> {
    let formats = options.export.iter().map(|export| export.format);
    for format in formats.chain([options.format]) {
        if let Some(note) = ComparisonWriter::left_out(report, format) {
            reports.event(Event::Warning(&note))?;
        }
    }
    // Before stdout, whose reader may go away.
    for export in &options.export {
        // Files have no colors.
        let writer = ComparisonWriter {
            styles: Default::default(),
            ..writer.clone()
        };
        let write = |out: &mut dyn io::Write| writer.write(report, export.format, out);
        write_whole_with(&export.file, write).context("write", &export.file)?;
    }
    if options.format == ComparisonFormat::Github {
        summary_of_job(report, writer, environment, reports)?;
    }
    let bytes = formatted(report, writer, options.format)?;
    match reports.event(Event::Formatted(&bytes)) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            // Nothing to be done if stderr is closed as well.
            let warning =
                "the report was not read to its end; the exit code is that of the verdict";
            let _ = reports.event(Event::Warning(warning));
            Ok(())
        }
        written => Ok(written?),
    }
}

fn formatted(
    report: &ComparisonReport,
    writer: &ComparisonWriter,
    format: ComparisonFormat,
) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    writer.write(report, format, &mut bytes)?;
    Ok(bytes)
}

/// Adds the page to the summary of the job, which other steps of it have written to.
fn summary_of_job(
    report: &ComparisonReport,
    writer: &ComparisonWriter,
    environment: &RunnerEnvironment,
    reports: &Reports,
) -> Result<()> {
    let Some(path) = environment.get("GITHUB_STEP_SUMMARY").map(Path::new) else {
        return Ok(());
    };
    let page = formatted(report, writer, ComparisonFormat::Markdown)?;
    let mut file = std::fs::OpenOptions::new();
    let file = file.append(true).create(true).open(path);
    if let Err(error) = file.and_then(|mut file| io::Write::write_all(&mut file, &page)) {
        let warning = format!("cannot write the summary `{}`: {error}", path.display());
        reports.event(Event::Warning(&warning))?;
    }
    Ok(())
}

/// The workspace that results are from.
pub(super) fn workspace(side: &ResultSide) -> Option<&Path> {
    let tools = side
        .benchmarks
        .iter()
        .flat_map(|benchmark| &benchmark.tools);
    let mut workspaces = tools.filter_map(|tool| tool.circumstances.workspace.as_ref());
    workspaces
        .next()
        .map(|workspace| Path::new(&workspace.root))
}

/// Reads sides.
pub(super) struct SideReader<'a> {
    options: SideOptions,
    home: Option<&'a Path>,
    environment: &'a RunnerEnvironment,
}

impl<'a> SideReader<'a> {
    pub(super) fn new(
        options: &'a ReadOptions,
        environment: &'a RunnerEnvironment,
    ) -> Result<Self> {
        let only = options.filter().map_err(|reason| Error::Setting {
            place: "--only".to_owned(),
            reason,
        })?;
        Ok(Self {
            options: SideOptions {
                allow_missing: options.allow_missing,
                only,
            },
            home: options.home.as_deref(),
            environment,
        })
    }

    /// The side of these arguments; of none, the last results of the project.
    pub(super) fn read(
        &self,
        arguments: &[OsString],
        mut reader: RecordReader,
    ) -> Result<ResultSide> {
        let arguments = arguments.iter().cloned().map(ResultsArgument::from);
        let mut arguments: Vec<ResultsArgument> = arguments.collect();
        if arguments.is_empty() {
            arguments.push(ResultsArgument::Home);
        }
        for argument in arguments {
            let place = match argument {
                ResultsArgument::Stdin => ResultsPlace::Stdin,
                ResultsArgument::Path(path) => ResultsPlace::Path(path),
                ResultsArgument::Home => ResultsPlace::Home(home(self.home, self.environment)?),
                ResultsArgument::Baseline(name) => ResultsPlace::Baseline {
                    home: home(self.home, self.environment)?,
                    name,
                },
            };
            let read = place.read(&mut reader, io::stdin().lock());
            read.map_err(|error| Error::Records(Box::new(error)))?;
        }
        Ok(ResultSide::of(reader.finish(), &self.options))
    }
}
