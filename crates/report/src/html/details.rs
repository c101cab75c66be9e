//! The details of a benchmark as data of a page. How much of them there is room for, `bounds.rs`
//! knows.

use serde::Serialize;
use serde_json::{json, Value};

use super::benchmarks::{PageBenchmark, PageMetrics};
use super::bounds::DetailExtent;
use super::frames::{self, FrameData};
use super::history::PageHistory;
use super::index::{class_id, limit_text, values};
use super::texts::{name, plain, rounded, short};
use crate::kept_digests::BenchmarkDetails;
use explain::{
    ComparedFunction, Explanation, FunctionInstructions, FunctionLines, InstructionDifference,
    LineDifference, SideCosts,
};
use verdict::sides::ReportRow;

/// Characters of an instruction, or of a line.
const LONGEST_LINE: usize = 200;

/// The object of a page with the details of a benchmark.
#[derive(Serialize)]
struct PageDetails<Function, Lines, Code> {
    headline: Option<String>,
    package: String,
    file: String,
    source: Option<(String, Option<u32>)>,
    failure: Option<String>,
    metric: Option<String>,
    label: Option<&'static str>,
    tools: Vec<Value>,
    why: Option<Value>,
    flame: Option<FrameData>,
    functions: Vec<Function>,
    lines: Vec<Lines>,
    asm: Vec<Code>,
    history: Vec<Value>,
    left_out: Vec<String>,
}

/// A function with the rows of its lines.
#[derive(Serialize)]
struct PageLines<Row> {
    file: String,
    function: String,
    rows: Vec<Row>,
}

/// A function with the rows of its machine code.
#[derive(Serialize)]
struct PageCode<Row> {
    function: String,
    sides: &'static str,
    rows: Vec<Row>,
}

/// The compiler inlined all calls.
const INLINED: u8 = 1;

/// A benchmark with everything that a page knows of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct DetailedBenchmark<'a> {
    pub benchmark: &'a PageBenchmark<'a>,
    pub metrics: &'a PageMetrics<'a>,
    pub history: &'a PageHistory,
    pub details: &'a BenchmarkDetails,
}

impl DetailedBenchmark<'_> {
    /// The data within the extent, with notes on parts that are left out.
    pub(super) fn data(&self, extent: DetailExtent) -> serde_json::Result<Vec<u8>> {
        let Self {
            benchmark, details, ..
        } = self;
        let main = benchmark.main();
        let failures = benchmark.rows.iter().filter_map(|row| row.failure.as_ref());
        let failures: Vec<String> = failures.map(|failure| plain(&failure.message)).collect();
        let source = main.source_file.as_deref().map(name);
        let why = details.explanation.as_ref();
        let why = why.filter(|_| extent.explanation);
        let frames = details.frames.as_ref().filter(|_| extent.frames > 0.0);
        let lines = details.lines.iter().filter(|_| extent.source);
        let code = details.code.functions.iter().filter(|_| extent.assembly);
        let functions = details.functions.iter().take(extent.functions);
        let mut left_out: Vec<String> = details.notes.iter().map(|note| plain(note)).collect();
        left_out.extend(extent.left_out(details));
        if extent.assembly && !details.code.left_out.is_empty() {
            let large = details.code.left_out.iter().map(|function| name(function));
            let large = large.collect::<Vec<_>>().join(", ");
            left_out.push(format!("machine code of long functions: {large}"));
        }
        let metric = details.metric;
        serde_json::to_vec(&PageDetails {
            headline: main.headline.as_deref().map(name),
            package: name(&main.package),
            file: name(&main.file),
            source: source.map(|file| (file, main.line)),
            failure: Some(failures.join("\n\n")).filter(|text| !text.is_empty()),
            metric: metric.map(|metric| metric.to_name()),
            label: metric.map(|metric| metric.label()),
            tools: self.tools(),
            why: why.map(explanation).transpose()?,
            flame: match (frames, metric) {
                (Some(frames), Some(metric)) => Some(frames::data(frames, metric, extent.frames)),
                _ => None,
            },
            functions: functions.map(function).collect(),
            lines: lines.map(source_lines).collect(),
            asm: code.map(assembly).collect(),
            history: self.series(),
            left_out,
        })
    }

    /// The rows of each tool.
    fn tools(&self) -> Vec<Value> {
        let mut tools: Vec<(&str, Vec<&ReportRow>)> = Vec::new();
        for row in &self.benchmark.all_rows {
            let Some(tool) = row.tool.as_deref().filter(|_| row.metric.is_some()) else {
                continue;
            };
            match tools.iter_mut().find(|(known, _)| *known == tool) {
                Some((_, rows)) => rows.push(row),
                None => tools.push((tool, vec![row])),
            }
        }
        for (_, rows) in &mut tools {
            rows.sort_by_key(|row| self.metrics.place(row));
        }
        tools.sort_by_key(|(_, rows)| rows.first().and_then(|row| self.metrics.place(row)));
        let tools = tools.into_iter().map(|(tool, rows)| {
            let mut remarks: Vec<String> = Vec::new();
            for remark in rows.iter().flat_map(|row| &row.remarks) {
                let remark = plain(remark);
                if !remarks.contains(&remark) {
                    remarks.push(remark);
                }
            }
            let rows: Vec<Value> = rows.into_iter().map(|row| self.row(row)).collect();
            json!({"tool": name(tool), "rows": rows, "remarks": remarks})
        });
        tools.collect()
    }

    fn row(&self, row: &ReportRow) -> Value {
        // Judged rows have a class in the report; other metrics are only shown.
        let place = self.metrics.place(row);
        let judged = self.benchmark.rows.iter().copied();
        let mut judged = judged.filter(|other| self.metrics.place(other) == place);
        let row = judged.next().unwrap_or(row);
        let (old, new, percent) = values(row);
        json!({
            "m": place,
            "old": old,
            "new": new,
            "pct": percent,
            "class": class_id(row.class),
            "limit": limit_text(row),
            "own": row.own.map(|own| (own.old, own.new, own.diff_pct.map(rounded))),
        })
    }

    fn series(&self) -> Vec<Value> {
        let rows = self.benchmark.all_rows.iter();
        let series = rows.filter_map(|row| {
            let points = self.history.of_row(row, false);
            let place = self.metrics.place(row)?;
            (!points.is_empty()).then_some((place, points))
        });
        let mut series: Vec<_> = series.collect();
        // In the order of the metrics and not of the changes: instructions come first.
        series.sort_by_key(|(place, _)| *place);
        let series = series.into_iter();
        series
            .map(|(place, points)| json!({"m": place, "points": points}))
            .collect()
    }
}

