//! Trees, lines and instructions of digests that were written by hand.

use iai_callgrind::protocol::EventKind::{I1MissRate, Ir};

use proptest::prelude::*;

use super::sample::digest;
use super::tests::any_digest;
use super::*;

/// The rows of a tree: `name old -> new`, below each other.
#[track_caller]
fn check_tree(old: &Digest, new: &Digest, depth: usize, expected: &[&str]) {
    let tree = call_tree(old, new, Ir, depth).unwrap();
    let rows = tree.rows.iter().map(|row| {
        let name = match &row.kind {
            CallTreeKind::Function { name, is_recursive } => match is_recursive {
                true => format!("{name} (recursive)"),
                false => name.clone(),
            },
            CallTreeKind::Own => "own code".to_owned(),
            CallTreeKind::Rest(count) => format!("{count} more"),
        };
        let indent = "  ".repeat(row.depth);
        format!("{indent}{name} {} -> {}", row.old, row.new)
    });
    assert_eq!(rows.collect::<Vec<_>>(), expected);
}

const OLD_TREE: &str = "root lab::bench
    own lab::bench:1 = 100
    call lab::bench:2 -> lab::f 2 = 300
    call lab::bench:3 -> lab::g 1 = 50
    call lab::bench:4 -> lab::same 1 = 1000
    own lab::f:10 = 100
    call lab::f:11 -> lab::g 4 = 200
    own lab::g:20 = 250
    own lab::same:30 = 1000";

#[test]
fn a_tree_divides_costs_among_callers() {
    let old = digest(OLD_TREE);
    let new = digest(
        &OLD_TREE
            .replace("lab::f 2 = 300", "lab::f 2 = 500")
            .replace("lab::g 4 = 200", "lab::g 8 = 400")
            .replace("own lab::g:20 = 250", "own lab::g:20 = 450"),
    );
    let expected = [
        "lab::bench 1450 -> 1650",
        "  lab::f 300 -> 500",
        "    lab::g 200 -> 400",
        "    1 more 100 -> 100",
        "  3 more 1150 -> 1150",
    ];
    check_tree(&old, &new, 3, &expected);
    check_tree(&old, &new, 0, &expected[..1]);
    check_tree(&old, &old, 3, &[]);
}

#[test]
fn own_code_is_a_row_and_recursion_is_not_followed() {
    let old = "root lab::bench
        own lab::bench:1 = 10
        call lab::bench:2 -> lab::walk 1 = 90
        own lab::walk:5 = 60
        call lab::walk:6 -> lab::visit 3 = 200
        own lab::visit:7 = 30
        call lab::visit:8 -> lab::walk 3 = 170";
    let new = old
        .replace("walk:5 = 60", "walk:5 = 100")
        .replace("= 90", "= 130")
        .replace("bench:1 = 10", "bench:1 = 30");
    let expected = [
        "lab::bench 100 -> 160",
        "  lab::walk (recursive) 90 -> 130",
        "  own code 10 -> 30",
    ];
    check_tree(&digest(old), &digest(&new), 5, &expected);
}

#[test]
fn a_function_that_one_build_inlined_is_part_of_its_callers() {
    let old = digest(
        "root lab::bench
        own lab::bench:1 = 100
        call lab::bench:2 -> lab::f 5 = 50
        own lab::f:10 = 40
        call lab::f:11 -> malloc 5 = 10
        own malloc:0 = 10",
    );
    let new = digest(
        "root lab::bench
        own lab::bench:1 = 100
        own lab::bench:2 > lab::f:10 = 40
        call lab::bench:2 > lab::f:11 -> malloc 50 = 100
        own malloc:0 = 100",
    );
    let expected = [
        "lab::bench 150 -> 240",
        "  malloc 10 -> 100",
        "  1 more 140 -> 140",
    ];
    check_tree(&old, &new, 3, &expected);
}

#[test]
fn costs_that_moved_are_in_the_tree() {
    let old = digest("root lab::a\nown lab::a:1 = 10\ncall lab::a:2 -> f 1 = 90\nown f:0 = 90");
    let new = digest("root lab::a\nown lab::a:1 = 60\ncall lab::a:2 -> f 1 = 40\nown f:0 = 40");
    let expected = ["lab::a 100 -> 100", "  own code 10 -> 60", "  f 90 -> 40"];
    check_tree(&old, &new, 3, &expected);
    assert!(call_tree(&old, &new, I1MissRate, 3).is_err());
}

