//! Reads the text of accepted counts. An unknown key is an error: otherwise a typo would silently
//! accept nothing.

use std::ops::Range;

use thiserror::Error;
use toml_edit::{Document, Item, Key, TableLike};

use super::model::{
    AcceptedBenchmark, AcceptedCount, AcceptedCounts, AcceptedFacts, AcceptedName, AcceptedPlace,
};
use super::{conflict, VERSION};
use base::tool::{is_of_hardware, Tool};
use metrics::MetricKind;
use records::summary::Number;

/// Reason why a text is no file of accepted counts.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct AcceptedError {
    /// The line, from 1.
    pub line: usize,
    /// The mistake, and the accepted form.
    pub reason: String,
}

/// Reads accepted counts.
///
/// # Errors
///
/// The text is no TOML, has another version, or has an entry that is no accepted count.
pub fn parse(text: &str) -> Result<AcceptedCounts, AcceptedError> {
    parse_file(text).map(|(counts, _)| counts)
}

/// Reads accepted counts, and the file that they stand in.
pub(super) fn parse_file(text: &str) -> Result<(AcceptedCounts, Document<&str>), AcceptedError> {
    // Before the parser, whose error about `<` would name no cure.
    if let Some(line) = conflict::first_marker(text) {
        return Err(AcceptedError {
            line,
            reason: "a merge left conflict markers here\n  \
                     hint: run `iai-callgrind-runner accept OLD NEW`, which accepts anew what stands between them"
                .to_owned(),
        });
    }
    let lines = AcceptedReader::new(text);
    let file = Document::parse(text)
        .map_err(|error| lines.error(error.span(), error.message().to_owned()))?;
    Ok((lines.root(file.as_table())?, file))
}

/// The entries of a table, with their keys.
pub(super) fn entries(table: &dyn TableLike) -> impl Iterator<Item = Entry<'_>> {
    // `iter` gives names as text; only keys know their place in the file.
    table
        .iter()
        .filter_map(|(name, _)| table.get_key_value(name))
}

/// Reads the tables. It knows where each line begins, since parsed values have only an offset.
struct AcceptedReader {
    line_starts: Vec<usize>,
}

type Entry<'t> = (&'t Key, &'t Item);

impl AcceptedReader {
    fn new(text: &str) -> Self {
        let ends = text.match_indices('\n').map(|(end, _)| end + 1);
        Self {
            line_starts: std::iter::once(0).chain(ends).collect(),
        }
    }

    fn line(&self, span: Option<Range<usize>>) -> usize {
        let start = span.unwrap_or_default().start;
        // The number of lines that begin at or before the offset is its line, from 1.
        self.line_starts.partition_point(|begin| *begin <= start)
    }

    fn error(&self, span: Option<Range<usize>>, reason: String) -> AcceptedError {
        AcceptedError {
            line: self.line(span),
            reason,
        }
    }

    fn root(&self, root: &dyn TableLike) -> Result<AcceptedCounts, AcceptedError> {
        let mut counts = AcceptedCounts::default();
        let mut has_version = false;
        for entry @ (key, value) in entries(root) {
            if key.get() == "version" {
                self.version(value)?;
                has_version = true;
                continue;
            }
            let Some(table) = value.as_table_like() else {
                let name = key.get();
                let reason = format!(
                    "unknown key `{name}`: here stand `version` and tables of targets, such as \
                     `[\"x86_64-unknown-linux-gnu\".PACKAGE]`"
                );
                return Err(self.error(key.span(), reason));
            };
            self.target(entry, table, &mut counts)?;
        }
        match has_version {
            true => Ok(counts),
            false => Err(self.error(None, format!("`version = {VERSION}` is missing"))),
        }
    }

    fn version(&self, value: &Item) -> Result<(), AcceptedError> {
        if self.count(value)? == VERSION {
            return Ok(());
        }
        let reason = format!(
            "the file has another version of the format than {VERSION}\n  \
             hint: use the version of iai-callgrind-runner that wrote it"
        );
        Err(self.error(value.span(), reason))
    }

    fn target(
        &self,
        (key, _): Entry<'_>,
        table: &dyn TableLike,
        counts: &mut AcceptedCounts,
    ) -> Result<(), AcceptedError> {
        let place = AcceptedPlace::of_key(key.get());
        let mut facts = AcceptedFacts::default();
        for (key, value) in entries(table) {
            let name = key.get();
            // A package may be called `libc`.
            if let Some(benchmarks) = value.as_table_like() {
                self.package(&place, name, benchmarks, counts)?;
                continue;
            }
            let fact = match name {
                "rustc" => &mut facts.rustc,
                "libc" => &mut facts.libc,
                "cpu" => &mut facts.cpu,
                _ => {
                    let reason = format!(
                        "unknown key `{name}`: here stand `rustc`, `libc`, `cpu` and tables of packages"
                    );
                    return Err(self.error(key.span(), reason));
                }
            };
            *fact = Some(self.text(name, value)?);
        }
        if facts != AcceptedFacts::default() {
            counts.facts.insert(place, facts);
        }
        Ok(())
    }

