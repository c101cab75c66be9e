//! Pages as browsers read them: by a parser of HTML, and by the data in their elements.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{parse_document, ParseOpts};
use iai_callgrind::protocol::EventKind;
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use serde_json::{json, Value};

use super::super::visible::visible;
use super::texts::rounded;
use super::{write_within, PageBounds, PageSources};
use crate::kept_digests::{BenchmarkDetails, DetailSource, WantedDetails};
use crate::numbers;
use crate::pictures::{
    LibraryPictures, PicturedCase, PicturedFunction, PicturedGroup, Ranking, SizeKind, SizedCosts,
};
use crate::text::wall_time;
use explain::sample::digest;
use explain::{self, ComparedDigests, FunctionLines, FunctionPairs, LineCosts, LineDifference};
use flamegraph::merged_tree;
use records::summary::RecordedTime;
use records::BenchmarkIdentity;
use time::TimeClass;
use verdict::sides::sample::{self, HOSTILE};
use verdict::sides::{ComparisonReport, PairedSideTimes, ReportRow};
use verdict::{MeasuredGrowth, RowClass, SizedCount};

/// A page, parsed.
struct Page {
    text: String,
    dom: RcDom,
}

impl Page {
    /// The page of a report, which has no mistake.
    #[track_caller]
    fn of(report: &ComparisonReport, sources: &PageSources) -> Self {
        Self::within(report, sources, PageBounds::default())
    }

    #[track_caller]
    fn within(report: &ComparisonReport, sources: &PageSources, bounds: PageBounds) -> Self {
        let mut out = Vec::new();
        write_within(report, sources, bounds, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let options = ParseOpts {
            tree_builder: TreeBuilderOpts {
                // The parser would make elements of what it is without scripts.
                scripting_enabled: false,
                exact_errors: true,
                ..TreeBuilderOpts::default()
            },
            ..ParseOpts::default()
        };
        let dom = parse_document(RcDom::default(), options).one(text.as_str());
        let errors: RefCell<Vec<_>> = dom.errors.clone();
        assert!(errors.borrow().is_empty(), "{:?}", errors.borrow());
        Self { text, dom }
    }

    fn elements(&self, name: &str) -> Vec<Handle> {
        elements(&self.dom.document, name)
    }

    /// Texts of the cells of each row of the index.
    fn rows(&self) -> Vec<Vec<String>> {
        let bodies = self.elements("tbody");
        let rows = bodies.iter().flat_map(|body| elements(body, "tr"));
        let cells = |row: Handle| elements(&row, "td").iter().map(content).collect();
        rows.map(cells).collect()
    }

    fn script(&self, id: &str) -> Option<String> {
        let scripts = self.elements("script").into_iter();
        let mut scripts = scripts.filter(|script| attribute(script, "id").as_deref() == Some(id));
        scripts.next().map(|script| content(&script))
    }

    fn index(&self) -> Value {
        serde_json::from_str(&self.script("index").unwrap()).unwrap()
    }

    /// The details of a benchmark, as a browser inflates them.
    fn details(&self, place: usize) -> Option<Value> {
        let text = self.script(&format!("d{place}"))?;
        let bytes = miniz_oxide::inflate::decompress_to_vec(&decoded(&text)).unwrap();
        Some(serde_json::from_slice(&bytes).unwrap())
    }
}

fn elements(node: &Handle, name: &str) -> Vec<Handle> {
    let mut found = Vec::new();
    let mut open = vec![Rc::clone(node)];
    while let Some(node) = open.pop() {
        if let NodeData::Element { name: known, .. } = &node.data {
            if &*known.local == name {
                found.push(Rc::clone(&node));
            }
        }
        open.extend(node.children.borrow().iter().rev().cloned());
    }
    found
}

fn attribute(node: &Handle, name: &str) -> Option<String> {
    let NodeData::Element { attrs, .. } = &node.data else {
        return None;
    };
    let attrs = attrs.borrow();
    let mut found = attrs.iter().filter(|attr| &*attr.name.local == name);
    found.next().map(|attr| attr.value.to_string())
}

fn content(node: &Handle) -> String {
    match &node.data {
        NodeData::Text { contents } => contents.borrow().to_string(),
        _ => node.children.borrow().iter().map(content).collect(),
    }
}

/// Base64, decoded bit by bit.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => u32::from(byte - b'A'),
        b'a'..=b'z' => u32::from(byte - b'a') + 26,
        b'0'..=b'9' => u32::from(byte - b'0') + 52,
        b'+' => 62,
        b'/' => 63,
        other => panic!("{other}"),
    };
    let text = text.trim_end_matches('=').as_bytes();
    let bytes = text.chunks(4).flat_map(|chunk| {
        let bits = chunk.iter().fold(0, |bits, byte| bits << 6 | digit(*byte));
        let bits = bits << (6 * (4 - chunk.len()));
        let bytes = [bits >> 16, bits >> 8, bits].map(|bits| bits as u8);
        bytes.into_iter().take(chunk.len() - 1)
    });
    bytes.collect()
}

