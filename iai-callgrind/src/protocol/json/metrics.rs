//! The form of metrics and units in JSON.

use super::Json;
use crate::protocol::{
    BbvMetric, CachegrindMetric, DhatMetric, ErrorMetric, EventKind, MassifMetric, Metric,
    PerfMetric, Unit,
};

impl Json for PerfMetric {
    #[inline]
    fn write(&self, out: &mut String) {
        self.0.write(out);
    }
}

impl Json for Unit {
    #[inline]
    fn write(&self, out: &mut String) {
        self.to_string().write(out);
    }
}

/// Metrics are written by the names of their tables.
macro_rules! metrics {
    ($($metric:ident),*) => {$(
        impl Json for $metric {
            #[inline]
            fn write(&self, out: &mut String) {
                self.row().name.write(out);
            }
        }
    )*};
}

metrics!(
    EventKind,
    CachegrindMetric,
    DhatMetric,
    MassifMetric,
    BbvMetric,
    ErrorMetric
);

#[cfg(all(test, feature = "serde"))]
pub(super) mod tests {
    use std::fmt::Debug;
    use std::time::Duration;

    use serde::de::DeserializeOwned;

    use super::*;
    use crate::protocol::flamegraph::Direction;
    use crate::protocol::{
        Callgrind, Config, Dhat, EntryPoint, EnvVar, ExitWith, Explain, Flamegraph, FlamegraphKind,
        Frames, Limit, Limits, OutputFormat, Perf, PerfLimits, PerfRunMode, Sandbox,
        SanitizeOutput, Time, Tool, ToolConfig, ToolMetric, ToolSettings, Tools, Truncate,
    };

    #[track_caller]
    pub(in super::super) fn check<T: Json + DeserializeOwned + PartialEq + Debug>(value: &T) {
        let mut json = String::new();
        value.write(&mut json);
        let read: T = serde_json::from_str(&json).unwrap_or_else(|e| panic!("{e}: {json}"));
        assert_eq!(read, *value);
    }

    /// Everything said, and nothing left to a default: a forgotten field does not compile.
    pub(in super::super) fn complete() -> Config {
        Config {
            default_tool: Some(Tool::Dhat),
            valgrind_args: vec!["--a=\"b\"".into(), "\\ \n\t\u{1} ä 🦀".into()],
            env_clear: Some(false),
            envs: vec![
                EnvVar {
                    name: "NAME".into(),
                    value: Some("".into()),
                },
                EnvVar {
                    name: "HOME".into(),
                    value: None,
                },
            ],
            current_dir: Some("/a b".into()),
            sandbox: Some(Sandbox {
                enable: Some(true),
                fixtures: vec!["a/b".into(), "c".into()],
                follow_symlinks: Some(false),
            }),
            exit_with: Some(ExitWith::Code(-1)),
            setup_parallel: Some(true),
            tools: tools().into(),
            tools_override: Some(tools().into()),
            fork: Some(true),
            exit_handlers: Some(false),
            single_cpu: Some(true),
            deterministic_random: Some(false),
            check_determinism: Some(3),
            output_format: Some(OutputFormat {
                truncate_description: Some(Truncate::At(7)),
                show_intermediate: Some(true),
                show_grid: Some(false),
                show_only_comparison: Some(true),
                tolerance: Some(0.5),
            }),
        }
    }

    fn tools() -> Tools {
        Tools {
            callgrind: Some(Callgrind {
                settings: settings::<EventKind>(),
                entry_point: Some(EntryPoint::Custom("*::f".into())),
                count_threads: Some(true),
                fast_setup: Some(false),
                instructions_only: Some(true),
                flamegraph: Some(Flamegraph {
                    kind: Some(FlamegraphKind::Differential),
                    event_kinds: Some(vec![EventKind::Ir, EventKind::EstimatedCycles]),
                    direction: Some(Direction::BottomToTop),
                    negate_differential: Some(true),
                    normalize_differential: Some(false),
                    title: Some("a <title>".into()),
                    subtitle: Some("below".into()),
                    min_width: Some(0.25),
                }),
                explain: Some(Explain {
                    enabled: Some(true),
                    metric: Some(EventKind::EstimatedCycles),
                    rows: Some(3),
                }),
            }),
            cachegrind: Some(settings::<CachegrindMetric>()),
            dhat: Some(Dhat {
                settings: settings::<DhatMetric>(),
                entry_point: Some(EntryPoint::None),
                frames: Frames {
                    clear: true,
                    patterns: vec!["*::g".into()],
                },
                sanitize_output: Some(SanitizeOutput::KeepOrig),
                flamegraph: Some(Flamegraph {
                    kind: Some(FlamegraphKind::Regular),
                    ..Flamegraph::default()
                }),
            }),
            massif: Some(settings::<MassifMetric>()),
            bbv: Some(settings::<BbvMetric>()),
            memcheck: Some(settings::<ErrorMetric>()),
            helgrind: Some(settings::<ErrorMetric>()),
            drd: Some(settings::<ErrorMetric>()),
            perf: Some(perf()),
            time: Some(Time {
                enable: Some(false),
                duration: Some(Duration::from_millis(2500)),
                only_changed: Some(true),
                limit: Some(5.0),
                noise: Some(1.5),
                warm_up: Some(Duration::from_secs(3)),
                calls: Some(7),
            }),
        }
    }

