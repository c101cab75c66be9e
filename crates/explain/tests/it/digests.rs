//! Digests of compiled programs, and what they tell when the programs are gone.

use std::path::Path;

use base::entry_functions::EntryFunctions;
use formats::callgrind::InstructionReader;
use iai_callgrind::protocol::EventKind::Ir;
use iai_callgrind_explain::digest::Digest;
use iai_callgrind_explain::new_digest::DigestSources;
use iai_callgrind_explain::{
    format, instruction_differences, line_differences, InstructionDifference,
};
use symbols::{names, CodeObject, Symbolizer};

use super::programs::compiled;

/// Executions of each instruction, in a profile that says so.
const EXECUTIONS: u64 = 4180;

/// The digest of a program in which each instruction of `lab::fib` was executed, but for the last
/// one.
fn digest_of_fib(source: &str) -> Digest {
    let directory = tempfile::tempdir().unwrap();
    let options = ["-O", "-g", "-Ccodegen-units=1"];
    let executable = compiled(directory.path(), "program", source, &options);
    let object = CodeObject::open(&executable).unwrap();
    let fib = object
        .bodies()
        .find(|body| names::canonical(body.symbol) == "lab::fib")
        .unwrap();
    let mut profile = format!(
        "positions: instr line\nevents: Ir\nob={}\nfl=lab.rs\nfn=lab::fib\n",
        executable.display()
    );
    let mut instructions = object.instructions(&fib);
    instructions.pop();
    for instruction in &instructions {
        let address = fib.start + instruction.offset;
        profile += &format!("{address:#x} 1 {EXECUTIONS}\n");
    }
    let sum = instructions.len() as u64 * EXECUTIONS;
    profile += &format!("totals: {sum}\n");
    let digest = digest(&profile, &executable, directory.path());
    assert_eq!(digest.head.totals, [sum]);
    // A digest is read back from its file when the executable is gone.
    format::read(&format::write(&digest)).unwrap()
}

fn digest(profile: &str, executable: &Path, workspace: &Path) -> Digest {
    let mut reader = InstructionReader::default();
    reader.add(profile.as_bytes()).unwrap();
    let sources = DigestSources {
        entry: &EntryFunctions::of_patterns(["lab::fib"]),
        regions: false,
        symbolizer: &Symbolizer::default(),
        executable,
        identity: 0,
        workspace,
        target: None,
        is_malloc: None,
    };
    sources.digest(&reader.finish(), 0)
}

