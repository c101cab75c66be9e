//! Lines for the file of accepted counts that would accept the regressions, ready to be copied.

use std::collections::BTreeMap;

use super::page::PageSection;
use verdict::accepted::{
    benchmark_lines, AcceptedBenchmark, AcceptedCount, AcceptedName, FILE_NAME,
};
use verdict::sides::{ComparisonReport, ReportRow};
use verdict::RowClass;

/// The lines, below a title that names their place in the file.
pub(super) fn section(report: &ComparisonReport) -> PageSection {
    let mut benchmarks: BTreeMap<AcceptedName, AcceptedBenchmark> = BTreeMap::new();
    let libc = libc(report);
    let rows = report.rows.iter();
    for row in rows.filter(|row| row.class == RowClass::Regressed) {
        let Some(count) = count(row) else { continue };
        let (target, label) = (row.target.as_deref(), row.label.as_deref());
        let name = AcceptedName::new(target, label, &row.package, &row.path);
        let benchmark = benchmarks.entry(name).or_default();
        benchmark.own = benchmark.own.or(row.new_own);
        // With `libc` and without `own` a line accepts nothing where the C library is another one.
        if benchmark.own.is_some() {
            benchmark.libc = libc.map(str::to_owned);
        }
        benchmark.set(count);
    }
    let lines = benchmark_lines(&benchmarks).into_iter();
    PageSection {
        before: format!(
            "<details><summary>Wanted? Add these lines to <code>{FILE_NAME}</code></summary>\n\n```toml\n"
        ),
        left_out: |number| format!("# and {number} more lines\n"),
        after: "```\n</details>\n".to_owned(),
        ..PageSection::of_rows(lines, |line| line + "\n")
    }
}

/// The C library of all results of the new side. `None`: there are several, or none is known.
fn libc(report: &ComparisonReport) -> Option<&str> {
    let mut all = report.new.systems.iter().map(|system| &system.libc);
    let first = all.next()?.as_deref()?;
    all.all(|libc| libc.as_deref() == Some(first))
        .then_some(first)
}

fn count(row: &ReportRow) -> Option<AcceptedCount> {
    let metric = row.metric.as_ref()?;
    Some(AcceptedCount {
        tool: row.tool.as_deref()?.parse().ok()?,
        kind: metric.kind.clone(),
        count: metric.new?,
    })
}
