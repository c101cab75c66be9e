//! The builders of the tools: every method.

use std::time::Duration;

use iai_callgrind::protocol::{self, Limits, ToolMetric, ToolSettings};
use iai_callgrind::{
    Bbv, BbvMetric, BbvMetrics, Cachegrind, CachegrindMetric, CachegrindMetrics, Callgrind,
    CallgrindMetrics, Dhat, DhatMetric, DhatMetrics, Direction, Drd, EntryPoint, ErrorMetric,
    ErrorMetrics, EventKind, ExplainConfig, FlamegraphConfig, FlamegraphKind, Helgrind,
    LibraryBenchmarkConfig, Limit, Massif, MassifMetric, MassifMetrics, Memcheck, Perf,
    PerfRunMode, SanitizeOutput, Unit,
};

use super::{events, levels, tools};

/// Calls the methods that all tools have, and compares with the settings that must come out.
macro_rules! check_common_methods {
    ($($tool:ident [$field:ident $(.$settings:ident)?] $metric:ident::$one:ident, $two:ident, $groups:ident;)+) => {$({
        let of = |tool: &mut $tool| tools(tool).$field.unwrap()$(.$settings)?;
        check(of(&mut $tool::default()), |_| {});
        check(of($tool::with_args(["--a=1"]).args(vec![String::from("b")])), |s| {
            s.args = vec!["--a=1".into(), "b".into()];
        });
        check(of($tool::default().enable(false)), |s| s.enable = Some(false));
        check(of($tool::default().fail_fast(true)), |s| s.fail_fast = Some(true));
        check(
            of($tool::default().format([$metric::$two, $metric::$one]).format([$groups::Default])),
            |s| {
                let mut expected = vec![$metric::$two.into(), $metric::$one.into()];
                let others = |m: &$metric| !matches!(m, $metric::$one | $metric::$two);
                let others = $groups::Default.members().into_iter().filter(others);
                expected.extend(others.map(ToolMetric::from));
                s.format = Some(expected);
            },
        );
        check(of($tool::default().format([$groups::None])), |s| s.format = Some(vec![]));
        check(
            of($tool::default()
                .soft_limits([($metric::$one, 5), ($metric::$two, -1)])
                .soft_limits([($groups::from($metric::$one), 0.5)])),
            |s| s.limits.soft = vec![($metric::$one.into(), 0.5), ($metric::$two.into(), -1.0)],
        );
        check(
            of($tool::default()
                .hard_limits([($metric::$one, 10_000_000_000)])
                .hard_limits([($metric::$two, 0.5)])
                .hard_limits([($metric::$one, Limit::int(7_usize))])),
            |s| {
                s.limits.hard =
                    vec![($metric::$one.into(), Limit::Int(7)), ($metric::$two.into(), Limit::Float(0.5))];
            },
        );
        check(
            of($tool::default()
                .soft_limits([($metric::$one, 5.0)])
                .hard_limits([($metric::$one, 5)])
                .clear_limits()
                .soft_limits([($metric::$two, 1.0)])),
            |s| s.limits = Limits { clear: true, soft: vec![($metric::$two.into(), 1.0)], hard: vec![] },
        );
        let mut tool = $tool::with_args(["--x"]).enable(true).build();
        let expected = tools(&tool);
        assert_eq!(tools(&mut tool), expected);
        assert_eq!(tools(tool), expected);
    })+};
}

#[track_caller]
fn check(settings: ToolSettings, expected: impl FnOnce(&mut ToolSettings)) {
    let mut plain = ToolSettings::default();
    expected(&mut plain);
    assert_eq!(settings, plain);
}

#[test]
fn every_tool_has_the_common_methods() {
    check_common_methods! {
        Callgrind[callgrind.settings] EventKind::Ir, L1hits, CallgrindMetrics;
        Cachegrind[cachegrind] CachegrindMetric::Ir, Bcm, CachegrindMetrics;
        Dhat[dhat.settings] DhatMetric::TotalBytes, AtTGmaxBlocks, DhatMetrics;
        Massif[massif] MassifMetric::PeakTotal, PeakHeap, MassifMetrics;
        Bbv[bbv] BbvMetric::Instructions, Reps, BbvMetrics;
        Memcheck[memcheck] ErrorMetric::Errors, Contexts, ErrorMetrics;
        Helgrind[helgrind] ErrorMetric::Errors, Contexts, ErrorMetrics;
        Drd[drd] ErrorMetric::Errors, Contexts, ErrorMetrics;
    }
}