const PROGRAM: &str = "\
#[inline(never)]
pub fn fib(n: u64) -> u64 {
    // One of the oldest functions.
    if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
}
fn main() {
    println!(\"{}\", fib(std::env::args().count() as u64));
}
";

#[test]
#[cfg(target_arch = "x86_64")]
fn an_edit_is_seen_in_lines_and_instructions_when_the_programs_are_gone() {
    let line_of_old = "    if n < 2 { n } else { fib(n - 1) + fib(n - 2) }";
    let line_of_new = "    if n < 2 { n } else { fib(n - 1) * 3 / 3 + fib(n - 2) }";
    let moved = PROGRAM.replace("#[inline(never)]", "\n\n#[inline(never)]");
    let old = digest_of_fib(PROGRAM);
    let new = digest_of_fib(&moved.replace(line_of_old, line_of_new));

    let found = instruction_differences(&old, &new, "fib").unwrap();
    let [fib] = &found[..] else {
        panic!("{found:?}");
    };
    let added: Vec<&InstructionDifference> = fib
        .instructions
        .iter()
        .filter(|instruction| instruction.old.is_none())
        .collect();
    let texts: Vec<&str> = added.iter().map(|added| &*added.text).collect();
    // Division by three is a multiplication.
    assert!(texts.iter().any(|text| text.contains("mul")), "{texts:#?}");
    assert!(texts.iter().any(|text| text.contains("shr")), "{texts:#?}");
    assert!(added.len() < 15 && fib.alike() > 10, "{fib:#?}");
    for one in added {
        assert_eq!(one.new, Some(EXECUTIONS), "{one:?}");
        assert!(one.line == 6 || !one.text.contains("mul"), "{one:?}");
    }
    let last = fib.instructions.last().unwrap();
    assert_eq!((last.new, last.line), (Some(0), 0), "{last:?}");
    let sum = |count: fn(&InstructionDifference) -> Option<u64>| {
        fib.instructions.iter().filter_map(count).sum::<u64>()
    };
    assert_eq!(sum(|one| one.old), old.head.totals[0]);
    assert_eq!(sum(|one| one.new), new.head.totals[0]);

    let lines = line_differences(&old, &new, Ir).unwrap();
    let [fib] = &lines.functions[..] else {
        panic!("{lines:?}");
    };
    assert_eq!((&*fib.function, &*fib.file), ("lab::fib", "lab.rs"));
    assert!(fib.has_texts);
    let is_removed = |text: &str| {
        let mut lines = fib.lines.iter().filter(|line| line.new.is_none());
        lines.any(|line| line.text == text)
    };
    let is_added = |text: &str| {
        let mut lines = fib.lines.iter().filter(|line| line.old.is_none());
        lines.any(|line| line.text == text && line.new.unwrap().line == 6)
    };
    assert!(is_removed(line_of_old) && is_added(line_of_new), "{fib:#?}");
    // All other lines have only moved.
    let unpaired = fib
        .lines
        .iter()
        .filter(|line| line.old.is_none() || line.new.is_none());
    assert_eq!(unpaired.count(), 2, "{fib:#?}");
}

#[test]
fn code_is_kept_of_the_most_expensive_functions_of_the_user() {
    let directory = tempfile::tempdir().unwrap();
    let mut source =
        "fn main() { let n = std::env::args().count() as u64; println!(\"{}\", 0".to_owned();
    for number in 0..40 {
        source += &format!(" + f{number}(n)");
    }
    source += "); }\n";
    for number in 0..40 {
        source +=
            &format!("#[inline(never)] fn f{number}(n: u64) -> u64 {{ n * {number} + n % 7 }}\n");
    }
    let executable = compiled(
        directory.path(),
        "program",
        &source,
        &["-O", "-Ccodegen-units=1"],
    );
    let object = CodeObject::open(&executable).unwrap();
    let mut profile = "positions: instr line\nevents: Ir\n".to_owned();
    let mut costs = 0;
    for body in object.bodies() {
        let name = names::canonical(body.symbol);
        let Some(number) = name.strip_prefix("lab::f") else {
            continue;
        };
        let number: u64 = number.parse().unwrap();
        // Thirty are dear, others almost free.
        let cost = if number < 30 { 1000 + number } else { 1 };
        let path = executable.display();
        profile += &format!("ob={path}\nfn={name}\n{:#x} 0 {cost}\n", body.start);
        costs += cost;
    }
    profile += &format!(
        "ob=/no/such/library.so\nfn=memcpy\n0x10 0 50000\ntotals: {}\n",
        costs + 50000
    );
    let digest = digest(&profile, &executable, directory.path());
    digest.check().unwrap();
    let names = digest.code.iter().map(|code| {
        let function = digest.bodies[code.body.index()].function;
        digest
            .name(function)
            .strip_prefix("lab::f")
            .unwrap()
            .parse()
            .unwrap()
    });
    let mut names: Vec<u32> = names.collect();
    names.sort_unstable();
    // Equal functions may be one.
    assert_eq!(names.len(), 24);
    assert!(
        names.iter().all(|number| (0..30).contains(number)),
        "{names:?}"
    );
    let first = &digest.code[0];
    assert!(first.executions[0] >= 1000 && first.executions[1..].iter().all(|count| *count == 0));
    // Without symbols there is no code of a function.
    let options = ["-O", "-Ccodegen-units=1", "-Cstrip=symbols"];
    let stripped = compiled(directory.path(), "stripped", &source, &options);
    let profile = profile.replace(
        &executable.display().to_string(),
        &stripped.display().to_string(),
    );
    let without = self::digest(&profile, &stripped, directory.path());
    assert_eq!(without.head.totals, digest.head.totals);
    assert!(without.code.is_empty());
}
