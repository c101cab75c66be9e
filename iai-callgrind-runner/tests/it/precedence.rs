//! Which of several places decides: command line, environment, and the levels of the configuration
//! down to the default.

use std::ffi::OsString;

use crate::replayed::Replayed;
use base::tool::Tool;
use iai_callgrind::protocol::{
    Callgrind, Config, EnvVar, EventKind, Flamegraph, FlamegraphKind, Limit, OutputFormat,
    ToolConfig, Tools, Truncate,
};
use iai_callgrind_runner::plan::{self, Plan};
use iai_callgrind_runner::settings::Settings;

/// The setting at each level; `None`: it is not set there.
#[derive(Clone, Copy, Default)]
struct Said<'a> {
    line: &'a str,
    variable: Option<(&'a str, &'a str)>,
    bench: Option<fn() -> Config>,
    attribute: Option<fn() -> Config>,
    group: Option<fn() -> Config>,
    file: Option<fn() -> Config>,
}

impl Said<'_> {
    fn plan(self) -> Plan {
        let mut suite = Replayed::new().suite;
        let config = |config: Option<fn() -> Config>| config.map(|config| config());
        suite.config = config(self.file);
        let group = &mut suite.groups[0];
        group.config = config(self.group);
        group.functions.truncate(1);
        group.functions[0].config = config(self.attribute).map(Box::new);
        group.functions[0].cases[0].config = config(self.bench).map(Box::new);
        let line: Vec<OsString> = self.line.split_whitespace().map(OsString::from).collect();
        let environment = self.variable.into_iter().collect();
        let args = cli::parse(&line, &environment).unwrap_or_else(|error| panic!("{error}"));
        let settings = Settings::resolve("/build/bench".into(), args, environment).unwrap();
        plan::build(&suite, &settings).unwrap()
    }
}

/// The first job of the only benchmark, in what matters here.
fn seen(plan: &Plan, what: &str) -> String {
    let benchmark = &plan.groups[0].benchmarks[0];
    let job = &benchmark.jobs[0];
    match what {
        "default_tool" => job.tool.to_string(),
        "tools" => {
            let tools: Vec<String> = benchmark
                .jobs
                .iter()
                .map(|job| job.tool.to_string())
                .collect();
            tools.join(",")
        }
        "fork" => format!("{:?}", job.mode),
        "env_clear" => {
            let has_all = job
                .environment
                .iter()
                .any(|(name, _)| name.to_string_lossy().starts_with("IAI_"));
            (!has_all).to_string()
        }
        "envs" => {
            let found = job.environment.iter().find(|(name, _)| name == "LEVEL");
            found.map_or("none".into(), |(_, value)| {
                value.to_string_lossy().into_owned()
            })
        }
        "limits" => format!("{:?} {:?}", job.soft_limits, job.hard_limits),
        "metrics" => job
            .format
            .iter()
            .flat_map(|metrics| metrics.iter())
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(","),
        "fail_fast" => job.fail_fast.to_string(),
        "flamegraph" => format!(
            "{:?}",
            job.flamegraph
                .as_ref()
                .map(|drawn| { (drawn.regular, drawn.differential, drawn.title.as_deref()) })
        ),
        "intermediate" => job.show_intermediate.to_string(),
        "truncate" => format!("{:?}", benchmark.layout.truncate),
        "tolerance" => format!("{:?}", benchmark.layout.tolerance),
        other => panic!("{other}"),
    }
}

fn env(value: &str) -> Config {
    Config {
        envs: vec![EnvVar {
            name: "LEVEL".into(),
            value: Some(value.into()),
        }],
        ..Config::default()
    }
}

fn callgrind(change: impl FnOnce(&mut Callgrind)) -> Config {
    let mut callgrind = Callgrind::default();
    change(&mut callgrind);
    Config {
        tools: Tools {
            callgrind: Some(callgrind),
            ..Tools::default()
        }
        .into(),
        ..Config::default()
    }
}

fn output(output: OutputFormat) -> Config {
    Config {
        output_format: Some(output),
        ..Config::default()
    }
}

fn limit(percent: f64) -> Config {
    callgrind(|callgrind| callgrind.settings.limits.soft = vec![(EventKind::Ir.into(), percent)])
}