    fn perf() -> Perf {
        Perf {
            enable: Some(true),
            args: vec!["-d".into()],
            event_sets: Some(vec!["cycles".into(), "faults".into()]),
            run_mode: Some(PerfRunMode::Calibrate(Duration::from_millis(1500))),
            sample_duration: Some(Duration::ZERO),
            alpha: Some(0.01),
            limits: PerfLimits {
                clear: true,
                soft: vec![("cycles*".into(), 5.0)],
                hard: vec![
                    (
                        "task-clock".into(),
                        (Some("MiB/s".into()), Limit::Float(0.5)),
                    ),
                    ("faults".into(), (None, Limit::Int(7))),
                ],
            },
            non_zero_metrics: Some(vec!["*".into()]),
            min_pcnt_running: Some(50.0),
            record: Some(true),
            record_args: vec!["-g".into()],
            disable_entry_point: Some(true),
            fail_fast: Some(false),
        }
    }

    fn settings<M: Metric + Into<ToolMetric>>() -> ToolSettings {
        let metrics = || M::TABLE.iter().map(|row| row.kind.into());
        ToolSettings {
            enable: Some(false),
            args: vec!["--branch-sim=yes".into(), "-v".into()],
            format: Some(metrics().collect()),
            limits: Limits {
                clear: true,
                soft: metrics().map(|metric| (metric, -0.1)).collect(),
                hard: metrics()
                    .zip([Limit::Int(u64::MAX), Limit::Float(1e-300)])
                    .collect(),
            },
            fail_fast: Some(true),
        }
    }

    #[test]
    fn serde_reads_what_is_written() {
        check(&complete());
        check(&Config::default());
        for tool in Tool::ALL {
            check(&ToolConfig::new(tool, None, Vec::new()));
        }
    }

    #[test]
    fn every_variant_reads_back() {
        use EntryPoint::{Default as Wrapper, Main, None as Whole};
        let entry_points = [Whole, Wrapper, Main, "*::f".into()];
        entry_points.iter().for_each(check);
        [Truncate::At(7), Truncate::Never].iter().for_each(check);
        let ends = [
            ExitWith::Success,
            ExitWith::Failure,
            ExitWith::Code(i32::MIN),
            ExitWith::Signal(11),
            ExitWith::Signals([1, 64]),
        ];
        ends.iter().for_each(check);
        use {FlamegraphKind as Kind, SanitizeOutput as Sanitize};
        [Sanitize::No, Sanitize::KeepOrig, Sanitize::Yes]
            .iter()
            .for_each(check);
        [Kind::All, Kind::Regular, Kind::Differential, Kind::None]
            .iter()
            .for_each(check);
        [Direction::TopToBottom, Direction::BottomToTop]
            .iter()
            .for_each(check);
        Tool::ALL.iter().for_each(check);
        use PerfRunMode::{Calibrate, DefaultCalibrate, Direct as AsItIs};
        [AsItIs, DefaultCalibrate, Calibrate(Duration::MAX)]
            .iter()
            .for_each(check);
    }

    #[cfg(unix)]
    #[test]
    fn variables_and_paths_need_not_be_utf_8() {
        use std::ffi::OsString;
        use std::os::unix::ffi::OsStringExt;
        let text = || OsString::from_vec(vec![b'A', 0xff]);
        check(&Config {
            envs: vec![EnvVar {
                name: text(),
                value: Some(text()),
            }],
            current_dir: Some(text()),
            sandbox: Some(Sandbox {
                fixtures: vec![text()],
                ..Sandbox::default()
            }),
            ..Config::default()
        });
    }
}
