//! A report on two sides for tests, written by hand: each class of row, and a benchmark whose names
//! and texts hold what would break out of a format.

use super::{
    ComparisonOutcome, ComparisonReport, JudgedLimit, ReportRow, ReportSide, RowCounts, RowFailure,
    RowFunction, RowMetric, SideDifference, VERSION,
};
use crate::{OwnCounts, RowClass};
use explain::{
    ExplainedRow, ExplainedRow::One, Explanation, ExplanationBasis, FunctionDifference,
    OriginDifference, SourceOrigin,
};
use records::summary::{Number, Reason, System};

/// Characters that would end a cell, a line, a command, a comment, a text, an element or a block of
/// code if a format did not escape them.
pub const HOSTILE: &str = "a|b`c``d\r\n::error::e%0A,f:g\n-->\n```\n<b>&amp;\"'\\\u{202e}\u{1}]]>\n| x |\t@me \u{fffe}\n##[error]h";

/// The report.
pub fn report() -> ComparisonReport {
    let rows = rows();
    let mut report = ComparisonReport {
        version: VERSION,
        outcome: ComparisonOutcome::Failed,
        exit_code: 1,
        old: Some(side("3e3457e0", "main", "main.jsonl", 17)),
        new: side("f3ab7bb0", "pr/json", "target/iai", 18),
        limits: vec![soft(5.0)],
        differences: vec![SideDifference {
            fact: "C library".into(),
            old: "glibc 2.36".into(),
            new: "glibc 2.41".into(),
            benchmarks: 17,
            meaning: "instructions are judged on own code".into(),
        }],
        counts: RowCounts::default(),
        rows,
        headlines: Vec::new(),
        notes: vec![
            "2 results of another commit are left out".into(),
            NO_CAUSES.into(),
        ],
        errors: Vec::new(),
    };
    count(&mut report);
    report
}

/// A report whose texts are all [`HOSTILE`].
pub fn hostile() -> ComparisonReport {
    with_texts(HOSTILE)
}

/// A report whose texts are all this one.
pub fn with_texts(text: &str) -> ComparisonReport {
    let mut report = report();
    let text = || text.to_owned();
    for row in &mut report.rows {
        let path = row.path.clone() + &text();
        (row.label, row.target) = (Some(text()), Some(text()));
        (row.package, row.file) = (text(), text());
        row.headline = Some(path.clone());
        row.path = path;
        row.source_file = Some(text());
        row.remarks = vec![text()];
        row.no_causes = row.no_causes.as_ref().map(|_| text());
        for function in &mut row.functions {
            function.name = text();
        }
        if let Some(failure) = &mut row.failure {
            failure.message = text();
        }
        if let Some(metric) = &mut row.metric {
            metric.label = text();
        }
    }
    (report.headlines, report.notes, report.errors) = (vec![text()], vec![text()], vec![text()]);
    for side in [report.old.as_mut(), Some(&mut report.new)]
        .into_iter()
        .flatten()
    {
        (side.commit, side.branch) = (Some(text()), Some(text()));
        (side.inputs, side.valgrinds) = (vec![text()], vec![text()]);
        side.systems[0].rustc = Some(text());
    }
    for difference in &mut report.differences {
        (difference.fact, difference.old, difference.new) = (text(), text(), text());
        difference.meaning = text();
    }
    report
}

/// A report with this number of rows of a class.
pub fn many(class: RowClass, number: usize) -> ComparisonReport {
    let mut report = report();
    let rows = (0..number).map(|index| {
        let mut row = row(class, &format!("app::g::many::n_{index}"));
        row.metric = Some(metric("Ir", "Instructions", Some(1000), Some(2000)));
        row.functions = functions();
        row
    });
    report.rows = rows.collect();
    count(&mut report);
    report
}

/// A row without a metric.
pub fn row(class: RowClass, path: &str) -> ReportRow {
    ReportRow {
        class,
        label: None,
        target: Some("x86_64-unknown-linux-gnu".into()),
        package: "exp1".into(),
        file: "app".into(),
        path: path.into(),
        headline: None,
        source_file: Some("benches/app.rs".into()),
        line: Some(31),
        tool: Some("callgrind".into()),
        metric: None,
        limit: None,
        own: None,
        new_own: None,
        failure: None,
        remarks: Vec::new(),
        functions: Vec::new(),
        explanation: None,
        no_causes: None,
        duration_ns: Some(13_456_789),
    }
}

/// A metric with counts.
pub fn metric(kind: &str, label: &str, old: Option<u64>, new: Option<u64>) -> RowMetric {
    let change = |(old, new): (u64, u64)| (new as f64 - old as f64) / old as f64 * 100.0;
    let diff_pct = old.zip(new).filter(|(old, _)| *old > 0).map(change);
    RowMetric {
        kind: kind.into(),
        label: label.into(),
        unit: None,
        old: old.map(Number::Count),
        new: new.map(Number::Count),
        diff_pct,
    }
}

fn soft(limit: f64) -> JudgedLimit {
    JudgedLimit::Soft {
        tool: "callgrind".into(),
        kind: "Ir".into(),
        label: "Instructions".into(),
        limit,
    }
}

