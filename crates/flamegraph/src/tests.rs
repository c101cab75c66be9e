//! Flamegraphs of recorded profiles against Valgrind's counts in other runs, and properties of the
//! flamegraph of any profile.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use serde_json::Value;

use super::lines::{folded, PathCosts};
use super::*;
use base::entry_functions::EVERYTHING;
use base::repository::of_repository;
use formats::callgrind::CallGraphReader;
use metrics::{MetricValue, Metrics};
use EventKind::{EstimatedCycles, Ir, L1hits, RamHits, TotalRW};

fn graph(text: &[u8]) -> CallGraph {
    let mut reader = CallGraphReader::default();
    reader.add(text).unwrap();
    reader.finish()
}

fn subject<'a>(new: &'a [CallGraph], entry: &'a EntryFunctions) -> FlamegraphInput<'a> {
    FlamegraphInput {
        new,
        old: &[],
        entry,
        regions: false,
        title: "file::group::fn id:args",
        old_name: "the last run",
    }
}

fn patterns(functions: &[&str]) -> EntryFunctions {
    EntryFunctions::of_patterns(functions.iter().copied())
}

/// The folded lines of profiles, cut as little as can be, and their total.
fn lines_of(kind: EventKind, graphs: &[CallGraph], functions: &[&str]) -> (Vec<String>, u64) {
    let functions = patterns(functions);
    let subject = subject(graphs, &functions);
    let mut tree = PathTree::new();
    let total = add(&mut tree, Side::New, kind, graphs, subject, 0.0)
        .unwrap()
        .unwrap();
    let side = PathCosts {
        side: Side::New,
        own: tree.own(Side::New),
        least: 1,
    };
    (folded(&tree, &[side]), total)
}

/// Path and count.
pub(super) fn parts(line: &str) -> (Vec<&str>, u64) {
    let (path, count) = line.rsplit_once(' ').unwrap();
    (path.split(';').collect(), count.parse().unwrap())
}

pub(super) fn sum(lines: &[String]) -> u64 {
    lines.iter().map(|line| parts(line).1).sum()
}

/// Inclusive costs of functions, over all paths.
fn inclusive(lines: &[String]) -> BTreeMap<String, u64> {
    let mut costs = BTreeMap::new();
    for line in lines {
        let (path, count) = parts(line);
        let names: HashSet<&str> = path.into_iter().collect();
        for name in names {
            *costs.entry(name.to_owned()).or_default() += count;
        }
    }
    costs
}

#[track_caller]
fn check(text: &str, functions: &[&str], expected: &[&str]) {
    let (lines, total) = lines_of(Ir, &[graph(text.as_bytes())], functions);
    assert_eq!(lines, expected);
    assert_eq!(sum(&lines), total);
}

/// `main` calls `a` and `b`, which both call `shared`.
const SHARED: &str = "\
events: Ir
fn=main
1 10
cfn=a
calls=1 2
1 120
cfn=b
calls=1 3
1 1030
fn=a
2 20
cfn=shared
calls=1 4
2 100
fn=b
3 30
cfn=shared
calls=1 4
3 1000
fn=shared
4 100
cfn=leaf
calls=11 5
4 1000
fn=leaf
5 1000
totals: 1160
";

#[test]
fn callees_are_divided_among_their_callers() {
    // `shared` executed 100 for `a` and 1000 for `b`; the costs of `leaf` are not known for each of
    // them.
    check(
        SHARED,
        &[],
        &[
            "main 10",
            "main;a 20",
            "main;a;shared 9",
            "main;a;shared;leaf 91",
            "main;b 30",
            "main;b;shared 91",
            "main;b;shared;leaf 909",
        ],
    );
}

#[test]
fn the_picture_begins_at_the_entry_point() {
    // Costs outside of the entry function, such as those of another thread, are beside it.
    check(
        SHARED,
        &["b"],
        &[
            "b 30",
            "b;shared 91",
            "b;shared;leaf 909",
            "main 10",
            "main;a 20",
            "main;a;shared 9",
            "main;a;shared;leaf 91",
        ],
    );
    let without_own = SHARED.replace("fn=main\n1 10\n", "fn=main\n1 0\n");
    let (lines, total) = lines_of(Ir, &[graph(without_own.as_bytes())], &["a", "b"]);
    assert_eq!(total, 1150);
    assert!(
        lines.iter().all(|line| !line.starts_with("main")),
        "{lines:?}"
    );
}

