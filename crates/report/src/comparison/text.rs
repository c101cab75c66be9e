//! The report for people.
//!
//! ```text
//!                                            old         new      change
//! Regressed (1)
//!   exp1 app::g::json_write::n_0  Instructions     15,005      16,387      +9.21%  > +5%
//!   Why  Instructions +1,382 (+9.21%): std +342, ...
//! ```

use std::io::{self, Write};

use super::words::{class_title, class_words};
use crate::numbers;
use crate::room::wrapped_message;
use crate::text::{explanation_text, Ink, Style};
use crate::verdict_word::{faultless_word, CHANGED, NO_LIMITS};
use crate::visible::{one_line, visible};
use crate::Styles;
use base::counted::{counted, grouped};
use metrics::{MetricKind, MetricValue};
use records::summary::{short_commit, Number};
use verdict::sides::{
    ComparisonOutcome, ComparisonReport, JudgedLimit, ReportRow, ReportSide, RowCounts, RowMetric,
    PREVIOUS,
};
use verdict::{Difference, RowClass, Trend};

/// The most causes below a row.
const MOST_CAUSES: usize = 5;

/// Headings of the classes, in the order of reports.
const CLASSES: [(RowClass, &str, Ink); 13] = [
    (RowClass::Failed, "Failed", Ink::Worse),
    (RowClass::Regressed, "Regressed", Ink::Worse),
    (RowClass::Improved, "Improved", Ink::Better),
    (RowClass::Accepted, "Accepted", Ink::Title),
    (RowClass::NotJudged, "Not judged", Ink::Title),
    (RowClass::NotDeterministic, "Not deterministic", Ink::Title),
    (
        RowClass::ChangedOutsideOwnCode,
        "Changed outside own code: not judged",
        Ink::Title,
    ),
    (RowClass::Changed, "Changed within limits", Ink::Strong),
    (RowClass::Noise, "Noise", Ink::Faint),
    (RowClass::New, "New", Ink::Strong),
    (RowClass::NotCompared, "Not compared", Ink::Strong),
    (RowClass::Gone, "Gone", Ink::Strong),
    (RowClass::NotRun, "Not run", Ink::Strong),
];

/// Writes the report, whose judgement had these options.
pub(super) fn write(
    report: &ComparisonReport,
    options: &[String],
    styles: Styles,
    out: &mut dyn Write,
) -> io::Result<()> {
    let style = styles.out;
    head(report, style, out)?;
    let columns = TableColumns::of(report, styles.columns());
    write!(out, "{}", columns.heads(report, style))?;
    for (class, title, ink) in CLASSES {
        let rows: Vec<&ReportRow> = report
            .rows
            .iter()
            .filter(|row| row.class == class)
            .collect();
        if rows.is_empty() {
            continue;
        }
        let title = class_title(class, title, report);
        writeln!(
            out,
            "{} ({})",
            style.paint(ink, title),
            grouped(rows.len() as u64)
        )?;
        for row in rows {
            columns.write(row, style, out)?;
        }
    }
    if report.counts.same > 0 {
        writeln!(out, "{} unchanged", report.counts.same)?;
    }
    end(report, options, styles, out)
}

/// Both sides, the differences between them, and the limits.
fn head(report: &ComparisonReport, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if let Some(old) = &report.old {
        writeln!(out, "old  {}", side(old))?;
    }
    writeln!(out, "new  {}", side(&report.new))?;
    for difference in &report.differences {
        writeln!(
            out,
            "{}: {} {} | {} ({}): {}",
            style.paint(Ink::Title, "differs"),
            one_line(&difference.fact),
            one_line(&difference.old),
            one_line(&difference.new),
            counted(difference.benchmarks, "benchmark"),
            one_line(&difference.meaning)
        )?;
    }
    for headline in &report.headlines {
        writeln!(out, "{}", one_line(headline))?;
    }
    let limits: Vec<String> = report.limits.iter().map(limit_of_metric).collect();
    match limits.is_empty() {
        true => writeln!(out, "no limits: nothing is judged")?,
        false => writeln!(out, "limits: {}", limits.join(", "))?,
    }
    writeln!(out)
}

/// `Instructions`; with the unit of a time, as in rows of a run: `Time [ns]`.
fn label(metric: &RowMetric) -> String {
    match &metric.unit {
        Some(unit) => format!("{} [{unit}]", metric.label),
        None => metric.label.clone(),
    }
}

