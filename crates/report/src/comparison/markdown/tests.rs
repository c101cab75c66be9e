//! The page as a parser of CommonMark with tables reads it.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::super::super::markdown::on_one_line;
use super::*;
use verdict::accepted;
use verdict::sides::sample::{self, HOSTILE};
use verdict::sides::JudgedLimit;

fn written(report: &ComparisonReport) -> String {
    let mut out = Vec::new();
    write(report, &SourcePlaces::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// A page, read back.
#[derive(Debug, Default)]
struct Read {
    /// Tables, by rows and cells, with their heads.
    tables: Vec<Vec<Vec<String>>>,
    /// Blocks of code.
    code: Vec<String>,
    /// HTML outside of lines and cells.
    html: String,
    /// HTML in lines and cells.
    inline: Vec<String>,
    links: usize,
    headings: usize,
}

fn read(text: &str) -> Read {
    let mut read = Read::default();
    let mut in_code = false;
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let add = |read: &mut Read, text: &str| {
        let cell = read.tables.last_mut().and_then(|rows| rows.last_mut());
        if let Some(cell) = cell.and_then(|cells| cells.last_mut()) {
            cell.push_str(text);
        }
    };
    let mut in_cell = false;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::Table(_)) => read.tables.push(Vec::new()),
            Event::Start(Tag::TableHead | Tag::TableRow) => {
                read.tables.last_mut().unwrap().push(Vec::new());
            }
            Event::Start(Tag::TableCell) => {
                in_cell = true;
                let rows = read.tables.last_mut().unwrap();
                rows.last_mut().unwrap().push(String::new());
            }
            Event::End(TagEnd::TableCell) => in_cell = false,
            Event::Start(Tag::CodeBlock(_)) => {
                in_code = true;
                read.code.push(String::new());
            }
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => read.links += 1,
            Event::Start(Tag::Heading { .. }) => read.headings += 1,
            Event::Text(text) if in_code => read.code.last_mut().unwrap().push_str(&text),
            Event::Text(text) | Event::Code(text) if in_cell => add(&mut read, &text),
            Event::Html(html) => read.html.push_str(&html),
            Event::InlineHtml(html) => read.inline.push(html.into_string()),
            _ => {}
        }
    }
    read
}

#[test]
fn the_first_lines_say_all_in_short() {
    let page = written(&sample::report());
    let head: Vec<&str> = page.lines().take(10).collect();
    assert_eq!(
        head,
        [
            "<!-- iai-callgrind: default -->",
            "### Benchmarks: 1 failed, 3 regressed, 1 improved, 1 accepted, 1 not judged, \
             1 not deterministic, 1 changed outside own code, 2 changed, 1 unchanged, 1 new, 1 gone, 1 not run",
            "",
            "`3e3457e` (`main`) → `f3ab7bb` (`pr/json`) · limit: Instructions +5%",
            "",
            "- differs: C library `glibc 2.36` → `glibc 2.41` (17 benchmarks): instructions are judged on own code",
            "- 2 results of another commit are left out",
            "- causes need digests: the old result has none",
            "",
            "| | benchmark | metric | old | new | change |",
        ]
    );
}

/// A comment is found again by its marker, and rows are in another order in each run.
#[test]
fn the_marker_is_that_of_the_labels_whatever_the_order_of_rows() {
    let mut report = sample::report();
    for (number, row) in report.rows.iter_mut().enumerate() {
        row.label = Some(format!("label-{number:02}"));
    }
    let marker = |report: &ComparisonReport| {
        let page = written(report);
        page.lines().next().unwrap().to_owned()
    };
    let first = marker(&report);
    let labels: Vec<String> = (0..10).map(|number| format!("label-{number:02}")).collect();
    assert_eq!(
        first,
        format!("<!-- iai-callgrind: {} -->", labels.join(","))
    );
    report.rows.reverse();
    assert_eq!(marker(&report), first);
}

#[test]
fn tables_have_as_many_rows_as_the_report() {
    let report = sample::report();
    let read = read(&written(&report));
    let rows: Vec<usize> = read.tables.iter().map(|rows| rows.len() - 1).collect();
    // Judged rows; an explanation; changed outside of own code, changed, new, gone and not run.
    assert_eq!(rows, [8, 2, 1, 2, 1, 1, 1]);
    let judged = report.rows.iter().filter(|row| JUDGED.contains(&row.class));
    for (row, cells) in judged.zip(&read.tables[0][1..]) {
        assert_eq!(cells[1], row.path);
    }
    assert_eq!(
        read.tables[0][3],
        [
            "regressed",
            "app::g::json_write::n_0",
            "Instructions",
            "15,005",
            "16,387",
            "+9.21%own code 12,000 → 13,762 +14.7%"
        ]
    );
    assert_eq!(read.tables[0][4][5], "+∞ limit 1,024");
    assert_eq!(read.tables[0][1][5], "ended with signal 11 (SIGSEGV)");
}

