//! `#[binary_benchmark]`: commands, arguments, and hooks in all forms.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Mutex;

use iai_callgrind::__internal::{BinaryFunction, Case, Code, Element, Hook, Run};
use iai_callgrind::{
    binary_benchmark, binary_benchmark_group, main, BinaryBenchmarkConfig, Command, ExitWith,
    Sandbox,
};

static CALLS: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn called(text: impl Into<String>) {
    CALLS.lock().unwrap().push(text.into());
}

fn prepare(path: &str, lines: usize) {
    called(format!("prepare {path} {lines}"));
}

fn check<T: std::fmt::Debug>(path: &str, lines: T) -> bool {
    called(format!("check {path} {lines:?}"));
    true
}

/// Every attribute stays on the function.
#[binary_benchmark(setup = prepare, teardown = check)]
#[bench::inherited("a", 1)]
#[bench::named(args = ("b", 2), config = BinaryBenchmarkConfig::default().env("A", "b"))]
#[bench::call("c", 3, setup = called("call"), teardown = println!("macro"))]
#[bench::block(args = ("d", 4), setup = { called("block"); 5 })]
#[bench::closure("e", 5, setup = |path, lines: usize| prepare(path, lines + 1))]
#[bench::closure_without_parameters("f", 6, setup = || called("closure"), teardown = || ())]
#[bench::generic("g", 7, teardown = check::<usize>)]
#[benches::several(("h", 8), ("i", 9))]
#[benches::list(args = [("j", 10)], setup = called("list"))]
#[inline]
pub fn cat(path: &str, lines: usize) -> Command {
    Command::new("cat")
        .arg(path)
        .args([lines.to_string()])
        .build()
}

#[binary_benchmark]
#[benches::range(iter = 1..=2, setup = |n| called(format!("element {n}")))]
fn seq<T: ToString>(last: T) -> Command {
    Command::new("seq").arg(last.to_string()).build()
}

/// The manifest is a file that there is at the root of every workspace.
#[binary_benchmark]
#[benches::of_manifest(file = "Cargo.toml", setup = |line: String| called(line))]
fn lines(line: String) -> Command {
    Command::new("echo").arg(line)
}

#[binary_benchmark]
#[bench::one(consts = (3))]
#[benches::two(consts = [4, 5])]
fn repeat<const N: usize>() -> Command {
    Command::new("echo").args(["x"; N]).build()
}

#[binary_benchmark]
#[bench::temporary(&vec![1, 2], &String::from("x"))]
#[bench::labelled(&vec![3], "y", label = "one number")]
fn borrowed(numbers: &Vec<u8>, text: impl AsRef<OsStr>) -> iai_callgrind::Command {
    Command::new("echo")
        .arg(format!("{numbers:?}"))
        .arg(text.as_ref())
        .build()
}

/// A call that lacks `.build()` at its end.
#[binary_benchmark]
#[bench::chain(0)]
#[bench::condition(1)]
#[bench::arm(2)]
#[bench::value(3)]
#[bench::into(4)]
#[bench::early(5)]
fn forgotten(form: u8) -> Command {
    if form == 5 {
        return Command::new("5");
    }
    match form {
        0 => Command::new("0").arg("x"),
        1 => {
            if form == 1 {
                Command::new("1").env("A", "b").exit_with(ExitWith::Failure)
            } else {
                unreachable!()
            }
        }
        2 => Command::new(form.to_string()).current_dir(PathBuf::from("x")),
        3 => {
            let mut command = Command::new("3");
            command.arg("x").arg("y");
            command
        }
        _ => Command::new("4").arg("x").into(),
    }
}

#[binary_benchmark]
fn without_bench() -> Command {
    let mut command = Command::new("true");
    command.sandbox(Sandbox::new(true))
}

#[binary_benchmark]
#[bench::reference()]
fn reference() -> &'static Command {
    static COMMAND: std::sync::OnceLock<Command> = std::sync::OnceLock::new();
    COMMAND.get_or_init(|| Command::new("once"))
}

#[binary_benchmark]
#[bench::pattern((1, 2), [3, 4])]
fn patterns((a, _): (u8, u8), [b, ..]: [u8; 2]) -> Command {
    Command::new("echo").arg(format!("{a}{b}"))
}

#[binary_benchmark]
#[bench::r#fn()]
fn r#match() -> Command {
    Command::new("true")
}

/// The id of a bench is no name in its arguments.
#[binary_benchmark]
#[bench::prepare("x", 1, setup = prepare)]
fn own_names(path: &str, _: usize) -> Command {
    Command::new(path)
}

mod elsewhere {
    use super::Command;

    #[iai_callgrind::binary_benchmark]
    pub fn inner() -> Command {
        Command::new("true")
    }

    iai_callgrind::binary_benchmark_group!(name = group, benchmarks = inner);
}
use elsewhere::inner;

binary_benchmark_group!(name = semicolons; compare_by_id = true;; setup = called("setup"); benchmarks = cat, seq,);
binary_benchmark_group!(
    name = commas,
    max_parallel = 1 + 1,
    benchmarks = [repeat, borrowed,],
    teardown = || (),
);
binary_benchmark_group!(
    benchmarks = forgotten, lines, without_bench, reference, self::patterns, r#match, own_names, elsewhere::inner,;
    name = paths;
    config = if true { BinaryBenchmarkConfig::default() } else { unreachable!() }
);
binary_benchmark_group!(
    name = imported,
    config = &BinaryBenchmarkConfig::default(),
    benchmarks = [inner]
);

