//! Text that programs print into Valgrind's log.

use std::path::Path;

use benchmark_tests::requests::{Made, Requests};
use benchmark_tests::valgrinds::with_each;

fn printing(valgrind: &Path, scenario: &str) -> Made {
    Requests::under(valgrind, "none").make(&format!("printing::{scenario}"))
}

/// Lines that the program printed.
fn printed(made: &Made) -> Vec<&str> {
    let lines = made.log.lines().filter_map(|line| line.strip_prefix("**"));
    lines
        .map(|line| line.split_once("** ").expect("a process number").1)
        .collect()
}

#[test]
fn lines_and_parts_of_lines() {
    with_each(|valgrind| {
        let made = printing(valgrind, "lines");
        assert_eq!(
            printed(&made),
            ["number 5, \"text\"", "one, two, 3", "the end"]
        );
    });
}

#[test]
fn text_is_never_a_format() {
    with_each(|valgrind| {
        let made = printing(valgrind, "percent");
        assert_eq!(printed(&made), ["100% of %s and %n, %p%d", "Grüße, 数"]);
    });
}

#[test]
fn text_ends_at_a_zero_byte() {
    with_each(|valgrind| {
        let made = printing(valgrind, "zero");
        assert_eq!(printed(&made), ["before"]);
        made.shows(&["is_error=true"]);
    });
}

#[test]
fn long_text_is_one_line() {
    with_each(|valgrind| {
        let made = printing(valgrind, "long");
        let expected = [
            format!("<{}>", "0123456789".repeat(500)),
            format!("<{}{}>", "a".repeat(511), "b".repeat(513)),
        ];
        assert_eq!(printed(&made), expected);
    });
}

#[test]
fn backtraces_begin_at_the_line_that_prints() {
    with_each(|valgrind| {
        let made = printing(valgrind, "backtrace");
        assert_eq!(printed(&made), ["here is a line", "a part: 7"]);
        assert_frames(&made, "here is a line", "printing::backtrace");
        assert_frames(&made, "a part: 7", "printing::backtrace");
    });
}

/// The frames below a text begin with this function and its caller.
#[track_caller]
fn assert_frames(made: &Made, text: &str, function: &str) {
    let mut below = made.log.lines().skip_while(|line| !line.ends_with(text));
    let (first, second) = (below.nth(1).unwrap(), below.next().unwrap());
    assert!(
        first.contains("at 0x") && first.contains(function),
        "{first}"
    );
    assert!(
        second.contains("by 0x") && second.contains("::main"),
        "{second}"
    );
}

#[test]
fn unchecked_text_is_printed_as_well() {
    with_each(|valgrind| {
        let made = printing(valgrind, "unchecked");
        let lines = ["unchecked 1", "unchecked 2", "unchecked 3", "unchecked 4"];
        assert_eq!(printed(&made), lines);
        assert_frames(&made, "unchecked 3", "printing::unchecked");
        assert_frames(&made, "unchecked 4", "printing::unchecked");
    });
}

#[test]
fn strings_are_printed_as_they_are() {
    with_each(|valgrind| {
        let made = printing(valgrind, "strings");
        let lines = [
            "100%d of a string",
            "a literal",
            "number 5",
            "a string with frames",
        ];
        assert_eq!(printed(&made), lines);
        assert_frames(&made, "a string with frames", "printing::strings");
    });
}

#[test]
fn threads_print_whole_lines() {
    with_each(|valgrind| {
        let made = printing(valgrind, "threads");
        let mut lines = printed(&made);
        lines.sort_unstable();
        let mut expected: Vec<_> = (0..4)
            .flat_map(|thread| (0..25).map(move |line| (thread, line)))
            .map(|(thread, line)| format!("thread {thread} line {line} {}", "x".repeat(40)))
            .collect();
        expected.sort_unstable();
        assert_eq!(lines, expected);
    });
}

#[test]
fn nothing_is_printed_without_valgrind() {
    let made = Requests::natively().run("printing::lines");
    // Its own results only.
    made.shows(&[
        "line=Ok(())",
        "part=Ok(())",
        "part=Ok(())",
        "end=Ok(())",
        "literal=Ok(())",
    ]);
}