/// The explanation as records have it, with texts that people see as they are.
fn explanation(explanation: &Explanation) -> serde_json::Result<Value> {
    // Over the value and not field by field, so that no field that is added is forgotten.
    fn visible(value: &mut Value) {
        match value {
            Value::String(text) => *text = name(text),
            Value::Array(values) => values.iter_mut().for_each(visible),
            Value::Object(fields) => fields.values_mut().for_each(visible),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(explanation)?;
    visible(&mut value);
    Ok(value)
}

/// `[name, origin, own old, own new, inclusive old, inclusive new, calls old, calls new, flags]`
fn function(function: &ComparedFunction) -> impl Serialize {
    let ComparedFunction { old, new, .. } = function;
    let inclusive = |side: &Option<SideCosts>| side.as_ref().and_then(|side| side.inclusive);
    let calls = |side: &Option<SideCosts>| side.as_ref().and_then(|side| side.calls);
    let own = |side: &Option<SideCosts>| side.as_ref().map(|side| side.own);
    (
        name(&function.name),
        function.origin,
        own(old),
        own(new),
        inclusive(old),
        inclusive(new),
        calls(old),
        calls(new),
        if function.is_inlined { INLINED } else { 0 },
    )
}

/// A function with rows `[line, old, new, text]`.
fn source_lines(function: &FunctionLines) -> impl Serialize {
    let row = |line: &LineDifference| {
        let number = line.new.or(line.old).map_or(0, |side| side.line);
        let costs = |side: Option<explain::LineCosts>| side.map(|side| side.costs);
        // Without the source an empty text is an unknown line, and no blank one.
        let text = Some(&line.text).filter(|text| !text.is_empty() || function.has_texts);
        let text = text.map(|text| source_text(text));
        (number, costs(line.old), costs(line.new), text)
    };
    PageLines {
        file: name(&function.file),
        function: name(&function.function),
        rows: function.lines.iter().map(row).collect(),
    }
}

/// A line of a source, with blanks in place of tabs.
fn source_text(text: &str) -> String {
    short(&text.replace('\t', "    "), LONGEST_LINE)
}

/// A function with rows `[mark, old, new, offset, text, line]`.
fn assembly(function: &FunctionInstructions) -> impl Serialize {
    let row = |one: &InstructionDifference| {
        let mark = match (one.old, one.new) {
            (Some(_), None) => "-",
            (None, Some(_)) => "+",
            (old, new) if old != new => "~",
            _ => " ",
        };
        let offset = format!("{:x}", one.offset);
        let text = short(&one.text, LONGEST_LINE);
        (mark, one.old, one.new, offset, text, one.line)
    };
    PageCode {
        function: name(&function.function),
        sides: match (function.old, function.new) {
            (_, 0) => "old",
            (0, _) => "new",
            _ => "both",
        },
        rows: function.instructions.iter().map(row).collect(),
    }
}
