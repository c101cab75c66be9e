//! Requests that every tool answers.

use std::path::Path;

use benchmark_tests::requests::{Made, Requests, TOOLS};
use benchmark_tests::valgrinds::{number, with_each};

fn memcheck(valgrind: &Path, scenario: &str) -> Made {
    Requests::under(valgrind, "memcheck").make(scenario)
}

#[test]
fn a_program_knows_that_it_runs_under_a_tool_and_since_3_27_which() {
    with_each(|valgrind| {
        for tool in TOOLS {
            println!("{tool}");
            let made = Requests::under(valgrind, tool).make("valgrind::tool");
            if number(valgrind) < (3, 27) {
                made.shows(&[
                    "running_on_valgrind=1",
                    "replaces_malloc=false",
                    "toolname=None",
                    "get_toolname=(0, Err(FromBytesUntilNulError(())))",
                    "get_toolname_length=0",
                ]);
                continue;
            }
            let replaces = matches!(tool, "memcheck" | "helgrind" | "drd" | "massif" | "dhat");
            let length = tool.len() + 1;
            made.shows(&[
                "running_on_valgrind=1",
                &format!("replaces_malloc={replaces}"),
                &format!("toolname=Some(ToolName({tool:?}))"),
                // The buffer has four bytes.
                &format!("get_toolname=({length}, Ok({:?}))", &tool[..3]),
                &format!("get_toolname_length={length}"),
            ]);
        }
    });
}

#[test]
fn functions_on_the_real_processor_get_thread_and_arguments() {
    with_each(|valgrind| {
        memcheck(valgrind, "valgrind::non_simd").shows(&["results=[1001, 2011, 3201, 4171]"]);
    });
    // Nobody calls them.
    Requests::natively()
        .run("valgrind::non_simd")
        .shows(&["results=[0, 0, 0, 0]"]);
}

/// Valgrind looks at the file and finds none; that it was asked is in the log.
#[test]
fn debug_information_of_windows_is_looked_for() {
    with_each(|valgrind| {
        let made = Requests::under(valgrind, "none").arg("-v");
        let made = made.make("valgrind::pdb");
        made.logs(&[("fd=-1, avma=0x1000, total_size=77, ", 1)]);
    });
}

#[test]
fn monitor_commands_are_executed() {
    with_each(|valgrind| {
        memcheck(valgrind, "valgrind::monitor")
            .shows(&[
                "known=true",
                "unknown=false",
                "try_known=Ok(())",
                "try_unknown=Err(UnknownMonitorCommand)",
            ])
            .logs(&[("n_errs_found 0 n_errs_shown 0", 2)]);
    });
}

#[test]
fn options_can_be_changed() {
    with_each(|valgrind| {
        memcheck(valgrind, "valgrind::option").logs(&[
            ("77 bytes in 1 blocks are definitely lost", 1),
            ("unrecognised option --no-such-option=1", 1),
        ]);
    });
}

#[test]
fn code_has_a_file_and_a_line() {
    with_each(|valgrind| {
        let made = memcheck(valgrind, "valgrind::srcloc");
        let line: u32 = made.value("line").parse().unwrap();
        // That of the function, or of what it does.
        let expected =
            [line, line + 1, line - 1].map(|line| format!("Some(\"valgrind.rs:{line}\")"));
        let function = made.value("function");
        assert!(
            expected.iter().any(|line| line == function),
            "{function} {line}"
        );
        assert_eq!(made.value("nothing"), "Some(\"\")");
    });
}

#[test]
fn translations_can_be_discarded() {
    with_each(|valgrind| {
        let requests = Requests::under(valgrind, "none").arg("--smc-check=none");
        requests
            .make("valgrind::discard")
            .shows(&["first=1", "changed=1", "discarded=2"]);
    });
}

#[test]
fn stacks_can_be_registered() {
    const WARNING: &str = "Warning: client switching stacks?";
    with_each(|valgrind| {
        // One for each direction.
        for (scenario, warnings) in [
            ("unknown", 2),
            ("registered", 0),
            ("changed", 0),
            ("deregistered", 2),
        ] {
            let made = memcheck(valgrind, &format!("stacks::{scenario}"));
            made.logs(&[(WARNING, warnings)]);
        }
        memcheck(valgrind, "stacks::numbers").shows(&["stacks=[1, 2]"]);
    });
}
