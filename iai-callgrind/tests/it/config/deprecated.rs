//! Names of earlier versions say the same as the lines that their warnings show, and do warn.
#![deny(unfulfilled_lint_expectations)]

use iai_callgrind::protocol::{Config, Tools};
#[expect(deprecated)]
use iai_callgrind::RegressionConfig;
use iai_callgrind::{
    Bbv, Cachegrind, CachegrindMetric, Callgrind, Dhat, Drd, EntryPoint, EventKind,
    FlamegraphConfig, LibraryBenchmarkConfig, Massif, Memcheck, OutputFormat, Tool, ValgrindTool,
};

use super::{config, tools};

/// Both calls must say the same, and something.
#[track_caller]
fn same(
    old: impl FnOnce(&mut LibraryBenchmarkConfig) -> &mut LibraryBenchmarkConfig,
    new: impl FnOnce(&mut LibraryBenchmarkConfig) -> &mut LibraryBenchmarkConfig,
) {
    // In several lines or in one.
    let merged = |config: Config| Config {
        tools: Tools::from_iter(config.tools).into(),
        ..config
    };
    let said = merged(config(old(&mut LibraryBenchmarkConfig::default())));
    let new = config(new(&mut LibraryBenchmarkConfig::default()));
    assert_eq!(said, merged(new));
    assert_ne!(said, Config::default());
}

#[test]
fn arguments_of_callgrind() {
    let expected =
        config(LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--a", "b"])));
    #[expect(deprecated)]
    let old = LibraryBenchmarkConfig::with_raw_callgrind_args(["--a", "b"]);
    assert_eq!(config(old), expected);
    #[expect(deprecated)]
    same(
        |c| {
            c.raw_callgrind_args(["--a"])
                .raw_callgrind_args(&["b".to_owned()])
        },
        |c| c.tool(Callgrind::with_args(["--a", "b"])),
    );
    // The names of 0.14.
    #[expect(deprecated)]
    let old = LibraryBenchmarkConfig::with_callgrind_args(["--a", "b"]);
    assert_eq!(config(old), expected);
    #[expect(deprecated)]
    same(
        |c| c.callgrind_args(["--a", "b"]),
        |c| c.tool(Callgrind::with_args(["--a", "b"])),
    );
    #[expect(deprecated)]
    same(
        |c| c.raw_callgrind_args_iter(["--a", "b"].iter()),
        |c| c.tool(Callgrind::with_args(["--a", "b"])),
    );
}

#[test]
fn tools_by_name() {
    #[expect(deprecated)]
    same(
        |c| c.tool(Tool::new(ValgrindTool::DHAT)),
        |c| c.tool(Dhat::default()),
    );
    #[expect(deprecated)]
    same(
        |c| {
            c.tools([
                Tool::new(ValgrindTool::Massif).args(["--x"]),
                Tool::new(ValgrindTool::BBV).enable(false),
                &mut Tool::new(ValgrindTool::DRD),
            ])
        },
        |c| {
            c.tool(Massif::with_args(["--x"]))
                .tool(Bbv::default().enable(false))
                .tool(Drd::default())
        },
    );
    #[expect(deprecated)]
    same(
        |c| c.tools_override([Tool::new(ValgrindTool::Memcheck), Tool::new(Tool::Dhat)]),
        |c| {
            c.tool_override(Memcheck::default())
                .tool_override(Dhat::default())
        },
    );
    #[expect(deprecated)]
    let tool = Tool::new(ValgrindTool::Callgrind);
    assert_eq!(tools(&tool), tools(Callgrind::default()));
}

#[test]
fn limits() {
    #[expect(deprecated)]
    same(
        |c| {
            c.regression(
                RegressionConfig::default()
                    .limits([(EventKind::Ir, 5.0)])
                    .fail_fast(true),
            )
        },
        |c| {
            c.tool(
                Callgrind::default()
                    .soft_limits([(EventKind::Ir, 5.0)])
                    .fail_fast(true),
            )
        },
    );
    #[expect(deprecated)]
    let regression = RegressionConfig::default();
    #[expect(deprecated)]
    same(
        |c| {
            c.regression(&regression)
                .regression(RegressionConfig::default())
        },
        |c| c.tool(Callgrind::default()),
    );
    #[expect(deprecated)]
    let old = tools(Callgrind::default().limits([(EventKind::Ir, 5.0)]));
    let new = tools(Callgrind::default().soft_limits([(EventKind::Ir, 5.0)]));
    assert_eq!(old, new);
    #[expect(deprecated)]
    let old = tools(Cachegrind::default().limits([(CachegrindMetric::Ir, 5.0)]));
    let new = tools(Cachegrind::default().soft_limits([(CachegrindMetric::Ir, 5.0)]));
    assert_eq!(old, new);
}

#[test]
fn settings_that_have_a_place_of_their_own_now() {
    #[expect(deprecated)]
    same(
        |c| c.flamegraph(FlamegraphConfig::default().title("x")),
        |c| c.tool(Callgrind::default().flamegraph(FlamegraphConfig::default().title("x"))),
    );
    #[expect(deprecated)]
    same(
        |c| c.truncate_description(None),
        |c| c.output_format(OutputFormat::default().truncate_description(None)),
    );
    #[expect(deprecated)]
    same(
        |c| c.truncate_description(Some(7)),
        |c| c.output_format(OutputFormat::default().truncate_description(Some(7))),
    );
    #[expect(deprecated)]
    same(
        |c| c.entry_point(EntryPoint::None),
        |c| c.tool(Callgrind::default().entry_point(EntryPoint::None)),
    );
}

#[test]
fn black_box_gives_back_what_it_gets() {
    #[expect(deprecated)]
    let same = iai_callgrind::black_box("x");
    assert_eq!(same, "x");
}
