//! Expected output of `explain` at 80 and 120 columns, byte for byte.

use super::*;
use explain::digest::SourceOrigin;
use explain::{
    CallTree, CallTreeKind, CallTreeRow, ExplanationBasis, FunctionInstructions, FunctionLines,
    InstructionDifference, LineCosts, LineDifference, LineDifferences,
};

fn explanation() -> Explanation {
    let function = |function: &str, old: u64, new: u64| {
        ExplainedRow::One(FunctionDifference {
            function: function.to_owned(),
            file: None,
            origin: SourceOrigin::User,
            old,
            new,
            diff: new as i64 - old as i64,
        })
    };
    Explanation {
        metric: "Ir".to_owned(),
        label: "Instructions".to_owned(),
        old: 100,
        new: 100,
        diff: 0,
        basis: ExplanationBasis::Functions,
        origins: Vec::new(),
        causes: Vec::new(),
        functions: vec![function("f", 60, 70), function("g", 40, 30)],
        stories: Vec::new(),
        notes: Vec::new(),
        allocations: None,
    }
}

#[test]
fn costs_that_moved_are_shown_where_the_sum_is_as_before() {
    let result = ExplainedResult {
        benchmark: "b::g::f".to_owned(),
        explanation: explanation(),
        tree: CallTree::default(),
        lines: None,
        instructions: Vec::new(),
    };
    assert_eq!(
        text(&[result], 1, 80, Style::default()),
        "b::g::f\n  Instructions 100, as before\n\
         \x20 Functions  before  now\n\
         \x20       +10      60   70  f\n"
    );
    assert!(text(&[], 1, 80, Style::default()).starts_with("no result differs"));
}

/// The text at a width, which is not exceeded.
#[track_caller]
fn check(text: &str, width: usize, expected: &[&str]) {
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines, expected, "{text}");
    assert!(lines.iter().all(|line| line.chars().count() <= width));
}

fn row(depth: usize, name: &str, old: u64, new: u64) -> CallTreeRow {
    let kind = match name {
        "own" => CallTreeKind::Own,
        "rest" => CallTreeKind::Rest(3),
        name => CallTreeKind::Function {
            name: name.trim_end_matches('*').to_owned(),
            is_recursive: name.ends_with('*'),
        },
    };
    CallTreeRow {
        depth,
        kind,
        old,
        new,
    }
}

#[test]
fn a_tree_is_shown_below_its_roots() {
    let tree = CallTree {
        rows: vec![
            row(0, "b::sort", 639_507, 6_110_487),
            row(1, "lab::sort_records", 639_000, 6_109_980),
            row(
                2,
                "core::slice::sort::unstable::quicksort::quicksort*",
                639_000,
                6_109_000,
            ),
            row(3, "rest", 0, 980),
            row(2, "own", 20, 0),
        ],
    };
    let mut expected = [
        "  Calls        before        now",
        "  +5,470,980  639,507  6,110,487  b::sort",
        "  +5,470,980  639,000  6,109,980    lab::sort_records",
        "  +5,470,000  639,000  6,109,000      core::slice::sort::unstable::quicksort::quicksort (recursive)",
        "        +980        0        980        ... 3 more",
        "         -20       20          0      own and inlined code",
    ];
    check(&tree::text(&tree, 120, Style::default()), 120, &expected);
    expected[3] =
        "  +5,470,000  639,000  6,109,000      unstable::quicksort::quicksort (recursive)";
    check(&tree::text(&tree, 80, Style::default()), 80, &expected);
}

fn costs(line: u32, costs: u64) -> Option<LineCosts> {
    Some(LineCosts { line, costs })
}

fn line(old: Option<LineCosts>, new: Option<LineCosts>, text: &str) -> LineDifference {
    LineDifference {
        old,
        new,
        text: text.to_owned(),
    }
}

fn sort_records() -> FunctionLines {
    FunctionLines {
        function: "lab::sort_records::{closure}".to_owned(),
        file: "src/lib.rs".to_owned(),
        has_texts: true,
        lines: vec![
            line(costs(0, 5), costs(0, 8), ""),
            line(costs(22, 7), costs(23, 7), "    let before = 1;"),
            line(costs(22, 7), costs(23, 7), "    let after = 1;"),
            line(costs(22, 7), costs(23, 7), "    let after = 1;"),
            line(costs(23, 0), costs(24, 0), ""),
            line(
                costs(24, 7),
                costs(25, 7),
                "    records.sort_unstable_by(|a, b| {",
            ),
            line(
                costs(25, 597_458),
                None,
                "        a.name.cmp(&b.name).then_with(|| a.score.total_cmp(&b.score))",
            ),
            line(
                None,
                costs(26, 3_991_000),
                "        a.name.to_lowercase().cmp(&b.name.to_lowercase())",
            ),
            line(costs(26, 0), costs(27, 1_985_727), "    });"),
        ],
    }
}