/// `3e3457e  main  2026-11-20   17 benchmarks   main.jsonl`
fn side(side: &ReportSide) -> String {
    let commit = side.commit.as_deref().map(short_commit);
    let dirty = side.dirty.unwrap_or_default().then(|| "dirty".to_owned());
    let day = side.committed_at.as_ref().or(side.measured_at.as_ref());
    let day = day.map(|time| time.chars().take(10).collect::<String>());
    let parts = [commit, dirty, side.branch.clone(), day];
    let parts = parts.into_iter().flatten();
    let benchmarks = counted(side.benchmarks, "benchmark");
    let all = parts.chain([benchmarks, side.names().join(" ")]);
    let all: Vec<String> = all.map(|part| one_line(&part).into_owned()).collect();
    all.join("  ")
}

/// Reasons of a failed comparison, notes, and the last line.
fn end(
    report: &ComparisonReport,
    options: &[String],
    styles: Styles,
    out: &mut dyn Write,
) -> io::Result<()> {
    let style = styles.out;
    // In logs and files a line is found as a whole.
    let fitted = |line: String| match styles.terminal_width() {
        Some(width) => wrapped_message(&line, width),
        None => line,
    };
    for (ink, word, texts) in [
        (Ink::Info, "note", &report.notes),
        (Ink::Error, "error", &report.errors),
    ] {
        for text in texts {
            let line = format!("{}: {}", style.paint(ink, word), one_line(text));
            writeln!(out, "{}", fitted(line))?;
        }
    }
    let (ink, outcome) = match report.outcome {
        ComparisonOutcome::Ok if report.rows.iter().any(is_worse) => (Ink::Strong, CHANGED),
        // Green only where something was compared.
        ComparisonOutcome::Ok if report.counts.compared > 0 => {
            (Ink::Better, faultless(&report.counts))
        }
        // Whether there is a side before this one, the report of one alone does not know.
        ComparisonOutcome::Ok if report.old.is_none() => (Ink::Title, "Nothing compared"),
        ComparisonOutcome::Ok => (Ink::Title, faultless(&report.counts)),
        ComparisonOutcome::Regressed => (Ink::Worse, "Regressed"),
        ComparisonOutcome::Failed => (Ink::Worse, "Failed"),
        ComparisonOutcome::Incomplete => (Ink::Title, "Incomplete"),
        ComparisonOutcome::NotComparable => (Ink::Title, "Not comparable"),
        ComparisonOutcome::NoBase => (Ink::Title, "No base"),
    };
    let (outcome, counts) = (style.paint(ink, outcome), counts(report));
    let line = format!("\nIai-Callgrind result: {outcome}. {counts}");
    writeln!(out, "{}", fitted(line))?;
    if report.outcome == ComparisonOutcome::Incomplete {
        let hint = match report.counts.share_nothing() {
            true => "the two sides have no benchmark in common: are they results of one project?",
            false => "were they removed? `--allow-missing` goes without them",
        };
        writeln!(out, "  hint: {hint}")?;
    }
    match &report.old {
        Some(_) if report.limits.is_empty() && report.counts.changed > 0 => {
            out.write_all(NO_LIMITS.as_bytes())
        }
        // No argument names the run before.
        Some(old) if report.counts.regressed > 0 && !old.inputs.iter().any(|it| it == PREVIOUS) => {
            // Without the limits there may be nothing to accept.
            let words = old.inputs.iter().chain(&report.new.inputs).chain(options);
            let words = shlex::try_join(words.map(String::as_str)).unwrap_or_default();
            let words = one_line(&words);
            writeln!(
                out,
                "  hint: intended? `iai-callgrind-runner accept {words}`"
            )
        }
        _ => Ok(()),
    }
}

/// Is it a change for the worse, which no limit forbids?
fn is_worse(row: &ReportRow) -> bool {
    let trend = || {
        let metric = row.metric.as_ref()?;
        let tool = row.tool.as_deref()?.parse().ok()?;
        let kind = MetricKind::named(tool, &metric.kind)?;
        let [new, old] = [metric.new?, metric.old?].map(MetricValue::from);
        Difference::between(new, old).trend(kind.direction())
    };
    row.class == RowClass::Changed && trend() == Some(Trend::Worse)
}

/// The word for a comparison without a fault.
fn faultless(counts: &RowCounts) -> &'static str {
    faultless_word(counts.compared, counts.not_compared, counts.new)
}

