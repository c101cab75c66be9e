//! Comparisons of written stacks.

use super::*;
use crate::heap_stacks::{HeapFile, HeapFrame};

/// Stacks as lines of `bytes blocks function@line function …`, outermost first. Functions of `lab`
/// are the user's, those of `pkg` of a package.
fn stacks(lines: &[&str]) -> HeapStacks {
    let file = |path: &str, origin| HeapFile {
        path: path.to_owned(),
        origin,
        package: String::new(),
    };
    let mut stacks = HeapStacks {
        files: vec![
            file("src/lib.rs", SourceOrigin::User),
            file("pkg.rs", SourceOrigin::Package),
            file("vec.rs", SourceOrigin::Std),
        ],
        ..HeapStacks::default()
    };
    for line in lines {
        let mut words = line.split(' ');
        let mut number = || words.next().unwrap().parse::<u64>().unwrap();
        let (bytes, blocks) = (number(), number());
        let mut stack = Vec::new();
        for word in words {
            let (name, line) = word.split_once('@').unwrap_or((word, ""));
            let frame = HeapFrame {
                name: name.to_owned(),
                is_inlined: false,
                file: match name.split("::").next().unwrap() {
                    "lab" | "<lab" => Some(0),
                    "pkg" => Some(1),
                    "malloc" => None,
                    _ => Some(2),
                },
                line: line.parse().ok(),
            };
            stack.push(stacks.frames.len() as u32);
            stacks.frames.push(frame);
        }
        stacks.points.push(HeapPoint {
            bytes,
            blocks,
            gmax_bytes: 0,
            stack,
        });
    }
    stacks
}

/// `diff function file:line text`
#[track_caller]
fn check(old: &[&str], new: &[&str], expected: &[&str]) {
    let (old, new) = (stacks(old), stacks(new));
    let Some(found) = heap_sites(&old, &new) else {
        assert_eq!(expected, [""; 0]);
        return;
    };
    let rows: Vec<String> = found
        .sites
        .iter()
        .map(|row| match row {
            ExplainedRow::One(site) => {
                let file = site.file.as_deref().unwrap_or("?");
                let line = site.line.map_or("?".to_owned(), |line| line.to_string());
                format!(
                    "{:+} {} {file}:{line} {}",
                    site.diff, site.function, site.text
                )
            }
            ExplainedRow::Rest { rest, diff } => format!("{diff:+} {rest}"),
        })
        .collect();
    assert_eq!(rows, expected);
    let diffs = found.sites.iter().map(|row| match row {
        ExplainedRow::One(site) => site.diff,
        ExplainedRow::Rest { diff, .. } => *diff,
    });
    let sum = |stacks: &HeapStacks| stacks.points.iter().map(|point| point.bytes).sum::<u64>();
    assert_eq!(diffs.sum::<i64>(), sum(&new) as i64 - sum(&old) as i64);
    assert_eq!((found.bytes.old, found.bytes.new), (sum(&old), sum(&new)));
}

#[test]
fn a_place_is_the_innermost_function_of_the_user() {
    check(
        &["51216 1 lab::bench@3 lab::count_words@10 std::HashMap::with_capacity@1 malloc"],
        &["102460 10 lab::bench@3 lab::count_words@10 std::RawTable::reserve@2 malloc"],
        &[
            "+51244 lab::count_words src/lib.rs:10 HashMap::with_capacity 51,216 B in 1 block -> \
             RawTable::reserve 102,460 B in 10 blocks",
        ],
    );
    // Without one of the user that of a package, else the outermost.
    check(
        &[
            "8 1 std::a@1 pkg::f@2 std::g@3 malloc",
            "5 1 std::a@1 malloc",
        ],
        &[
            "9 1 std::a@1 pkg::f@2 std::g@3 malloc",
            "7 1 std::a@1 malloc",
        ],
        &[
            "+2 std::a vec.rs:1 malloc 5 B in 1 block -> 7 B in 1 block",
            "+1 pkg::f pkg.rs:2 g 8 B in 1 block -> 9 B in 1 block",
        ],
    );
}

