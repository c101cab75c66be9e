//! Explanations at widths of 80 and 120 columns, byte for byte.

use super::*;
use explain::{AllocationCount, AllocationCounts, CodeState, InliningChange, SourceOrigin};

const PLAIN: Style = Style {
    color: false,
    grid: false,
};

pub(super) fn explanation(old: u64, diff: i64) -> Explanation {
    Explanation {
        metric: "Ir".to_owned(),
        label: "Instructions".to_owned(),
        old,
        new: old.saturating_add_signed(diff),
        diff,
        basis: ExplanationBasis::Instructions,
        origins: Vec::new(),
        causes: Vec::new(),
        functions: Vec::new(),
        stories: Vec::new(),
        notes: Vec::new(),
        allocations: None,
    }
}

pub(super) fn origins(origins: &[(&str, i64)]) -> Vec<OriginDifference> {
    let origins = origins.iter().map(|(name, diff)| OriginDifference {
        origin: SourceOrigin::Unknown,
        name: (*name).to_owned(),
        diff: *diff,
    });
    origins.collect()
}

/// Function, file and line of `function file:line`.
pub(super) fn parts_of_place(place: &str) -> (String, Option<String>, Option<u32>) {
    let (function, file) = place.split_once(' ').unwrap_or((place, ""));
    let (file, line) = file.split_once(':').unzip();
    let line = line.map(|line| line.parse().unwrap());
    (function.to_owned(), file.map(str::to_owned), line)
}

/// A cause with its place as `function file:line`.
pub(super) fn cause(diff: i64, place: &str, text: &str) -> ExplainedRow<Cause> {
    let (function, file, line) = parts_of_place(place);
    ExplainedRow::One(Cause {
        diff,
        function,
        file,
        line,
        origin: SourceOrigin::User,
        text: text.to_owned(),
        also: None,
        code: CodeState::Changed,
        parts: Vec::new(),
        through: Vec::new(),
        inlining: None::<InliningChange>,
    })
}

fn with_also(mut row: ExplainedRow<Cause>, also: &str) -> ExplainedRow<Cause> {
    if let ExplainedRow::One(cause) = &mut row {
        cause.also = Some(also.to_owned());
    }
    row
}

fn allocations(old: u64, new: u64) -> Option<AllocationCounts> {
    let count = |calls| AllocationCount {
        calls: Some(calls),
        frees: Some(0),
    };
    Some(AllocationCounts {
        new: count(new),
        old: count(old),
    })
}

#[track_caller]
fn check(explanation: &Explanation, width: usize, expected: &str) {
    let text = explanation_text(explanation, width, None, PLAIN);
    assert_eq!(text, expected);
    assert!(text.lines().count() <= 14, "{text}");
    let longest = text.lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(width), "{text}");
}

/// A hash table that grows.
fn words() -> Explanation {
    let mut words = explanation(752_820, 403_347);
    words.origins = origins(&[
        ("std", 347_395),
        ("hashbrown", 52_226),
        ("libc.so.6", 3372),
        ("lab", 300),
        ("regex", 54),
    ]);
    words.causes = vec![
        cause(
            404_710,
            "lab::count_words src/lib.rs:10",
            "through HashMap::rustc_entry: RawTable::reserve_rehash 0 -> 10 times",
        ),
        cause(-900, "lab::print src/lib.rs:15", "own code, 1000 -> 100"),
        ExplainedRow::Rest {
            rest: 5,
            diff: -463,
        },
    ];
    words.allocations = allocations(1, 10);
    words
}

#[test]
fn a_wide_terminal_has_a_line_for_each_place_that_fits() {
    check(
        &words(),
        120,
        "  Why  Instructions +403,347 (+53.6%): std +347,395, hashbrown +52,226, libc.so.6 +3,372, other +354
      +404,710    +53.8%  lab::count_words  src/lib.rs:10
                          through HashMap::rustc_entry: RawTable::reserve_rehash 0 -> 10 times
        -1,363    -0.18%  ... 6 more places
       allocations 1 -> 10
",
    );
}

#[test]
fn a_narrow_terminal_has_words_on_lines_of_their_own() {
    check(
        &words(),
        80,
        "  Why  Instructions +403,347 (+53.6%): std +347,395, hashbrown +52,226, ...
      +404,710    +53.8%  lab::count_words  src/lib.rs:10
                          through HashMap::rustc_entry:
                          RawTable::reserve_rehash 0 -> 10 times
        -1,363    -0.18%  ... 6 more places
       allocations 1 -> 10
",
    );
}

