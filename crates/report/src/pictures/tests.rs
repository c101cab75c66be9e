//! LibraryPictures of records.

use serde_json::{json, Value};

use super::*;
use records::sample;
use verdict::sides::SideOptions;

/// The side of these records.
fn side(records: &[Value]) -> ResultSide {
    let text: String = records.iter().map(|record| format!("{record}\n")).collect();
    ResultSide::of(sample::set(&[&text]), &SideOptions::default())
}

/// A case of a function in group `g`.
fn case(function: &str, id: &str, input: &str, count: u64) -> Value {
    let mut record = sample::benchmark(function, count);
    let benchmark = &mut record["benchmark"];
    benchmark["path"] = json!(format!("app::g::{function}::{id}"));
    benchmark["id"] = json!(id);
    benchmark["input"] = json!({"text": input, "positional": true});
    record
}

fn cases(function: &str, counts: &[(u64, u64)]) -> Vec<Value> {
    let cases = counts.iter().enumerate();
    let cases = cases.map(|(place, (size, count))| {
        case(function, &format!("n_{place}"), &size.to_string(), *count)
    });
    cases.collect()
}

fn only_function(pictures: &LibraryPictures) -> &PicturedFunction {
    assert_eq!(pictures.groups.len(), 1, "{pictures:?}");
    assert_eq!(pictures.groups[0].functions.len(), 1, "{pictures:?}");
    &pictures.groups[0].functions[0]
}

fn points(growth: &verdict::MeasuredGrowth) -> Vec<(u64, u64)> {
    let points = growth.points.iter();
    points.map(|point| (point.size, point.count)).collect()
}

#[test]
fn arguments_are_sizes_on_both_sides() {
    let old = side(&cases("f", &[(10, 50), (100, 500), (1000, 5000)]));
    let new = side(&cases("f", &[(10, 60), (100, 600), (1000, 6000)]));
    let pictures = LibraryPictures::of(Some(&old), &new);
    assert_eq!(pictures.metric, "Instructions");
    assert!(pictures.lower_is_better);
    assert_eq!(pictures.groups[0].name, "app::g");
    let [costs] = &*only_function(&pictures).growth else {
        panic!("{pictures:?}")
    };
    assert_eq!((costs.kind, &costs.bench), (SizeKind::Argument, &None));
    assert_eq!(points(&costs.new), [(10, 60), (100, 600), (1000, 6000)]);
    let old = costs.old.as_ref().unwrap();
    assert_eq!(points(old), [(10, 50), (100, 500), (1000, 5000)]);
}

#[test]
fn an_old_count_of_other_arguments_is_left_out() {
    let old = side(&[case("f", "a", "10", 50), case("f", "b", "20", 70)]);
    let new = side(&[case("f", "a", "10", 60), case("f", "b", "30", 90)]);
    let pictures = LibraryPictures::of(Some(&old), &new);
    let cases = &only_function(&pictures).cases;
    let found: Vec<_> = cases
        .iter()
        .map(|case| (&*case.name, case.new, case.old))
        .collect();
    assert_eq!(found, [("a", 60, Some(50)), ("b", 90, None)]);
}

#[test]
fn what_the_source_states_comes_before_amounts_and_arguments() {
    let mut records = cases("f", &[(1, 10), (2, 20), (3, 30)]);
    for (record, bytes) in records.iter_mut().zip([100, 200, 300]) {
        record["profiles"][0]["throughput"] = json!({"new": {"bytes": bytes}});
    }
    let kind = |records: &[Value]| {
        only_function(&LibraryPictures::of(None, &side(records))).growth[0].kind
    };
    assert_eq!(kind(&records), SizeKind::Bytes);
    let sizes =
        [(5, 10), (6, 20), (7, 30)].map(|(size, count)| json!({"size": size, "count": count}));
    records[2]["growth"] = json!([{
        "bench": "n", "tool": "callgrind", "kind": "Ir", "stated": null, "holds": null, "best": "n",
        "points": sizes, "fits": [],
    }]);
    assert_eq!(kind(&records), SizeKind::Stated);
    let pictures = LibraryPictures::of(None, &side(&records));
    let costs = &only_function(&pictures).growth[0];
    assert_eq!(points(&costs.new), [(5, 10), (6, 20), (7, 30)]);
    // One case without an amount leaves no sizes but the arguments.
    records[2]["growth"] = json!([]);
    records[0]["profiles"][0]["throughput"] = Value::Null;
    assert_eq!(kind(&records), SizeKind::Argument);
}

#[test]
fn two_sizes_or_texts_are_no_growth() {
    let growth = |records: &[Value]| {
        only_function(&LibraryPictures::of(None, &side(records)))
            .growth
            .len()
    };
    assert_eq!(growth(&cases("f", &[(1, 10), (2, 20)])), 0);
    assert_eq!(growth(&cases("f", &[(1, 10), (2, 20), (2, 21)])), 0);
    let texts = ["a", "b", "c"].map(|id| case("f", id, &format!("{id:?}"), 10));
    assert_eq!(growth(&texts), 0);
}

#[test]
fn groups_that_compare_by_id_rank_their_functions() {
    let ranked = |is_compared: bool| {
        let mut records = vec![
            case("bubble", "few", "1", 30),
            case("merge", "few", "1", 10),
            case("merge", "alone", "1", 5),
        ];
        if is_compared {
            records[1]["comparisons"] =
                json!([{"with": "app::g::bubble::few", "tool": "callgrind", "metrics": []}]);
        }
        LibraryPictures::of(None, &side(&records)).groups[0]
            .rankings
            .clone()
    };
    assert_eq!(ranked(false), []);
    let rankings = ranked(true);
    assert_eq!(
        rankings.len(),
        1,
        "one function alone is no ranking: {rankings:?}"
    );
    assert_eq!(rankings[0].id, "few");
    let names: Vec<_> = rankings[0]
        .cases
        .iter()
        .map(|it| (&*it.name, it.new))
        .collect();
    assert_eq!(names, [("merge", 10), ("bubble", 30)]);
}

#[test]
fn failed_and_uncounted_benchmarks_have_no_bar() {
    let mut failed = case("f", "a", "1", 10);
    failed["status"] = json!("failed");
    failed["failures"] =
        json!([{"tool": "callgrind", "reason": "ended", "message": "ended with 3"}]);
    assert_eq!(LibraryPictures::of(None, &side(&[failed])).groups, []);
    let mut none = case("f", "a", "1", 10);
    none["profiles"] = json!([]);
    assert_eq!(
        LibraryPictures::of(None, &side(&[none])),
        LibraryPictures::default()
    );
}