#[test]
fn what_is_wanted_can_be_copied() {
    let [code] = &read(&written(&sample::report())).code[..] else {
        panic!("one block");
    };
    assert_eq!(
        code,
        "[\"x86_64-unknown-linux-gnu\".exp1]\n\
         \"app::g::json_write::n_0\" = { Ir = 16387, own = 13762, dhat.TotalBytes = 4096, libc = \"glibc 2.36\" }\n\
         \"app::g::memchr_lines::n_1\" = { Ir = 59692 }\n"
    );
    let text = format!("version = {}\n{code}", accepted::VERSION);
    let counts = accepted::parse(&text).unwrap();
    assert_eq!(counts.benchmarks.len(), 2);
}

#[test]
fn hostile_texts_stay_texts() {
    let report = sample::hostile();
    let page = written(&report);
    let read = read(&page);
    let expected = on_one_line(HOSTILE);
    assert_eq!(read.tables[0].len() - 1, 8);
    for row in &read.tables[0] {
        assert_eq!(row.len(), 6, "{row:?}");
    }
    let name = &read.tables[0][2][1];
    assert!(
        name.contains(&format!("app::g::memchr_lines::n_1{expected}")),
        "{name}"
    );
    assert_eq!((read.links, read.headings), (0, 1), "{page}");
    let known = ["<code>", "</code>", "<br>", "<!-- -->"];
    assert!(
        read.inline
            .iter()
            .all(|html| known.contains(&html.as_str())),
        "{:?}",
        read.inline
    );
    let own = |line: &str| {
        line.starts_with("<!-- iai-callgrind: ")
            || line.starts_with("<details")
            || line == "</details>"
    };
    assert!(
        read.html.lines().all(|line| line.is_empty() || own(line)),
        "{}",
        read.html
    );
    assert_eq!(read.html.matches("<!--").count(), 1);
    assert!(!page.lines().any(|line| line.trim_start().starts_with("::")));
    assert!(!page.contains('\u{202e}') || read.code.concat().contains('\u{202e}'));
}

#[test]
fn long_pages_lose_rows_from_their_end() {
    for class in [RowClass::Regressed, RowClass::Changed] {
        let report = sample::many(class, 65_536);
        let page = written(&report);
        assert!((50_000..=60_000).contains(&page.len()), "{}", page.len());
        let read = read(&page);
        let table = &read.tables[0];
        let shown = table.len() - 2;
        assert_eq!(
            table.last().unwrap()[1],
            format!("and {} more", 65_536 - shown)
        );
        assert_eq!(table[1][1], "app::g::many::n_0");
        assert_eq!(
            page.matches("<details").count(),
            page.matches("</details>").count()
        );
    }
}

/// Whatever is long, and however often: the table has its rows.
#[test]
fn long_texts_do_not_take_the_place_of_the_table() {
    for character in ["a", "<", "`", "ä"] {
        let long = character.repeat(3_000);
        let mut report = sample::with_texts(&long);
        for texts in [&mut report.errors, &mut report.notes, &mut report.headlines] {
            *texts = vec![long.clone(); 40];
        }
        report.differences = vec![report.differences[0].clone(); 40];
        let mut limit = report.limits[0].clone();
        let (JudgedLimit::Soft { label, .. } | JudgedLimit::Hard { label, .. }) = &mut limit;
        label.clone_from(&long);
        report.limits = vec![limit; 20];
        let page = written(&report);
        assert!(page.len() <= 60_000, "{character}: {}", page.len());
        let table = &read(&page).tables[0];
        let judged = table.iter().filter(|row| row[0] == "regressed").count();
        assert!(judged > 0, "{character}: {page}");
    }
}

#[test]
fn explanations_are_left_out_first() {
    let mut report = sample::many(RowClass::Regressed, 400);
    let explanation = sample::report().rows[2].explanation.clone();
    for row in &mut report.rows {
        row.explanation = explanation.clone();
    }
    let page = written(&report);
    assert!(page.len() <= 60_000, "{}", page.len());
    assert_eq!(read(&page).tables[0].len(), 401);
    assert!(page.contains(" more benchmarks\n\n</details>"), "{page}");
    assert!(page.contains("\"app::g::many::n_399\" = { Ir = 2000 }"));
}

#[test]
fn a_report_of_one_side_and_of_nothing() {
    let mut report = sample::many(RowClass::New, 0);
    (report.old, report.differences) = (None, Vec::new());
    (report.notes, report.limits) = (Vec::new(), Vec::new());
    report.new.dirty = Some(true);
    assert_eq!(
        written(&report),
        "<!-- iai-callgrind: default -->\n### Benchmarks: no results\n\n\
         `f3ab7bb` (`pr/json`) with changes that are not committed · no limits\n\n\
         <details><summary>Circumstances</summary>\n\n\
         rustc 1.95.0 · glibc 2.36 · x86\\_64-unknown-linux-gnu · Valgrind 3.19.0\n\n</details>\n"
    );
}