/// Details that a function makes.
struct MadeDetails(fn(&ReportRow) -> BenchmarkDetails);

impl std::fmt::Debug for MadeDetails {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MadeDetails")
    }
}

impl DetailSource for MadeDetails {
    fn details(&self, row: &ReportRow, _: WantedDetails) -> BenchmarkDetails {
        self.0(row)
    }
}

fn with_details(of: fn(&ReportRow) -> BenchmarkDetails) -> PageSources {
    PageSources {
        details: Some(Arc::new(MadeDetails(of))),
        ..PageSources::default()
    }
}

/// The benchmarks of a report with their first rows, in the order of the page.
fn benchmarks(report: &ComparisonReport) -> Vec<&ReportRow> {
    let mut benchmarks: Vec<&ReportRow> = Vec::new();
    for row in &report.rows {
        if !benchmarks.iter().any(|known| known.path == row.path) {
            benchmarks.push(row);
        }
    }
    benchmarks
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let chunks = digits.as_bytes().rchunks(3).rev();
    let chunks: Vec<&str> = chunks
        .map(|chunk| std::str::from_utf8(chunk).unwrap())
        .collect();
    chunks.join(",")
}

#[test]
fn the_index_has_each_benchmark_of_the_report_once_and_needs_no_script() {
    let report = sample::report();
    let page = Page::of(&report, &PageSources::default());
    let rows = page.rows();
    let benchmarks = benchmarks(&report);
    assert_eq!((rows.len(), benchmarks.len()), (14, 14));
    for (cells, row) in rows.iter().zip(&benchmarks) {
        assert_eq!(cells[0], row.path);
        let metric = row.metric.as_ref();
        let new = metric.and_then(|metric| metric.new).map(|new| match new {
            records::summary::Number::Count(count) => grouped(count),
            records::summary::Number::Rate(rate) => format!("{rate:.2}"),
        });
        assert_eq!(cells[3], new.unwrap_or_default());
        // That of own code where it was judged: 12000 -> 13762 of the third row.
        let percent = match row.own {
            Some(own) => own.diff_pct,
            None => metric.and_then(|metric| metric.diff_pct),
        };
        match percent.filter(|percent| *percent != 0.0) {
            Some(percent) => {
                assert_eq!(cells[2], numbers::percent(percent));
            }
            None => assert_eq!(cells[2], ""),
        }
    }
    let line = |place: usize| rows[place].join(" | ");
    assert_eq!(
        line(0),
        "app::g::parse::broken | failed |  |  | ended with signal 11 (SIGSEGV)"
    );
    assert_eq!(
        line(1),
        "app::g::memchr_lines::n_1 | regressed | +1,507% | 59,692 | app::memchr_lines"
    );
    let classes: Vec<&str> = rows.iter().map(|cells| &*cells[1]).collect();
    let expected = [
        "failed",
        "regressed",
        "regressed",
        "improved",
        "accepted",
        "not judged",
        "not deterministic",
        "changed outside own code",
        "changed",
        "changed",
        "new",
        "gone",
        "not run",
        "same",
    ];
    assert_eq!(classes, expected);
    let heads = page.elements("h1");
    assert_eq!(content(&heads[0]), "exp1 3e3457e → f3ab7bb");
    assert_eq!(
        content(&page.elements("title")[0]).trim(),
        "exp1 failed 3e3457e → f3ab7bb"
    );
    let notes: Vec<String> = page.elements("li").iter().map(content).collect();
    assert_eq!(
        notes,
        [
            "C library glibc 2.36 → glibc 2.41 (17 benchmarks): instructions are judged on own code",
            "2 results of another commit are left out",
            "causes need digests: the old result has none",
        ]
    );
}

