//! Explanations of digests that were written by hand, and properties of those of any profile.

use iai_callgrind::protocol::EventKind::{EstimatedCycles, I1MissRate, Ir};
use proptest::prelude::*;

use super::sample::{digest, Sample};
use super::*;

/// Causes, origins, stories and notes as text.
fn text(explanation: &Explanation) -> String {
    let mut lines = Vec::new();
    for row in &explanation.causes {
        lines.push(match row {
            ExplainedRow::One(cause) => {
                let place = cause.line.map(|line| {
                    let file = cause.file.as_deref().unwrap_or_default();
                    format!(" {file}:{line}")
                });
                let also = cause.also.as_ref().map(|also| format!("; {also}"));
                format!(
                    "{:+} {}{}: {}{}",
                    cause.diff,
                    cause.function,
                    place.unwrap_or_default(),
                    cause.text,
                    also.unwrap_or_default()
                )
            }
            ExplainedRow::Rest { rest, diff } => format!("{diff:+} {rest} more"),
        });
    }
    for story in &explanation.stories {
        let from = story.from.as_ref().map(|from| format!(" from {from}"));
        lines.push(format!(
            "{:?} {}{} {:?}",
            story.kind,
            story.function,
            from.unwrap_or_default(),
            story.callers
        ));
    }
    lines.extend(explanation.notes.iter().map(|note| format!("note: {note}")));
    lines.join("\n")
}

fn sum<T>(rows: &[ExplainedRow<T>], diff: impl Fn(&T) -> i64) -> i64 {
    let rows = rows.iter();
    rows.map(|row| match row {
        ExplainedRow::One(row) => diff(row),
        ExplainedRow::Rest { diff, .. } => *diff,
    })
    .sum()
}

/// Everything adds up, and the other way round everything but the causes is the opposite.
#[track_caller]
fn explained(old: &Digest, new: &Digest) -> Explanation {
    let found = explain(old, new, Ir).unwrap();
    assert_eq!(found.diff, found.new as i64 - found.old as i64);
    assert_eq!(sum(&found.functions, |row| row.diff), found.diff);
    let origins = found.origins.iter().map(|row| row.diff);
    assert_eq!(origins.sum::<i64>(), found.diff);
    if found.basis == ExplanationBasis::Instructions {
        assert_eq!(sum(&found.causes, |row| row.diff), found.diff);
    }
    for row in &found.causes {
        let parts = row.one().map_or(0, |cause| cause.parts.len());
        let sum = row
            .one()
            .map_or(0, |cause| cause.parts.iter().map(|part| part.diff).sum());
        if let ExplainedRow::One(cause) = row {
            assert!(parts == 8 || sum == cause.diff, "{cause:?}");
        }
    }
    let back = explain(new, old, Ir).unwrap();
    let opposite = |rows: &[ExplainedRow<FunctionDifference>], sign: i64| {
        let mut diffs: Vec<i64> = rows
            .iter()
            .filter_map(|row| Some(row.one()?.diff * sign))
            .collect();
        diffs.sort_unstable();
        diffs
    };
    assert_eq!(opposite(&back.functions, -1), opposite(&found.functions, 1));
    for digest in [old, new] {
        let nothing = explain(digest, digest, Ir).unwrap();
        assert!(
            nothing.is_empty() && nothing.notes.is_empty(),
            "{nothing:?}"
        );
    }
    found
}

#[track_caller]
fn check(old: &str, new: &str, expected: &str) -> Explanation {
    let found = explained(&digest(old), &digest(new));
    let expected: Vec<&str> = expected.lines().map(str::trim).collect();
    assert_eq!(text(&found), expected.join("\n"));
    found
}

const SORT: &str = "root lab::bench
    build lab 1
    own lab::bench:5 = 10
    call lab::bench:6 -> std::sort 1 = 500
    own std::sort:1 = 200
    call std::sort:2 > lab::sort::{closure}:26 -> memcmp 100 = 300
    own std::sort:2 > lab::sort::{closure}:26 = 100
    own memcmp:0 = 200";

#[test]
fn a_closure_calls_something_new() {
    let found = check(
        SORT,
        "root lab::bench
        build lab 2
        own lab::bench:5 = 10
        body std::sort 2
        call lab::bench:6 -> std::sort 1 = 5310
        own std::sort:1 = 204
        own std::sort:2 > lab::sort::{closure}:26 = 110
        call std::sort:2 > lab::sort::{closure}:26 -> std::str::to_lowercase 200 = 4000
        call std::sort:2 > lab::sort::{closure}:27 -> free 200 = 1000
        call std::sort:2 > lab::sort::{closure}:26 -> memcmp 100 = 200
        own std::str::to_lowercase:1 = 3000
        call std::str::to_lowercase:2 -> malloc 200 = 1000
        own malloc:0 = 1000
        own free:0 = 1000
        own memcmp:0 = 200",
        "+5010 lab::sort::{closure} src/lib.rs:26: calls str::to_lowercase 0 -> 200 times
         +4 sort: own code, 200 -> 204",
    );
    assert_eq!(
        found.allocations,
        Some(AllocationCounts {
            old: AllocationCount {
                calls: Some(0),
                frees: Some(0)
            },
            new: AllocationCount {
                calls: Some(200),
                frees: Some(200)
            },
        })
    );
    let origins = found.origins.iter().map(|row| (&row.name[..], row.diff));
    assert_eq!(
        Vec::from_iter(origins),
        [("std", 3004), ("libc.so.6", 2000), ("lab", 10)]
    );
}

