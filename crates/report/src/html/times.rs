//! The picture of wall time: for each benchmark a dot at the ratio of new to old and a line over
//! its confidence interval, all on one logarithmic axis, beside the change of instructions. It
//! needs no script, and each row says in words what its picture shows.
//!
//! Ratios alone are drawn. Times of different benchmarks and runs share no axis; those of both
//! sides of a benchmark are of one run, and stand beside its starts.

use std::collections::HashMap;

use super::benchmarks::{PageBenchmark, PageBenchmarks};
use super::index::change;
use super::texts::{html, short};
use crate::text::wall_time;
use base::counted::counted;
use iai_callgrind::protocol::EventKind;
use metrics::MetricKind;
use records::summary::RecordedTime;
use time::{TimeClass, TimeDoubt};
use verdict::sides::PairedSideTimes;

/// Rows that are shown at once: at least, and at most.
const FEWEST: usize = 12;
const MOST: usize = 60;

/// Rows at all: a page has to open at once.
const MOST_ROWS: usize = 1000;

/// Rows with a strip of their starts.
const MOST_STRIPS: usize = 300;

/// Characters of a reason.
const REASON: usize = 160;

/// The logarithm of the ratio at both ends of the axis: at least 2 %, at most 16 times.
const NARROWEST: f64 = 0.02;
const WIDEST: f64 = 2.772_588_722_239_781;

/// Room for labels beside the ends of the axis, in percent of the width.
const MARGIN: f64 = 6.0;

/// Changes in percent that may be labelled, from the largest.
const LABELLED: [&[f64]; 2] = [
    &[
        -90.0, -80.0, -67.0, -50.0, -33.0, -20.0, -10.0, -5.0, -2.0, -1.0, -0.5,
    ],
    &[
        1400.0, 900.0, 400.0, 200.0, 100.0, 50.0, 20.0, 10.0, 5.0, 2.0, 1.0, 0.5,
    ],
];

/// The height of a row's picture, and where its line is.
const HEIGHT: u32 = 30;
const MIDDLE: u32 = HEIGHT / 2;

/// The size of a strip, in its own units.
const STRIP: (f64, f64) = (1000.0, 40.0);

/// The section, or nothing if no time was measured in pairs with an old executable. `is_alone`:
/// there is no old side, so the changes of counts are unknown.
pub(super) fn section(
    times: &PairedSideTimes,
    benchmarks: &PageBenchmarks<'_>,
    is_alone: bool,
) -> String {
    let mut rows = rows(times, benchmarks);
    if rows.iter().all(|row| row.time.ratio.is_none()) {
        return String::new();
    }
    // Before rows are left out: the headline is about all.
    let counts = counts(&rows);
    let all = rows.len();
    rows.truncate(MOST_ROWS);
    let of_interest = rows.iter().filter(|row| row.is_of_interest()).count();
    let shown = of_interest.clamp(FEWEST, MOST).min(rows.len());
    let table = TimeTable {
        scale: Scale::of(&rows),
        has_counts: !is_alone,
        level: rows[0].time.level * 100.0,
    };
    let first = table.of(&rows[..shown], 0);
    let rest = match &rows[shown..] {
        [] => String::new(),
        rest => format!(
            "<details class=\"rest\"><summary>Show {} more</summary>\n{}</details>\n",
            rest.len(),
            table.of(rest, shown)
        ),
    };
    let mut notes = vec![table.note()];
    if all > rows.len() {
        let more = counted((all - rows.len()) as u64, "benchmark");
        notes.push(format!("{more} with smaller changes are left out."));
    }
    if times.others > 0 {
        let others = counted(times.others as u64, "more benchmark");
        notes.push(format!(
            "Times of {others} are left out: they were not measured with the executable of the old side."
        ));
    }
    let notes: String = notes
        .into_iter()
        .map(|note| format!("<p class=\"scale\">{note}</p>\n"))
        .collect();
    let open = if shown <= FEWEST || is_alone {
        " open"
    } else {
        ""
    };
    format!(
        "<details id=\"times\"{open}><summary><h2>Wall time</h2> <small>{counts}</small></summary>\n{}{first}{rest}{notes}</details>\n",
        table.grid()
    )
}

/// `2 slower, 1 faster, 57 unchanged`
fn counts(rows: &[TimedRow<'_>]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for row in rows {
        let word = class_word(row.time.class);
        // Rows of a word are neighbours: both ranks of slower ones follow each other.
        match counts.last_mut() {
            Some((known, count)) if *known == word => *count += 1,
            _ => counts.push((word, 1)),
        }
    }
    let counts = counts.iter().map(|(word, count)| format!("{count} {word}"));
    counts.collect::<Vec<_>>().join(", ")
}