#[test]
fn equal_stacks_are_one_place_on_other_lines() {
    // Both moved by two lines, and a third one came.
    check(
        &[
            "10 1 lab::f@5 alloc::Vec::new@1",
            "20 1 lab::f@7 alloc::Vec::new@1",
        ],
        &[
            "10 1 lab::f@7 alloc::Vec::new@1",
            "25 1 lab::f@9 alloc::Vec::new@1",
        ],
        &["+5 lab::f src/lib.rs:9 Vec::new 20 B in 1 block -> 25 B in 1 block"],
    );
    check(
        &["10 1 lab::f@5 alloc::Vec::new@1"],
        &[
            "10 1 lab::f@5 alloc::Vec::new@1",
            "4 2 lab::f@6 alloc::Vec::new@1",
        ],
        &["+4 lab::f src/lib.rs:6 nothing -> Vec::new 4 B in 2 blocks"],
    );
    // Another way to the allocator at a line that moved is at the same place.
    check(
        &["10 1 lab::f@5 std::x@1", "10 1 lab::f@5 std::y@1", "1 1 lab::f@9 std::z@1"],
        &["10 1 lab::f@6 std::x@1", "30 2 lab::f@6 std::w@1"],
        &[
            "+20 lab::f src/lib.rs:6 x and 1 more 20 B in 2 blocks -> w and 1 more 40 B in 3 blocks",
            "-1 lab::f src/lib.rs:9 z 1 B in 1 block -> nothing",
        ],
    );
}

#[test]
fn the_only_place_that_is_gone_became_the_only_new_one() {
    check(
        &["10 1 lab::f@5 alloc::Vec::with_capacity@1", "3 1 lab::g@1 malloc"],
        &["30 3 lab::f@8 alloc::Vec::push@1", "3 1 lab::h@1 malloc"],
        &[
            "+20 lab::f src/lib.rs:8 Vec::with_capacity 10 B in 1 block -> Vec::push 30 B in 3 blocks",
            "-3 lab::g src/lib.rs:1 malloc 3 B in 1 block -> nothing",
            "+3 lab::h src/lib.rs:1 nothing -> malloc 3 B in 1 block",
        ],
    );
}

#[test]
fn nothing_differs_where_bytes_and_blocks_do_not() {
    let both = ["10 1 lab::f@5 alloc::Vec::new@1", "10 1 lab::f@5 std::x@1"];
    check(&both, &both, &[]);
    check(&[], &[], &[]);
    // More blocks of as many bytes.
    check(
        &["10 1 lab::f@5 std::x@1"],
        &["10 2 lab::f@5 std::x@1"],
        &["+0 lab::f src/lib.rs:5 x 10 B in 1 block -> 10 B in 2 blocks"],
    );
    let mut events = stacks(&both);
    events.is_ad_hoc = true;
    assert_eq!(heap_sites(&events, &stacks(&[])), None);
}

#[test]
fn allocators_of_the_user_are_no_place() {
    check(
        &["10 1 lab::f@5 std::Vec::push@1 __rustc::__rust_alloc@1 lab::Counting::alloc@9 malloc"],
        &["12 1 lab::f@5 std::Vec::push@1 malloc"],
        &["+2 lab::f src/lib.rs:5 Vec::push 10 B in 1 block -> 12 B in 1 block"],
    );
}

#[test]
fn all_others_are_one_row() {
    let new: Vec<String> = (1..=25)
        .map(|line| format!("{} 1 lab::f@{line} malloc", 1000 - line))
        .collect();
    let new: Vec<&str> = new.iter().map(String::as_str).collect();
    let found = heap_sites(&stacks(&[]), &stacks(&new)).unwrap();
    assert_eq!(found.sites.len(), 20);
    let rest: i64 = (20..=25).map(|line| 1000 - line).sum();
    assert_eq!(
        found.sites[19],
        ExplainedRow::Rest {
            rest: 6,
            diff: rest
        }
    );
    let found = heap_sites(&stacks(&[]), &stacks(&new[..20])).unwrap();
    assert!(found.sites.iter().all(|row| row.one().is_some()));
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    let most = u64::MAX;
    let huge = format!("{most} {most} lab::f@1 malloc");
    let found = heap_sites(&stacks(&[]), &stacks(&[&huge, &huge])).unwrap();
    assert_eq!((found.bytes.new, found.bytes.diff), (most, i64::MAX));
    let found = heap_sites(&stacks(&[&huge]), &stacks(&[])).unwrap();
    assert_eq!(found.bytes.diff, i64::MIN);
}
