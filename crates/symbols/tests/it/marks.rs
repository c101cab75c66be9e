//! Instances and constants that code refers to, in builds of edited sources.

use std::collections::BTreeMap;

use iai_callgrind_symbols::{names, CodeObject};

use super::programs::compiled;

const SOURCE: &str = r#"use std::fmt::Write;
use std::hint::black_box;
#[inline(never)]
fn fill<const N: usize>(x: u64) -> u64 { (0..N as u64).fold(x, |sum, n| black_box(sum + n)) }
#[inline(never)]
fn counts(n: u64) -> u64 { (0..n).map(|n| fill::<4>(n)).sum() }
trait Run { fn run(&self) -> u64; }
struct Cheap(u64);
struct Dear(u64);
impl Run for Cheap { fn run(&self) -> u64 { black_box(self.0) } }
impl Run for Dear { fn run(&self) -> u64 { black_box(self.0) * 3 } }
#[inline(never)]
fn runs<T: Run>(one: T) -> u64 { one.run() }
#[inline(never)]
fn outer(n: u64) -> u64 { runs(Cheap(n)) + runs(Dear(n)) }
#[inline(never)]
fn boxed(n: u64) -> Box<dyn Run> { if black_box(n) > 90 { panic!("{n}") } black_box(Box::new(Cheap(n))) }
#[inline(never)]
fn format(n: u64) -> String { let mut text = String::new(); write!(text, "<{}>", n).unwrap(); text }
#[inline(never)]
fn message() -> &'static str { black_box("the first of all texts") }
static SIZES: [u16; 200] = { let mut sizes = [3; 200]; sizes[150] = 4; sizes };
#[inline(never)]
fn table(n: usize) -> u16 { SIZES[n % 200] }
#[inline(never)]
fn word(n: u32) -> &'static str {
    match n { 0 => "none", 1 => "one", 2 => "a few", 3 => "some", 4 => "many", 5 => "all", _ => "more" }
}
#[inline(never)]
fn branch(n: u32) -> u64 {
    match n { 0 => counts(3), 1 => outer(4), 2 => u64::from(table(5)), 3 => 17, 4 => format(3).len() as u64, _ => 8 }
}
#[inline(never)]
fn scale(n: f64) -> f64 { n * 0.375 }
fn main() {
    let n = std::env::args().count();
    let one = boxed(n as u64);
    println!("{} {} {}", counts(9), outer(4), one.run());
    println!("{} {} {}", format(3), message(), table(n));
    println!("{} {} {}", word(n as u32), branch(n as u32), scale(n as f64));
}
"#;

/// The own functions of a build: hash of the code, of the instances, and the constants.
type Marks = BTreeMap<String, (u64, u64, Vec<u64>)>;

fn marks(source: &str, options: &[&str]) -> Marks {
    let directory = tempfile::tempdir().unwrap();
    let options = [&["-O", "-Ccodegen-units=1"], options].concat();
    let executable = compiled(directory.path(), "lab", source, &options);
    let object = CodeObject::open(&executable).unwrap();
    let bodies = object.bodies().filter_map(|body| {
        let name = names::canonical(body.symbol);
        let hashes = object.code_hashes(&body);
        let constants = object.constants(&body, |_| true);
        let constants = constants.into_iter().map(|(_, hash)| hash).collect();
        // Generic functions have several bodies.
        let is_one = name.starts_with("lab::") && !["lab::fill", "lab::runs"].contains(&&*name);
        is_one.then_some((name, (hashes.code, hashes.instances, constants)))
    });
    bodies.collect()
}

/// Functions of which something differs: `code`, `instances` or `constants`.
fn different(old: &Marks, new: &Marks) -> Vec<String> {
    let mut found = Vec::new();
    for (name, (code, instances, constants)) in old {
        let Some((new_code, new_instances, new_constants)) = new.get(name) else {
            continue;
        };
        if code != new_code {
            found.push(format!("{name} code"));
        } else if instances != new_instances {
            found.push(format!("{name} instances"));
        } else if constants != new_constants {
            found.push(format!("{name} constants"));
        }
    }
    found
}

#[track_caller]
fn edited(source: &str, from: &str, to: &str) -> String {
    assert!(source.contains(from), "{from}");
    source.replace(from, to)
}