fn rows() -> Vec<ReportRow> {
    let instructions = |class, path: &str, old: u64, new: u64| {
        let mut row = row(class, path);
        let side = |count| Some(count).filter(|count| *count > 0);
        row.metric = Some(metric("Ir", "Instructions", side(old), side(new)));
        row.limit = Some(soft(5.0));
        row
    };
    let mut failed = row(RowClass::Failed, "app::g::parse::broken");
    failed.failure = Some(RowFailure {
        reason: Reason::Ended,
        message: "ended with signal 11 (SIGSEGV)\n  log: callgrind.log".into(),
    });
    let mut first = instructions(
        RowClass::Regressed,
        "app::g::memchr_lines::n_1",
        3715,
        59_692,
    );
    first.headline = Some("app::g::memchr_lines n_1:lines(1)".into());
    first.functions = functions();
    first.no_causes = Some(NO_CAUSES.into());
    let mut second = instructions(
        RowClass::Regressed,
        "app::g::json_write::n_0",
        15_005,
        16_387,
    );
    second.own = Some(OwnCounts::new(12_000, 13_762));
    second.new_own = Some(13_762);
    second.explanation = Some(Box::new(explanation()));
    let mut bytes = row(RowClass::Regressed, "app::g::json_write::n_0");
    bytes.tool = Some("dhat".into());
    bytes.metric = Some(metric("TotalBytes", "Total bytes", Some(0), Some(4096)));
    bytes.limit = Some(JudgedLimit::Hard {
        tool: "dhat".into(),
        kind: "TotalBytes".into(),
        label: "Total bytes".into(),
        limit: Number::Count(1024),
    });
    let mut rate = row(RowClass::Changed, "app::g::upper::n_1");
    rate.metric = Some(RowMetric {
        old: Some(Number::Rate(98.5)),
        new: Some(Number::Rate(99.25)),
        diff_pct: Some(0.761),
        ..metric("L1HitRate", "L1 Hit Rate", None, None)
    });
    let mut renamed = instructions(RowClass::New, "app::g::upper::n_0", 0, 934);
    renamed.remarks = vec!["same counts as app::g::lower::n_0: renamed?".into()];
    let mut outside = instructions(
        RowClass::ChangedOutsideOwnCode,
        "app::g::boxes::n_2",
        19_635,
        21_050,
    );
    outside.own = Some(OwnCounts::new(2471, 2471));
    vec![
        failed,
        first,
        second,
        bytes,
        instructions(RowClass::Improved, "app::g::lower::n_1", 2000, 1000),
        instructions(RowClass::Accepted, "app::g::boxes::n_1", 1000, 1100),
        instructions(RowClass::NotJudged, "app::g::boxes::n_0", 19_635, 21_050),
        instructions(RowClass::NotDeterministic, "app::g::map::n_0", 900, 901),
        outside,
        instructions(
            RowClass::Changed,
            "app::g::json_write::n_1",
            297_807,
            304_714,
        ),
        rate,
        renamed,
        instructions(RowClass::Gone, "app::g::lower::n_0", 934, 0),
        row(RowClass::NotRun, "app::g::slow"),
        instructions(RowClass::Same, "app::g::strlen::n_0", 66, 66),
    ]
}

/// Why a row of a report has no causes.
const NO_CAUSES: &str = "causes need digests: the old result has none";

fn functions() -> Vec<RowFunction> {
    let function = |diff, name: &str, origin| RowFunction {
        diff,
        name: name.into(),
        origin,
    };
    vec![
        function(59_669, "app::memchr_lines", SourceOrigin::User),
        function(-3347, "memchr::find_avx2", SourceOrigin::Package),
    ]
}

fn explanation() -> Explanation {
    let function = |function: &str, old: u64, new: u64| {
        One(FunctionDifference {
            function: function.into(),
            file: None,
            origin: SourceOrigin::System,
            old,
            new,
            diff: new as i64 - old as i64,
        })
    };
    Explanation {
        metric: "Ir".into(),
        label: "Instructions".into(),
        old: 15_005,
        new: 16_387,
        diff: 1382,
        basis: ExplanationBasis::Functions,
        origins: vec![OriginDifference {
            origin: SourceOrigin::System,
            name: "libc.so.6".into(),
            diff: 1382,
        }],
        causes: Vec::new(),
        functions: vec![
            function("realloc", 100, 1400),
            ExplainedRow::Rest { rest: 2, diff: 82 },
        ],
        stories: Vec::new(),
        notes: Vec::new(),
        allocations: None,
    }
}

fn side(commit: &str, branch: &str, input: &str, benchmarks: u64) -> ReportSide {
    ReportSide {
        name: None,
        inputs: vec![input.into()],
        commit: Some(format!("{commit}00112233445566778899aabbccddeeff")),
        committed_at: Some("2026-11-20T10:11:12Z".into()),
        branch: Some(branch.into()),
        dirty: Some(false),
        measured_at: None,
        benchmarks,
        systems: vec![System {
            target: Some("x86_64-unknown-linux-gnu".into()),
            rustc: Some("1.95.0 (0123456789 2026-04-14)".into()),
            libc: Some("glibc 2.36".into()),
            ..System::default()
        }],
        valgrinds: vec!["3.19.0".into()],
    }
}

fn count(report: &mut ComparisonReport) {
    let mut counts = RowCounts::default();
    for row in &report.rows {
        counts.add(row);
    }
    report.counts = counts;
}
