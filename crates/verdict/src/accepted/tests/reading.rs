use super::*;

#[test]
fn the_example_is_read() {
    let counts = parse(EXAMPLE).unwrap();
    let benchmark = counts.benchmark(&name(None, "exp1", "app::g::json_write::n_0"));
    let benchmark = benchmark.unwrap();
    assert_eq!(
        benchmark.count(Tool::Callgrind, "Ir"),
        Some(Number::Count(16387))
    );
    assert_eq!(benchmark.own, Some(13762));
    assert_eq!(benchmark.reason.as_deref(), Some("needs a Vec, #123"));
    assert_eq!(benchmark.line, 10);
    let other = counts.benchmark(&name(None, "exp1", "app::g::memchr_lines::n_0"));
    let bytes = other.unwrap().count(Tool::Dhat, "TotalBytes");
    assert_eq!(bytes, Some(Number::Count(4096)));
    let labelled = name(Some("softfloat"), "exp1", "app::g::json_write::n_0");
    assert_eq!(counts.benchmark(&labelled).unwrap().own, Some(9));
    assert_eq!(counts.benchmarks.len(), 3);
    let facts = &counts.facts[&labelled_place(None)];
    assert_eq!(facts.libc.as_deref(), Some("glibc 2.36"));
    assert!(!counts
        .facts
        .contains_key(&labelled_place(Some("softfloat"))));
}

fn labelled_place(label: Option<&str>) -> super::super::AcceptedPlace {
    super::super::AcceptedPlace::new(Some("x86_64-unknown-linux-gnu"), label)
}

#[test]
fn a_package_may_have_the_name_of_a_fact() {
    let text = "version = 1\n[t.libc]\n\"a::b\" = { Ir = 1 }\n";
    let counts = parse(text).unwrap();
    let name = AcceptedName::new(Some("t"), None, "libc", "a::b");
    assert!(counts.benchmark(&name).is_some());
}

#[test]
fn all_shapes_of_toml_are_read() {
    for text in [
        "version = 1\n['t'.p.'a::b']\nIr = 1_734\n",
        "version = 1\nt.p.\"a::b\".Ir = 0x6c6\n",
        "version = 1\n[t]\np = { \"a::b\" = { Ir = 1734 } }\n",
    ] {
        let counts = parse(text).unwrap();
        let name = AcceptedName::new(Some("t"), None, "p", "a::b");
        let count = counts
            .benchmark(&name)
            .unwrap()
            .count(Tool::Callgrind, "Ir");
        assert_eq!(count, Some(Number::Count(1734)), "{text}");
    }
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    let error = parse(text).unwrap_err().to_string();
    assert!(error.starts_with(expected), "{text}\n{error}");
}

#[test]
fn mistakes_are_named_with_their_line() {
    let benchmark = |fields: &str| format!("version = 1\n[t.p]\n\n\"a::b\" = {{ {fields} }}\n");
    check_error("", "line 1: `version = 1` is missing");
    check_error("\nversion = 2\n", "line 2: the file has another version");
    check_error("version = \"1\"\n", "line 1: a number from 0 on");
    check_error("version = 1\nIr = 1\n", "line 2: unknown key `Ir`");
    check_error("version = 1\n[t]\nIr = 1\n", "line 3: unknown key `Ir`");
    check_error("version = 1\n[t]\nrustc = 1\n", "line 3: `rustc` is a text");
    check_error(
        "version = 1\n[t.p]\n\"a\" = 1\n",
        "line 3: the counts of a benchmark",
    );
    check_error(
        &benchmark("IR1 = 3"),
        "line 4: unknown metric `IR1` of callgrind",
    );
    check_error(
        &benchmark("dhta.TotalBytes = 3"),
        "line 4: unknown tool `dhta`",
    );
    check_error(
        &benchmark("dhat.Ir = 3"),
        "line 4: unknown metric `Ir` of dhat",
    );
    check_error(
        &benchmark("callgrind.Ir = 3"),
        "line 4: metrics of Callgrind stand without",
    );
    check_error(&benchmark("Ir = -3"), "line 4: a number from 0 on");
    check_error(&benchmark("Ir = \"3\""), "line 4: a number from 0 on");
    check_error(&benchmark("Ir = nan"), "line 4: a number from 0 on");
    check_error(&benchmark("own = 3"), "line 4: `own` is a part of `Ir`");
    check_error(
        &benchmark("Ir = 1, reason = 3"),
        "line 4: `reason` is a text",
    );
    check_error(
        "version = 1\n[t.p]\n\"a\" = { Ir = 1 }\n\"a\" = { Ir = 2 }\n",
        "line 4: duplicate key",
    );
    check_error("version = 1\n[t.p\n", "line 2: ");
    check_error(
        "version = 1\n<<<<<<< HEAD\n",
        "line 2: a merge left conflict markers",
    );
}

proptest::proptest! {
    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..300)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = AcceptedDocument::parse(&text);
        let _ = super::super::resolve(&text);
    }

    #[test]
    fn no_damage_panics(
        base in proptest::sample::select(vec![EXAMPLE, OTHER_SHAPES]),
        place in proptest::num::usize::ANY,
        with in "[\"{}=.\\[\\]\r\n#<>a1\u{feff}]{0,6}",
        removed in 0..40_usize,
    ) {
        let place = place % base.len();
        let end = (place + removed).min(base.len());
        let text = [&base[..place], &with, &base[end..]].concat();
        if let Ok(mut document) = AcceptedDocument::parse(&text) {
            let counts = |document: &AcceptedDocument| {
                let benchmarks = document.counts().benchmarks.clone().into_iter();
                benchmarks.map(|(name, it)| (name, it.counts, it.own, it.reason)).collect::<Vec<_>>()
            };
            // Written again it says the same, as it is and with any other lines.
            let all: Vec<_> = document.counts().benchmarks.keys().cloned().collect();
            for step in 0..3 {
                match step {
                    0 => {}
                    1 => document.set(with_seven(&document)),
                    _ => document.remove(&all.iter().step_by(2).cloned().collect()),
                }
                let again = AcceptedDocument::parse(&document.text());
                let again = again.unwrap_or_else(|error| panic!("{error}\n{text}\n{}", document.text()));
                proptest::prop_assert_eq!(counts(&again), counts(&document), "{}", text);
            }
        }
    }
}