#[test]
fn places_without_lines_and_notes() {
    let mut write = explanation(243_616, -39_298);
    write.origins = origins(&[
        ("ryu", -45_907),
        ("std", -13_376),
        ("serde_json", 10_358),
        ("zmij", 9627),
    ]);
    write.causes = vec![
        cause(
            -33_284,
            "SerializeMap::serialize_entry",
            "calls zmij::write_to_buffer instead of ryu::format64, 100 times",
        ),
        cause(-6014, "Serializer::serialize_str", "own code, 9000 -> 2986"),
    ];
    write.notes = vec![
        "compiled by rustc 1.94.1 -> 1.95.0".to_owned(),
        "serde_json 1.0.120 -> 1.0.154".to_owned(),
        "libc has changed".to_owned(),
    ];
    check(
        &write,
        120,
        "  Why  Instructions -39,298 (-16.1%): ryu -45,907, std -13,376, serde_json +10,358, zmij +9,627
       compiled by rustc 1.94.1 -> 1.95.0; serde_json 1.0.120 -> 1.0.154; libc has changed
       -33,284    -13.7%  SerializeMap::serialize_entry
                          calls zmij::write_to_buffer instead of ryu::format64, 100 times
        -6,014    -2.47%  Serializer::serialize_str                           own code, 9000 -> 2986
",
    );
    check(
        &write,
        80,
        "  Why  Instructions -39,298 (-16.1%): ryu -45,907, std -13,376, ...
       compiled by rustc 1.94.1 -> 1.95.0; serde_json 1.0.120 -> 1.0.154; libc
       has changed
       -33,284    -13.7%  SerializeMap::serialize_entry
                          calls zmij::write_to_buffer instead of ryu::format64,
                          100 times
        -6,014    -2.47%  Serializer::serialize_str
                          own code, 9000 -> 2986
",
    );
}

#[test]
fn six_places_or_three_and_the_rest() {
    let mut many = explanation(1000, 1000);
    many.causes = (1..=9)
        .map(|number| {
            cause(
                200 - number * 10,
                &format!("lab::f{number}"),
                "called 1 -> 2 times",
            )
        })
        .collect();
    let sum: i64 = (7..=9).map(|number| 200 - number * 10).sum();
    let wide = explanation_text(&many, 120, None, PLAIN);
    assert_eq!(wide.lines().count(), 8);
    let last = wide.lines().last().unwrap();
    assert_eq!(
        last,
        format!("{:>+14}    +{}.0%  ... 3 more places", sum, sum / 10)
    );
    let narrow = explanation_text(&many, 80, None, PLAIN);
    assert_eq!(narrow.lines().count(), 1 + 3 * 2 + 1);
    assert!(narrow.ends_with("... 6 more places\n"));
}

#[test]
fn a_second_part_needs_room() {
    let mut found = explanation(1000, 1500);
    let row = cause(1500, "lab::f src/lib.rs:3", "calls dep::a 1 -> 11 times");
    found.causes = vec![with_also(row.clone(), "calls b 1 -> 5")];
    let line = |found: &Explanation| {
        let text = explanation_text(found, 120, None, PLAIN);
        text.lines().nth(1).unwrap().to_owned()
    };
    assert!(line(&found).ends_with("   calls dep::a 1 -> 11 times; calls b 1 -> 5"));
    found.causes = vec![with_also(row, "calls regex::meta::Core::new 1 -> 5 times")];
    assert!(line(&found).ends_with("   calls dep::a 1 -> 11 times"));
}

#[test]
fn functions_alone_are_shown_with_their_costs() {
    let mut found = explanation(10, 20);
    found.basis = ExplanationBasis::Functions;
    found.functions = vec![ExplainedRow::One(FunctionDifference {
        function: "lab::bench".to_owned(),
        file: Some("src/lib.rs".to_owned()),
        origin: SourceOrigin::User,
        old: 10,
        new: 30,
        diff: 20,
    })];
    found.notes = vec!["functions only: the old result has no instructions".to_owned()];
    check(
        &found,
        120,
        "  Why  Instructions +20 (+200%)
       functions only: the old result has no instructions
           +20     +200%  lab::bench                          src/lib.rs      10 -> 30
",
    );
}

#[test]
fn long_names_fit_and_paths_begin_at_the_workspace() {
    let mut found = explanation(0, 7);
    let name = "lab::a_module_of_some_length::another_module::a_function_with_a_name::{closure}";
    let place = format!("{name} crates/with_a_long_name/src/deeply/nested/file.rs:1234");
    found.causes = vec![cause(7, &place, "own code, 0 -> 7")];
    check(
        &found,
        120,
        "  Why  Instructions +7 (new)
            +7       new  lab::a_module_of_some_length::another_module::a_function_with_a_name::{closure}
                          crates/with_a_long_name/src/deeply/nested/file.rs:1234
                          own code, 0 -> 7
",
    );
    check(
        &found,
        80,
        "  Why  Instructions +7 (new)
            +7       new  another_module::a_function_with_a_name::{closure}
                          crates/with_a_long_name/src/deeply/nested/file.rs:1234
                          own code, 0 -> 7
",
    );
}

#[test]
fn colors_say_what_is_better() {
    let mut found = explanation(100, -7);
    found.causes = vec![cause(-7, "lab::f", "own code, 10 -> 3")];
    let color = Style {
        color: true,
        grid: false,
    };
    let text = explanation_text(&found, 120, None, color);
    assert_eq!(
        text,
        "  \x1b[1mWhy\x1b[0m  Instructions \x1b[1;92m-7\x1b[0m (\x1b[1;92m-7.00%\x1b[0m)\n\
         \x1b[1;92m            -7\x1b[0m  \x1b[1;92m  -7.00%\x1b[0m  lab::f                                              own code, 10 -> 3\n"
    );
}

#[test]
fn without_a_difference_there_is_nothing_to_say() {
    assert_eq!(explanation_text(&explanation(5, 0), 120, None, PLAIN), "");
}
