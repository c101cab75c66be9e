//! `LibraryBenchmarkConfig`, `OutputFormat` and `Sandbox`: every method.

use iai_callgrind::protocol::{Config, EnvVar, Truncate};
use iai_callgrind::{
    Callgrind, Dhat, EventKind, ExitWith, LibraryBenchmarkConfig, Memcheck, OutputFormat, Sandbox,
    Tool, ValgrindTool,
};

use super::{config, levels};

/// A configuration in which this was said and nothing else.
#[track_caller]
fn check(said: &mut LibraryBenchmarkConfig, expected: impl FnOnce(&mut Config)) {
    let mut plain = Config::default();
    expected(&mut plain);
    assert_eq!(config(said), plain);
}

fn new() -> LibraryBenchmarkConfig {
    LibraryBenchmarkConfig::default()
}

fn variable(name: &str, value: Option<&str>) -> EnvVar {
    EnvVar {
        name: name.into(),
        value: value.map(Into::into),
    }
}

#[test]
fn every_method_sets_its_field() {
    check(&mut new(), |_| {});
    check(new().default_tool(Tool::Massif), |c| {
        c.default_tool = Some(Tool::Massif);
    });
    check(new().valgrind_args(["a"]).valgrind_args(["--b"]), |c| {
        c.valgrind_args = vec!["a".into(), "--b".into()];
    });
    check(new().env_clear(false), |c| c.env_clear = Some(false));
    check(
        new()
            .env("A", "1")
            .pass_through_envs(["B"])
            .envs([("C", "3")])
            .pass_through_env("D"),
        |c| {
            c.envs = vec![
                variable("A", Some("1")),
                variable("B", None),
                variable("C", Some("3")),
                variable("D", None),
            ];
        },
    );
    check(new().current_dir("a").current_dir("b"), |c| {
        c.current_dir = Some("b".into());
    });
    check(new().exit_with(ExitWith::Code(101)), |c| {
        c.exit_with = Some(ExitWith::Code(101));
    });
    check(new().fork(false), |c| c.fork = Some(false));
    check(new().check_determinism(3), |c| {
        c.check_determinism = Some(3);
    });
    check(new().single_cpu(true), |c| c.single_cpu = Some(true));
    check(new().exit_handlers(true), |c| c.exit_handlers = Some(true));
    check(new().deterministic_random(true), |c| {
        c.deterministic_random = Some(true);
    });
}

#[test]
fn a_configuration_is_taken_by_value_and_by_reference() {
    let mut said = new().env("A", "1").build();
    let expected = config(said.clone());
    assert_eq!(config(&said), expected);
    assert_eq!(config(&mut said), expected);
    assert_eq!(config(said), expected);
}

#[test]
fn tools_are_known_by_two_spellings() {
    check(new().default_tool(ValgrindTool::DHAT), |c| {
        c.default_tool = Some(Tool::Dhat);
    });
    assert!(matches!(Tool::Drd, ValgrindTool::DRD));
    assert_eq!(Tool::BBV.to_string(), "exp-bbv");
}

#[test]
fn a_second_tool_goes_over_the_first() {
    let said = config(
        new()
            .tool(Callgrind::with_args(["--a"]).soft_limits([(EventKind::Ir, 5.0)]))
            .tool(Dhat::default())
            .tool(Callgrind::with_args(["--b"]).entry_point("f".into())),
    );
    let tools = said.all_tools();
    let callgrind = tools.callgrind.unwrap();
    assert_eq!(callgrind.settings.args, ["--a", "--b"]);
    assert_eq!(
        callgrind.settings.limits.soft,
        [(EventKind::Ir.into(), 5.0)]
    );
    assert_eq!(callgrind.entry_point, Some("f".into()));
    assert!(tools.dhat.is_some());
    assert!(tools.massif.is_none());
}

#[test]
fn overriding_tools_drop_outer_ones_and_keep_those_beside_them() {
    let outer = new()
        .tool(Callgrind::with_args(["--outer"]))
        .tool(Memcheck::default())
        .build();
    // Before and after the overriding tool: what is said by `tool` always goes over it.
    let inner = new()
        .tool(Dhat::with_args(["--said-1"]))
        .tool_override(Dhat::with_args(["--instead"]).enable(false))
        .tool_override(Callgrind::default())
        .tool(Dhat::with_args(["--said-2"]).enable(true))
        .build();
    let tools = levels(outer, inner).all_tools();
    let dhat = tools.dhat.unwrap();
    assert_eq!(dhat.settings.args, ["--instead", "--said-1", "--said-2"]);
    assert_eq!(dhat.settings.enable, Some(true));
    assert_eq!(tools.callgrind, Some(Default::default()));
    assert_eq!(tools.memcheck, None);
}

#[test]
fn formats_arrive_and_go_over_each_other() {
    let said = config(
        new()
            .output_format(
                OutputFormat::default()
                    .tolerance(-0.5)
                    .show_grid(true)
                    .truncate_description(None),
            )
            .output_format(
                OutputFormat::default()
                    .truncate_description(3)
                    .show_intermediate(true)
                    .show_only_comparison(false)
                    .build(),
            ),
    );
    let format = said.output_format.unwrap();
    assert_eq!(format.truncate_description, Some(Truncate::At(3)));
    assert_eq!(format.show_intermediate, Some(true));
    assert_eq!(format.show_grid, Some(true));
    assert_eq!(format.show_only_comparison, Some(false));
    assert_eq!(format.tolerance, Some(0.5));
    let format = OutputFormat::default().truncate_description(None).build();
    let said = config(new().output_format(&format));
    let format = said.output_format.unwrap();
    assert_eq!(format.truncate_description, Some(Truncate::Never));
    let said = config(new().output_format(OutputFormat::default().truncate_description(Some(7))));
    let format = said.output_format.unwrap();
    assert_eq!(format.truncate_description, Some(Truncate::At(7)));
}

#[test]
fn sandboxes_arrive_and_go_over_each_other() {
    let outer = new()
        .sandbox(Sandbox::new(true).fixtures(["a"]).fixtures(["b/c"]))
        .build();
    let said = config(&outer).sandbox.unwrap();
    assert_eq!(said.enable, Some(true));
    assert_eq!(said.fixtures, ["a", "b/c"]);
    assert_eq!(said.follow_symlinks, None);

    let inner = new()
        .sandbox(Sandbox::default().fixtures(["d"]).follow_symlinks(true))
        .build();
    let merged = levels(&outer, inner).sandbox.unwrap();
    assert_eq!(merged.enable, Some(true));
    assert_eq!(merged.fixtures, ["a", "b/c", "d"]);
    assert_eq!(merged.follow_symlinks, Some(true));

    let off = levels(&outer, new().sandbox(false)).sandbox.unwrap();
    assert_eq!(off.enable, Some(false));
    let on = config(new().sandbox(Sandbox::from(true).build()));
    assert_eq!(on.sandbox.unwrap().enable, Some(true));
}

#[test]
fn signals_are_a_list_or_a_set() {
    let list = config(new().exit_with(ExitWith::Signals(vec![9, 15])));
    let array = config(new().exit_with(ExitWith::Signals([15, 9])));
    let set = config(new().exit_with(ExitWith::OneOfSignals([9, 15].into())));
    assert_eq!(list, array);
    assert_eq!(list, set);
    // Copied, not moved.
    let exit_with = ExitWith::Signal(9);
    assert_eq!(
        config(new().exit_with(exit_with)).exit_with,
        Some(exit_with)
    );
}