/// `function file`, then `old|new text old costs -> new costs` of each line.
#[track_caller]
fn check_lines(old: &Digest, new: &Digest, expected: &[&str]) {
    let found = line_differences(old, new, Ir).unwrap();
    let mut rows = Vec::new();
    for function in &found.functions {
        rows.push(format!("{} {}", function.function, function.file));
        for line in &function.lines {
            let number = |line: Option<LineCosts>| line.map_or("-".into(), |l| l.line.to_string());
            let costs = |line: Option<LineCosts>| line.map_or("-".into(), |l| l.costs.to_string());
            rows.push(format!(
                "{}|{} {} {} -> {}",
                number(line.old),
                number(line.new),
                line.text.trim(),
                costs(line.old),
                costs(line.new)
            ));
        }
    }
    if found.rest > 0 {
        rows.push(format!("{} more", found.rest));
    }
    assert_eq!(rows, expected);
}

#[test]
fn lines_are_aligned_by_their_texts() {
    let old = digest(
        "root lab::sort
        own lab::sort:0 = 3
        own lab::sort:25 = 10
        call lab::sort:26 -> memcmp 10 = 100
        own lab::sort:28 = 1
        own memcmp:0 = 100
        text lab::sort 24 fn sort(records) {
        text lab::sort 25 records.sort(|a, b| {
        text lab::sort 26 a.name.cmp(b.name)
        text lab::sort 27 // the end
        text lab::sort 28 });",
    );
    let new = digest(
        "root lab::sort
        own lab::sort:0 = 4
        own lab::sort:30 = 10
        call lab::sort:31 -> str::to_lowercase 20 = 400
        own lab::sort:33 = 2
        own str::to_lowercase:0 = 400
        text lab::sort 30     records.sort(|a, b| {
        text lab::sort 31 a.name.to_lowercase().cmp(b.name)
        text lab::sort 32 // the end
        text lab::sort 33 });",
    );
    let expected = [
        "lab::sort src/lib.rs",
        "0|0  3 -> 4",
        "25|30 records.sort(|a, b| { 10 -> 10",
        "26|- a.name.cmp(b.name) 100 -> -",
        "-|31 a.name.to_lowercase().cmp(b.name) - -> 400",
        "27|32 // the end 0 -> 0",
        "28|33 }); 1 -> 2",
    ];
    check_lines(&old, &new, &expected);
    check_lines(&old, &old, &[]);
}

/// The lines above a function are the same, whether or not the compiler inlined it.
#[test]
fn lines_include_what_was_inlined_and_called_there() {
    let old = digest(
        "root lab::bench
        own lab::bench:1 = 5
        call lab::bench:2 -> lab::f 1 = 100
        own lab::f:10 = 70
        call lab::f:11 -> malloc 3 = 30
        own malloc:0 = 30",
    );
    let new = digest(
        "root lab::bench
        own lab::bench:1 = 5
        own lab::bench:2 > lab::f:10 = 60
        own lab::bench:2 > lab::f:10 > std::h:7 = 10
        call lab::bench:2 > lab::f:11 > std::h:8 -> malloc 4 = 40
        own malloc:0 = 40",
    );
    let expected = [
        "lab::bench src/lib.rs",
        "1|1  5 -> 5",
        "2|2  100 -> 110",
        "lab::f src/lib.rs",
        "10|10  70 -> 70",
        "11|11  30 -> 40",
    ];
    check_lines(&old, &new, &expected);
}

#[test]
fn recursion_counts_once() {
    let recursive = |own: u64, inlined: u64| {
        digest(&format!(
            "root lab::bench
            call lab::bench:2 -> lab::fib 1 = {}
            own lab::fib:10 = {own}
            own lab::fib:11 > lab::fib:10 = {inlined}
            call lab::fib:11 -> lab::fib 20 = 900
            call lab::fib:11 > lab::fib:11 -> lab::fib 20 = 900",
            own + inlined
        ))
    };
    let expected = [
        "lab::bench src/lib.rs",
        "2|2  150 -> 270",
        "lab::fib src/lib.rs",
        "10|10  150 -> 270",
    ];
    check_lines(&recursive(100, 50), &recursive(200, 70), &expected);
}

#[test]
fn code_without_a_line_is_no_blank_line() {
    let with_blank = |text: &str| {
        let mut digest = digest(text);
        for text in &mut digest.strings {
            if **text == *"BLANK" {
                *text = "  ".into();
            }
        }
        digest
    };
    let old = with_blank("root lab::a\nown lab::a:3 = 9\ntext lab::a 2 BLANK\ntext lab::a 3 x();");
    let new = with_blank(
        "root lab::a\nown lab::a:0 = 1\nown lab::a:2 = 2\nown lab::a:3 = 9\ntext lab::a 1 BLANK
        text lab::a 2 fn a() {\ntext lab::a 3 x();",
    );
    let expected = [
        "lab::a src/lib.rs",
        "-|0  - -> 1",
        "-|2 fn a() { - -> 2",
        "3|3 x(); 9 -> 9",
    ];
    check_lines(&old, &new, &expected);
}

#[test]
fn without_texts_lines_are_aligned_by_their_numbers() {
    let old = digest("root lab::a\nown lab::a:1 = 10\nown lab::a:2 = 10\ntext lab::a 1 x();");
    let new = digest("root lab::a\nown lab::a:1 = 10\nown lab::a:3 = 30");
    let expected = [
        "lab::a src/lib.rs",
        "1|1 x(); 10 -> 10",
        "2|-  10 -> -",
        "-|3  - -> 30",
    ];
    check_lines(&old, &new, &expected);
    assert!(!line_differences(&old, &new, Ir).unwrap().functions[0].has_texts);
}

#[test]
fn functions_that_hardly_differ_are_counted() {
    let many = |large: u64| {
        let mut text = "root lab::a\nown lab::a:1 = 1".to_owned();
        for number in 0..20 {
            let cost = large + number * 1000;
            text +=
                &format!("\ncall lab::a:1 -> lab::f{number} 1 = 0\nown lab::f{number}:5 = {cost}");
        }
        digest(&text)
    };
    let mut text = many(0);
    text.row_costs = {
        let mut costs = digest::CostTable::default();
        for (index, row) in many(0).row_costs.rows().enumerate() {
            costs.push(&[row.first().copied().unwrap_or(0) * if index == 2 { 1 } else { 2 }]);
        }
        costs
    };
    let found = line_differences(&many(0), &text, Ir).unwrap();
    assert_eq!((found.functions.len(), found.rest), (12, 7));
}

const FIB: &str = "root lab::bench
    call lab::bench:1 -> lab::fib 9 = 90
    own lab::fib:66 = 90
    body lab::fib 1
    body lab::fib2 5
    code lab::fib 50e8fa0000004801c358c3 9,9,9,9,0 65,66,66,67,0 1=lab::fib
    code lab::fib2 c3 1 1";

/// `old|new text line`
#[track_caller]
fn check_instructions(old: &str, new: &str, name: &str, expected: &[&str]) {
    let found = instruction_differences(&digest(old), &digest(new), name).unwrap();
    let mut rows = Vec::new();
    for function in found {
        let (old, new) = (function.old, function.new);
        rows.push(format!(
            "{} {old} -> {new}, {} alike",
            function.function,
            function.alike()
        ));
        let count = |count: Option<u64>| count.map_or("-".into(), |count| count.to_string());
        rows.extend(function.instructions.iter().map(|one| {
            format!(
                "{}|{} {} {}",
                count(one.old),
                count(one.new),
                one.text,
                one.line
            )
        }));
    }
    assert_eq!(rows, expected);
}

#[test]
fn instructions_are_aligned_without_their_addresses() {
    // lea rax,[rax+rax*2] after the call, which moves all others.
    let new = FIB.replace(
        "code lab::fib 50e8fa0000004801c358c3 9,9,9,9,0 65,66,66,67,0",
        "code lab::fib 50e8f0000000488d04404801c358c3 9,9,7,9,9,0 70,71,71,71,72,0",
    );
    let expected = [
        "lab::fib 5 -> 6, 5 alike",
        "9|9 push rax 70",
        "9|9 call lab::fib 71",
        "-|7 lea rax,[rax+rax*2] 71",
        "9|9 add rbx,rax 71",
        "9|9 pop rax 72",
        "0|0 ret 0",
    ];
    check_instructions(FIB, &new, "fib", &expected);
    check_instructions(FIB, &new, "lab::fib", &expected);
}

#[test]
fn names_without_code_have_a_reason() {
    let error = |old: &str, new: &str, name: &str| {
        instruction_differences(&digest(old), &digest(new), name)
            .unwrap_err()
            .to_string()
    };
    let none = "root lab::bench\nown lab::bench:1 = 1";
    assert_eq!(
        error(none, FIB, "fib"),
        "the old result has no machine code: its profile has no instructions, its executable was not \
         readable, or its processor is not x86; `cargo bench` without `--dump-instr=no` keeps it"
    );
    assert_eq!(
        error(FIB, FIB, "fibo"),
        "no function with machine code is called `fibo`; there is `lab::fib`, `lab::fib2`; it is kept of \
         functions with at least 0.5 % of the instructions, of the 24 most expensive ones"
    );
    let without = FIB.replace("code lab::fib ", "code lab::bench ");
    assert_eq!(
        error(&without, FIB, "lab::fib"),
        "`lab::fib` has machine code in the new result only: in the other one it was inlined, not called, or \
         had less than 0.5 % of the instructions"
    );
    let arm = |text: &str| {
        let mut digest = digest(text);
        let target = digest.strings.len() as u32;
        digest.strings.push("aarch64".into());
        digest.head.target = Some(digest::StringId(target));
        digest
    };
    let error = instruction_differences(&digest(FIB), &arm(FIB), "fib").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the results are of different processors: x86_64 and aarch64; compare results of one"
    );
}

#[test]
fn all_instructions_are_those_that_there_is_room_for() {
    let old = FIB.replace("code lab::fib2 ", "code lab::bench ");
    let found = |most: usize| {
        let tables = all_instructions(&digest(&old), &digest(FIB), most).unwrap();
        let functions = tables.functions.iter().map(|function| {
            let (old, new) = (function.old, function.new);
            format!(
                "{} {old} -> {new}, {} alike",
                function.function,
                function.alike()
            )
        });
        (functions.collect::<Vec<_>>(), tables.left_out)
    };
    let (all, left_out) = found(1000);
    assert!(
        all.contains(&"lab::fib 5 -> 5, 5 alike".to_owned()),
        "{all:?}"
    );
    // Code of one build is shown alone, with its own offsets.
    assert!(
        all.iter().any(|line| line.starts_with("lab::fib2 0 -> ")),
        "{all:?}"
    );
    assert!(
        all.iter()
            .any(|line| line.starts_with("lab::bench ") && line.contains("-> 0, 0")),
        "{all:?}"
    );
    assert_eq!(left_out, [""; 0]);
    let (none, left_out) = found(0);
    assert_eq!((none.len(), left_out.len()), (0, 3));
    let same = all_instructions(&digest(FIB), &digest(FIB), 1000).unwrap();
    let fib = same
        .functions
        .iter()
        .find(|function| function.function == "lab::fib");
    let offsets: Vec<u64> = fib
        .unwrap()
        .instructions
        .iter()
        .map(|one| one.offset)
        .collect();
    assert_eq!(offsets, [0, 1, 6, 9, 10]);
}

#[test]
fn instances_are_paired_by_their_types() {
    // Two functions with these bytes, as instances of one.
    let instances = |codes: [(&str, &str); 2]| {
        let codes = codes.map(|(name, bytes)| {
            format!("own lab::{name}:1 = 1\nbody lab::{name} 0\ncode lab::{name} {bytes} 1 1\n")
        });
        let mut digest = digest(&format!("root lab::bench\n{}", codes.concat()));
        let name = digest::StringId(digest.strings.len() as u32);
        digest.strings.push("lab::f".into());
        for function in &mut digest.functions[1..] {
            function.instance = Some(function.name);
            function.name = name;
        }
        digest
    };
    let old = instances([("u8", "90"), ("u16", "c3")]);
    let new = instances([("u16", "c3"), ("u8", "90")]);
    let found = instruction_differences(&old, &new, "f").unwrap();
    let alike: Vec<usize> = found.iter().map(FunctionInstructions::alike).collect();
    assert_eq!(alike, [1, 1]);
    // Other types: by their order.
    let new = instances([("u32", "c3"), ("u8", "90")]);
    let found = instruction_differences(&old, &new, "f").unwrap();
    assert_eq!(found.len(), 2);
}

/// Rows one below a row, up to the next one as deep as it.
fn below(rows: &[CallTreeRow]) -> impl Iterator<Item = &CallTreeRow> {
    let depth = rows[0].depth;
    let deeper = rows[1..].iter().take_while(move |row| row.depth > depth);
    deeper.filter(move |row| row.depth == depth + 1)
}

fn line_costs_of(old: &Digest, new: &Digest) -> LineDifferences {
    let pairs = FunctionPairs::find(old, new);
    line_costs(&ComparedDigests::new(old, new, &pairs, Ir).unwrap())
}

proptest! {
    #[test]
    fn functions_add_up_to_the_totals(old in any_digest(), new in any_digest()) {
        let pairs = FunctionPairs::find(&old, &new);
        let table = function_table(&ComparedDigests::new(&old, &new, &pairs, Ir).unwrap());
        for (side, of) in [
            (&old, (|row| row.old) as fn(&ComparedFunction) -> Option<SideCosts>),
            (&new, |row| row.new),
        ] {
            let sides = table.iter().filter_map(of);
            let own: u64 = sides.clone().map(|side| side.own).sum();
            prop_assert_eq!(own, side.head.totals[0]);
            for side in sides {
                let inclusive = side.inclusive.unwrap();
                prop_assert!(inclusive <= own, "{side:?}");
            }
        }
    }

    #[test]
    fn all_lines_have_those_that_differ(old in any_digest(), new in any_digest()) {
        let differing = line_differences(&old, &new, Ir).unwrap();
        let all = line_costs_of(&old, &new);
        for function in differing.functions {
            let same = all.functions.iter().find(|other| {
                (&other.function, &other.file) == (&function.function, &function.file)
            });
            prop_assert!(same.is_none_or(|same| *same == function));
        }
        let same = line_costs_of(&old, &old);
        for line in same.functions.iter().flat_map(|function| &function.lines) {
            prop_assert_eq!(line.old, line.new);
        }
    }

    #[test]
    fn branches_add_up(old in any_digest(), new in any_digest()) {
        let rows = call_tree(&old, &new, Ir, 4).unwrap().rows;
        for (index, row) in rows.iter().enumerate() {
            let mut sums = [0_u64; 2];
            let mut count = 0;
            for below in below(&rows[index..]) {
                sums = [sums[0] + below.old, sums[1] + below.new];
                count += 1;
            }
            for (sum, whole) in sums.into_iter().zip([row.old, row.new]) {
                // Each row is rounded.
                prop_assert!(count == 0 || sum.abs_diff(whole) <= 3, "{:?}", rows);
            }
            prop_assert!(row.depth <= 4);
        }
    }

    #[test]
    fn lines_of_both_sides_are_the_same_the_other_way_round(
        old in any_digest(),
        new in any_digest()
    ) {
        let forth = line_differences(&old, &new, Ir).unwrap();
        let mut back = line_differences(&new, &old, Ir).unwrap();
        prop_assert_eq!(forth.rest, back.rest);
        for line in back.functions.iter_mut().flat_map(|function| &mut function.lines) {
            std::mem::swap(&mut line.old, &mut line.new);
        }
        let costs = |found: &LineDifferences| {
            let lines = found.functions.iter().map(|function| {
                let mut lines: Vec<_> = function
                    .lines
                    .iter()
                    .map(|line| [line.old, line.new].map(|side| side.map(|side| (side.line, side.costs))))
                    .collect();
                lines.sort_unstable();
                // The name is that of the new side, which differs for renamed functions.
                lines
            });
            let mut lines: Vec<_> = lines.collect();
            lines.sort_unstable();
            lines
        };
        prop_assert_eq!(costs(&forth), costs(&back));
        prop_assert_eq!(line_differences(&new, &new, Ir).unwrap(), LineDifferences::default());
    }
}