#[test]
fn the_data_of_the_index_is_that_of_the_report() {
    let report = sample::report();
    let index = Page::of(&report, &PageSources::default()).index();
    assert_eq!(
        (&index["version"], &index["outcome"]),
        (&json!(1), &json!("failed"))
    );
    let metrics = index["metrics"].as_array().unwrap();
    let labels: Vec<&Value> = metrics.iter().map(|metric| &metric["label"]).collect();
    assert_eq!(labels, ["Instructions", "L1 Hit Rate", "Total bytes"]);
    assert_eq!(metrics[1]["better"], "higher");
    let entries = index["benchmarks"].as_array().unwrap();
    for (entry, first) in entries.iter().zip(benchmarks(&report)) {
        let rows = report.rows.iter().filter(|row| row.path == first.path);
        let rows: Vec<&ReportRow> = rows.filter(|row| row.metric.is_some()).collect();
        let values = entry["v"].as_array().unwrap();
        assert_eq!(values.len(), rows.len());
        for (value, row) in values.iter().zip(rows) {
            let metric = row.metric.as_ref().unwrap();
            let place = value[0].as_u64().unwrap() as usize;
            assert_eq!(metrics[place]["kind"], metric.kind.as_str());
            assert_eq!(value[1], json!(metric.old));
            assert_eq!(value[2], json!(metric.new));
            assert_eq!(value[3], json!(row.judged_pct().map(rounded)));
        }
        assert_eq!(entry["d"], true);
    }
    assert_eq!(
        entries[1]["v"],
        json!([[0, 3715, 59692, 1506.78, "regressed", "5%"]])
    );
    assert_eq!(
        entries[2]["v"][0],
        json!([0, 15005, 16387, 14.6833, "regressed", "5%"])
    );
    assert_eq!(index["counts"]["not-deterministic"], 1);
    assert_eq!(index["counts"]["changed-outside-own-code"], 1);
    let counts = index["counts"].as_object().unwrap().values();
    assert_eq!(counts.map(|count| count.as_u64().unwrap()).sum::<u64>(), 14);
}

#[test]
fn nothing_of_others_breaks_out_of_the_page() {
    let report = sample::hostile();
    let page = Page::of(&report, &PageSources::default());
    let plain = Page::of(&sample::report(), &PageSources::default());
    // The same elements, whatever is in them.
    for name in [
        "script", "style", "b", "tr", "td", "button", "a", "img", "h1",
    ] {
        let count = |page: &Page| page.elements(name).len();
        // The lists of notes have more items.
        assert_eq!(count(&page), count(&plain), "{name}");
    }
    let shown = visible(HOSTILE).replace(['\n', '\t'], " ");
    assert!(page
        .rows()
        .iter()
        .all(|cells| cells[0].contains(&shown[..20])));
    for invisible in ['\u{202e}', '\u{1}', '\u{fffe}', '\r'] {
        assert!(!page.text.contains(invisible), "{invisible:?}");
    }
    let index = page.index();
    // A code that is no character is shown as one that stands for it.
    assert_eq!(
        index["notes"][0],
        visible(HOSTILE).replace('\u{fffe}', "\u{fffd}")
    );
    let details = page.details(1).unwrap();
    assert!(details["headline"].as_str().unwrap().contains(&shown[..20]));
}

#[test]
fn places_of_the_template_in_names_stay_names() {
    let mut report = sample::report();
    report.rows[0].path = "a<!--DATA-->b</script><!--SCRIPT--><!--DETAILS--><script>".into();
    report.headlines = vec!["<!--INDEX-->".into()];
    let page = Page::of(&report, &PageSources::default());
    assert_eq!(page.rows()[0][0], report.rows[0].path);
    assert_eq!(content(&page.elements("li")[0]), "<!--INDEX-->");
    assert_eq!(page.index()["headlines"][0], "<!--INDEX-->");
}

