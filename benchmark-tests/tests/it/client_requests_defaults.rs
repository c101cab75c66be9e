//! Requests outside of Valgrind do nothing, and their results are defaults.

use benchmark_tests::requests::{Requests, TOOLS};
use benchmark_tests::valgrinds::with_each;

/// Without Valgrind.
const DEFAULTS: &[&str] = &[
    "running_on_valgrind=0",
    "replaces_malloc=false",
    "toolname=None",
    "non_simd_call0=0",
    "count_errors=0",
    "monitor_command=true",
    "try_monitor_command=Err(NotUnderValgrind)",
    "map_ip_to_srcloc=(0, 120)",
    "mempool_exists=false",
    "make_mem=[0, 0, 0, 0]",
    "check=[0, 0, 0]",
    "vbits=[0, 0]",
    "bits=[9, 9, 9, 9]",
    "create_block=0",
    "try_create_block=None",
    "discard=0",
    "count_leaks=LeakCounts { leaked: 0, dubious: 0, reachable: 0, suppressed: 0 }",
    "count_leak_blocks=LeakCounts { leaked: 0, dubious: 0, reachable: 0, suppressed: 0 }",
    "ranges=[0, 0]",
    "clean_memory_heapblock=-2",
    "get_abits=(-2, [9, 9, 9, 9])",
    "ids=(0, 0)",
    "printing=[Ok(()), Ok(()), Ok(()), Ok(())]",
];

#[test]
fn without_valgrind() {
    Requests::natively().run("defaults::all").shows(DEFAULTS);
    Requests::natively()
        .run("stacks::numbers")
        .shows(&["stacks=[0, 0]"]);
}

#[test]
fn with_definitions_only() {
    Requests::definitions().run("defaults::all").shows(DEFAULTS);
    Requests::definitions()
        .run("stacks::numbers")
        .shows(&["stacks=[0, 0]"]);
    with_each(|valgrind| {
        for tool in TOOLS {
            println!("{tool}");
            let made = Requests::under(valgrind, tool).make_definitions("defaults::all");
            made.shows(DEFAULTS).logs(&[("unknown", 0), ("**", 0)]);
        }
    });
}

/// Every request under every tool, most of which know few of them and none of which may be hurt.
#[test]
fn under_tools_that_do_not_know_them() {
    with_each(|valgrind| {
        for tool in TOOLS {
            println!("{tool}");
            let made = Requests::under(valgrind, tool).make("defaults::all");
            assert_eq!(made.value("running_on_valgrind"), "1");
            assert_eq!(made.value("non_simd_call0"), "7");
            assert_eq!(made.value("try_monitor_command"), "Ok(())");
            let is = |tools: &[&str]| tools.contains(&tool);
            if !is(&["memcheck"]) {
                for name in [
                    "make_mem",
                    "check",
                    "vbits",
                    "bits",
                    "create_block",
                    "ranges",
                ] {
                    let line = format!("{name}={}", made.value(name));
                    assert!(DEFAULTS.contains(&line.as_str()), "{tool}: {line}");
                }
                assert_eq!(made.value("try_create_block"), "None", "{tool}");
            }
            if !is(&["helgrind"]) {
                assert_eq!(made.value("clean_memory_heapblock"), "-2", "{tool}");
                assert_eq!(made.value("get_abits"), "(-2, [9, 9, 9, 9])", "{tool}");
            }
            if !is(&["drd"]) {
                assert_eq!(made.value("ids"), "(0, 0)", "{tool}");
            }
        }
    });
}