/// `17 compared; 2 regressed; 0 improved; 5 changed; 10 unchanged; 1 new`, and of one side
/// `18 benchmarks; 1 failed`.
fn counts(report: &ComparisonReport) -> String {
    let counts = &report.counts;
    let has_both = report.old.is_some();
    let always = [
        (counts.regressed, RowClass::Regressed),
        (counts.improved, RowClass::Improved),
        (counts.changed, RowClass::Changed),
        (counts.same, RowClass::Same),
    ];
    let sometimes = [
        (counts.failed, RowClass::Failed),
        (counts.accepted, RowClass::Accepted),
        (counts.not_judged, RowClass::NotJudged),
        (counts.not_deterministic, RowClass::NotDeterministic),
        (
            counts.changed_outside_own_code,
            RowClass::ChangedOutsideOwnCode,
        ),
        (counts.noise, RowClass::Noise),
        (if has_both { counts.new } else { 0 }, RowClass::New),
        (counts.not_compared, RowClass::NotCompared),
        (counts.gone, RowClass::Gone),
        (counts.not_run, RowClass::NotRun),
    ];
    let sometimes = sometimes.into_iter().filter(|(count, _)| *count > 0);
    let always = always.into_iter().filter(|_| has_both);
    let all = always.chain(sometimes);
    let all = all.map(|(count, class)| format!("{} {}", grouped(count), class_words(class)));
    let first = match has_both {
        true => format!("{} compared", grouped(counts.compared)),
        false => counted(report.new.benchmarks, "benchmark"),
    };
    let all: Vec<String> = std::iter::once(first).chain(all).collect();
    all.join("; ")
}

/// The columns of rows, aligned over all classes.
struct TableColumns {
    name: usize,
    label: usize,
    value: usize,
    /// Width of the terminal.
    width: usize,
    has_labels: bool,
    has_targets: bool,
}

/// The columns of the change.
const PERCENT: usize = 10;

impl TableColumns {
    fn of(report: &ComparisonReport, width: usize) -> Self {
        let listed = || report.rows.iter().filter(|row| row.class != RowClass::Same);
        let several = |part: fn(&ReportRow) -> &Option<String>| {
            let first = report.rows.first().map(part);
            report.rows.iter().any(|row| Some(part(row)) != first)
        };
        let mut columns = Self {
            name: 0,
            label: 0,
            value: 10,
            width,
            has_labels: several(|row| &row.label),
            has_targets: several(|row| &row.target),
        };
        let chars = |text: &str| text.chars().count();
        let metrics = || listed().filter_map(|row| row.metric.as_ref());
        columns.label = metrics()
            .map(|metric| chars(&label(metric)))
            .max()
            .unwrap_or(0);
        let values = metrics().flat_map(|metric| [metric.old, metric.new]);
        let values = values.flatten().map(|value| chars(&numbers::number(value)));
        columns.value = values.max().unwrap_or(0).max(columns.value);
        // Indent, three gaps, the figures, and a limit behind them.
        let rest = 2 + columns.label + 2 * columns.value + PERCENT + 8 + 7;
        let names = listed()
            .map(|row| chars(&columns.name(row)))
            .max()
            .unwrap_or(0);
        // A name that is longer has a line of its own, above its figures.
        columns.name = names.min(width.saturating_sub(rest));
        columns
    }

    /// `                  old         new      change`: rows of a run have the new count first.
    fn heads(&self, report: &ComparisonReport, style: Style) -> String {
        // A new benchmark and one that is gone have one count, and the title says of which side.
        let has_both = |row: &ReportRow| {
            let metric = row.metric.as_ref();
            row.class != RowClass::Same
                && metric.is_some_and(|it| it.old.is_some() && it.new.is_some())
        };
        if !report.rows.iter().any(has_both) {
            return String::new();
        }
        let (before, value) = (2 + self.name + 2 + self.label, self.value);
        let heads = format!(
            "{:before$}  {:>value$}  {:>value$}  {:>PERCENT$}",
            "", "old", "new", "change"
        );
        style.paint(Ink::Faint, &heads) + "\n"
    }

    /// `exp1 app::g::json_write::n_0`
    fn name(&self, row: &ReportRow) -> String {
        let label = row.label.as_deref().filter(|_| self.has_labels);
        let target = row.target.as_deref().filter(|_| self.has_targets);
        let parts = [label, target, Some(&*row.package), Some(&*row.path)];
        let parts: Vec<_> = parts.into_iter().flatten().map(one_line).collect();
        parts.join(" ")
    }