#[test]
fn a_hash_table_that_grows_belongs_to_who_made_it() {
    let table = |with: &str| {
        format!(
            "root lab::words
            own lab::words:10 = 100
            own lab::words:12 = 1000
            own hashbrown::HashMap::rustc_entry:5 = 2000
            {with}"
        )
    };
    let old = table(
        "build lab 1
        body lab::words 1
        call lab::words:10 -> malloc 1 = 50
        call lab::words:12 -> hashbrown::HashMap::rustc_entry 100 = 2000
        own malloc:0 = 50",
    );
    let new = table(
        "build lab 2
        body lab::words 2
        call lab::words:12 -> hashbrown::HashMap::rustc_entry 100 = 5500
        call hashbrown::HashMap::rustc_entry:7 -> hashbrown::RawTable::reserve_rehash 10 = 3500
        own hashbrown::RawTable::reserve_rehash:1 = 3000
        call hashbrown::RawTable::reserve_rehash:1 -> malloc 10 = 500
        own malloc:0 = 500",
    );
    let found = check(
        &old,
        &new,
        "+3450 lab::words src/lib.rs:12: through HashMap::rustc_entry: RawTable::reserve_rehash 0 -> 10 times",
    );
    let allocations = found.allocations.unwrap();
    assert_eq!(
        (allocations.old.calls, allocations.new.calls),
        (Some(1), Some(10))
    );
}

