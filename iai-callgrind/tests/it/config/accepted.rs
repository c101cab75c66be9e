//! The types that benchmark files pass: literals, variables, lists of every kind, computed values.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use iai_callgrind::protocol::EnvVar;
use iai_callgrind::{
    Callgrind, CallgrindMetrics, Dhat, DhatMetric, DhatMetrics, EntryPoint, EventKind,
    FlamegraphConfig, LibraryBenchmarkConfig, Limit, OutputFormat, Sandbox,
};

use super::{config, events, tools};

fn soft(tool: &mut Callgrind) -> Vec<(EventKind, f64)> {
    events(tools(tool).callgrind.unwrap().settings.limits.soft)
}

fn hard(tool: &mut Callgrind) -> Vec<(EventKind, Limit)> {
    events(tools(tool).callgrind.unwrap().settings.limits.hard)
}

#[test]
fn soft_limits() {
    let new = Callgrind::default;
    let expected = [(EventKind::Ir, 5.0)];
    let (float, int) = (5.0, 5);
    assert_eq!(soft(new().soft_limits([(EventKind::Ir, float)])), expected);
    assert_eq!(soft(new().soft_limits([(EventKind::Ir, int)])), expected);
    assert_eq!(soft(new().soft_limits([(EventKind::Ir, 5f64)])), expected);
    assert_eq!(soft(new().soft_limits(vec![(EventKind::Ir, 5.)])), expected);
    assert_eq!(soft(new().soft_limits(Some((EventKind::Ir, 5)))), expected);
    let list: Vec<(EventKind, f64)> = expected.to_vec();
    assert_eq!(soft(new().soft_limits(list)), expected);
    let map: BTreeMap<EventKind, i32> = [(EventKind::Ir, 5)].into();
    assert_eq!(soft(new().soft_limits(map)), expected);
    let one: CallgrindMetrics = EventKind::Ir.into();
    assert_eq!(soft(new().soft_limits([(one, 5.0)])), expected);
    let all = soft(new().soft_limits([(CallgrindMetrics::All, -0.5)]));
    assert_eq!(all.len(), EventKind::all().count());
}

#[test]
fn hard_limits() {
    let new = Callgrind::default;
    let expected = [(EventKind::Ir, Limit::Int(10))];
    let inferred = 10;
    let size: usize = 10;
    assert_eq!(hard(new().hard_limits([(EventKind::Ir, 10)])), expected);
    assert_eq!(hard(new().hard_limits([(EventKind::Ir, 10_u64)])), expected);
    assert_eq!(
        hard(new().hard_limits([(EventKind::Ir, inferred)])),
        expected
    );
    assert_eq!(
        hard(new().hard_limits([(EventKind::Ir, Limit::Int(10))])),
        expected
    );
    assert_eq!(
        hard(new().hard_limits([(EventKind::Ir, Limit::int(size))])),
        expected
    );
    let rate = hard(new().hard_limits([(EventKind::L1HitRate, 99.5)]));
    assert_eq!(rate, [(EventKind::L1HitRate, Limit::Float(99.5))]);
    let mixed = [
        (EventKind::Ir, Limit::from(10)),
        (EventKind::L1HitRate, Limit::from(99.5)),
    ];
    assert_eq!(hard(new().hard_limits(mixed)), mixed);
}

#[test]
fn arguments_and_metrics() {
    let owned: Vec<String> = vec!["--a".to_owned()];
    let expected = tools(Callgrind::with_args(["--a"]));
    assert_eq!(tools(Callgrind::with_args(&owned)), expected);
    assert_eq!(tools(Callgrind::with_args(owned.clone())), expected);
    assert_eq!(tools(Callgrind::with_args("--a".split(' '))), expected);
    assert_eq!(tools(Callgrind::default().args(owned.iter())), expected);

    let words = ["ir", "@hits"].map(|word| word.parse::<CallgrindMetrics>().unwrap());
    let format = tools(Callgrind::default().format(words));
    let format = format.callgrind.unwrap().settings.format.unwrap();
    assert_eq!(format.len(), 4);
    let groups = tools(Dhat::default().format([DhatMetrics::All]));
    let metrics = tools(Dhat::default().format(DhatMetric::all()));
    assert_eq!(groups, metrics);
    assert_eq!(
        tools(Callgrind::default().entry_point(EntryPoint::from("f"))),
        tools(Callgrind::default().entry_point("f".to_owned().into())),
    );
}

#[test]
fn texts_and_paths() {
    let said = config(
        LibraryBenchmarkConfig::default()
            .env("A", String::from("b"))
            .env(OsString::from("C"), Path::new("d"))
            .envs(BTreeMap::from([("E", "f")]))
            .envs(vec![("G".to_owned(), "h".to_owned())])
            .pass_through_env(String::from("I"))
            .current_dir(PathBuf::from("dir"))
            .sandbox(
                Sandbox::new(true)
                    .fixtures([Path::new("a")])
                    .fixtures(["b".to_owned()]),
            )
            .output_format(OutputFormat::default().build()),
    );
    let names: Vec<_> = said.envs.iter().map(|EnvVar { name, .. }| name).collect();
    assert_eq!(names, ["A", "C", "E", "G", "I"]);
    assert_eq!(said.current_dir, Some("dir".into()));
    assert_eq!(said.sandbox.unwrap().fixtures, ["a", "b"]);
    let flamegraph = |title: &str| {
        tools(Callgrind::default().flamegraph(FlamegraphConfig::default().title(title)))
    };
    let owned = tools(
        Callgrind::default().flamegraph(FlamegraphConfig::default().title("x".to_owned()).build()),
    );
    assert_eq!(flamegraph("x"), owned);
}

#[test]
fn a_configuration_is_made_step_by_step() {
    let mut callgrind = Callgrind::default();
    callgrind.args(["--a"]);
    let mut by_steps = LibraryBenchmarkConfig::default();
    by_steps.tool(&callgrind);
    by_steps.env("A", "b");
    let chain = LibraryBenchmarkConfig::default()
        .tool(Callgrind::with_args(["--a"]))
        .env("A", "b")
        .clone();
    assert_eq!(config(&by_steps), config(chain));
}
