//! `compare`, `report` and `merge`: results of runs, read back, to reports and files.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::accepted_file::AcceptedFile;
use super::home::home;
use super::with_colored_report;
use crate::accepted;
use crate::cli::env::RunnerEnvironment;
use crate::cli::{
    CompareArgs, ComparisonFormat, JudgementOptions, JudgingOptions, MergeArgs, ReadOptions,
    ReportArgs,
};
use crate::comparison::{compare_sides, ComparisonOptions, ComparisonReport};
use crate::error::{Error, FileContext, Result};
use crate::exit::Exit;
use crate::explained_rows::explain_rows;
use crate::pull_request;
use crate::records::{RecordReader, ResultSide, ResultsArgument, ResultsPlace, SideOptions};
use crate::report::{ComparisonWriter, Event, Reports, SourcePlaces};
use crate::store::write_whole;

pub(super) fn compare(options: &CompareArgs, environment: &RunnerEnvironment) -> Exit {
    let old = Some(&options.old);
    judge(old, &options.new, &options.options, environment)
}

pub(super) fn report(options: &ReportArgs, environment: &RunnerEnvironment) -> Exit {
    judge(None, &options.new, &options.options, environment)
}

fn judge(
    old: Option<&OsString>,
    new: &[OsString],
    options: &JudgingOptions,
    environment: &RunnerEnvironment,
) -> Exit {
    with_colored_report(options.color, environment, |reports, styles| {
        let judgement = &options.judgement;
        // A mistake in it is told before much is read.
        let file = AcceptedFile::find(judgement.accepted.as_deref());
        let counts = file.counts()?;
        let sides = SideReader::new(&judgement.read, environment)?;
        let old = old.map(|old| sides.read(std::slice::from_ref(old), RecordReader::default()));
        let old = old.transpose()?;
        let new = sides.read(new, RecordReader::default())?;
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
        let commit = report.new.commit.as_deref();
        let merge = pull_request::headline(environment, commit);
        report.headlines.splice(..0, merge);
        if let Some(old) = &old {
            explain_rows(&mut report, old, &new);
        }
        let writer = ComparisonWriter {
            styles,
            places: SourcePlaces::detect(environment, workspace(&new)),
            options: typed(judgement),
        };
        write(&report, &writer, options, environment, reports)?;
        Ok(report.outcome.exit())
    })
}

/// The options of the judgement as text. What is none could not be copied.
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
        ..ComparisonOptions::default()
    }
}

pub(super) fn merge(options: &MergeArgs, environment: &RunnerEnvironment) -> Exit {
    with_colored_report(None, environment, |reports, _| {
        let sides = SideReader::new(&options.read, environment)?;
        let side = sides.read(&options.results, RecordReader::with_texts())?;
        for note in &side.notes {
            reports.event(Event::Warning(note))?;
        }
        if !side.errors.is_empty() {
            return Err(not_whole(&side));
        }
        let text = side.to_text();
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

/// Writes the files that were asked for, and stdout. The verdict stands even where nobody reads it.
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
    for export in &options.export {
        // Files have no colors.
        let writer = ComparisonWriter {
            styles: Default::default(),
            ..writer.clone()
        };
        let bytes = formatted(report, &writer, export.format)?;
        write_whole(&export.file, &bytes).context("write", &export.file)?;
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
fn workspace(side: &ResultSide) -> Option<&Path> {
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