#[test]
fn regions_are_shown_alone() {
    let text = SHARED.replace(
        "fn=b",
        "fn=iai_callgrind::measure::__iai_callgrind_region_mod::call",
    );
    let graphs = [graph(text.as_bytes())];
    let mut subject = subject(&graphs, &EVERYTHING);
    subject.regions = true;
    let mut tree = PathTree::new();
    let total = add(&mut tree, Side::New, Ir, &graphs, subject, 0.0);
    assert_eq!(total.unwrap(), Some(1030));
}

#[test]
fn circles_end() {
    let cycle = "events: Ir\n\nfn=a\n1 10\ncfn=b\ncalls=1 1\n1 1000\n\nfn=b\n1 20\ncfn=a\ncalls=1 1\n1 1000\n";
    check(cycle, &[], &["b 20", "b;a 10"]);
    check(cycle, &["a"], &["a 10", "a;b 20"]);
}

#[test]
fn small_calls_are_added_up() {
    let mut text = String::from("events: Ir\nfn=main\n1 9000\n");
    for number in 0..20 {
        let _ = write!(text, "cfn=f{number}\ncalls=1 1\n1 50\n");
    }
    text.push_str("cfn=large\ncalls=1 1\n1 900\n");
    for number in 0..20 {
        let _ = write!(text, "fn=f{number}\n1 50\n");
    }
    text.push_str("fn=large\n1 900\n");
    let graphs = [graph(text.as_bytes())];
    let mut tree = PathTree::new();
    let total = add(
        &mut tree,
        Side::New,
        Ir,
        &graphs,
        subject(&graphs, &EVERYTHING),
        1.0,
    );
    assert_eq!(total.unwrap(), Some(10_900));
    let side = |least| PathCosts {
        side: Side::New,
        own: tree.own(Side::New),
        least,
    };
    assert_eq!(
        folded(&tree, &[side(109)]),
        ["main 9000", "main;large 900", "main;… 1000"]
    );
    // Something that was large before is not cut.
    let before = PathCosts {
        side: Side::Old,
        own: tree.own(Side::New).iter().map(|count| count * 2).collect(),
        least: 99,
    };
    assert_eq!(folded(&tree, &[before, side(109)]).len(), 22);
}

#[test]
fn deep_calls_are_cut() {
    let mut text = String::from("events: Ir\n");
    for number in 0..5000 {
        let below = 5000 - number - 1;
        let _ = write!(
            text,
            "fn=f{number}\n1 1\ncfn=f{}\ncalls=1 1\n1 {below}\n",
            number + 1
        );
    }
    let (lines, total) = lines_of(Ir, &[graph(text.as_bytes())], &[]);
    assert_eq!((sum(&lines), total), (5000, 5000));
    assert_eq!(lines.len(), 301);
    assert!(lines.last().unwrap().ends_with(";f299;… 4700"));
}

#[test]
fn names_cannot_be_taken_for_something_else() {
    let name = "<[u8; 16] as T>::f 12";
    let text = format!(
        "events: Ir\nfn={name}\n1 7\ncfn=caf\u{e9} 1.5\ncalls=1 1\n1 3\nfn=caf\u{e9} 1.5\n1 3\n"
    );
    let graphs = [graph(text.as_bytes())];
    let (lines, _) = lines_of(Ir, &graphs, &[]);
    let hidden = "<[u8\u{1} 16] as T>::f\u{2}12";
    assert_eq!(
        lines,
        [
            format!("{hidden} 7"),
            format!("{hidden};caf\u{e9}\u{2}1.5 3")
        ]
    );
    let svg = svg_of(&graphs, &[]);
    assert!(
        svg.contains("&lt;[u8; 16] as T&gt;::f 12 (10 Instructions, 100.00%)"),
        "{svg}"
    );
    assert!(
        svg.contains("caf\u{e9} 1.5 (3 Instructions, 30.00%)"),
        "{svg}"
    );
}

