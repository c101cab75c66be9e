use super::super::{benchmark_lines, AcceptedFacts, AcceptedPlace};
use super::*;

#[test]
fn an_unchanged_file_stays_byte_for_byte() {
    for text in [
        EXAMPLE.to_owned(),
        EXAMPLE.replace('\n', "\r\n"),
        AcceptedDocument::default().text(),
        // The newest TOML lets a table stand on several lines.
        "version = 1\n\n[t.p]\n\"a\" = { Ir = 1,\n  own = 1 } # two\n\"b\" = { Ir = 2 }\n"
            .to_owned(),
    ] {
        let document = AcceptedDocument::parse(&text).unwrap();
        assert_eq!(document.text(), text);
    }
}

#[test]
fn a_line_is_replaced_with_its_comment_kept() {
    let mut document = AcceptedDocument::parse(EXAMPLE).unwrap();
    let name = name(Some("softfloat"), "exp1", "app::g::json_write::n_0");
    document.set([(name, ir(100, None))].into());
    let expected = EXAMPLE.replace("{ Ir = 99, own = 9 }", "{ Ir = 100 }");
    assert_eq!(document.text(), expected);
}

#[test]
fn a_new_line_stands_in_order_above_the_comment_of_the_next() {
    let mut document = AcceptedDocument::parse(EXAMPLE).unwrap();
    document.set([(name(None, "exp1", "app::g::lower::n_0"), ir(934, Some(934)))].into());
    document.set([(name(None, "exp1", "app::g::upper"), ir(1, None))].into());
    document.set([(name(None, "exp1", "app::g::a"), ir(2, None))].into());
    let expected = EXAMPLE
        .replace(
            "# Its loop",
            "\"app::g::lower::n_0\" = { Ir = 934, own = 934 }\n# Its loop",
        )
        .replace("4096 }\n", "4096 }\n\"app::g::upper\" = { Ir = 1 }\n")
        .replacen(
            "\"app::g::json_write",
            "\"app::g::a\" = { Ir = 2 }\n\"app::g::json_write",
            1,
        );
    assert_eq!(document.text(), expected);
}

#[test]
fn several_lines_at_once_are_as_one_after_the_other() {
    let paths = [
        "app::g::z",
        "app::g::lower",
        "a::a::a",
        "app::g::json_write::n_0",
        "app::g::k",
    ];
    let one = |path: &&str| (name(None, "exp1", path), ir(path.len() as u64, None));
    let mut at_once = AcceptedDocument::parse(EXAMPLE).unwrap();
    at_once.set(paths.iter().map(one).collect());
    let mut one_by_one = AcceptedDocument::parse(EXAMPLE).unwrap();
    for path in &paths {
        one_by_one.set([one(path)].into());
    }
    assert_eq!(at_once.text(), one_by_one.text());
    assert_eq!(at_once.text().lines().count(), EXAMPLE.lines().count() + 4);

    at_once.remove(&paths.iter().map(|path| one(path).0).collect());
    for path in &paths {
        one_by_one.remove(&[one(path).0].into());
    }
    assert_eq!(at_once.text(), one_by_one.text());
    assert!(at_once.text().contains("# Its loop"), "{}", at_once.text());
}

#[test]
fn new_tables_stand_in_order() {
    let mut document = AcceptedDocument::default();
    document.set([(name(None, "exp2", "b::g::f"), ir(1, None))].into());
    document.set([(name(Some("fast"), "a b", "b::g::f"), ir(2, None))].into());
    document.set([(name(None, "exp1", "b::g::f"), ir(3, None))].into());
    let facts = AcceptedFacts {
        rustc: Some("1.95.0".to_owned()),
        ..AcceptedFacts::default()
    };
    let place = AcceptedPlace::new(Some("x86_64-unknown-linux-gnu"), None);
    document.set_facts(&place, facts.clone());
    document.set_facts(&place, facts);
    let expected = r#"# Accepted counts of iai-callgrind: a change here is an accepted change of performance.
version = 1

["x86_64-unknown-linux-gnu"]
rustc = "1.95.0"

["x86_64-unknown-linux-gnu".exp1]
"b::g::f" = { Ir = 3 }

["x86_64-unknown-linux-gnu".exp2]
"b::g::f" = { Ir = 1 }

["x86_64-unknown-linux-gnu fast"."a b"]
"b::g::f" = { Ir = 2 }
"#;
    assert_eq!(document.text(), expected);
}