#[test]
fn perf_has_methods_of_its_own() {
    let of = |perf: &mut Perf| tools(perf).perf.unwrap();
    let perf = of(Perf::with_args(["-d"])
        .args(["--no-scale"])
        .event_set("cycles")
        .event_sets(["faults", "task-clock"])
        .run_mode(PerfRunMode::Calibrate(Duration::from_millis(5)))
        .sample_duration(Duration::from_secs(2))
        .alpha(0.01)
        .soft_limits([("cycles*", 5), ("faults", 1)])
        .soft_limits([("cycles*", -0.5)])
        .hard_limits([("task-clock", Unit::Milliseconds, 2.5)])
        .hard_limits([("faults", None, 7)])
        .non_zero_metrics(["a"])
        .non_zero_metrics(["b"])
        .min_pcnt_running(50.0)
        .record(true)
        .record_args(["-g"])
        .disable_entry_point(true)
        .fail_fast(true)
        .enable(false));
    let expected = protocol::Perf {
        enable: Some(false),
        args: vec!["-d".into(), "--no-scale".into()],
        event_sets: Some(vec!["cycles".into(), "faults".into(), "task-clock".into()]),
        run_mode: Some(PerfRunMode::Calibrate(Duration::from_millis(5))),
        sample_duration: Some(Duration::from_secs(2)),
        alpha: Some(0.01),
        limits: protocol::PerfLimits {
            clear: false,
            soft: vec![("cycles*".into(), -0.5), ("faults".into(), 1.0)],
            hard: vec![
                (
                    "task-clock".into(),
                    (Some(Unit::Milliseconds), Limit::Float(2.5)),
                ),
                ("faults".into(), (None, Limit::Int(7))),
            ],
        },
        non_zero_metrics: Some(vec!["b".into()]),
        min_pcnt_running: Some(50.0),
        record: Some(true),
        record_args: vec!["-g".into()],
        disable_entry_point: Some(true),
        fail_fast: Some(true),
    };
    assert_eq!(perf, expected);
    let cleared = of(Perf::default().soft_limits([("x", 1)]).clear_limits());
    assert!(cleared.limits.clear && cleared.limits.soft.is_empty());
    assert_eq!(of(&mut Perf::default()), protocol::Perf::default());
}

#[test]
fn groups_stand_for_their_members_and_later_limits_win() {
    let callgrind = tools(
        Callgrind::default()
            .soft_limits([(CallgrindMetrics::CacheHits, 5.0)])
            .soft_limits([(EventKind::LLhits, 1.0)]),
    )
    .callgrind
    .unwrap();
    let expected = [
        (EventKind::L1hits, 5.0),
        (EventKind::LLhits, 1.0),
        (EventKind::RamHits, 5.0),
    ];
    assert_eq!(events(callgrind.settings.limits.soft), expected);
}

#[test]
fn a_metric_is_shown_once() {
    let dhat = tools(
        Dhat::default()
            .format([DhatMetrics::from(DhatMetric::ReadsBytes), DhatMetrics::All])
            .format([DhatMetric::TotalBytes]),
    );
    let format = dhat.dhat.unwrap().settings.format.unwrap();
    assert_eq!(format.len(), DhatMetric::all().count());
    assert_eq!(format[0], DhatMetric::ReadsBytes.into());
}

#[test]
fn callgrind_has_its_own_settings() {
    let said = tools(
        Callgrind::default()
            .entry_point(EntryPoint::Custom("*::f".into()))
            .count_threads(true)
            .fast_setup(true)
            .instructions_only(false)
            .flamegraph(FlamegraphConfig::default().title("first").min_width(1.0))
            .flamegraph(FlamegraphConfig::default().title("second"))
            .explain(ExplainConfig::default().rows(3).enabled(false))
            .explain(
                ExplainConfig::default()
                    .metric(EventKind::Ir)
                    .rows(4)
                    .build(),
            ),
    );
    let expected = protocol::Callgrind {
        settings: ToolSettings::default(),
        entry_point: Some("*::f".into()),
        count_threads: Some(true),
        fast_setup: Some(true),
        instructions_only: Some(false),
        flamegraph: Some(protocol::Flamegraph {
            title: Some("second".into()),
            min_width: Some(1.0),
            ..protocol::Flamegraph::default()
        }),
        explain: Some(protocol::Explain {
            enabled: Some(false),
            metric: Some(EventKind::Ir),
            rows: Some(4),
        }),
    };
    assert_eq!(said.callgrind, Some(expected));
}

#[test]
fn dhat_has_its_own_settings() {
    let said = tools(
        Dhat::default()
            .entry_point(EntryPoint::None)
            .frames(["a"])
            .frames([String::from("b")])
            .sanitize_output(SanitizeOutput::Yes),
    );
    let dhat = said.dhat.unwrap();
    assert_eq!(dhat.entry_point, Some(EntryPoint::None));
    assert_eq!(dhat.frames.patterns, ["a", "b"]);
    assert!(!dhat.frames.clear);
    assert_eq!(dhat.sanitize_output, Some(SanitizeOutput::Yes));
    assert_eq!(dhat.settings, ToolSettings::default());

    let said = tools(Dhat::default().frames(["a"]).clear_frames().frames(["b"]));
    let frames = said.dhat.unwrap().frames;
    assert!(frames.clear);
    assert_eq!(frames.patterns, ["b"]);
}

