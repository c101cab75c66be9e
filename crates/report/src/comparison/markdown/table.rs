//! Tables of rows.

use super::super::super::markdown::{code, escaped};
use super::super::words::{class_words, first_line, RowNames};
use super::page::PageSection;
use crate::numbers;
use base::counted::grouped;
use records::summary::Number;
use verdict::sides::{ComparisonReport, JudgedLimit, ReportRow};
use verdict::RowClass;

/// The table of the rows of these classes.
pub(super) fn table(report: &ComparisonReport, classes: &[RowClass]) -> PageSection {
    let names = RowNames::of(report);
    let rows = report
        .rows
        .iter()
        .filter(|row| classes.contains(&row.class));
    PageSection {
        before: "| | benchmark | metric | old | new | change |\n\
            | --- | --- | --- | ---: | ---: | ---: |\n"
            .to_owned(),
        after: "\n".to_owned(),
        left_out: |number| format!("| | and {number} more | | | | |\n"),
        ..PageSection::of_rows(rows, |row| line(row, &names.name(row)))
    }
}

fn line(row: &ReportRow, name: &str) -> String {
    let class = class_words(row.class);
    let class = match is_bad(row.class) {
        true => format!("**{class}**"),
        false => class.to_owned(),
    };
    let mut benchmark = code(name);
    for remark in &row.remarks {
        benchmark += &format!("<br>{}", escaped(remark));
    }
    let [metric, old, new] = figures(row);
    let change = change(row);
    format!("| {class} | {benchmark} | {metric} | {old} | {new} | {change} |\n")
}

fn figures(row: &ReportRow) -> [String; 3] {
    let Some(metric) = &row.metric else {
        let tool = row.tool.as_deref().map(escaped);
        return [tool.unwrap_or_default(), String::new(), String::new()];
    };
    let unit = metric
        .unit
        .as_deref()
        .map(|unit| format!(" {}", escaped(unit)));
    let unit = unit.unwrap_or_default();
    let figure = |value: Option<Number>| {
        let text = value.map(|value| numbers::number(value) + &unit);
        text.unwrap_or_default()
    };
    [
        escaped(&metric.label),
        figure(metric.old),
        figure(metric.new),
    ]
}

/// The change, the exceeded limit where it is no percentage, and own code where it is judged.
fn change(row: &ReportRow) -> String {
    if let Some(failure) = &row.failure {
        return code(first_line(&failure.message));
    }
    let Some(metric) = &row.metric else {
        return String::new();
    };
    let mut change = match (metric.old, metric.new, metric.diff_pct) {
        (_, _, Some(percent)) => numbers::percent(percent),
        // From 0 to 0 there is no percentage, and no change.
        (Some(old), Some(new), None) if old == new => String::new(),
        (Some(_), Some(_), None) => "+∞".to_owned(),
        _ => String::new(),
    };
    // Where own code is judged, its change is the one that counts.
    if is_bad(row.class) && row.own.is_none() && !change.is_empty() {
        change = format!("**{change}**");
    }
    if let (RowClass::Regressed, Some(JudgedLimit::Hard { limit, .. })) = (row.class, &row.limit) {
        change += &format!(" limit {}", numbers::number(*limit));
    }
    if let Some(own) = row.own {
        let judged = own
            .diff_pct
            .filter(|_| own.old != own.new)
            .map(numbers::percent);
        let judged = match judged {
            Some(judged) if is_bad(row.class) => format!(" **{judged}**"),
            Some(judged) => format!(" {judged}"),
            None => String::new(),
        };
        change += &format!(
            "<br>own code {} → {}{judged}",
            grouped(own.old),
            grouped(own.new)
        );
    }
    change
}

fn is_bad(class: RowClass) -> bool {
    matches!(class, RowClass::Failed | RowClass::Regressed)
}