#[test]
fn frames_are_in_one_piece() {
    // Sorted as text, `f::g` would stand between `f` and `f;x`.
    let text = "events: Ir\nfn=main\n1 1\ncfn=f\ncalls=1 1\n1 5\ncfn=f::g\ncalls=1 1\n1 9\n\
                fn=f\n1 2\ncfn=x\ncalls=1 1\n1 3\nfn=f::g\n1 9\nfn=x\n1 3\n";
    let graphs = [graph(text.as_bytes())];
    let svg = svg_of(&graphs, &[]);
    assert!(svg.contains("<title>f (5 Instructions, 33.33%)"), "{svg}");
    assert_eq!(svg.matches("<title>").count(), 5, "{svg}"); // with `all`
}

/// Reads a picture with another program, which fails at anything that is no XML, and returns the
/// text of its elements.
fn texts(svg: &[u8]) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_reader(svg);
    reader.config_mut().check_end_names = true;
    let mut texts = vec![String::new()];
    let mut depth = 0;
    loop {
        use quick_xml::events::Event;
        match reader.read_event().unwrap() {
            Event::Start(_) => {
                depth += 1;
                texts.push(String::new());
            }
            Event::End(_) => depth -= 1,
            Event::Text(text) => texts.last_mut().unwrap().push_str(&text.decode().unwrap()),
            Event::GeneralRef(name) => {
                let c = match &*name.decode().unwrap() {
                    "lt" => '<',
                    "gt" => '>',
                    "amp" => '&',
                    "quot" => '"',
                    "apos" => '\'',
                    other => panic!("{other}"),
                };
                texts.last_mut().unwrap().push(c);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0);
    texts
}

#[test]
fn pictures_are_well_formed_whatever_the_names() {
    let Some((graphs, _)) = recorded("3.27.1", "names_odd") else {
        return;
    };
    let mut svg = svg_of(&graphs, &[]).into_bytes();
    let texts = texts(&svg);
    for name in ["semi;colon 12 (", "caf\u{fffd}"] {
        let shown = |text: &String| text.starts_with(name);
        assert!(texts.iter().any(shown), "{name} in {texts:#?}");
    }
    assert!(!svg
        .iter()
        .any(|byte| *byte < b' ' && *byte != b'\n' && *byte != b'\t'));
    svg.truncate(svg.len() - 6);
    std::panic::catch_unwind(|| self::texts(&svg)).unwrap_err();
}

/// The regular picture or, with an old side, the differential one.
fn svg_of(new: &[CallGraph], old: &[CallGraph]) -> String {
    let subject = FlamegraphInput {
        old,
        ..subject(new, &EVERYTHING)
    };
    let pictures = draw(Ir, subject, &FlamegraphSettings::default()).unwrap();
    let svg = if old.is_empty() {
        pictures.regular
    } else {
        pictures.differential
    };
    String::from_utf8(svg.unwrap()).unwrap()
}

#[test]
fn pictures_say_what_they_show() {
    let [new, old] =
        [SHARED.to_owned(), SHARED.replace("2 20", "2 60")].map(|text| [graph(text.as_bytes())]);
    let subject = FlamegraphInput {
        old: &old,
        ..subject(&new, &EVERYTHING)
    };
    let text = |svg: Option<Vec<u8>>| String::from_utf8(svg.unwrap()).unwrap();
    let pictures = draw(Ir, subject, &FlamegraphSettings::default()).unwrap();
    let regular = text(pictures.regular);
    assert!(
        regular.contains(">file::group::fn id:args</text>"),
        "{regular}"
    );
    assert!(regular.contains(">Instructions: 1160</text>"), "{regular}");
    assert!(
        regular.contains("<title>all (1,160 Instructions, 100%)</title>"),
        "{regular}"
    );
    assert!(
        regular.contains("<title>a (120 Instructions, 10.34%)</title>"),
        "{regular}"
    );
    assert!(text(pictures.old).contains(">Instructions: 1200 (the last run)</text>"));
    let differential = text(pictures.differential);
    let heading =
        ">Instructions: 1160, against 1200 of the last run; red is more, blue is less</text>";
    assert!(differential.contains(heading), "{differential}");
    assert!(
        differential.contains("<title>a (120 Instructions, 10.34%; -3.45%)</title>"),
        "{differential}"
    );
    assert!(
        differential.contains("<title>b (1,030 Instructions, 88.79%; 0.00%)</title>"),
        "{differential}"
    );
    let blue = r#"fill="rgb(100,100,255)""#;
    assert_eq!(differential.matches(blue).count(), 1, "{differential}");

    let other = FlamegraphSettings {
        regular: false,
        negate: true,
        normalize: true,
        title: Some("mine & yours".to_owned()),
        subtitle: Some("<below>".to_owned()),
        ..FlamegraphSettings::default()
    };
    let pictures = draw(Ir, subject, &other).unwrap();
    assert!(pictures.regular.is_none() && pictures.old.is_none());
    let differential = text(pictures.differential);
    assert!(
        differential.contains(">mine &amp; yours</text>"),
        "{differential}"
    );
    assert!(
        differential.contains(">&lt;below&gt;</text>"),
        "{differential}"
    );
    // Normalized and negated: 60 of 1200 are 58 of 1160, so 38 fewer are shown as more.
    assert!(
        differential.contains("<title>a (120 Instructions, 10.34%; +3.28%)</title>"),
        "{differential}"
    );
}

#[test]
fn the_same_result_is_the_same_picture() {
    let graphs = [graph(SHARED.as_bytes())];
    assert_eq!(svg_of(&graphs, &[]), svg_of(&graphs, &[]));
    let same = svg_of(&graphs, &graphs);
    assert!(!same.contains("rgb(255,100,100)") && !same.contains("rgb(100,100,255)"));
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let graphs = [graph(SHARED.as_bytes())];
    let draw = |kind| {
        draw(
            kind,
            subject(&graphs, &EVERYTHING),
            &FlamegraphSettings::default(),
        )
        .unwrap_err()
        .to_string()
    };
    assert_eq!(draw(EstimatedCycles), "Estimated Cycles was not collected");
    assert_eq!(draw(EventKind::Bc), "Bc was not collected");
    let zero = [graph(b"events: Ir\nfn=f\n1 0\n")];
    let error = super::draw(
        Ir,
        subject(&zero, &EVERYTHING),
        &FlamegraphSettings::default(),
    )
    .unwrap_err();
    assert_eq!(error.to_string(), "Instructions is 0");
}

/// A folder of recorded files, if they are there.
pub(super) fn data(folder: &str) -> Option<PathBuf> {
    Some(of_repository(env!("CARGO_MANIFEST_DIR"), "crates/formats/tests/data")?.join(folder))
}

/// The profiles of a recorded case, and its expected figures, if they are there.
fn recorded(version: &str, case: &str) -> Option<(Vec<CallGraph>, Value)> {
    let folder = data("callgrind")?.join(version).join(case);
    let expected: Value =
        serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let files = expected["files"].as_object().unwrap().keys();
    let graphs = files.map(|name| graph(&fs::read(folder.join(name)).unwrap()));
    let graphs = graphs.filter(|graph| !graph.events.is_empty()).collect();
    Some((graphs, expected))
}

/// A count of a list that leaves out zeros at its end.
pub(super) fn count(counts: &Value, column: usize) -> u64 {
    counts[column].as_u64().unwrap_or(0)
}

#[test]
fn recursive_functions_cost_what_their_own_runs_counted() {
    let Some(folder) = data("callgrind") else {
        return;
    };
    let versions = ["3.19.0", "3.24.0", "3.27.1"];
    let mut checked = 0;
    for case in [
        "recursion",
        "recursion_compressed",
        "recursion_merged",
        "callers",
    ] {
        for version in versions {
            if !folder.join(version).join(case).is_dir() {
                continue;
            }
            let (graphs, expected) = recorded(version, case).unwrap();
            let events = graphs[0].events.clone();
            for (column, event) in events.iter().enumerate() {
                let kind = event.to_lowercase().parse().unwrap();
                let (lines, total) = lines_of(kind, &graphs, &["main"]);
                assert_eq!(sum(&lines), total);
                let costs = inclusive(&lines);
                let by_toggle = expected["inclusive_by_toggle"].as_object();
                for (function, counts) in by_toggle.into_iter().flatten() {
                    let cost = costs.get(function).copied().unwrap_or(0);
                    assert_eq!(
                        cost,
                        count(counts, column),
                        "{version} {case} {function} {event}"
                    );
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 200, "{checked}");
}

#[test]
fn recursion_is_one_frame_or_one_more_round() {
    let Some((graphs, _)) = recorded("3.27.1", "recursion") else {
        return;
    };
    let (lines, _) = lines_of(Ir, &graphs, &["main"]);
    // Added up by hand from the file.
    let expected = [
        "main 23",
        "main;cheap 3",
        "main;cheap;shared 46",
        "main;dear 3",
        "main;dear;shared 4006",
        "main;fib 6739",
        "main;ping 8",
        "main;ping;pong 8",
        "main;ping;pong;pang 8",
        "main;ping;pong;pang;ping 80",
        "main;ping;pong;pang;ping;pong 72",
        "main;ping;pong;pang;ping;pong;pang 72",
        "main;ping;pong;pang;ping;shared 10",
    ];
    assert_eq!(lines, expected);
    let (graphs, _) = recorded("3.27.1", "recursion_merged").unwrap();
    let (lines, _) = lines_of(Ir, &graphs, &["main"]);
    let expected = [
        "main 23",
        "main;cheap 3",
        "main;cheap;shared 46",
        "main;dear 3",
        "main;dear;shared 4006",
        "main;fib 6739",
        "main;ping 88",
        "main;ping;pong 80",
        "main;ping;pong;pang 80",
        "main;ping;shared 10",
    ];
    assert_eq!(lines, expected);
}

/// Compares inclusive costs with those of callgrind_annotate, which are exact without recursion.
#[test]
fn functions_cost_what_callgrind_annotate_says() {
    let Some((graphs, expected)) = recorded("3.27.1", "plain") else {
        return;
    };
    let table = expected["files"]["callgrind.out.1001-01"]["inclusive"].as_array();
    for (column, event) in graphs[0].events.clone().iter().enumerate() {
        let (lines, _) = lines_of(event.to_lowercase().parse().unwrap(), &graphs, &["main"]);
        let costs = inclusive(&lines);
        let mut found = 0;
        for row in table.unwrap() {
            let place = row[1].as_str().unwrap();
            let Some(name) = place.strip_prefix("/build/src/compute.c:") else {
                continue; // callers of `main`
            };
            let name = name.split(' ').next().unwrap();
            assert_eq!(
                costs.get(name).copied().unwrap_or(0),
                count(&row[0], column),
                "{name} {event}"
            );
            found += 1;
        }
        assert_eq!(found, 4);
    }
}

/// Checks every recorded profile, with and without an entry point.
#[test]
fn pictures_add_up_to_the_totals() {
    let Some(folder) = data("callgrind") else {
        return;
    };
    let mut checked = 0;
    for version in ["3.19.0", "3.27.1"] {
        for case in fs::read_dir(folder.join(version)).unwrap() {
            let case = case.unwrap().file_name().into_string().unwrap();
            let (graphs, expected) = recorded(version, &case).unwrap();
            for functions in [&["main"][..], &[]] {
                let mut total = 0;
                let files = expected["files"].as_object().unwrap().values();
                for part in files.filter_map(|file| file["parts"].as_array()).flatten() {
                    let ir = part["events"].as_array().unwrap().iter();
                    let column = ir.clone().position(|event| event == "Ir").unwrap();
                    total += count(&part["totals"], column);
                }
                if total == 0 {
                    continue;
                }
                let (lines, found) = lines_of(Ir, &graphs, functions);
                assert_eq!((sum(&lines), found), (total, total), "{version} {case}");
                checked += 1;
            }
        }
    }
    assert!(checked > 120, "{checked}");
}

#[test]
fn derived_counters_are_those_of_the_terminal() {
    let Some((graphs, expected)) = recorded("3.27.1", "plain") else {
        return;
    };
    let part = &expected["files"]["callgrind.out.1001-01"]["parts"][0];
    let names = part["events"].as_array().unwrap().iter();
    let counters = names
        .enumerate()
        .map(|(column, name)| (name.as_str().unwrap(), count(&part["totals"], column)));
    let counters: Vec<_> = counters.collect();
    let tool = base::tool::Tool::Callgrind;
    let metrics = Metrics::from_counters(tool, counters).unwrap();
    for kind in [TotalRW, L1hits, RamHits, EstimatedCycles] {
        let (lines, total) = lines_of(kind, &graphs, &["main"]);
        assert_eq!(metrics.get(kind), Some(MetricValue::Int(total)));
        assert_eq!(sum(&lines), total);
    }
}

/// A profile of functions with own costs and calls with any costs, also impossible ones.
fn any_profile() -> impl Strategy<Value = (String, u64)> {
    let own = prop::collection::vec(0_u64..1000, 1..12);
    let calls = prop::collection::vec((0_usize..12, 0_usize..12, 0_u64..5000), 0..40);
    (own, calls).prop_map(|(own, calls)| {
        let mut text = String::from("events: Ir\n");
        for (caller, cost) in own.iter().enumerate() {
            let _ = write!(text, "fn=f{caller}\n1 {cost}\n");
            for (_, callee, cost) in calls.iter().filter(|(by, ..)| *by == caller) {
                let callee = callee % own.len();
                let _ = write!(text, "cfn=f{callee}\ncalls=1 1\n1 {cost}\n");
            }
        }
        (text, own.iter().sum())
    })
}

proptest! {
    #[test]
    fn no_count_is_lost_or_made_up((text, total) in any_profile(), entry in 0_u32..12) {
        let graphs = [graph(text.as_bytes())];
        let entry = format!("f{entry}");
        for functions in [&[entry.as_str()][..], &[]] {
            let (lines, found) = lines_of(Ir, &graphs, functions);
            prop_assert_eq!(found, total);
            prop_assert_eq!(sum(&lines), total);
            for line in &lines {
                let (path, count) = parts(line);
                prop_assert!(count > 0);
                let names: HashSet<&str> = path.iter().copied().collect();
                prop_assert_eq!(names.len(), path.len(), "{}", line);
            }
            let paths: HashSet<Vec<&str>> = lines.iter().map(|line| parts(line).0).collect();
            prop_assert_eq!(paths.len(), lines.len());
        }
    }

    #[test]
    fn cut_pictures_lose_nothing((text, total) in any_profile(), least in 1_u64..3000, percent in 0.0..50.0) {
        let graphs = [graph(text.as_bytes())];
        let mut tree = PathTree::new();
        let found = add(&mut tree, Side::New, Ir, &graphs, subject(&graphs, &EVERYTHING), percent).unwrap();
        prop_assert_eq!(found, Some(total));
        let own = tree.own(Side::New);
        let lines = folded(&tree, &[PathCosts { side: Side::New, own, least }]);
        prop_assert_eq!(sum(&lines), total);
        // No frame with a name is small.
        let mut costs: BTreeMap<Vec<&str>, u64> = BTreeMap::new();
        for line in &lines {
            let (path, count) = parts(line);
            for end in 1..=path.len() {
                *costs.entry(path[..end].to_vec()).or_default() += count;
            }
        }
        for (path, cost) in costs {
            prop_assert!(path.ends_with(&[tree::REST]) || cost >= least, "{:?} {}", path, cost);
        }
    }
}

/// In each of many layers every function calls both of the next: the paths double with each layer.
#[test]
fn a_profile_with_millions_of_paths_is_cut() {
    let mut text = "events: Ir\n".to_owned();
    for layer in 0..1000_u64 {
        for name in ["a", "b"] {
            text += &format!("fn={name}{layer}\n1 1\n");
            for callee in ["a", "b"] {
                let next = layer + 1;
                text += &format!("cfn={callee}{next}\ncalls=1 1\n1 1000000000000000\n");
            }
        }
    }
    text += "fn=a1000\n1 1000000000000000\nfn=b1000\n1 1000000000000000\n";
    let begin = std::time::Instant::now();
    let (lines, total) = lines_of(Ir, &[graph(text.as_bytes())], &["a0"]);
    assert!(lines.len() <= 200_000, "{}", lines.len());
    assert_eq!(sum(&lines), total);
    assert!(begin.elapsed() < std::time::Duration::from_secs(60));
}