    fn write(&self, row: &ReportRow, style: Style, out: &mut dyn Write) -> io::Result<()> {
        let name = self.name(row);
        let Some(figures) = self.figures(row, style) else {
            writeln!(out, "  {name}")?;
            for remark in &row.remarks {
                writeln!(out, "      {}", one_line(remark))?;
            }
            return failure(row, out);
        };
        match name.chars().count() <= self.name {
            true => writeln!(out, "  {name:<width$}  {figures}", width = self.name)?,
            false => writeln!(
                out,
                "  {name}\n  {:width$}  {figures}",
                "",
                width = self.name
            )?,
        }
        for remark in &row.remarks {
            writeln!(out, "      {}", one_line(remark))?;
        }
        if let Some(explanation) = &row.explanation {
            let text = explanation_text(explanation, self.width, Some(MOST_CAUSES), style);
            write!(out, "{}", visible(&text))?;
        }
        // What causes need stands below all rows, since it is the same for most.
        Ok(())
    }

    /// `Instructions     15,005     16,387     +9.21%  > +5%`; where own code is judged, its change
    /// and the limit stand behind the totals: `own 2,471 | 2,600     +5.22%  > +5%`.
    fn figures(&self, row: &ReportRow, style: Style) -> Option<String> {
        let metric = row.metric.as_ref()?;
        let value = |value: Option<Number>| value.map(numbers::number).unwrap_or_default();
        let ink = match row.class {
            RowClass::Regressed => Ink::Worse,
            RowClass::Improved => Ink::Better,
            _ => Ink::Strong,
        };
        let percent = match (metric.diff_pct, metric.old, metric.new) {
            (Some(percent), ..) => numbers::percent(percent),
            // JSON has no infinity: a change from 0 has both values, and no percentage.
            (None, Some(_), Some(_)) => "+inf%".to_owned(),
            _ => String::new(),
        };
        // Only what was judged has a colour.
        let percent = format!("{percent:>PERCENT$}");
        let percent = match row.own.is_some() || percent.trim().is_empty() {
            true => percent,
            false => style.paint(ink, &percent).to_string(),
        };
        let mut line = format!(
            "{:<label$}  {:>width$}  {:>width$}  {percent}",
            one_line(&label(metric)),
            value(metric.old),
            value(metric.new),
            label = self.label,
            width = self.value,
        );
        if let Some(own) = row.own {
            let change = match own.diff_pct {
                _ if own.old == own.new => "same".to_owned(),
                Some(percent) => numbers::percent(percent),
                None => "+inf%".to_owned(),
            };
            let change = style.paint(ink, &change);
            let [old, new] = [own.old, own.new].map(grouped);
            line += &format!("  own {old} | {new}  {change}");
        }
        if matches!(
            row.class,
            RowClass::Regressed | RowClass::NotJudged | RowClass::Accepted
        ) {
            let limit = row.limit.as_ref().filter(|limit| is_beyond(row, limit));
            line += &limit.map(exceeded).unwrap_or_default();
        }
        Some(line.trim_end().to_owned())
    }
}

/// The first line of the reason.
fn failure(row: &ReportRow, out: &mut dyn Write) -> io::Result<()> {
    let Some(failure) = &row.failure else {
        return Ok(());
    };
    let tool = row
        .tool
        .as_deref()
        .map(|tool| format!("{}: ", one_line(tool)));
    let message = failure.message.lines().next().unwrap_or_default();
    writeln!(
        out,
        "      {}{}",
        tool.unwrap_or_default(),
        one_line(message)
    )
}

/// Is the change in the direction of the limit? The same code elsewhere is not judged if it counts
/// less, either.
fn is_beyond(row: &ReportRow, limit: &JudgedLimit) -> bool {
    match limit {
        JudgedLimit::Soft { limit, .. } => {
            let change = row.judged_pct();
            change.is_none_or(|change| change.is_sign_negative() == limit.is_sign_negative())
        }
        JudgedLimit::Hard { .. } => true,
    }
}

/// `  > +5%`
fn exceeded(limit: &JudgedLimit) -> String {
    match limit {
        JudgedLimit::Soft { limit, .. } => {
            let sign = if limit.is_sign_negative() { '<' } else { '>' };
            format!("  {sign} {limit:+}%")
        }
        JudgedLimit::Hard { limit, .. } => format!("  beyond {}", numbers::number(*limit)),
    }
}

/// `Instructions +5%`
fn limit_of_metric(limit: &JudgedLimit) -> String {
    match limit {
        JudgedLimit::Soft { label, limit, .. } => format!("{} {limit:+}%", one_line(label)),
        JudgedLimit::Hard { label, limit, .. } => {
            format!("{} {}", one_line(label), numbers::number(*limit))
        }
    }
}