/// The rows by class, then by change, then as the page has them.
fn rows<'a>(times: &'a PairedSideTimes, benchmarks: &PageBenchmarks<'_>) -> Vec<TimedRow<'a>> {
    let times = times.all.iter().map(|(identity, time)| {
        let (label, target) = (identity.label.as_deref(), identity.target.as_deref());
        ((label, target, &*identity.package, &*identity.path), time)
    });
    let times: HashMap<_, _> = times.collect();
    let row = |benchmark: &PageBenchmark<'_>| {
        let time = *times.get(&benchmark.identity())?;
        Some(TimedRow {
            name: benchmarks.name(benchmark),
            instructions: instructions(benchmark),
            time,
            change: LogChange::of(time),
        })
    };
    let mut rows: Vec<TimedRow<'a>> = benchmarks.all.iter().filter_map(row).collect();
    let size = |row: &TimedRow<'_>| row.change.map_or(0.0, |change| change.estimate.abs());
    rows.sort_by(|one, other| {
        let by_class = one.rank().cmp(&other.rank());
        by_class.then(size(other).total_cmp(&size(one)))
    });
    rows
}

/// The change of instructions that was judged, as the table of all benchmarks has it.
fn instructions(benchmark: &PageBenchmark<'_>) -> String {
    let kind = MetricKind::from(EventKind::Ir).name();
    let mut rows = benchmark.rows.iter().chain(&benchmark.all_rows);
    let row = rows.find(|row| row.metric.as_ref().is_some_and(|it| it.kind == kind));
    row.map_or_else(String::new, |row| {
        let metric = row.metric.as_ref();
        let is_same = metric.is_some_and(|it| it.old.is_some() && it.old == it.new);
        match is_same {
            true => "0%".to_owned(),
            false => change(row),
        }
    })
}

/// A benchmark with its time.
struct TimedRow<'a> {
    name: String,
    instructions: String,
    time: &'a RecordedTime,
    /// Absent if nothing is drawn.
    change: Option<LogChange>,
}

impl TimedRow<'_> {
    fn rank(&self) -> usize {
        match self.time.class {
            TimeClass::Slower if self.time.exceeded_limit.is_some() => 0,
            TimeClass::Slower => 1,
            TimeClass::Faster => 2,
            TimeClass::Layout => 3,
            TimeClass::NotJudged => 4,
            TimeClass::Unchanged => 5,
            TimeClass::NoOld => 6,
        }
    }

    /// Does a reader look for these?
    fn is_of_interest(&self) -> bool {
        !matches!(self.time.class, TimeClass::Unchanged | TimeClass::NoOld)
    }

    /// The words beside the class: the limit, or the reason why nothing is said.
    fn remark(&self) -> String {
        let limit = self.time.exceeded_limit;
        let limit = limit.map(|limit| format!("more than the limit of {limit}%"));
        let skipped = self.time.median_ns.is_none() && self.time.class == TimeClass::Unchanged;
        let skipped = skipped.then(|| "not measured: neither count nor code changed".to_owned());
        let reason = self.time.reason.as_deref();
        let remark = limit.or(skipped).or(reason.map(|it| short(it, REASON)));
        remark.unwrap_or_default()
    }
}

/// The class for style.
fn class_id(class: TimeClass) -> &'static str {
    match class {
        TimeClass::Slower => "slower",
        TimeClass::Faster => "faster",
        TimeClass::Layout => "layout",
        TimeClass::NotJudged => "not-judged",
        TimeClass::Unchanged => "unchanged",
        TimeClass::NoOld => "not-compared",
    }
}

/// The class for people.
fn class_word(class: TimeClass) -> &'static str {
    match class {
        TimeClass::NotJudged => "not judged",
        TimeClass::NoOld => "not compared",
        class => class_id(class),
    }
}

/// Logarithms of the ratio and of the bounds of its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
struct LogChange {
    low: f64,
    estimate: f64,
    high: f64,
}

impl LogChange {
    /// `None`: a call is too short for a ratio, nothing was measured, or the numbers are no ratio
    /// with its bounds, since records are of others.
    fn of(time: &RecordedTime) -> Option<Self> {
        if time.doubt() == Some(TimeDoubt::Short.word()) {
            return None;
        }
        let log = |ratio: Option<f64>| ratio.map(f64::ln).filter(|log| log.is_finite());
        let change = Self {
            low: log(time.ratio_low)?,
            estimate: log(time.ratio)?,
            high: log(time.ratio_high)?,
        };
        let is_ordered = change.low <= change.estimate && change.estimate <= change.high;
        is_ordered.then_some(change)
    }
}

/// The common axis: logarithms of ratios from `-end` to `end`.
#[derive(Debug, Clone, Copy)]
struct Scale {
    end: f64,
}