/// For each place, the value that is seen if it and all weaker places say something.
struct Row {
    what: &'static str,
    line: (&'static str, &'static str),
    variable: (&'static str, &'static str, &'static str),
    /// Bench and file; the levels between are laid over each other in the same way.
    bench: (fn() -> Config, &'static str),
    file: (fn() -> Config, &'static str),
    default: &'static str,
}

const ROWS: &[Row] = &[
    Row {
        what: "default_tool",
        line: ("--default-tool=drd", "drd"),
        variable: ("IAI_CALLGRIND_DEFAULT_TOOL", "dhat", "dhat"),
        bench: (
            || Config {
                default_tool: Some(Tool::Massif),
                ..Config::default()
            },
            "massif",
        ),
        file: (
            || Config {
                default_tool: Some(Tool::Memcheck),
                ..Config::default()
            },
            "memcheck",
        ),
        default: "callgrind",
    },
    Row {
        what: "tools",
        line: ("--tools=drd", "callgrind,drd"),
        variable: (
            "IAI_CALLGRIND_TOOLS",
            "dhat,massif",
            "callgrind,dhat,massif",
        ),
        bench: (
            || Config {
                tools: vec![ToolConfig::new(Tool::Massif, None, vec![])],
                ..Config::default()
            },
            "callgrind,massif,memcheck",
        ),
        file: (
            || Config {
                tools: vec![ToolConfig::new(Tool::Memcheck, None, vec![])],
                ..Config::default()
            },
            "callgrind,memcheck",
        ),
        default: "callgrind",
    },
    Row {
        what: "fork",
        line: ("--fork=yes", "Fork"),
        variable: ("IAI_CALLGRIND_FORK", "no", "Direct"),
        bench: (
            || Config {
                fork: Some(true),
                ..Config::default()
            },
            "Fork",
        ),
        file: (
            || Config {
                fork: Some(false),
                ..Config::default()
            },
            "Direct",
        ),
        default: "Fork",
    },
    Row {
        what: "env_clear",
        line: ("--env-clear", "true"),
        variable: ("IAI_CALLGRIND_ENV_CLEAR", "off", "false"),
        bench: (
            || Config {
                env_clear: Some(true),
                ..Config::default()
            },
            "true",
        ),
        file: (
            || Config {
                env_clear: Some(false),
                ..Config::default()
            },
            "true",
        ),
        default: "true",
    },
    Row {
        what: "envs",
        line: ("--envs=LEVEL=line", "line"),
        variable: ("IAI_CALLGRIND_ENVS", "LEVEL=variable", "variable"),
        bench: (|| env("bench"), "bench"),
        file: (|| env("file"), "file"),
        default: "none",
    },
    Row {
        what: "limits",
        line: (
            "--callgrind-limits=ir=1%",
            "[(Tabled(Callgrind(Ir)), 1.0)] []",
        ),
        variable: (
            "IAI_CALLGRIND_CALLGRIND_LIMITS",
            "ir=2%",
            "[(Tabled(Callgrind(Ir)), 2.0)] []",
        ),
        bench: (|| limit(3.0), "[(Tabled(Callgrind(Ir)), 3.0)] []"),
        file: (|| limit(4.0), "[(Tabled(Callgrind(Ir)), 4.0)] []"),
        default: "[] []",
    },
    Row {
        what: "metrics",
        line: ("--callgrind-metrics=dr", "Dr"),
        variable: ("IAI_CALLGRIND_CALLGRIND_METRICS", "dw", "Dw"),
        bench: (
            || callgrind(|c| c.settings.format = Some(vec![EventKind::I1mr.into()])),
            "I1mr",
        ),
        file: (
            || callgrind(|c| c.settings.format = Some(vec![EventKind::D1mr.into()])),
            "D1mr",
        ),
        default: "",
    },
    Row {
        what: "fail_fast",
        line: ("--regression-fail-fast=no", "false"),
        variable: ("IAI_CALLGRIND_REGRESSION_FAIL_FAST", "yes", "true"),
        bench: (
            || callgrind(|c| c.settings.fail_fast = Some(false)),
            "false",
        ),
        file: (|| callgrind(|c| c.settings.fail_fast = Some(true)), "true"),
        default: "false",
    },
    Row {
        what: "flamegraph",
        // The other settings of the configuration still apply.
        line: (
            "--flamegraph=regular",
            "Some((true, false, Some(\"file\")))",
        ),
        variable: ("IAI_CALLGRIND_FLAMEGRAPH", "no", "None"),
        bench: (
            || {
                callgrind(|c| {
                    c.flamegraph = Some(Flamegraph {
                        kind: Some(FlamegraphKind::Differential),
                        ..Flamegraph::default()
                    });
                })
            },
            "Some((false, true, Some(\"file\")))",
        ),
        file: (
            || {
                callgrind(|c| {
                    c.flamegraph = Some(Flamegraph {
                        title: Some("file".into()),
                        ..Flamegraph::default()
                    });
                })
            },
            "Some((true, true, Some(\"file\")))",
        ),
        default: "None",
    },
    Row {
        what: "intermediate",
        line: ("--show-intermediate=no", "false"),
        variable: ("IAI_CALLGRIND_SHOW_INTERMEDIATE", "1", "true"),
        bench: (
            || {
                output(OutputFormat {
                    show_intermediate: Some(false),
                    ..OutputFormat::default()
                })
            },
            "false",
        ),
        file: (
            || {
                output(OutputFormat {
                    show_intermediate: Some(true),
                    ..OutputFormat::default()
                })
            },
            "true",
        ),
        default: "false",
    },
    Row {
        what: "truncate",
        line: ("--truncate-description=1", "At(1)"),
        variable: ("IAI_CALLGRIND_TRUNCATE_DESCRIPTION", "no", "Never"),
        bench: (
            || {
                output(OutputFormat {
                    truncate_description: Some(Truncate::At(3)),
                    ..OutputFormat::default()
                })
            },
            "At(3)",
        ),
        file: (
            || {
                output(OutputFormat {
                    truncate_description: Some(Truncate::At(4)),
                    ..OutputFormat::default()
                })
            },
            "At(4)",
        ),
        default: "At(50)",
    },
    Row {
        what: "tolerance",
        line: ("--tolerance=1", "Some(1.0)"),
        variable: ("IAI_CALLGRIND_TOLERANCE", "2", "Some(2.0)"),
        bench: (
            || {
                output(OutputFormat {
                    tolerance: Some(3.0),
                    ..OutputFormat::default()
                })
            },
            "Some(3.0)",
        ),
        file: (
            || {
                output(OutputFormat {
                    tolerance: Some(4.0),
                    ..OutputFormat::default()
                })
            },
            "Some(4.0)",
        ),
        default: "None",
    },
];

#[test]
fn the_stronger_place_decides() {
    for row in ROWS {
        let check = |said: Said, expected: &str, place: &str| {
            let seen = seen(&said.plan(), row.what);
            // Without a filter for it, the default is a long list.
            if !expected.is_empty() {
                assert_eq!(seen, expected, "{} at {place}", row.what);
            }
        };
        let (name, value, at_variable) = row.variable;
        let mut said = Said::default();
        check(said, row.default, "nowhere");
        said.file = Some(row.file.0);
        if row.what != "env_clear" {
            check(said, row.file.1, "the file");
        }
        said.bench = Some(row.bench.0);
        check(said, row.bench.1, "the bench");
        said.variable = Some((name, value));
        check(said, at_variable, "the variable");
        said.line = row.line.0;
        check(said, row.line.1, "the command line");
        // A variable that is set to nothing is not set.
        said.line = "";
        said.variable = Some((name, ""));
        check(said, row.bench.1, "an empty variable");
    }
}

#[test]
fn the_levels_between_lie_in_their_order() {
    let mut said = Said::default();
    let mut check = |change: &dyn Fn(&mut Said<'static>), expected: &str| {
        change(&mut said);
        assert_eq!(seen(&said.plan(), "envs"), expected);
    };
    check(&|said| said.file = Some(|| env("file")), "file");
    check(&|said| said.group = Some(|| env("group")), "group");
    check(
        &|said| said.attribute = Some(|| env("attribute")),
        "attribute",
    );
    check(&|said| said.bench = Some(|| env("bench")), "bench");
}

#[test]
fn limits_of_the_command_line_leave_fail_fast_as_configured() {
    let config: fn() -> Config = || {
        callgrind(|callgrind| {
            callgrind.settings.limits.soft = vec![(EventKind::Ir.into(), 5.0)];
            callgrind.settings.limits.hard = vec![(EventKind::Dr.into(), Limit::Int(7))];
            callgrind.settings.fail_fast = Some(true);
        })
    };
    let said = Said {
        line: "--callgrind-limits=ir=1%",
        bench: Some(config),
        ..Said::default()
    };
    let plan = said.plan();
    assert_eq!(seen(&plan, "limits"), "[(Tabled(Callgrind(Ir)), 1.0)] []");
    assert_eq!(seen(&plan, "fail_fast"), "true");
    let line = "--callgrind-limits=ir=1% --regression-fail-fast=no";
    assert_eq!(seen(&Said { line, ..said }.plan(), "fail_fast"), "false");
}

#[test]
fn what_has_no_effect_is_said_in_one_line() {
    #[track_caller]
    fn check(line: &str, file: Option<fn() -> Config>, expected: &[&str]) {
        let said = Said {
            line,
            file,
            ..Said::default()
        };
        assert_eq!(said.plan().warnings, expected, "{line}");
    }
    let fail_fast = "`--regression-fail-fast` has no effect, since no benchmark has limits; \
                     `--callgrind-limits=ir=5%` sets one";
    check("--regression-fail-fast", None, &[fail_fast]);
    check("--regression-fail-fast", Some(|| limit(1.0)), &[]);
    check("--regression-fail-fast --callgrind-limits=ir=1%", None, &[]);
    check("--regression-fail-fast=no", None, &[]);
    let tools =
        "`--tools=callgrind` names no other tool than the default one, which runs in any case";
    check("--tools=callgrind", None, &[tools]);
    check("--tools=callgrind,dhat", None, &[]);
    check("--tools=callgrind --default-tool=dhat", None, &[]);
    let checks =
        "`--check-determinism` has no effect, since perf, the only tool, never counts the \
                  same twice; `--perf-sampling` says how much its figures vary";
    check("--check-determinism --default-tool=perf", None, &[checks]);
    check("--check-determinism=no --default-tool=perf", None, &[]);
    check("--check-determinism --tools=perf", None, &[]);
    check("", None, &[]);
}