/// Details of two builds that differ.
fn two_builds(row: &ReportRow) -> BenchmarkDetails {
    let old = digest(
        "root lab::bench
        own lab::bench:1 = 100
        text lab::bench 1 fn bench() {
        own lab::bench:2 > lab::f:5 = 900
        code lab::bench 9090c3 1,1,1 1,1,2",
    );
    let new = digest(
        "root lab::bench
        own lab::bench:1 = 100
        text lab::bench 1 fn bench() {
        call lab::bench:2 -> lab::f 3 = 4900
        own lab::f:5 = 4900
        code lab::bench 90c3 1,3 1,2",
    );
    let metric = EventKind::Ir;
    let (old, new) = (&old, &new);
    let pairs = FunctionPairs::find(old, new);
    let compared = ComparedDigests::new(old, new, &pairs, metric).unwrap();
    BenchmarkDetails {
        metric: Some(metric),
        explanation: Some(explain::explanation(&compared)),
        frames: Some(merged_tree(old, new, metric, 0.1).unwrap()),
        functions: explain::function_table(&compared),
        lines: explain::line_costs(&compared).functions,
        code: explain::all_instructions(old, new, 100).unwrap(),
        notes: vec![format!("of {}", row.path)],
    }
}

#[test]
fn details_have_the_numbers_of_both_builds() {
    let mut report = sample::report();
    report.rows.truncate(4);
    let page = Page::of(&report, &with_details(two_builds));
    let details = page.details(1).unwrap();
    assert_eq!(details["headline"], "app::g::memchr_lines n_1:lines(1)");
    assert_eq!(details["source"], json!(["benches/app.rs", 31]));
    assert_eq!(
        details["flame"]["nodes"],
        json!([
            [-1, 0, 0, 1000, 5000],
            [0, 1, 0, 1000, 5000],
            [1, 2, 2, 900, 4900],
        ])
    );
    assert_eq!(
        details["flame"]["names"],
        json!(["all", "lab::bench", "lab::f"])
    );
    assert_eq!(
        details["flame"]["files"],
        json!(["", "src/lib.rs", "src/lib.rs"])
    );
    assert_eq!(
        details["functions"],
        json!([
            ["lab::f", "user", 900, 4900, 900, 4900, 0, 3, 0],
            ["lab::bench", "user", 100, 100, 1000, 5000, 1, 1, 0],
        ])
    );
    let lines = &details["lines"][0];
    assert_eq!(
        (&lines["function"], &lines["file"]),
        (&json!("lab::bench"), &json!("src/lib.rs"))
    );
    assert_eq!(
        lines["rows"],
        json!([[1, 100, 100, "fn bench() {"], [2, 900, 4900, ""]])
    );
    assert_eq!(
        details["asm"],
        json!([{"function": "lab::bench", "sides": "both", "rows": [
            [" ", 1, 1, "0", "nop", 1],
            ["-", 1, null, "1", "nop", 1],
            ["~", 1, 3, "1", "ret", 2],
        ]}])
    );
    let expected = two_builds(&report.rows[1]).explanation;
    assert_eq!(details["why"], serde_json::to_value(expected).unwrap());
    assert_eq!(details["left_out"], json!(["of app::g::memchr_lines::n_1"]));
    // Two tools of one benchmark.
    let tools = page.details(2).unwrap()["tools"].clone();
    assert_eq!(
        tools[0]["rows"][0],
        json!({
            "m": 0, "old": 15005, "new": 16387, "pct": 9.21026, "class": "regressed", "limit": "5%",
            "own": [12000, 13762, 14.6833],
        })
    );
    assert_eq!(tools[1]["tool"], "dhat");
    let failure = &page.details(0).unwrap()["failure"];
    assert_eq!(
        *failure,
        "ended with signal 11 (SIGSEGV)\n  log: callgrind.log"
    );
    let cause = &page.rows()[1][4];
    assert!(cause.starts_with("lab::"), "{cause}");
}

#[test]
fn the_same_input_gives_the_same_page() {
    let report = sample::many(RowClass::Regressed, 100);
    let page = || Page::of(&report, &with_details(two_builds)).text;
    assert_eq!(page(), page());
}

#[test]
fn an_index_has_at_most_400_bytes_for_each_benchmark() {
    let empty = Page::of(&sample::many(RowClass::Same, 0), &PageSources::default());
    let page = Page::of(
        &sample::many(RowClass::Regressed, 1000),
        &PageSources::default(),
    );
    let of_index = |page: &Page| {
        let rows = page.text.find("<tbody>").unwrap()..page.text.find("</tbody>").unwrap();
        rows.len() + page.script("index").unwrap().len()
    };
    let each = (of_index(&page) - of_index(&empty)) / 1000;
    assert!((100..=400).contains(&each), "{each}");
}

/// Lines that no compression makes shorter, as many as there is room for about.
fn long_details(row: &ReportRow, lines: u64) -> BenchmarkDetails {
    let mut seed = row.path.bytes().fold(1_u64, |seed, byte| {
        seed.wrapping_mul(31).wrapping_add(u64::from(byte))
    });
    let mut number = || {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        seed >> 20
    };
    let line = |line: u64, text: String| LineDifference {
        old: Some(LineCosts {
            line: line as u32,
            costs: 1,
        }),
        new: None,
        text,
    };
    let function = FunctionLines {
        function: "lab::f".into(),
        file: "src/lib.rs".into(),
        has_texts: true,
        lines: (0..lines)
            .map(|at| line(at, format!("{:x}{:x}", number(), number())))
            .collect(),
    };
    BenchmarkDetails {
        lines: vec![function],
        ..two_builds(row)
    }
}

/// Bounds of a page of `number` benchmarks, a thousandth of those of a thousand for each.
fn small_bounds(of_one: usize, number: usize) -> PageBounds {
    PageBounds {
        of_one,
        // The room for style, scripts and index is no part of it.
        of_page: 300_000 + 450 * number + of_one * number / 2,
        of_details: 0,
    }
}

#[test]
fn details_of_one_benchmark_have_a_bound() {
    let report = sample::many(RowClass::Regressed, 2);
    let sources = with_details(|row| long_details(row, 400));
    let page = Page::within(&report, &sources, small_bounds(4000, 10));
    let text = page.script("d0").unwrap();
    assert!(text.len() <= 4000, "{}", text.len());
    let details = page.details(0).unwrap();
    assert_eq!(details["lines"], json!([]));
    // Less important parts went first, more important ones are there.
    assert_eq!(details["asm"], json!([]));
    assert_eq!(details["functions"].as_array().unwrap().len(), 2);
    let left_out = details["left_out"].as_array().unwrap();
    assert!(left_out.contains(&json!("source")), "{left_out:?}");
    let said = "parts of the details of 2 large benchmarks";
    assert_eq!(page.index()["left_out"], json!([said]));
    assert!(content(&page.elements("header")[0]).contains(said));
    // One that is not large has everything.
    let page = Page::within(&report, &with_details(two_builds), small_bounds(4000, 10));
    assert_eq!(page.index()["left_out"], json!([]));
    assert_eq!(page.details(0).unwrap()["asm"].as_array().unwrap().len(), 1);
}

/// A page of changed and unchanged benchmarks with details of lines, within bounds for fewer.
fn reduced(lines: fn(&ReportRow) -> BenchmarkDetails, of_one: usize) -> Page {
    let mut report = sample::many(RowClass::Regressed, 24);
    let same = sample::many(RowClass::Same, 16).rows.into_iter();
    report.rows.extend(same.map(|mut row| {
        row.path = row.path.replace("many", "other");
        row
    }));
    let page = Page::within(&report, &with_details(lines), small_bounds(of_one, 40));
    let all: usize = (0..40)
        .filter_map(|at| page.script(&format!("d{at}")))
        .map(|text| text.len())
        .sum();
    assert!(all <= of_one * 20, "{all}");
    page
}

#[test]
fn details_of_all_benchmarks_have_a_bound() {
    // Lines are large, so source goes for all; so does assembly, which is read last.
    let page = reduced(|row| long_details(row, 100), 4000);
    assert_eq!(page.index()["left_out"], json!(["assembly", "source"]));
    let details = page.details(3).unwrap();
    assert_eq!(
        (&details["asm"], &details["lines"]),
        (&json!([]), &json!([]))
    );
    assert!(!details["flame"].is_null() && page.details(39).is_some());
    // There is room for some benchmarks only: the first ones, which changed most.
    let page = reduced(two_builds, 700);
    let left_out = page.index()["left_out"].clone();
    let parts = [
        "assembly",
        "source",
        "frames below 0.5 %",
        "details of unchanged benchmarks",
    ];
    assert_eq!(
        left_out.as_array().unwrap()[..4],
        parts.map(|part| json!(part))
    );
    let has: Vec<bool> = (0..40).map(|place| page.details(place).is_some()).collect();
    let shown = page.index()["benchmarks"].clone();
    for (entry, has) in shown.as_array().unwrap().iter().zip(&has) {
        assert_eq!(entry["d"], *has);
    }
    assert!(has[0] && !has[24..].contains(&true), "{has:?}");
}

/// LibraryPictures whose texts all break out of a format.
fn hostile_pictures() -> LibraryPictures {
    let case = |new, old| PicturedCase {
        name: HOSTILE.to_owned(),
        new,
        old,
        allocations: Some(3),
    };
    let point = |size| SizedCount {
        size,
        count: 5 * size,
    };
    let growth = MeasuredGrowth::of([1, 20, 300].map(point).to_vec()).unwrap();
    let function = |growth| PicturedFunction {
        name: HOSTILE.to_owned(),
        growth,
        cases: vec![case(5, Some(4)), case(0, None)],
    };
    let costs = SizedCosts {
        bench: Some(HOSTILE.to_owned()),
        kind: SizeKind::Bytes,
        new: growth.clone(),
        old: Some(growth),
    };
    let group = |rankings| PicturedGroup {
        name: HOSTILE.to_owned(),
        functions: vec![function(vec![costs.clone()]), function(Vec::new())],
        rankings,
    };
    let ranking = Ranking {
        id: HOSTILE.to_owned(),
        cases: vec![case(2, None), case(6, Some(7))],
    };
    LibraryPictures {
        metric: "Instructions".to_owned(),
        lower_is_better: true,
        groups: vec![group(Vec::new()), group(vec![ranking])],
    }
}

#[test]
fn pictures_are_drawn_without_scripts_and_open_where_a_side_is_alone() {
    let sources = PageSources {
        pictures: Some(Arc::new(hostile_pictures())),
        ..PageSources::default()
    };
    let mut report = sample::report();
    let page = Page::of(&report, &sources);
    let details = page.elements("details");
    assert_eq!(details.len(), 1);
    assert_eq!(attribute(&details[0], "open"), None, "a change comes first");
    let names = ["figure", "circle", "script", "img"];
    let count = |page: &Page| names.map(|name| page.elements(name).len());
    // A chart in each group, and a ranking in the second; a case alone is in the table.
    assert_eq!(count(&page)[..2], [3, 12]);
    assert_eq!(count(&page)[3], 0, "no text is an element");
    assert!(content(&page.elements("figure")[1]).contains("3.00×"));

    report.old = None;
    let alone = Page::of(&report, &sources);
    assert!(attribute(&alone.elements("details")[0], "open").is_some());
    // The cases of a function without sizes, unless its group is ranked.
    assert_eq!(count(&alone)[0], 4);
    assert!(content(&alone.elements("figure")[1]).contains("allocates 3 times"));
    assert_eq!(count(&alone)[2], count(&page)[2]);
}

#[test]
fn more_pictures_than_a_browser_opens_at_once_are_left_out() {
    let mut pictures = hostile_pictures();
    let one = pictures.groups[0].clone();
    pictures.groups = vec![one; 200];
    let sources = PageSources {
        pictures: Some(Arc::new(pictures)),
        ..PageSources::default()
    };
    let report = ComparisonReport {
        old: None,
        ..sample::report()
    };
    let page = Page::of(&report, &sources);
    assert_eq!(page.elements("figure").len(), 300);
    assert!(content(&page.elements("details")[0]).contains("100 more pictures are left out"));
}

/// The time of a call, with the change in percent and half of the width of its interval.
fn paired(change: f64, half: f64, class: TimeClass) -> RecordedTime {
    RecordedTime {
        starts: 3,
        start_ratios: vec![0.98, 1.02, 1.0],
        ..wall_time::sample::time(1310.0, 1340.0, (change, half), class)
    }
}

fn doubted(time: RecordedTime, reason: &str) -> RecordedTime {
    RecordedTime {
        reason: Some(reason.to_owned()),
        ..time
    }
}

/// Times of the benchmarks of a report, in the order of the page.
fn with_times(report: &ComparisonReport, times: Vec<RecordedTime>, others: usize) -> PageSources {
    let all = benchmarks(report).into_iter().zip(times);
    let all = all.map(|(row, time)| {
        let text = |text: &Option<String>| text.as_deref().map(Into::into);
        let identity = BenchmarkIdentity {
            label: text(&row.label),
            target: text(&row.target),
            package: row.package.as_str().into(),
            path: row.path.as_str().into(),
        };
        (identity, time)
    });
    let all = all.collect();
    PageSources {
        times: Some(Arc::new(PairedSideTimes { all, others })),
        ..PageSources::default()
    }
}

/// The section of wall time.
fn times_of(page: &Page) -> Option<Handle> {
    let mut all = page.elements("details").into_iter();
    all.find(|it| attribute(it, "id").as_deref() == Some("times"))
}

/// Texts of the cells of each row, but the picture and what a name opens to.
fn time_rows(section: &Handle) -> Vec<Vec<String>> {
    let bodies = elements(section, "tbody");
    let rows = bodies.iter().flat_map(|body| elements(body, "tr"));
    let texts = |row: Handle| {
        let name = content(&elements(&row, "span")[0]);
        let cells = elements(&row, "td").into_iter();
        let cells = cells.filter(|cell| attribute(cell, "class").as_deref() != Some("axis"));
        [name]
            .into_iter()
            .chain(cells.map(|it| content(&it)))
            .collect()
    };
    rows.map(texts).collect()
}

#[test]
fn times_are_sorted_by_class_and_change_and_said_in_words() {
    let report = sample::report();
    let over = RecordedTime {
        exceeded_limit: Some(5.0),
        ..paired(7.0, 0.5, TimeClass::Slower)
    };
    let alone = |class| RecordedTime {
        ratio: None,
        ratio_low: None,
        ratio_high: None,
        ..paired(0.0, 0.0, class)
    };
    let times = vec![
        paired(0.1, 1.6, TimeClass::Unchanged),
        paired(-2.2, 0.4, TimeClass::Faster),
        paired(-20.0, 1.0, TimeClass::Faster),
        doubted(paired(25.0, 1.0, TimeClass::NotJudged), "layout?"),
        doubted(paired(-9.0, 0.1, TimeClass::NotJudged), "too short"),
        over,
        paired(8.0, 0.5, TimeClass::Slower),
        paired(-7.1, 0.4, TimeClass::Layout),
        doubted(alone(TimeClass::NoOld), "no old executable"),
    ];
    let page = Page::of(&report, &with_times(&report, times, 2));
    let section = times_of(&page).unwrap();
    let rows = time_rows(&section);
    let benchmarks = benchmarks(&report);
    let expected: [(usize, [&str; 3]); 9] = [
        (
            5,
            [
                "+7.0%",
                "+6.5% to +7.5%",
                "slower more than the limit of 5%",
            ],
        ),
        (6, ["+8.0%", "+7.5% to +8.5%", "slower"]),
        (2, ["-20.0%", "-21.0% to -19.0%", "faster"]),
        (1, ["-2.2%", "-2.6% to -1.8%", "faster"]),
        (7, ["-7.1%", "-7.5% to -6.7%", "layout"]),
        (3, ["+25.0%", "+24.0% to +26.0%", "not judged layout?"]),
        (4, ["", "", "not judged too short"]),
        (0, ["+0.1%", "-1.5% to +1.7%", "unchanged"]),
        (8, ["", "", "not compared no old executable"]),
    ];
    assert_eq!(rows.len(), expected.len());
    let of_table = page.rows();
    for (row, (place, words)) in rows.iter().zip(expected) {
        assert_eq!(row[0], benchmarks[place].path);
        assert_eq!(row[2..], words);
        // The change of instructions is that of the table of all benchmarks.
        let change = of_table.iter().find(|cells| cells[0] == row[0]).unwrap();
        let is_instructions = benchmarks[place].metric.as_ref();
        if is_instructions.is_some_and(|it| it.kind == "Ir" && it.old != it.new) {
            assert_eq!(row[1], change[2]);
        }
    }
    let text = content(&section);
    for expected in [
        "2 slower, 2 faster, 1 layout, 2 not judged, 1 unchanged, 1 not compared",
        "99.9% interval",
        "Times of 2 more benchmarks are left out",
        "3 starts from -2.0% to +2.0%",
        "a call takes 1.31 us, old 1.34 us, both in this run",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

/// The place of the dot of each row, and both ends of its line.
fn drawn(section: &Handle) -> Vec<Option<[f64; 3]>> {
    let number = |node: &Handle, name: &str| -> f64 {
        let text = attribute(node, name).unwrap();
        text.trim_end_matches('%').parse().unwrap()
    };
    let bodies = elements(section, "tbody");
    let rows = bodies.iter().flat_map(|body| elements(body, "tr"));
    let picture = |row: Handle| {
        let cells = elements(&row, "td");
        let class = |it: &&Handle| attribute(it, "class").as_deref() == Some("axis");
        let cell = cells.iter().find(class)?;
        let line = elements(cell, "line").into_iter().next()?;
        let dot = elements(cell, "svg").pop()?;
        Some([number(&line, "x1"), number(&dot, "x"), number(&line, "x2")])
    };
    rows.map(picture).collect()
}

#[test]
fn times_stand_on_one_logarithmic_axis() {
    let report = sample::report();
    let wide = doubted(paired(-1.0, 90.0, TimeClass::NotJudged), "too noisy");
    let times = vec![
        paired(100.0, 0.0, TimeClass::Slower),
        paired(-50.0, 0.0, TimeClass::Faster),
        wide,
        doubted(paired(5.0, 0.1, TimeClass::NotJudged), "too short"),
        paired(0.0, 0.5, TimeClass::Unchanged),
    ];
    let page = Page::of(&report, &with_times(&report, times, 0));
    let section = times_of(&page).unwrap();
    let [twice, half, noisy, short, same] = drawn(&section)[..] else {
        panic!("not five rows")
    };
    // Twice and half are as far from none, and there is room beside both.
    assert_eq!((twice.unwrap()[1], half.unwrap()[1]), (94.0, 6.0));
    assert_eq!(short, None);
    let [low, dot, high] = same.unwrap();
    assert!(low < dot && dot == 50.0 && dot < high, "{low} {dot} {high}");
    // A line that goes on beyond the axis ends there, in an arrow.
    let [low, dot, high] = noisy.unwrap();
    assert!(
        low == 0.0 && dot > 49.0 && high < 94.0,
        "{low} {dot} {high}"
    );
    let paths = elements(&section, "path");
    let arrows = paths
        .iter()
        .filter(|it| attribute(it, "class").as_deref() == Some("arrow"));
    assert_eq!(arrows.count(), 1);
    let labels = elements(&section, "text");
    let labels: Vec<String> = labels.iter().map(content).collect();
    assert_eq!(labels, ["-50%", "-20%", "+100%", "0%"]);
}

#[test]
fn a_page_without_pairs_has_no_section_and_others_cannot_break_it() {
    let report = sample::report();
    let page = |times| Page::of(&report, &with_times(&report, times, 0));
    assert!(times_of(&page(Vec::new())).is_none());
    let alone = RecordedTime {
        ratio: None,
        ..paired(0.0, 0.0, TimeClass::NoOld)
    };
    assert!(times_of(&page(vec![alone])).is_none());

    // Numbers that are no ratio with its bounds are not drawn, and no strip is without its starts.
    let broken = |ratio, low, high| RecordedTime {
        ratio: Some(ratio),
        ratio_low: low,
        ratio_high: high,
        start_ratios: Vec::new(),
        ..paired(0.0, 0.0, TimeClass::Slower)
    };
    let times = vec![
        broken(-1.0, Some(-2.0), Some(1.0)),
        broken(0.0, Some(0.0), Some(1.0)),
        broken(1.0, Some(2.0), Some(0.5)),
        broken(1.0, None, Some(2.0)),
        broken(1e300, Some(1e-300), Some(1e308)),
    ];
    let page = page(times);
    let section = times_of(&page).unwrap();
    assert_eq!(drawn(&section).iter().flatten().count(), 1);
    assert_eq!(elements(&section, "details").len(), 1);

    let report = sample::hostile();
    let times = vec![doubted(paired(1.0, 9.0, TimeClass::NotJudged), HOSTILE); 14];
    let page = Page::of(&report, &with_times(&report, times, 0));
    let plain = Page::of(&report, &PageSources::default());
    for name in ["script", "style", "b", "a", "img", "h1"] {
        let count = |page: &Page| page.elements(name).len();
        assert_eq!(count(&page), count(&plain), "{name}");
    }
    let section = times_of(&page).unwrap();
    let shown = visible(HOSTILE).replace(['\n', '\t'], " ");
    let rows = time_rows(&section);
    assert_eq!(rows.len(), 14);
    for row in rows {
        assert!(
            row[0].contains(&shown[..20]) && row[4].contains(&shown[..20]),
            "{row:?}"
        );
    }
    for invisible in ['\u{202e}', '\u{1}', '\u{fffe}', '\r'] {
        assert!(!page.text.contains(invisible), "{invisible:?}");
    }
}

#[test]
fn many_times_fold_and_the_page_of_one_side_has_no_change_of_counts() {
    let mut report = sample::report();
    let first = report.rows[1].clone();
    report.rows = (0..300)
        .map(|number| ReportRow {
            path: format!("app::g::f::n_{number}"),
            ..first.clone()
        })
        .collect();
    let tables = |of_interest: usize, report: &ComparisonReport| {
        let times = (0..300).map(|number| match number < of_interest {
            true => paired(5.0, 0.1, TimeClass::Slower),
            false => paired(0.0, 0.1, TimeClass::Unchanged),
        });
        let page = Page::of(report, &with_times(report, times.collect(), 0));
        let section = times_of(&page).unwrap();
        let tables = elements(&section, "tbody");
        let rows = tables.iter().map(|it| elements(it, "tr").len());
        let heads = elements(&section, "th")
            .iter()
            .filter(|th| content(th) == "Instructions")
            .count();
        (
            rows.collect::<Vec<_>>(),
            attribute(&section, "open").is_some(),
            heads,
        )
    };
    assert_eq!(tables(0, &report), (vec![12, 288], true, 2));
    assert_eq!(tables(30, &report), (vec![30, 270], false, 2));
    assert_eq!(tables(300, &report), (vec![60, 240], false, 2));
    report.old = None;
    assert_eq!(tables(30, &report), (vec![30, 270], true, 0));
}