#[test]
fn a_decision_on_inlining_is_no_new_function() {
    let found = check(
        "root lab::distances
        build lab 1
        own lab::distances:35 = 74000
        own lab::distances:36 > lab::distance:45 = 149200",
        "root lab::distances
        build lab 2
        body lab::distances 2
        body lab::distance 3
        own lab::distances:35 = 282019
        call lab::distances:36 -> lab::distance 19900 = 199000
        own lab::distance:45 = 199000",
        "+208019 lab::distances src/lib.rs:35: own code, 74,000 -> 282,019
         +49800 lab::distance src/lib.rs:45: own code, 149,200 -> 199,000; no longer inlined (19,900 calls)
         NoLongerInlined lab::distance [\"lab::distances\"]",
    );
    let parts = &found.causes[1].one().unwrap().parts;
    assert_eq!(parts[0].entries, None);
    // And the other way round.
    check(
        "root lab::f
        own lab::f:3 = 50
        build lab 1
        call lab::f:4 -> dep::g 10 = 300
        own dep::g:1 = 100
        call dep::g:2 -> malloc 10 = 200
        own malloc:0 = 200",
        "root lab::f
        build lab 2
        body lab::f 2
        own lab::f:3 = 50
        own lab::f:4 > dep::g:1 = 40
        call lab::f:4 > dep::g:2 -> malloc 10 = 200
        own malloc:0 = 200",
        "-60 lab::f src/lib.rs:4: own code, 150 -> 90
         InlinedNow dep::g [\"lab::f\"]",
    );
}

#[test]
fn one_callee_instead_of_another() {
    let serialize = |package: &str, callee: &str, cost: u64, hash: u64| {
        format!(
            "root lab::write
            build lab {hash}
            version serde_json {package}
            own lab::write:1 = 5
            call lab::write:2 -> serde_json::to_string 1 = 1000
            body serde_json::to_string {hash}
            own serde_json::to_string:1 = 20
            call serde_json::to_string:2 > <Compound as serde_json::SerializeMap>::serialize_entry:3 -> {callee} 100 = {cost}
            own {callee}:1 = {cost}"
        )
    };
    check(
        &serialize("1.0.120", "ryu::format64", 5000, 1),
        &serialize("1.0.154", "zmij::write", 1000, 2),
        "-4000 SerializeMap::serialize_entry: calls zmij::write instead of ryu::format64, 100 times
         note: serde_json 1.0.120 -> 1.0.154",
    );
    check(
        &serialize("1.0.120", "ryu::format64", 5000, 1),
        &serialize("1.0.120", "zmij::write", 1000, 2).replace("100 = 1000", "105 = 1000"),
        "-4000 SerializeMap::serialize_entry: calls zmij::write instead of ryu::format64, 100 -> 105 times",
    );
}

#[test]
fn calls_that_are_gone_and_more_calls() {
    let create = |count: u64| match count {
        0 => String::new(),
        _ => format!(
            "call dep::create_cache:3 -> dep::pikevm::ActiveStates::new {count} = {0}
            own dep::pikevm::ActiveStates::new:1 = {0}",
            count * 1000
        ),
    };
    let find = |build: u64, count: u64| {
        format!(
            "root lab::find
            build lab {build}
            body dep::create_cache {build}
            call lab::find:2 -> dep::create_cache 1 = 100
            own dep::create_cache:1 = 100
            {}",
            create(count)
        )
    };
    check(
        &find(1, 2),
        &find(2, 0),
        "-2000 dep::create_cache: calls ActiveStates::new 2 -> 0 times",
    );
    check(
        &find(1, 12),
        &find(2, 19),
        "+7000 dep::create_cache: calls ActiveStates::new 12 -> 19 times",
    );
    check(
        &find(1, 0),
        &find(2, 1),
        "+1000 dep::create_cache: calls ActiveStates::new 0 -> 1 time",
    );
}

#[test]
fn own_code_of_a_recursion() {
    let fib = |hash: u64, cost: u64| {
        format!(
            "root lab::bench
            build lab {hash}
            own lab::bench:1 = 10
            call lab::bench:2 -> lab::fib 1 = {cost}
            body lab::fib {hash}
            own lab::fib:66 = {cost}
            call lab::fib:66 -> lab::fib 4180 = {cost}"
        )
    };
    check(
        &fib(1, 83_991),
        &fib(2, 115_839),
        "+31848 lab::fib src/lib.rs:66: own code, 20.1 -> 27.7 for each of 4,181 calls",
    );
}

#[test]
fn circles_of_functions_are_one_unit() {
    let parse = |hash: u64, inner: u64, cost: u64| {
        format!(
            "root lab::bench
            build lab {hash}
            own lab::bench:1 = 10
            call lab::bench:2 -> dep::value 2 = 900
            body dep::value {hash}
            own dep::value:3 = {cost}
            call dep::value:4 -> dep::list {inner} = 800
            own dep::list:5 = 300
            call dep::list:6 -> dep::value {inner} = 700"
        )
    };
    check(
        &parse(1, 7, 400),
        &parse(2, 9, 600),
        "+200 dep::value: own code, 700 -> 900",
    );
}

#[test]
fn the_same_code_with_other_data() {
    let copy = |count: u64, cost: u64| {
        format!(
            "root lab::bench
            build lab 1
            own lab::bench:3 = 10
            call lab::bench:4 -> memcpy {count} = {cost}
            own memcpy:0 = {cost}"
        )
    };
    check(
        &copy(10, 100),
        &copy(10, 900),
        "+800 lab::bench src/lib.rs:4: through memcpy: own code, 100 -> 900
         note: same executable: the data is different",
    );
    check(
        &copy(10, 100),
        &copy(20, 200).replace("build lab 1", "build lab 2"),
        "+100 lab::bench src/lib.rs:4: calls memcpy 10 -> 20 times
         note: no code that ran has changed: the data is different",
    );
}

#[test]
fn a_region_that_is_measured_more_often() {
    let region = |count: u64| {
        format!(
            "root lab::region
            body lab::region 1 {count}
            own lab::region:1 = {}",
            count * 10
        )
    };
    check(
        &region(1000),
        &region(2000),
        "+10000 lab::region: called 1,000 -> 2,000 times
         note: same executable: the data is different",
    );
}

#[test]
fn lines_that_moved_are_no_cause() {
    let at = |line: u64, build: u64| {
        format!(
            "root lab::bench
            build lab {build}
            own lab::bench:{line} = 10
            own lab::bench:{} = 70
            call lab::bench:{line} -> malloc 3 = 30
            own malloc:0 = 30",
            line + 1
        )
    };
    let found = explained(&digest(&at(5, 1)), &digest(&at(9, 2)));
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn a_second_part_is_told_if_it_matters() {
    let calls = |hash: u64, first: u64, second: u64| {
        format!(
            "root lab::bench
            build lab {hash}
            body lab::bench {hash}
            call lab::bench:3 -> dep::a {first} = {0}
            call lab::bench:4 -> dep::b {second} = {1}
            own dep::a:1 = {0}
            own dep::b:1 = {1}",
            first * 100,
            second * 100
        )
    };
    check(
        &calls(1, 1, 1),
        &calls(2, 11, 5),
        "+1400 lab::bench src/lib.rs:3: calls dep::a 1 -> 11 times; calls dep::b 1 -> 5 times",
    );
    check(
        &calls(1, 1, 1),
        &calls(2, 11, 2),
        "+1100 lab::bench src/lib.rs:3: calls dep::a 1 -> 11 times",
    );
}

#[test]
fn calls_that_move_inside_of_a_dependency_are_netted() {
    // One function of the dependency does what another one did; both are inlined into the same
    // body.
    let parse = |hash: u64, inlined: &str, cost: u64| {
        format!(
            "root lab::bench
            build lab {hash}
            call lab::bench:3 -> dep::parse 1 = 2000
            body dep::parse {hash}
            own dep::parse:1 = 10
            call dep::parse:2 > {inlined}:5 -> dep::scan 100 = {cost}
            own dep::scan:1 = {cost}"
        )
    };
    check(
        &parse(1, "dep::first", 1000),
        &parse(2, "dep::second", 1000).replace(
            "body dep::parse 2",
            "own dep::parse:9 = 3\nbody dep::parse 2",
        ),
        "+3 dep::parse: own code, 10 -> 13",
    );
}

#[test]
fn effects_on_callers_that_are_as_before_belong_to_what_changed() {
    // A vector grows by less, so that who pushes lets it grow more often; and all of it is moved
    // more often.
    let push = |hash: u64, grown: u64, moved: u64| {
        format!(
            "root lab::bench
            build lab {hash}
            call lab::bench:3 -> dep::fill 1 = {}
            own dep::fill:1 = 500
            call dep::fill:2 -> dep::Vec::grow {grown} = {}
            call dep::fill:3 -> dep::drain 1 = {moved}
            body dep::Vec::grow {hash}
            own dep::Vec::grow:1 = {}
            own dep::drain:1 = {moved}",
            500 + 10 * grown + moved,
            10 * grown,
            10 * grown,
        )
    };
    check(
        &push(1, 8, 100),
        &push(2, 900, 3000),
        "+11820 Vec::grow: called 8 -> 900 times; through dep::fill, dep::drain: own code +2,900",
    );
    // If who calls it has other code as well, that is the reason.
    check(
        &push(1, 8, 100),
        &push(2, 900, 300).replace("own dep::fill", "body dep::fill 2\nown dep::fill"),
        "+9120 dep::fill: calls Vec::grow 8 -> 900 times",
    );
}

#[test]
fn other_instances_belong_to_who_asks_for_them() {
    let write = |hash: u64, format: &str, cost: u64| {
        format!(
            "root lab::write
            build lab {hash}
            body lab::write {hash}
            own lab::write:1 = 5
            call lab::write:2 -> json::Serializer::serialize 10 = {cost}
            body json::Serializer::serialize {hash}
            instance json::Serializer::serialize json::Serializer<{format}>::serialize
            own json::Serializer::serialize:1 = {cost}"
        )
    };
    check(
        &write(1, "Compact", 100),
        &write(2, "Pretty", 300),
        "+200 lab::write src/lib.rs:2: through Serializer::serialize: own code, 100 -> 300",
    );
    check(
        &write(1, "Compact", 100),
        &write(2, "Compact", 300),
        "+200 Serializer::serialize: own code, 10.0 -> 30.0 for each of 10 calls",
    );
}

#[test]
fn a_place_that_asks_for_another_instance_is_the_cause_two_levels_above() {
    let user = |callees: u64, runs: u64| {
        format!(
            "root lab::bench
            build lab {callees}
            call lab::bench:1 -> lab::user 1 = {runs}
            callees lab::user {callees}
            call lab::user:2 -> lab::mid 10 = {runs}
            instance lab::mid mid<{callees}>
            call lab::mid:3 -> lab::fill 10 = {runs}
            own lab::fill:4 = {runs}"
        )
    };
    check(
        &user(1, 100),
        &user(2, 300),
        "+200 lab::user src/lib.rs:2: through lab::mid, lab::fill: own code, 100 -> 300",
    );
    // Without the instances the place is told at its caller.
    let mut old = digest(&user(1, 100));
    old.bodies.iter_mut().for_each(|body| body.instances = 0);
    let found = explained(&old, &digest(&user(2, 300)));
    assert_eq!(found.causes[0].one().unwrap().function, "lab::bench");
}

#[test]
fn a_method_that_a_type_got_instead_of_the_provided_one_is_the_place() {
    let user = |of: &str, cost: u64| {
        let build = cost / 100;
        format!(
            "root lab::bench
            build lab {build}
            call lab::bench:1 -> lab::user 1 = {cost}
            body lab::user 1
            constant lab::user 16 {cost}
            call lab::user:2 -> lab::Style::mark 10 = {cost}
            body lab::Style::mark {cost}
            instance lab::Style::mark mark<lab::{of}>
            own lab::Style::mark:4 = {cost}"
        )
    };
    let before = digest(&user("Plain", 100));
    let row = |of: &str| {
        let mut now = digest(&user(of, 300));
        let name = now.strings.iter_mut();
        let mut name = name.filter(|name| ***name == *"lab::Style::mark");
        *name.next().unwrap() = format!("<lab::{of} as lab::Style>::mark").into();
        text(&explained(&before, &now))
    };
    assert_eq!(
        row("Plain"),
        "+200 <lab::Plain as lab::Style>::mark src/lib.rs:4: own code, 10.0 -> 30.0 for each of 10 calls"
    );
    // Another type is asked for.
    assert_eq!(
        row("Dear"),
        "+200 lab::user src/lib.rs:2: through <lab::Dear as lab::Style>::mark: own code, 100 -> 300; refers to other constants"
    );
}

#[test]
fn a_place_with_other_constants_is_the_cause() {
    let user = |constant: &str, cost: u64| {
        format!(
            "root lab::bench
            call lab::bench:1 -> lab::user 1 = {cost}
            constant lab::user 8 1
            {constant}
            call lab::user:2 -> std::write 10 = {cost}
            own std::write:4 = {cost}"
        )
    };
    let found = check(
        &user("constant lab::user 16 5", 100).replace("root", "build lab 1\nroot"),
        &user("constant lab::user 16 6", 300).replace("root", "build lab 2\nroot"),
        "+200 lab::user src/lib.rs:2: through write: own code, 100 -> 300; refers to other constants",
    );
    assert_eq!(
        found.causes[0].one().unwrap().code,
        CodeState::OtherConstants
    );
    // Data, and no constant, decides which instructions run.
    check(
        &user("constant lab::user 16 5", 100).replace("root", "build lab 1\nroot"),
        &user("constant lab::user 24 6", 300).replace("root", "build lab 2\nroot"),
        "+200 lab::bench src/lib.rs:1: through lab::user, write: own code, 100 -> 300
         note: no code that ran has changed: the data is different",
    );
}

#[test]
fn another_function_of_the_same_last_name_is_called() {
    let entry = |module: &str, build: u64, each: u64| {
        format!(
            "root lab::bench
            build lab {build}
            call lab::bench:1 -> lab::entry 1 = {0}
            body lab::entry {build}
            call lab::entry:2 -> lab::{module}::run 1 = {0}
            body lab::{module}::run {build}
            call lab::{module}::run:3 -> lab::{module}::step 10 = {0}
            body lab::{module}::step {build}
            own lab::{module}::step:4 = {0}",
            10 * each
        )
    };
    check(
        &entry("v1::parse", 1, 6),
        &entry("v2::parse", 2, 41),
        "+350 lab::entry src/lib.rs:2: calls lab::v2::parse::run instead of lab::v1::parse::run, 1 time",
    );
    // The same, inlined: whoever asks for it is the place.
    let inlined = |module: &str, build: u64, cost: u64| {
        format!(
            "root lab::bench
            build lab {build}
            call lab::bench:1 -> lab::entry 1 = {cost}
            body lab::entry {build}
            own lab::entry:2 > lab::{module}::run:40 = {cost}"
        )
    };
    check(
        &inlined("v1::parse", 1, 6),
        &inlined("v2::parse", 2, 41),
        "+35 lab::entry src/lib.rs:2: own code, 6 -> 41",
    );
}

/// A case such as `sort` in place of `sort_unstable`, both of which have a function
/// `quicksort::quicksort`.
#[test]
fn functions_of_the_same_short_name_are_shown_as_they_differ() {
    let median = |module: &str, build: u64, cost: u64| {
        format!(
            "root lab::bench
            build lab {build}
            call lab::bench:1 -> lab::median 1 = {cost}
            body lab::median {build}
            call lab::median:18 -> std::slice::{module}::quicksort::quicksort 1 = {cost}
            own std::slice::{module}::quicksort::quicksort:4 = {cost}"
        )
    };
    check(
        &median("unstable", 1, 6000),
        &median("stable", 2, 9000),
        "+3000 lab::median src/lib.rs:18: calls stable::quicksort::quicksort instead of \
         unstable::quicksort::quicksort, 1 time",
    );
    // Nothing has to be told apart.
    check(
        &median("unstable", 1, 6000),
        &median("unstable", 2, 9000),
        "+3000 lab::median src/lib.rs:18: through quicksort::quicksort: own code, 6,000 -> 9,000",
    );
}

#[test]
fn an_allocation_and_its_free_are_one_part() {
    // The first block costs 41 instructions, and each further one 38: the part is what the calls
    // executed.
    let parse = |build: u64, blocks: u64| {
        format!(
            "root lab::bench
            build lab {build}
            call lab::bench:1 -> __rustc::__rust_alloc 1 = 44
            call lab::bench:1 -> lab::parse 1 = {0}
            body lab::parse {build}
            own lab::parse:3 = 90
            {1}
            own __rustc::__rust_alloc:0 = {2}
            call __rustc::__rust_alloc:0 -> malloc {3} = {4}
            own malloc:0 = {4}",
            90 + 95 * blocks,
            match blocks {
                0 => String::new(),
                blocks => format!(
                    "call lab::parse:4 -> __rustc::__rust_no_alloc_shim_is_unstable_v2 {blocks} = {blocks}
                    own __rustc::__rust_no_alloc_shim_is_unstable_v2:0 = {blocks}
                    call lab::parse:4 -> __rustc::__rust_alloc {blocks} = {}
                    call lab::parse:5 -> __rustc::__rust_dealloc {blocks} = {1}
                    own __rustc::__rust_dealloc:0 = {1}",
                    41 * blocks,
                    53 * blocks
                ),
            },
            3 + 3 * blocks,
            1 + blocks,
            41 + 38 * blocks,
        )
    };
    let found = check(
        &parse(1, 0),
        &parse(2, 1000),
        "+95000 lab::parse src/lib.rs:5: allocates 0 -> 1,000 blocks",
    );
    let part = &found.causes[0].one().unwrap().parts[0];
    let executed = part.executed.unwrap();
    assert_eq!((part.diff, executed.new), (95000, 95000));
    assert!(!part.estimate);
    let names = found
        .functions
        .iter()
        .filter_map(|row| Some(&row.one()?.function));
    assert!(names.clone().any(|name| name == "alloc::alloc"));
    assert!(
        !names.clone().any(|name| name.contains("__r")),
        "{:?}",
        names.collect::<Vec<_>>()
    );
    let found = explained(&digest(&parse(1, 1000)), &digest(&parse(2, 0)));
    let text = &found.causes[0].one().unwrap().text;
    assert_eq!(text, "allocates 1,000 -> 0 blocks");
}

#[test]
fn numbers_beside_a_difference_are_that_difference() {
    let words = |build: u64, own: u64, calls: u64| {
        format!(
            "root lab::bench
            build lab {build}
            call lab::bench:1 -> lab::words 1 = 900
            body lab::words {build}
            own lab::words:3 = {own}
            {}",
            match calls {
                0 => String::new(),
                calls => format!(
                    "call lab::words:3 -> std::memchr {calls} = {0}
                    own std::memchr:0 = {0}",
                    calls * 80
                ),
            }
        )
    };
    // Found by hand: 315 764 - 95 050, and 1 998 calls of 80 that are gone.
    check(
        &words(1, 95_050, 1998),
        &words(2, 315_764, 0),
        "+60874 lab::words src/lib.rs:3: own code +220,714, memchr 1,998 -> 0 times -159,840",
    );
    check(
        &words(1, 100, 10),
        &words(2, 160, 11),
        "+140 lab::words src/lib.rs:3: calls memchr 10 -> 11 times; own code +60",
    );
    check(
        &words(1, 100, 10),
        &words(2, 200, 11),
        "+180 lab::words src/lib.rs:3: own code +100, memchr 10 -> 11 times +80",
    );
    // Also where a small part, which is not told, is the only other one.
    check(
        &words(1, 92_259, 2),
        &words(2, 101_259, 1),
        "+8920 lab::words src/lib.rs:3: own code +9,000",
    );
    // Own code below is a part of what came up from there.
    let below = |build: u64, own: u64, copied: u64| {
        format!(
            "root lab::bench
            build lab {build}
            call lab::bench:1 -> lab::write 1 = {0}
            body lab::write {build}
            call lab::write:2 -> dep::json 5 = {0}
            own dep::json:3 = {own}
            call dep::json:4 -> memcpy 5 = {copied}
            own memcpy:0 = {copied}",
            own + copied
        )
    };
    check(
        &below(1, 100, 50),
        &below(2, 300, 150),
        "+300 lab::write src/lib.rs:2: through dep::json: own code +200",
    );
    // A part that is divided among several callers is an estimate.
    let copies = |build: u64, cost: u64| {
        format!(
            "root lab::bench
            build lab {build}
            call lab::bench:1 -> lab::one 1 = {0}
            call lab::bench:2 -> lab::two 1 = {0}
            body lab::one {build}
            call lab::one:3 -> memcpy 10 = {0}
            body lab::two {build}
            call lab::two:4 -> memcpy 10 = {0}
            own memcpy:0 = {cost}",
            cost / 2
        )
    };
    check(
        &copies(1, 200),
        &copies(2, 600),
        "+200 lab::one src/lib.rs:3: through memcpy: own code about +200
         +200 lab::two src/lib.rs:4: through memcpy: own code about +200",
    );
}

#[test]
fn merged_functions_are_named_as_such() {
    let merged = |build: u64, calls: &str| {
        format!(
            "root lab::bench
            build lab {build}
            body lab::bench {build}
            {calls}"
        )
    };
    check(
        &merged(
            1,
            "merged lab::one lab::first\nown lab::one:7 = 5\ncall lab::bench:1 -> lab::one 8 = 5",
        ),
        &merged(
            2,
            "call lab::bench:2 -> lab::second 8 = 80
            own lab::second:8 = 80",
        ),
        "+75 lab::bench src/lib.rs:2: calls lab::second instead of lab::one (merged with lab::first), 8 times",
    );
}

#[test]
fn another_library_is_one_row_after_the_code_of_the_user() {
    let sine = |build: u64, inner: &str, cost: u64, own: u64| {
        format!(
            "root lab::bench
            build lab {build}
            build libc.so.6 {build}
            body lab::bench {build}
            own lab::bench:1 = {own}
            call lab::bench:2 -> sin 10 = {cost}
            body sin {build}
            call sin:0 -> {inner} 10 = {cost}
            body {inner} {build}
            own {inner}:0 = {cost}"
        )
    };
    check(
        &sine(1, "__sin_fma", 1000, 10),
        &sine(2, "0x000000000007b2d0", 5000, 300),
        "+290 lab::bench src/lib.rs:1: own code, 10 -> 300
         +4000 libc.so.6: own code, 1,000 -> 5,000
         note: libc has changed",
    );
    // The same build, with symbols on one side only: also the functions that it exports.
    let stripped = |build: u64, inner: &str, cost: u64, own: u64| {
        let digest = sine(build, inner, cost, own);
        digest.replace(&format!("build libc.so.6 {build}"), "build libc.so.6 1")
    };
    let expected = "+290 lab::bench src/lib.rs:1: own code, 10 -> 300
         +4000 libc.so.6: own code, 1,000 -> 5,000";
    // Digests of earlier versions have addresses.
    for nameless in ["libc.so.6", "0x000000000007b2d0"] {
        check(
            &stripped(1, "__sin_fma", 1000, 10),
            &stripped(2, nameless, 5000, 300),
            expected,
        );
        check(
            &stripped(1, nameless, 1000, 10),
            &stripped(2, "__sin_fma", 5000, 300),
            expected,
        );
        // Without symbols on both sides, it is the nameless functions alone.
        check(
            &stripped(1, nameless, 1000, 10),
            &stripped(2, nameless, 5000, 300),
            expected,
        );
    }
    // Functions that the library calls back are rows of their own.
    let calls_back = |build: u64, cost: u64| {
        sine(build, "__sin_fma", 10 * cost, 10)
            + &format!(
                "\ncall __sin_fma:0 -> lab::compare 10 = {cost}\nown lab::compare:5 = {cost}"
            )
    };
    let found = explained(&digest(&calls_back(1, 10)), &digest(&calls_back(2, 50)));
    let rows = found
        .functions
        .iter()
        .filter_map(|row| Some(&row.one()?.function));
    assert_eq!(Vec::from_iter(rows), ["__sin_fma", "lab::compare"]);
}

#[test]
fn a_row_is_named_by_the_inlined_function_that_has_the_edit() {
    // The hasher is called once more in `resize`; nothing else says that it is there.
    let table = |hash: u64, sites: &[u32]| {
        let calls = sites.iter().map(|line| {
            format!(
                "own dep::reserve:1 > dep::resize:{line} > dep::hash:7 = 50
                call dep::reserve:1 > dep::resize:{line} > dep::hash:7 -> std::hash_one 10 = 100\n"
            )
        });
        format!(
            "root lab::bench
            build lab {hash}
            call lab::bench:3 -> dep::reserve 1 = 1000
            body dep::reserve {hash}
            own dep::reserve:1 = 10
            own std::hash_one:1 = 100
            {}",
            calls.collect::<String>()
        )
    };
    check(
        &table(1, &[20]),
        &table(2, &[20, 21]).replace("hash_one:1 = 100", "hash_one:1 = 200"),
        "+150 dep::resize: calls hash_one 10 -> 20 times; own code +50",
    );
}

/// The value that decides is in a third function, which leaves an instruction or none.
#[test]
fn own_code_of_an_inlined_function_is_at_its_place() {
    let side = |build: u64, rounds: u64| {
        format!(
            "root lab::bench
            build lab {build}
            body lab::bench {build}
            own lab::bench:1 = 5
            own lab::bench:2 > lab::one:10 = 1
            own lab::bench:2 > lab::one:11 > lab::spin:20 = {rounds}"
        )
    };
    check(
        &side(1, 2000),
        &side(2, 3000),
        "+1000 lab::spin src/lib.rs:20: own code, 2,000 -> 3,000",
    );
}

#[test]
fn what_went_the_other_way_is_not_the_text_of_a_row() {
    let join = |hash: u64, calls: &str| {
        format!(
            "root lab::bench
            build lab {hash}
            call lab::bench:3 -> dep::join 1 = 9000
            body dep::join {hash}
            own dep::join:1 = 10
            {calls}"
        )
    };
    check(
        &join(
            1,
            "call dep::join:2 -> std::write 500 = 5000\nown std::write:1 = 5000",
        ),
        &join(
            2,
            "call dep::join:2 -> std::write 1 = 10\nown std::write:1 = 10
            call dep::join:3 -> std::to_string 300 = 4000\nown std::to_string:1 = 4000
            call dep::join:4 -> std::push 200 = 3000\nown std::push:1 = 3000",
        ),
        "+2010 dep::join: to_string 0 -> 300 times +4,000, write 500 -> 1 time -4,990, 1 more +3,000",
    );
}

#[test]
fn renamed_functions_and_other_compilers_and_libraries_are_told() {
    let mut old = digest(
        "root lab::bench
        build lab 1
        own lab::bench:1 = 10
        call lab::bench:2 -> lab::a::helper 1 = 5
        own lab::a::helper:7 = 5",
    );
    let mut new = digest(
        "root lab::bench
        build lab 2
        build libc.so.6 3
        body lab::bench 2
        body lab::b::c::helper 2
        own lab::bench:1 = 10
        call lab::bench:2 -> lab::b::c::helper 1 = 9
        own lab::b::c::helper:7 = 9",
    );
    for (digest, version) in [(&mut old, "1.94.1"), (&mut new, "1.95.0")] {
        let text = format!("clang LLVM (rustc version {version} (59807616e 2026-04-14))");
        digest.strings.push(text.into());
        digest.head.producer = Some(digest::StringId(digest.strings.len() as u32 - 1));
    }
    let found = explained(&old, &new);
    assert_eq!(
        text(&found),
        "+4 lab::bench src/lib.rs:2: calls lab::b::c::helper instead of lab::a::helper, 1 time\n\
         note: compiled by rustc 1.94.1 -> 1.95.0\n\
         note: libc has changed"
    );
}

#[test]
fn without_instructions_there_is_only_where() {
    let old = digest("root lab::bench\nown lab::bench:1 = 10");
    let mut new = digest("root lab::bench\nown lab::bench:1 = 30");
    new.head.true_calls = false;
    let found = explained(&old, &new);
    assert_eq!(found.basis, ExplanationBasis::Functions);
    assert_eq!(found.causes, []);
    assert_eq!(found.functions.len(), 1);
    assert_eq!(
        found.notes.last().unwrap(),
        "functions only: the new result has no instructions"
    );
}

#[test]
fn code_without_debug_information_is_told() {
    let mut old = digest("root lab::bench\nown lab::bench:1 = 10\nown malloc:0 = 10");
    let mut new = digest("root lab::bench\nown lab::bench:1 = 30\nown malloc:0 = 10");
    for digest in [&mut old, &mut new] {
        digest.objects[0].debug = digest::DebugExtent::Names;
    }
    let found = explained(&old, &new);
    assert!(found
        .notes
        .contains(&"75 % of the instructions have no debug information, see `doctor`".to_owned()));
}

#[test]
fn sums_are_explained_and_rates_are_not() {
    let digest = |misses: u64| {
        let events = [
            "Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw",
        ];
        let mut sample = Sample::new(&events);
        sample.own("lab::bench:1", &[100, 20, 10, misses]);
        sample.finish()
    };
    let found = explain(&digest(0), &digest(5), EstimatedCycles).unwrap();
    assert_eq!((found.old, found.new, found.diff), (130, 150, 20));
    assert_eq!(sum(&found.causes, |cause| cause.diff), 20);
    let refused = |old: &Digest, metric| explain(old, &digest(5), metric).unwrap_err().to_string();
    assert_eq!(
        refused(&digest(0), I1MissRate),
        "I1 Miss Rate is no sum of counts"
    );
    let instructions = Sample::new(&["Ir"]).finish();
    assert_eq!(
        refused(&instructions, EstimatedCycles),
        "Estimated Cycles was not collected"
    );
    let mut huge = Sample::new(&["Ir"]);
    huge.own("lab::bench:1", &[u64::MAX]);
    let huge = huge.finish();
    let error = explain(&huge, &huge, Ir).unwrap_err().to_string();
    assert_eq!(error, "Instructions is too large to be explained");
}

#[test]
fn a_record_has_what_is_known() {
    let found = check(
        "root lab::f\nbuild lab 1\nown lab::f:3 = 5",
        "root lab::f\nbuild lab 2\nbody lab::f 2\nown lab::f:3 = 7
        call lab::f:4 -> malloc 2 = 40\nown malloc:0 = 40",
        "+42 lab::f src/lib.rs:4: allocates 0 -> 2 blocks",
    );
    let expected = serde_json::json!({
        "metric": "Ir", "label": "Instructions", "old": 5, "new": 47, "diff": 42, "basis": "instructions",
        "origins": [
            {"origin": "system", "name": "libc.so.6", "diff": 40},
            {"origin": "user", "name": "lab", "diff": 2},
        ],
        "causes": [{
            "diff": 42, "function": "lab::f", "file": "src/lib.rs", "line": 4, "origin": "user",
            "text": "allocates 0 -> 2 blocks", "code": "changed",
            "parts": [
                {"kind": "allocates", "old": 0, "new": 2, "diff": 40, "executed": {"old": 0, "new": 40}, "line": 4},
                {"kind": "own", "old": 5, "new": 7, "diff": 2, "line": 3},
            ],
        }],
        "where": [
            {"function": "malloc", "origin": "unknown", "old": 0, "new": 40, "diff": 40},
            {"function": "lab::f", "file": "src/lib.rs", "origin": "user", "old": 5, "new": 7, "diff": 2},
        ],
        "stories": [], "notes": [],
        "allocations": {"new": {"calls": 2, "frees": 0}, "old": {"calls": 0, "frees": 0}},
    });
    assert_eq!(serde_json::to_value(&found).unwrap(), expected);
    assert_eq!(
        serde_json::from_value::<Explanation>(expected).unwrap(),
        found
    );
}

/// A chain of functions of which each calls the next one.
fn chain(length: u32, cost: u64) -> Digest {
    let mut digest = digest("root lab::bench\nown lab::bench:1 = 5");
    for number in 1..length {
        digest.strings.push(format!("dep::f{number}").into());
        digest.functions.push(digest::DigestFunction {
            name: digest::StringId(digest.strings.len() as u32 - 1),
            instance: None,
            file: None,
            line: 0,
        });
        let function = digest::FunctionId(number);
        digest.bodies.push(digest::DigestBody {
            function,
            object: digest::ObjectId(0),
            bytes: 100,
            code_hash: u64::from(number),
            shape: 0,
            instances: 0,
            entries: 1,
        });
        digest.nodes.push(digest::DigestNode {
            frame: digest::NodeFrame::Body(digest::BodyId(number)),
            call_file: None,
            call_line: 0,
        });
        digest.calls.push(digest::DigestCall {
            node: digest::NodeId(number - 1),
            line: 7,
            callee: digest::BodyId(number),
            count: 1,
        });
        digest.call_costs.push(&[cost]);
    }
    digest.rows.push(digest::DigestRow {
        node: digest::NodeId(length - 1),
        file: None,
        line: 0,
    });
    digest.row_costs.push(&[cost]);
    digest.check().unwrap();
    digest
}

#[test]
fn very_deep_calls_need_no_stack() {
    let found = explain(&chain(30_000, 10), &chain(30_000, 30), Ir).unwrap();
    let cause = found.causes[0].one().unwrap();
    assert_eq!((cause.diff, &cause.function[..]), (20, "lab::bench"));
    assert_eq!(
        cause.text,
        "through dep::f1, dep::f29999: own code, 10 -> 30"
    );
    assert_eq!(cause.through.len(), 8);
}

/// A function in which each one of a chain is inlined into the one before, with costs of all of
/// them; it is called, or is inlined itself.
fn inlined_chain(length: u32, cost: u64, is_called: bool) -> Digest {
    let inclusive = u64::from(length) * cost;
    let mut digest = digest(&match is_called {
        true => format!(
            "root lab::bench\ncall lab::bench:3 -> dep::g0 1 = {inclusive}\nown dep::g0:1 = {cost}"
        ),
        false => format!("root lab::bench\nown lab::bench:3 > dep::g0:1 = {cost}"),
    });
    let is_first = |function: digest::FunctionId| {
        digest.text(digest.functions[function.index()].name) == "dep::g0"
    };
    let first = digest.nodes.iter().position(|node| match node.frame {
        digest::NodeFrame::Body(body) => is_first(digest.bodies[body.index()].function),
        digest::NodeFrame::Inlined { function, .. } => is_first(function),
    });
    let mut parent = digest::NodeId(first.unwrap() as u32);
    for number in 1..length {
        digest.strings.push(format!("dep::g{number}").into());
        let function = digest::FunctionId(digest.functions.len() as u32);
        digest.functions.push(digest::DigestFunction {
            name: digest::StringId(digest.strings.len() as u32 - 1),
            instance: None,
            file: None,
            line: 0,
        });
        let node = digest::NodeId(digest.nodes.len() as u32);
        digest.nodes.push(digest::DigestNode {
            frame: digest::NodeFrame::Inlined { parent, function },
            call_file: None,
            call_line: 1,
        });
        digest.rows.push(digest::DigestRow {
            node,
            file: None,
            line: 1,
        });
        digest.row_costs.push(&[cost]);
        parent = node;
    }
    digest.check().unwrap();
    digest
}

#[test]
fn very_deep_inlining_needs_no_stack_and_its_depth_once() {
    let begin = std::time::Instant::now();
    let found = explain(
        &inlined_chain(100_000, 1, true),
        &inlined_chain(100_000, 3, false),
        Ir,
    )
    .unwrap();
    assert_eq!(found.diff, 200_000);
    assert_eq!(sum(&found.causes, |cause| cause.diff), 200_000);
    assert!(begin.elapsed() < std::time::Duration::from_secs(60));
}

#[test]
fn hostile_names_are_shown_as_printable_text() {
    let name = format!("dep::</script>\u{1b}[31m::{}::f", "x".repeat(10_000));
    let program = |build: u64, cost: u64| {
        let mut digest = digest(&format!(
            "root lab::bench\nbuild lab {build}
            call lab::bench:3 -> dep::NAME::f 1 = {cost}
            body dep::NAME::f {build}
            own dep::NAME::f:1 = {cost}"
        ));
        for text in &mut digest.strings {
            if **text == *"dep::NAME::f" {
                *text = name.as_str().into();
            }
        }
        digest
    };
    let found = explained(&program(1, 10), &program(2, 30));
    let cause = found.causes[0].one().unwrap();
    assert!(cause.function.chars().count() <= 300);
    assert!(!cause.function.contains(char::is_control));
}

/// A program of ten functions of any owner, with calls that add up or not.
pub(super) fn any_digest() -> impl Strategy<Value = Digest> {
    const NAMES: [&str; 10] = [
        "lab::bench",
        "lab::a",
        "lab::b",
        "std::c",
        "std::x::d",
        "dep::e",
        "dep::x::f",
        "more::g",
        "malloc",
        "memcpy",
    ];
    let name = || 0..NAMES.len();
    let rows = prop::collection::vec(
        (name(), prop::option::of(name()), 1_u32..4, 0_u64..1000),
        1..30,
    );
    let calls = prop::collection::vec(
        (
            name(),
            prop::option::of(name()),
            name(),
            0_u64..20,
            0_u64..3000,
        ),
        0..40,
    );
    let hashes = prop::collection::vec(0_u64..3, NAMES.len());
    (rows, calls, hashes, any::<bool>(), 1_u8..3).prop_map(|(rows, calls, hashes, root, build)| {
        let mut sample = Sample::new(&["Ir"]);
        let stack = |outer: usize, inner: Option<usize>, line: u32| match inner {
            None => format!("{}:{line}", NAMES[outer]),
            Some(inner) => format!("{}:9 > {}:{line}", NAMES[outer], NAMES[inner]),
        };
        for (outer, inner, line, cost) in rows {
            sample.own(&stack(outer, inner, line), &[cost]);
        }
        for (outer, inner, callee, count, cost) in calls {
            sample.call(&stack(outer, inner, 5), NAMES[callee], count, &[cost]);
        }
        if root {
            let root = sample.body(NAMES[0]);
            sample.digest.head.roots.push(root);
        }
        sample.digest.objects[0].build_id = [build].into();
        let mut digest = sample.finish();
        for body in &mut digest.bodies {
            body.code_hash = hashes[body.function.index() % hashes.len()];
        }
        digest
    })
}

proptest! {
    #[test]
    fn causes_add_up(old in any_digest(), new in any_digest()) {
        let found = explained(&old, &new);
        prop_assert_eq!(found.basis, ExplanationBasis::Instructions);
    }
}