#[test]
fn lines_are_shown_with_those_around_them() {
    let mut differences = LineDifferences {
        functions: vec![sort_records()],
        rest: 0,
    };
    let narrow = [
        "  Lines of sort_records::{closure}, src/lib.rs     before        now      change",
        "     ?  (code without a line)                           5          8          +3",
        "    23  let before = 1;                                 7          7          +0",
        "   ...",
        "    25  records.sort_unstable_by(|a, b| {               7          7          +0",
        "    25-     a.name.cmp(&b.name).then_with(|| ...  597,458               -597,458",
        "    26+     a.name.to_lowercase().cmp(&b.name...           3,991,000  +3,991,000",
        "    27  });                                             0  1,985,727  +1,985,727",
    ];
    check(
        &lines::text(&differences, 80, Style::default()),
        80,
        &narrow,
    );
    differences.rest = 2;
    differences.functions[0].has_texts = false;
    differences.functions[0].lines.truncate(7);
    let gap = " ".repeat(46);
    let wide = [
        &format!("  Lines of lab::sort_records::{{closure}}, src/lib.rs{gap}  before  now    change"),
        "    no texts: the source was newer than the executable, or not readable; lines are paired by their numbers",
        &format!("     ?  (code without a line){:68}       5    8        +3", ""),
        &format!("    23  let before = 1;{:74}       7    7        +0", ""),
        "   ...",
        &format!("    25  records.sort_unstable_by(|a, b| {{{:56}       7    7        +0", ""),
        &format!(
            "    25-     a.name.cmp(&b.name).then_with(|| a.score.total_cmp(&b.score)){:23}  597,458       -597,458",
            ""
        ),
        "  ... 2 more functions",
    ];
    check(
        &lines::text(&differences, 120, Style::default()),
        120,
        &wide,
    );
    let none = LineDifferences::default();
    let expected = ["  Lines: no line of the workspace differs"];
    check(&lines::text(&none, 80, Style::default()), 80, &expected);
}

fn instruction(old: Option<u64>, new: Option<u64>, line: u32, text: &str) -> InstructionDifference {
    InstructionDifference {
        offset: 0,
        text: text.to_owned(),
        old,
        new,
        line,
    }
}

#[test]
fn instructions_are_shown_with_those_around_them() {
    let both = Some(4180);
    let mut fib = FunctionInstructions {
        function: "lab::fib".to_owned(),
        old: 7,
        new: 7,
        instructions: vec![
            instruction(both, both, 65, "push r15"),
            instruction(both, both, 65, "push rbx"),
            instruction(both, both, 66, "lea rdi,[rdi-1]"),
            instruction(both, both, 66, "call r15"),
            instruction(both, both, 66, "mov rbx,rax"),
            instruction(None, both, 66, "lea rax,[rax+rax*2]"),
            instruction(both, None, 66, "add rbx,rax"),
            instruction(Some(1), both, 0, "ret"),
        ],
    };
    let expected = [
        "  Instructions of lab::fib: 7 -> 7, 6 alike",
        "     before    now  change  line",
        "      4,180  4,180      +0    66  lea rdi,[rdi-1]",
        "      4,180  4,180      +0    66  call r15",
        "      4,180  4,180      +0    66  mov rbx,rax",
        "  +          4,180  +4,180    66  lea rax,[rax+rax*2]",
        "  -   4,180         -4,180    66  add rbx,rax",
        "          1  4,180  +4,179        ret",
    ];
    for width in [80, 120] {
        check(
            &instructions::text(&fib, width, Style::default()),
            width,
            &expected,
        );
    }
    fib.instructions.truncate(5);
    (fib.old, fib.new) = (5, 5);
    fib.instructions[0].text = "x".repeat(100);
    let expected = ["  Instructions of lab::fib: 5, as before"];
    check(
        &instructions::text(&fib, 80, Style::default()),
        80,
        &expected,
    );
    fib.instructions[0].new = Some(0);
    let shown = instructions::text(&fib, 80, Style::default());
    assert!(shown.lines().all(|line| line.len() <= 80) && shown.contains("xxx..."));
}

#[test]
fn more_is_red_and_less_is_green() {
    let style = Style {
        color: true,
        ..Style::default()
    };
    let tree = CallTree {
        rows: vec![row(0, "a", 10, 20), row(1, "b", 20, 10), row(1, "c", 5, 5)],
    };
    let shown = tree::text(&tree, 80, style);
    assert!(shown.contains("\u{1b}[1;91m   +10\u{1b}[0m"), "{shown:?}");
    assert!(shown.contains("\u{1b}[1;92m   -10\u{1b}[0m"), "{shown:?}");
    assert!(shown.contains("\n      +0"), "{shown:?}");
}
