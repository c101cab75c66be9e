//! Names of earlier versions say the same as the lines that their warnings show.
#![allow(deprecated)]

use iai_callgrind::protocol::Config;
use iai_callgrind::{
    Bbv, Cachegrind, CachegrindMetric, Callgrind, Dhat, Drd, EntryPoint, EventKind,
    FlamegraphConfig, LibraryBenchmarkConfig, Massif, Memcheck, OutputFormat, RegressionConfig,
    Tool, ValgrindTool,
};

use super::{config, tools};

/// Both calls must say the same, and something.
#[track_caller]
fn same(
    old: impl FnOnce(&mut LibraryBenchmarkConfig) -> &mut LibraryBenchmarkConfig,
    new: impl FnOnce(&mut LibraryBenchmarkConfig) -> &mut LibraryBenchmarkConfig,
) {
    let said = config(old(&mut LibraryBenchmarkConfig::default()));
    assert_eq!(said, config(new(&mut LibraryBenchmarkConfig::default())));
    assert_ne!(said, Config::default());
}

#[test]
fn arguments_of_callgrind() {
    let expected =
        config(LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--a", "b"])));
    let old = LibraryBenchmarkConfig::with_raw_callgrind_args(["--a", "b"]);
    assert_eq!(config(old), expected);
    same(
        |c| {
            c.raw_callgrind_args(["--a"])
                .raw_callgrind_args(&["b".to_owned()])
        },
        |c| c.tool(Callgrind::with_args(["--a", "b"])),
    );
    same(
        |c| c.raw_callgrind_args_iter(["--a", "b"].iter()),
        |c| c.tool(Callgrind::with_args(["--a", "b"])),
    );
}

#[test]
fn tools_by_name() {
    same(
        |c| c.tool(Tool::new(ValgrindTool::DHAT)),
        |c| c.tool(Dhat::default()),
    );
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
    same(
        |c| c.tools_override([Tool::new(ValgrindTool::Memcheck), Tool::new(Tool::Dhat)]),
        |c| {
            c.tool_override(Memcheck::default())
                .tool_override(Dhat::default())
        },
    );
    let tool = Tool::new(ValgrindTool::Callgrind);
    assert_eq!(tools(&tool), tools(Callgrind::default()));
}

#[test]
fn limits() {
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
    let regression = RegressionConfig::default();
    same(
        |c| {
            c.regression(&regression)
                .regression(RegressionConfig::default())
        },
        |c| c.tool(Callgrind::default()),
    );
    assert_eq!(
        tools(Callgrind::default().limits([(EventKind::Ir, 5.0)])),
        tools(Callgrind::default().soft_limits([(EventKind::Ir, 5.0)])),
    );
    assert_eq!(
        tools(Cachegrind::default().limits([(CachegrindMetric::Ir, 5.0)])),
        tools(Cachegrind::default().soft_limits([(CachegrindMetric::Ir, 5.0)])),
    );
}

#[test]
fn settings_that_have_a_place_of_their_own_now() {
    same(
        |c| c.flamegraph(FlamegraphConfig::default().title("x")),
        |c| c.tool(Callgrind::default().flamegraph(FlamegraphConfig::default().title("x"))),
    );
    same(
        |c| c.truncate_description(None),
        |c| c.output_format(OutputFormat::default().truncate_description(None)),
    );
    same(
        |c| c.truncate_description(Some(7)),
        |c| c.output_format(OutputFormat::default().truncate_description(Some(7))),
    );
    same(
        |c| c.entry_point(EntryPoint::None),
        |c| c.tool(Callgrind::default().entry_point(EntryPoint::None)),
    );
}

#[test]
fn black_box_gives_back_what_it_gets() {
    assert_eq!(iai_callgrind::black_box("x"), "x");
}
