//! Whatever the benchmarks are called: all parts are everything, and no two share a benchmark.

use crate::generated::{counted, facts, Counted};
use iai_callgrind::protocol::Partition;
use proptest::prelude::*;
use records::timings::{BenchmarkTime, TimedParts};
use records::{RecordInput, RecordReader};
use serde_json::{json, Value};
use verdict::sides::{ResultSide, SideOptions};

proptest! {
    #[test]
    fn parts_are_disjoint_and_complete(
        paths in prop::collection::vec(".{0,40}", 0..60),
        parts in 1..20_u64,
        kind in prop::sample::select(vec!["hash", "count"]),
    ) {
        let partitions: Vec<Partition> = (1..=parts)
            .map(|part| format!("{kind}:{part}/{parts}").parse().unwrap())
            .collect();
        for (number, path) in paths.iter().enumerate() {
            let takers = partitions.iter().filter(|part| part.takes(number, path));
            prop_assert_eq!(takers.count(), 1, "{}", path);
        }
        if kind == "count" {
            let size = |part: &Partition| (0..paths.len()).filter(|n| part.takes(*n, "")).count();
            let sizes: Vec<usize> = partitions.iter().map(size).collect();
            let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
            prop_assert!(most - least <= 1, "{:?}", sizes);
        }
    }

    #[test]
    fn a_hash_does_not_depend_on_the_others(path in ".{0,40}", parts in 1..20_u64, number in 0..99_usize) {
        for part in 1..=parts {
            let partition: Partition = format!("hash:{part}/{parts}").parse().unwrap();
            prop_assert_eq!(partition.takes(0, &path), partition.takes(number, &path));
        }
    }
}

/// 5,000 benchmarks in 40 files, with times as projects have them: most are short, some are a
/// thousand times as long.
fn whole_suite() -> Vec<Counted> {
    let mut state = 7_u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 40) as f64 / (1_u64 << 24) as f64
    };
    let mut all = Vec::new();
    for number in 0..5_000 {
        // The sum of many is nearly normal, so this is nearly log-normal.
        let normal: f64 = (0..12).map(|_| random()).sum::<f64>() - 6.0;
        all.push(Counted {
            path: format!(
                "file_{}::g::f_{}::n_{}",
                number / 125,
                number % 125,
                number % 3
            ),
            duration_ns: (1.0e8 * normal.exp()) as u64,
            started_at: format!(
                "2026-11-20T10:{:02}:{:02}.000Z",
                number / 60 % 60,
                number % 60
            ),
            ..counted("f", 1_000 + number)
        });
    }
    all
}

/// The records of all 40 files, or of a part of each.
fn records(
    all: &[Counted],
    partition: Option<Value>,
    takes: impl Fn(usize, &str) -> bool,
) -> String {
    let facts = facts("f3ab7bb0", 20);
    let mut text = String::new();
    for file in 0..40 {
        let of_file = &all[file * 125..(file + 1) * 125];
        let taken = of_file.iter().enumerate();
        let taken = taken.filter(|(number, counted)| takes(file * 125 + *number, &counted.path));
        let taken: Vec<String> = taken.map(|(_, counted)| facts.benchmark(counted)).collect();
        text += &taken.concat();
        let counts = [taken.len(), of_file.len()];
        text += &facts.run("exp1", &format!("file_{file}"), counts, partition.clone());
    }
    text
}

fn side(texts: &[String]) -> ResultSide {
    let mut reader = RecordReader::with_texts();
    for (number, text) in texts.iter().enumerate() {
        let input = RecordInput {
            name: format!("shard {number}"),
        };
        reader.read(input, text.as_bytes()).unwrap();
    }
    ResultSide::of(reader.finish(), &SideOptions::default())
}

fn texts(side: &ResultSide) -> Vec<&str> {
    let texts = side.benchmarks.iter();
    texts.map(|it| it.text.as_deref().unwrap()).collect()
}

#[test]
fn sixteen_shards_of_five_thousand_benchmarks_are_the_whole_run() {
    const SHARDS: u64 = 16;
    let all = whole_suite();
    let whole = side(&[records(&all, None, |_, _| true)]);
    assert_eq!(whole.benchmarks.len(), 5_000);
    let times: Vec<BenchmarkTime> = all
        .iter()
        .map(|counted| BenchmarkTime {
            package: counted.package.to_owned(),
            path: counted.path.clone(),
            run: 0,
            started_at: counted.started_at.clone(),
            duration_ns: counted.duration_ns,
        })
        .collect();
    let timed = TimedParts::new(&times, SHARDS);
    let total: u64 = all.iter().map(|counted| counted.duration_ns).sum();
    let mean = total as f64 / SHARDS as f64;
    // The first benchmark of a group may really take long, while its time is taken for the start of
    // a server.
    for (kind, most) in [("hash", 1.5), ("count", 1.5), ("time", 1.05)] {
        let takes = |part: u64, number: usize, path: &str| {
            let partition: Partition = format!("{kind}:{part}/{SHARDS}").parse().unwrap();
            match kind {
                "time" => timed.part("exp1", path) + 1 == part,
                "count" => {
                    let first = partition.first_number("exp1", &format!("file_{}", number / 125));
                    partition.takes(first + number % 125, path)
                }
                _ => partition.takes(number, path),
            }
        };
        let shard = |part: u64| {
            let recorded = json!({"kind": kind, "part": part, "parts": SHARDS});
            let takes = |number: usize, path: &str| takes(part, number, path);
            records(&all, Some(recorded), takes)
        };
        let mut shards: Vec<String> = (1..=SHARDS).map(shard).collect();
        let merged = side(&shards);
        assert_eq!(
            (&merged.errors, &merged.notes),
            (&vec![], &vec![]),
            "{kind}"
        );
        // Each once, and nothing else.
        assert!(texts(&merged) == texts(&whole), "{kind}");
        let load = |part: u64| {
            let taken = all.iter().enumerate();
            let taken = taken.filter(|(number, it)| takes(part, *number, &it.path));
            taken.map(|(_, it)| it.duration_ns).sum::<u64>() as f64 / mean
        };
        let longest = (1..=SHARDS).map(load).fold(0.0, f64::max);
        println!("{kind}: the longest part takes {longest:.3} of the mean");
        assert!(longest <= most, "{kind}: {longest}");
        shards.remove(5);
        // The records of runs alone say it.
        for shard in &mut shards {
            let runs = shard.lines().filter(|line| line.contains("\"suite\""));
            *shard = runs.collect::<Vec<_>>().join("\n");
        }
        let errors = side(&shards).errors;
        assert!(errors[0].contains(&format!("{kind}:6/16")), "{errors:?}");
    }
}