impl Scale {
    /// All estimates are on the axis, and the intervals of proven differences.
    fn of(rows: &[TimedRow<'_>]) -> Self {
        let ends = rows.iter().filter_map(|row| {
            let change = row.change?;
            let bounds = change.low.abs().max(change.high.abs());
            Some(match row.time.is_proven() {
                true => bounds,
                false => change.estimate.abs(),
            })
        });
        Self {
            end: ends.fold(NARROWEST, f64::max).min(WIDEST),
        }
    }

    /// The place of a logarithm, in percent of the width; those beyond an end are at the edge.
    fn place(self, log: f64) -> f64 {
        let place = 50.0 + (50.0 - MARGIN) * log / self.end;
        place.clamp(0.0, 100.0)
    }

    fn is_beyond(self, log: f64) -> bool {
        log.abs() > self.end * 50.0 / (50.0 - MARGIN)
    }

    /// The logarithms that are labelled, with their labels: on both sides of none the widest that
    /// fits and those that leave room, and none itself at the end.
    fn labels(self) -> Vec<(f64, String)> {
        let mut labels = Vec::new();
        for side in LABELLED {
            let mut last = f64::INFINITY;
            for percent in side {
                let log = (percent / 100.0).ln_1p();
                let size = log.abs();
                // The second bound leaves room beside the label of none.
                if size <= self.end.min(0.5 * last) && size >= 0.28 * self.end {
                    labels.push((log, format!("{percent:+}%")));
                    last = size;
                }
            }
        }
        labels.push((0.0, "0%".to_owned()));
        labels
    }
}

/// The tables of the section, which have one axis.
struct TimeTable {
    scale: Scale,
    has_counts: bool,
    level: f64,
}

impl TimeTable {
    fn of(&self, rows: &[TimedRow<'_>], first: usize) -> String {
        let counts = match self.has_counts {
            true => "<th scope=\"col\" class=\"number\">Instructions</th>",
            false => "",
        };
        let rows: String = rows
            .iter()
            .enumerate()
            .map(|(place, row)| self.row(row, first + place < MOST_STRIPS))
            .collect();
        format!(
            "<table class=\"times\"><thead><tr><th scope=\"col\">Benchmark</th>{counts}<th scope=\"col\" class=\"number\">Time</th><th scope=\"col\" class=\"number interval\">{}% interval</th><th scope=\"col\" class=\"axis\">{}</th><th scope=\"col\" class=\"time-class\">Class</th></tr></thead><tbody>\n{rows}</tbody></table>\n",
            self.level,
            self.axis(),
        )
    }

    fn row(&self, row: &TimedRow<'_>, with_strip: bool) -> String {
        let name = format!("<span class=\"name\">{}</span>", html(&row.name));
        let strip = match with_strip {
            true => strip(row.time, &row.name),
            false => String::new(),
        };
        let name = match strip.is_empty() {
            true => name,
            false => format!("<details><summary>{name}</summary>{strip}</details>"),
        };
        let instructions = match self.has_counts {
            true => format!(
                "<td class=\"number instructions\">{}</td>",
                html(&row.instructions)
            ),
            false => String::new(),
        };
        let (change, interval) = row.change.map_or_else(Default::default, |change| {
            let [low, high] = [change.low, change.high].map(percent);
            (percent(change.estimate), format!("{low} to {high}"))
        });
        let class = row.time.class;
        let remark = row.remark();
        let remark = match remark.is_empty() {
            true => remark,
            false => format!(" <span class=\"dim\">{}</span>", html(&remark)),
        };
        format!(
            "<tr><th scope=\"row\">{name}</th>{instructions}<td class=\"number time\">{change}</td><td class=\"number interval\">{interval}</td><td class=\"axis\">{}</td><td class=\"time-class\"><span class=\"badge\" data-c=\"{}\">{}</span>{remark}</td></tr>\n",
            self.picture(row),
            class_id(class),
            class_word(class),
        )
    }

    /// The lines of the axis, which every row shows again.
    fn grid(&self) -> String {
        let line = |(log, _): (f64, String)| {
            let class = if log == 0.0 { " class=\"none\"" } else { "" };
            let x = self.scale.place(log);
            format!("<line{class} x1=\"{x:.2}%\" x2=\"{x:.2}%\" y1=\"0\" y2=\"100%\"/>")
        };
        let lines: String = self.scale.labels().into_iter().map(line).collect();
        format!(
            "<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><g id=\"times-grid\">{lines}</g></defs></svg>\n"
        )
    }

    fn axis(&self) -> String {
        let label = |(log, text): (f64, String)| {
            let x = self.scale.place(log);
            format!("<text x=\"{x:.2}%\" y=\"13\">{text}</text>")
        };
        let labels: String = self.scale.labels().into_iter().map(label).collect();
        let [low, high] = [-self.scale.end, self.scale.end].map(percent);
        format!(
            "<svg class=\"ratio\" height=\"18\" role=\"img\" aria-label=\"Change of time, logarithmic, from {low} to {high}\">{labels}</svg>"
        )
    }

    /// The dot and the line. The row has the same in words.
    fn picture(&self, row: &TimedRow<'_>) -> String {
        let Some(change) = row.change else {
            return String::new();
        };
        let class = class_id(row.time.class);
        let scale = self.scale;
        let [low, dot, high] =
            [change.low, change.estimate, change.high].map(|log| scale.place(log));
        let line =
            format!("<line x1=\"{low:.2}%\" x2=\"{high:.2}%\" y1=\"{MIDDLE}\" y2=\"{MIDDLE}\"/>");
        // What goes on beyond the axis ends in an arrow.
        let arrows: String = [
            (change.low, "M7 -4L2 0L7 4"),
            (change.high, "M-7 -4L-2 0L-7 4"),
        ]
        .into_iter()
        .filter(|(log, _)| scale.is_beyond(*log))
        .map(|(log, arrow)| {
            at(
                scale.place(log),
                &format!("<path class=\"arrow\" d=\"{arrow}\"/>"),
            )
        })
        .collect();
        // Shapes differ by class, so that colours are not needed.
        let shape = match row.time.class {
            TimeClass::Slower => "M-5.5 4.5L0 -5L5.5 4.5z",
            TimeClass::Faster => "M-5.5 -4.5L0 5L5.5 -4.5z",
            TimeClass::Layout => "M-4 -4h8v8h-8z",
            TimeClass::NotJudged => "M0 -5L5 0L0 5L-5 0z",
            TimeClass::Unchanged | TimeClass::NoOld => "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
        };
        let shape = at(dot, &format!("<path class=\"dot\" d=\"{shape}\"/>"));
        format!(
            "<svg class=\"ratio {class}\" height=\"{HEIGHT}\" aria-hidden=\"true\"><use href=\"#times-grid\"/>{line}{arrows}{shape}</svg>"
        )
    }

    fn note(&self) -> String {
        let shapes = "▲ slower, ▼ faster, □ layout, ◇ not judged, ● unchanged";
        format!(
            "Old and new executable ran in turn. The axis is the ratio of their times, logarithmic; 0% is no change. {shapes}; a line is the {}% interval, an arrow goes beyond the axis. A name opens to the starts.",
            self.level
        )
    }
}

/// A shape at a place of the width; shapes have their own units, and the width has none.
fn at(place: f64, shape: &str) -> String {
    format!("<svg x=\"{place:.2}%\" y=\"{MIDDLE}\" width=\"1\" height=\"1\" overflow=\"visible\">{shape}</svg>")
}

/// `+2.2%`, `-0.4%`, `0.0%`, from a logarithm
fn percent(log: f64) -> String {
    let text = format!("{:+.1}%", log.exp_m1() * 100.0);
    match &*text {
        "+0.0%" | "-0.0%" => "0.0%".to_owned(),
        _ => text,
    }
}

/// The ratios of the starts, from left to right, and from the first on top to the last. Each strip
/// has its own axis: starts differ more than medians.
fn strip(time: &RecordedTime, name: &str) -> String {
    let logs: Vec<f64> = time.start_ratios.iter().map(|ratio| ratio.ln()).collect();
    if logs.is_empty() || LogChange::of(time).is_none() {
        return String::new();
    }
    let lowest = logs.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // No change is always within.
    let (least, most) = (lowest.min(0.0), highest.max(0.0));
    let (width, height) = STRIP;
    // All ratios may be 1, and a strip needs a length.
    let room = (most - least).max(1e-4);
    let place = |log: f64| 10.0 + (width - 20.0) * (log - least) / room;
    let step = (height - 8.0) / logs.len() as f64;
    let marks: String = logs
        .iter()
        .enumerate()
        .map(|(number, log)| format!("M{:.0} {:.1}v6", place(*log), 1.0 + step * number as f64))
        .collect();
    let none = place(0.0);
    let said = format!(
        "{} from {} to {}",
        counted(logs.len() as u64, "start"),
        percent(lowest),
        percent(highest)
    );
    let times = wall_time::both_times(time);
    let times = times.map(|times| format!("; a call takes {times}, both in this run"));
    format!(
        "<svg class=\"strip\" viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\"><path class=\"none\" d=\"M{none:.0} 0V{height}\"/><path d=\"{marks}\"/></svg><p class=\"scale\">{said}, the first on top; the line is no change{}</p>",
        html(&format!("Ratios of {name}: {said}")),
        html(&times.unwrap_or_default()),
    )
}