#[test]
fn flamegraphs_have_all_their_settings() {
    let said: protocol::Flamegraph = FlamegraphConfig::default()
        .kind(FlamegraphKind::Differential)
        .event_kinds([EventKind::Bc])
        .event_kinds([EventKind::Ir, EventKind::Dr])
        .direction(Direction::BottomToTop)
        .negate_differential(true)
        .normalize_differential(true)
        .title("title")
        .subtitle(String::from("subtitle"))
        .min_width(0.5)
        .build()
        .into();
    let expected = protocol::Flamegraph {
        kind: Some(FlamegraphKind::Differential),
        event_kinds: Some(vec![EventKind::Ir, EventKind::Dr]),
        direction: Some(Direction::BottomToTop),
        negate_differential: Some(true),
        normalize_differential: Some(true),
        title: Some("title".into()),
        subtitle: Some("subtitle".into()),
        min_width: Some(0.5),
    };
    assert_eq!(said, expected);
    assert_eq!(Direction::default(), Direction::TopToBottom);
    assert_eq!(FlamegraphKind::default(), FlamegraphKind::All);
}

#[test]
fn inner_limits_and_frames_are_added_unless_cleared() {
    let outer = LibraryBenchmarkConfig::default()
        .tool(
            Callgrind::default()
                .soft_limits([(EventKind::Ir, 5), (EventKind::Dr, 5)])
                .hard_limits([(EventKind::Ir, 100)]),
        )
        .tool(Dhat::default().frames(["outer"]))
        .build();
    let added = LibraryBenchmarkConfig::default()
        .tool(Callgrind::default().soft_limits([(EventKind::Ir, 1)]))
        .tool(Dhat::default().frames(["inner"]))
        .build();
    let tools = levels(&outer, &added).all_tools();
    let limits = tools.callgrind.unwrap().settings.limits;
    assert_eq!(
        events(limits.soft),
        [(EventKind::Ir, 1.0), (EventKind::Dr, 5.0)]
    );
    assert_eq!(limits.hard, [(EventKind::Ir.into(), Limit::Int(100))]);
    assert_eq!(tools.dhat.unwrap().frames.patterns, ["outer", "inner"]);

    let cleared = LibraryBenchmarkConfig::default()
        .tool(
            Callgrind::default()
                .clear_limits()
                .soft_limits([(EventKind::Ir, 1)]),
        )
        .tool(Dhat::default().clear_frames().frames(["inner"]))
        .build();
    let tools = levels(&outer, &cleared).all_tools();
    let limits = tools.callgrind.unwrap().settings.limits;
    assert_eq!(limits.soft, [(EventKind::Ir.into(), 1.0)]);
    assert_eq!(limits.hard, []);
    assert_eq!(tools.dhat.unwrap().frames.patterns, ["inner"]);
}

#[test]
fn limits_that_nothing_exceeds_are_refused() {
    use iai_callgrind::{Callgrind, EventKind, Perf};
    use std::panic::{catch_unwind, UnwindSafe};

    #[track_caller]
    fn check(set: impl FnOnce() + UnwindSafe, expected: &str) {
        let panic = catch_unwind(set).unwrap_err();
        let text = panic.downcast_ref::<String>().unwrap();
        assert!(text.starts_with(expected), "{text}");
    }
    let soft = |limit: f64| {
        move || {
            Callgrind::default().soft_limits([(EventKind::Ir, 5.0), (EventKind::Dr, limit)]);
        }
    };
    let hard = |limit: f64| {
        move || {
            Callgrind::default().hard_limits([(EventKind::L1HitRate, limit)]);
        }
    };
    let of_perf = |limit: f64| {
        move || {
            Perf::default().hard_limits([("task-clock", None, limit)]);
        }
    };
    check(soft(f64::NAN), "a soft limit must be a number");
    check(soft(-0.0), "a soft limit must not be `-0`");
    for infinite in [f64::INFINITY, f64::NEG_INFINITY] {
        check(soft(infinite), "a soft limit must be finite");
        check(hard(infinite), "a hard limit must be finite");
        check(of_perf(infinite), "a hard limit must be finite");
    }
    check(hard(f64::NAN), "a hard limit must be a number");
    check(
        || {
            Perf::default().soft_limits([("cycles*", f64::NAN)]);
        },
        "a soft limit must be a number",
    );
}