mod suite {
    use super::*;

    main!(
        config = BinaryBenchmarkConfig::default().env("A", "b"),
        setup = || called("main"),
        binary_benchmark_groups = [semicolons, commas, super::paths, imported, elsewhere::group],
    );

    pub fn _run() {
        main();
    }
}

/// Texts of elements with the programs of a case.
fn programs(case: &Case) -> Vec<(Option<String>, Code)> {
    let Run::Program(programs) = case.run else {
        unreachable!()
    };
    if !programs.has_elements() {
        return vec![(None, programs.program(Element::default()))];
    }
    let (texts, codes) = programs.elements(true);
    let texts = texts.into_iter().map(|text| Some(text.shown));
    texts.zip(codes.into_iter().flatten()).collect()
}

/// Checks the programs and hooks of each case.
#[track_caller]
fn test(BinaryFunction(function): &BinaryFunction, expected: &[&str]) {
    let mut found = Vec::new();
    for case in function.cases {
        for (text, code) in programs(case) {
            let Code::Program(program) = code else {
                unreachable!()
            };
            let command = program.command().unwrap();
            for hook in [Hook::Setup, Hook::Teardown] {
                program.call(hook);
            }
            let calls = std::mem::take(&mut *CALLS.lock().unwrap()).join(", ");
            found.push(format!(
                "{}({}) {} {:?} {calls}",
                case.id.unwrap_or_default(),
                text.as_deref().or(case.args).unwrap_or_default(),
                command.program.to_str().unwrap(),
                command.args,
            ));
        }
    }
    assert_eq!(found, expected);
}

#[binary_benchmark]
#[bench::closure(|| 7)]
#[bench::path(u64::default)]
fn functions(number: fn() -> u64) -> Command {
    Command::new(number().to_string())
}

fn main() {
    test(
        &functions::__FUNCTION,
        &["closure(|| 7) 7 [] ", "path(u64::default) 0 [] "],
    );
    test(
        &cat::__FUNCTION,
        &[
            r#"inherited("a", 1) cat ["a", "1"] prepare a 1, check a 1"#,
            r#"named("b", 2) cat ["b", "2"] prepare b 2, check b 2"#,
            r#"call("c", 3) cat ["c", "3"] call"#,
            r#"block("d", 4) cat ["d", "4"] block, check d 4"#,
            r#"closure("e", 5) cat ["e", "5"] prepare e 6, check e 5"#,
            r#"closure_without_parameters("f", 6) cat ["f", "6"] closure"#,
            r#"generic("g", 7) cat ["g", "7"] prepare g 7, check g 7"#,
            r#"several_0("h", 8) cat ["h", "8"] prepare h 8, check h 8"#,
            r#"several_1("i", 9) cat ["i", "9"] prepare i 9, check i 9"#,
            r#"list_0("j", 10) cat ["j", "10"] list, check j 10"#,
        ],
    );
    test(
        &seq::__FUNCTION,
        &[
            r#"range(1) seq ["1"] element 1"#,
            r#"range(2) seq ["2"] element 2"#,
        ],
    );
    test(
        &repeat::__FUNCTION,
        &[
            r#"one(<3>()) echo ["x", "x", "x"] "#,
            r#"two_0(<4>()) echo ["x", "x", "x", "x"] "#,
            r#"two_1(<5>()) echo ["x", "x", "x", "x", "x"] "#,
        ],
    );
    test(
        &borrowed::__FUNCTION,
        &[
            r#"temporary(&vec![1, 2], &String::from("x")) echo ["[1, 2]", "x"] "#,
            r#"labelled(one number) echo ["[3]", "y"] "#,
        ],
    );
    test(
        &forgotten::__FUNCTION,
        &[
            r#"chain(0) 0 ["x"] "#,
            "condition(1) 1 [] ",
            "arm(2) 2 [] ",
            r#"value(3) 3 ["x", "y"] "#,
            r#"into(4) 4 ["x"] "#,
            "early(5) 5 [] ",
        ],
    );
    let case = &lines::__FUNCTION.0.cases[0];
    let (text, code) = programs(case).swap_remove(0);
    let Code::Program(program) = code else {
        unreachable!()
    };
    let mut command = program.command().unwrap();
    let line = command.args.remove(0).into_string().unwrap();
    assert_eq!(text, Some(format!("{line:?} (line 1)")));
    assert!(program.call(Hook::Setup));
    assert_eq!(*std::mem::take(&mut *CALLS.lock().unwrap()), [line]);

    test(&without_bench::__FUNCTION, &["() true [] "]);
    test(&reference::__FUNCTION, &["reference() once [] "]);
    test(
        &patterns::__FUNCTION,
        &[r#"pattern((1, 2), [3, 4]) echo ["13"] "#],
    );
    test(&r#match::__FUNCTION, &["fn() true [] "]);
    test(
        &own_names::__FUNCTION,
        &[r#"prepare("x", 1) x [] prepare x 1"#],
    );

    // The function is one that other code can call.
    assert_eq!(cat("x", 1), Command::new("cat").args(["x", "1"]).build());
    assert!((semicolons::__GROUP.compare_by_id)());
    assert_eq!((commas::__GROUP.max_parallel)(), 2);
    assert_eq!((paths::__GROUP.functions)().len(), 8);
}