/// Each edit changes what it is expected to change, and nothing else.
#[cfg(target_arch = "x86_64")]
#[track_caller]
fn check_edits(options: &[&str]) {
    let edits = [
        ("fill::<4>(n)", "fill::<9>(n)", "lab::counts instances"),
        (
            "runs(Cheap(n)) +",
            "runs(Dear(n)) +",
            "lab::outer instances",
        ),
        (
            "Box::new(Cheap(n))",
            "Box::new(Dear(n))",
            "lab::boxed constants",
        ),
        ("\"<{}>\"", "\"<{:>8}>\"", "lab::format constants"),
        ("\"<{}>\"", "\"({})\"", "lab::format constants"),
        ("the first", "the final", "lab::message constants"),
        ("sizes[150] = 4", "sizes[150] = 5", "lab::table constants"),
        ("0.375", "0.875", "lab::scale constants"),
    ];
    let old = marks(SOURCE, options);
    for (from, to, expected) in edits {
        let new = marks(&edited(SOURCE, from, to), options);
        assert_eq!(different(&old, &new), [expected], "{options:?} {from}");
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn edits_change_the_instances_and_constants_of_the_edited_function_alone() {
    check_edits(&["-g"]);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn what_the_linker_decides_is_no_constant() {
    // A comment moves lines, and functions move code and data: panics have lines, and jumps have
    // tables.
    let added = "\n// A comment.\n\n#[used]\nstatic ADDED: fn(u64) -> String = added;\n\
                 static MORE: [u32; 77] = [9; 77];\n\
                 fn added(n: u64) -> String { format!(\"much more {} {}\", n, MORE[n as usize]) }\n\
                 #[inline(never)]\nfn fill<";
    let moved = edited(SOURCE, "\n#[inline(never)]\nfn fill<", added);
    let old = marks(SOURCE, &["-g"]);
    assert_eq!(different(&old, &marks(&moved, &["-g"])), [""; 0]);
    // The instances of all crates have another hash in their names then.
    let others = ["-g", "-Cmetadata=other"];
    assert_eq!(different(&old, &marks(SOURCE, &others)), [""; 0]);
    // A file that is always loaded at the same place has addresses in the place of pointers.
    let fixed = ["-g", "-Crelocation-model=static"];
    let old = marks(SOURCE, &fixed);
    assert_eq!(different(&old, &marks(&moved, &fixed)), [""; 0]);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn without_debug_information_hashes_of_symbols_tell_instances_apart() {
    let old = marks(SOURCE, &[]);
    let new = marks(&edited(SOURCE, "fill::<4>(n)", "fill::<9>(n)"), &[]);
    assert_eq!(different(&old, &new), ["lab::counts instances"]);
}

#[test]
fn merged_functions_have_all_their_names() {
    let source = "
        #[no_mangle] pub fn unrelated(x: u64) -> u64 { x ^ 5 }
        #[inline(never)] pub fn first(x: u64) -> u64 { (0..x).fold(x, |s, i| std::hint::black_box(s ^ i)) }
        #[inline(never)] pub fn second(x: u64) -> u64 { (0..x).fold(x, |s, i| std::hint::black_box(s ^ i)) }
        fn main() {}";
    let directory = tempfile::tempdir().unwrap();
    let options = ["-O", "--crate-type=dylib", "-Cprefer-dynamic"];
    let library = compiled(directory.path(), "liblab.so", source, &options);
    let object = CodeObject::open(&library).unwrap();
    let named = |name: &str| {
        let mut bodies = object.bodies();
        bodies.find(|body| names::canonical(body.symbol) == name)
    };
    let body = named("lab::first").or(named("lab::second")).unwrap();
    let mut both = object.merged_names(&body);
    both.push(names::canonical(body.symbol));
    both.sort();
    assert_eq!(both, ["lab::first", "lab::second"]);
    let alone = object.bodies().filter(|body| body.symbol == "unrelated");
    assert_eq!(
        alone
            .map(|body| object.merged_names(&body).len())
            .sum::<usize>(),
        0
    );
}

#[cfg(target_arch = "x86_64")]
mod in_full_runs {
    use super::*;

    #[test]
    fn edits_change_the_same_however_names_and_lines_are_written() {
        check_edits(&["-Cdebuginfo=line-tables-only"]);
        check_edits(&["-g", "-Csymbol-mangling-version=v0"]);
    }
}