#[test]
fn a_removed_line_takes_its_empty_table_with_it() {
    let mut document = AcceptedDocument::parse(EXAMPLE).unwrap();
    document.remove(&[name(Some("softfloat"), "exp1", "app::g::json_write::n_0")].into());
    document.remove(&[name(None, "exp1", "app::g::json_write::n_0")].into());
    document.remove(&[name(None, "exp1", "is not there")].into());
    let text = document.text();
    let expected = EXAMPLE
        .split_once("\n[\"x86_64-unknown-linux-gnu softfloat")
        .unwrap()
        .0;
    let (before, after) = expected.split_once("\"app::g::json_write").unwrap();
    let after = after.split_once('\n').unwrap().1;
    assert_eq!(text, [before, after].concat());
}

#[test]
fn names_with_any_character_are_read_back() {
    let mut document = AcceptedDocument::default();
    let odd = "b::g::f \"x\" \\ | ` \u{1}\u{7f}\u{85}\n\t-->é = { # ' ";
    let mut benchmark = ir(1, Some(0));
    benchmark.reason = Some(odd.to_owned());
    document.set([(name(Some("a.b+c"), odd, odd), benchmark.clone())].into());
    let text = document.text();
    assert_eq!(text.lines().count(), 5, "{text}");
    let read = parse(&text).unwrap();
    benchmark.line = 5;
    assert_eq!(
        read.benchmark(&name(Some("a.b+c"), odd, odd)),
        Some(&benchmark)
    );
}

#[test]
fn lines_for_a_report() {
    let counts = parse(EXAMPLE).unwrap();
    let lines = benchmark_lines(&counts.benchmarks);
    let expected = r#"["x86_64-unknown-linux-gnu".exp1]
"app::g::json_write::n_0" = { Ir = 16387, own = 13762, reason = "needs a Vec, #123" }
"app::g::memchr_lines::n_0" = { Ir = 2882, dhat.TotalBytes = 4096 }
["x86_64-unknown-linux-gnu softfloat".exp1]
"app::g::json_write::n_0" = { Ir = 99, own = 9 }"#;
    assert_eq!(lines.join("\n"), expected);
}

#[test]
fn other_shapes_are_kept() {
    let mut document = AcceptedDocument::parse(OTHER_SHAPES).unwrap();
    assert_eq!(document.text(), OTHER_SHAPES);
    document.set(with_seven(&document));
    document.remove(&[name(None, "exp1", "app::g::b")].into());
    let expected = r#"version = 1
"x86_64-unknown-linux-gnu fast".exp1."a".Ir = 7 # dotted
"x86_64-unknown-linux-gnu fast".exp1."app::g::new" = { Ir = 7 }
"x86_64-unknown-linux-gnu short" = { exp1 = { a = { Ir = 7 } # one
  , "app::g::new" = { Ir = 7 }, b = { Ir = 7 } # two
} }

["x86_64-unknown-linux-gnu"]
exp2."a" = { Ir = 7 } # in its place
exp2."app::g::new" = { Ir = 7 }

# about a
["x86_64-unknown-linux-gnu".exp1."app::g::a"]
# its count
Ir = 7

["x86_64-unknown-linux-gnu".exp1]
# about b
"app::g::new" = { Ir = 7 }
# end
"#;
    assert_eq!(document.text(), expected);
}