    fn package(
        &self,
        place: &AcceptedPlace,
        package: &str,
        benchmarks: &dyn TableLike,
        counts: &mut AcceptedCounts,
    ) -> Result<(), AcceptedError> {
        for (key, value) in entries(benchmarks) {
            let Some(table) = value.as_table_like() else {
                let reason = format!(
                    "the counts of a benchmark stand in braces: `{:?} = {{ Ir = 1734 }}`",
                    key.get()
                );
                return Err(self.error(key.span(), reason));
            };
            let name = AcceptedName {
                place: place.clone(),
                package: package.to_owned(),
                path: key.get().to_owned(),
            };
            let mut benchmark = self.benchmark(table)?;
            if benchmark.own.is_some() && benchmark.count(Tool::Callgrind, "Ir").is_none() {
                let reason = "`own` is a part of `Ir`, which is missing here".to_owned();
                return Err(self.error(key.span(), reason));
            }
            benchmark.line = self.line(key.span());
            counts.benchmarks.insert(name, benchmark);
        }
        Ok(())
    }

    fn benchmark(&self, table: &dyn TableLike) -> Result<AcceptedBenchmark, AcceptedError> {
        let mut benchmark = AcceptedBenchmark::default();
        for (key, value) in entries(table) {
            let name = key.get();
            match (name, value.as_table_like()) {
                ("own", None) => benchmark.own = Some(self.count(value)?),
                ("libc", None) => benchmark.libc = Some(self.text(name, value)?),
                ("input", None) => benchmark.input = Some(self.text(name, value)?),
                ("reason", None) => benchmark.reason = Some(self.text(name, value)?),
                (_, None) => benchmark.set(self.metric(Tool::Callgrind, (key, value))?),
                (_, Some(metrics)) => {
                    let tool = self.tool(key)?;
                    for metric in entries(metrics) {
                        benchmark.set(self.metric(tool, metric)?);
                    }
                }
            }
        }
        Ok(benchmark)
    }

    fn tool(&self, key: &Key) -> Result<Tool, AcceptedError> {
        let name = key.get();
        match name.parse() {
            // One spelling, so that no benchmark has two counts of one metric.
            Ok(Tool::Callgrind) => {
                let reason = "metrics of Callgrind stand without the tool: `Ir = 1734`".to_owned();
                Err(self.error(key.span(), reason))
            }
            Ok(tool) if is_of_hardware(tool) => {
                let reason = "figures of perf are never the same twice, so none is accepted";
                Err(self.error(key.span(), reason.to_owned()))
            }
            Ok(tool) => Ok(tool),
            Err(_) => {
                let reason = format!(
                    "unknown tool `{name}`: metrics of others than Callgrind have the tool before them, such as \
                     `dhat.TotalBytes`"
                );
                Err(self.error(key.span(), reason))
            }
        }
    }

    fn metric(&self, tool: Tool, (key, value): Entry<'_>) -> Result<AcceptedCount, AcceptedError> {
        let name = key.get();
        let Some(kind) = MetricKind::named(tool, name) else {
            let reason = format!(
                "unknown metric `{name}` of {tool}\n  \
                 hint: here stand names of metrics as in the JSON output, `own`, `libc`, `input` and `reason`"
            );
            return Err(self.error(key.span(), reason));
        };
        Ok(AcceptedCount {
            tool,
            kind: kind.name().to_owned(),
            count: self.number(value)?,
        })
    }

    fn number(&self, value: &Item) -> Result<Number, AcceptedError> {
        match value.as_float() {
            Some(rate) if rate.is_finite() && rate >= 0.0 => Ok(Number::Rate(rate)),
            Some(_) => Err(self.no_number(value)),
            None => self.count(value).map(Number::Count),
        }
    }

    fn count(&self, value: &Item) -> Result<u64, AcceptedError> {
        let integer = value.as_integer();
        let count = integer.and_then(|count| u64::try_from(count).ok());
        count.ok_or_else(|| self.no_number(value))
    }

    fn no_number(&self, value: &Item) -> AcceptedError {
        self.error(
            value.span(),
            "a number from 0 on is expected here".to_owned(),
        )
    }

    fn text(&self, name: &str, value: &Item) -> Result<String, AcceptedError> {
        match value.as_str() {
            Some(text) => Ok(text.to_owned()),
            None => Err(self.error(value.span(), format!("`{name}` is a text in quotes"))),
        }
    }
}
