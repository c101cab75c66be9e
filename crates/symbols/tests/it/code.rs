//! Machine code, compared with `objdump -d`, and hashes of it in builds of edited sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use iai_callgrind_symbols::{names, CodeObject};

use super::programs::{compiled, witness};

/// Address, length and mnemonic of instructions.
type Instructions = BTreeMap<u64, (usize, String)>;

/// The instructions of an executable as `objdump` has them.
fn disassembled(executable: &Path) -> Instructions {
    // Prefixes belong to mnemonics of Intel's spelling.
    let lines = witness("objdump", &["-d", "-w", "-Mintel"], executable);
    let mut instructions = Instructions::new();
    for line in lines {
        let mut columns = line.split('\t');
        let address = columns.next().unwrap_or_default().trim();
        let address = address.strip_suffix(':').unwrap_or_default();
        let Ok(address) = u64::from_str_radix(address, 16) else {
            continue;
        };
        let bytes = columns
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .count();
        let text = columns.next().unwrap_or_default();
        instructions.insert(address, (bytes, mnemonic(text)));
    }
    instructions
}

/// The mnemonic of a line, without prefixes that the two write differently.
fn mnemonic(text: &str) -> String {
    let prefixes = [
        "bnd", "notrack", "data16", "cs", "ds", "es", "ss", "addr32", "rex.W", "rex.WX",
    ];
    let mut words = text
        .split_whitespace()
        .skip_while(|word| prefixes.contains(word));
    let mnemonic = words.next().unwrap_or_default();
    match mnemonic {
        // Several names of the same instruction.
        "ret" | "retn" => "ret",
        "movabs" => "mov",
        "xchg" if text.contains("ax,ax") => "nop",
        other => other,
    }
    .to_owned()
}

#[test]
#[cfg(target_arch = "x86_64")]
fn instructions_are_those_of_objdump() {
    let directory = tempfile::tempdir().unwrap();
    let executable = compiled(directory.path(), "lab", super::frames::PROGRAM, &["-O"]);
    let theirs = disassembled(&executable);
    let object = CodeObject::open(&executable).unwrap();
    let mut compared = 0;
    let mut different = Vec::new();
    for body in object.bodies() {
        for ours in object.instructions(&body) {
            let address = body.start + ours.offset;
            let Some((length, mnemonic_of_theirs)) = theirs.get(&address) else {
                panic!("{address:#x} {} is no instruction for objdump", ours.text);
            };
            compared += 1;
            let same = (ours.length, mnemonic(&ours.text)) == (*length, mnemonic_of_theirs.clone());
            if !same {
                different.push(format!(
                    "{address:#x} {} | {length} {mnemonic_of_theirs}",
                    ours.text
                ));
            }
        }
    }
    assert!(compared > 20_000, "{compared}");
    assert!(
        different.is_empty(),
        "{} {:#?}",
        different.len(),
        &different[..different.len().min(20)]
    );
}

const SOURCE: &str = r#"
#[inline(never)]
fn first(numbers: &[u64]) -> u64 { numbers.iter().map(|n| n * 3).sum() }
#[inline(never)]
fn second(text: &str) -> String { format!("{}!", text.to_uppercase()) }
#[inline(never)]
fn third(numbers: &mut Vec<u64>) { numbers.sort(); numbers.push(7); }
#[inline(never)]
fn fourth(n: u64) -> u64 { if n < 2 { n } else { fourth(n - 1) + fourth(n - 2) } }
#[inline(never)]
fn fifth(n: u64) -> u64 { core::hint::black_box(n).wrapping_mul(0x1234_5678_9abc) >> 3 }
fn main() {
    let mut numbers: Vec<u64> = (0..std::env::args().count() as u64).collect();
    third(&mut numbers);
    println!("{} {} {} {}", first(&numbers), second("a"), fourth(20), fifth(3));
}
"#;

/// A function in one build: the hash of its code, and its lines in `objdump` without addresses.
type Bodies = BTreeMap<String, BTreeSet<(u64, Vec<String>)>>;

/// All functions by their names; instances share one.
fn bodies(source: &str) -> Bodies {
    let directory = tempfile::tempdir().unwrap();
    let executable = compiled(
        directory.path(),
        "lab",
        source,
        &["-O", "-Ccodegen-units=1"],
    );
    let lines = witness(
        "objdump",
        &["-d", "-w", "-Mintel", "--no-show-raw-insn"],
        &executable,
    );
    let mut texts: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    let mut start = 0;
    for line in lines {
        if let Some((address, _)) = line.split_once(" <").filter(|_| line.ends_with(">:")) {
            start = u64::from_str_radix(address, 16).unwrap();
        } else if let Some((_, text)) = line.split_once(":\t") {
            texts
                .entry(start)
                .or_default()
                .push(without_addresses(text));
        }
    }
    let object = CodeObject::open(&executable).unwrap();
    let mut bodies = Bodies::new();
    for body in object.bodies() {
        let hash = object.code_hashes(&body).code;
        assert_ne!(hash, 0, "{}", body.symbol);
        let Some(mut text) = texts.remove(&body.start) else {
            continue;
        };
        // Padding up to the next function.
        while text.last().is_some_and(|line| {
            line.contains("nop")
                || line.starts_with("xchg")
                || line.starts_with("int3")
                || line.starts_with("cs")
        }) {
            text.pop();
        }
        let name = names::canonical(body.symbol);
        bodies.entry(name).or_default().insert((hash, text));
    }
    bodies
}

/// `call 1b2c0 <_ZN…>` becomes `call <name>`, and `lea rax,[rip+0x2a] # 4711 <…>` becomes
/// `lea rax,[rip]`.
fn without_addresses(line: &str) -> String {
    let line = line.split(" # ").next().unwrap();
    let (text, symbol) = line.split_once(" <").unwrap_or((line, ""));
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    if !symbol.is_empty() {
        words.pop();
        let symbol = symbol.trim_end_matches('>');
        let (name, offset) = symbol.split_once('+').unwrap_or((symbol, ""));
        words.push(format!("<{}+{offset}>", names::canonical(name)));
    }
    let text = words.join(" ");
    match text.split_once("[rip") {
        Some((begin, end)) => format!("{begin}[rip{}", &end[end.find(']').unwrap()..]),
        None => text,
    }
}

/// Names of the functions that two builds have, but for which these parts of them differ.
fn different<T: Ord>(
    old: &Bodies,
    new: &Bodies,
    part: impl Fn(&(u64, Vec<String>)) -> T,
) -> Vec<String> {
    let parts = |bodies: &BTreeSet<_>| bodies.iter().map(&part).collect::<BTreeSet<T>>();
    let common = old
        .iter()
        .filter_map(|(name, bodies)| Some((name, bodies, new.get(name)?)));
    let different = common.filter(|(_, old, new)| parts(old) != parts(new));
    different.map(|(name, ..)| name.clone()).collect()
}

#[test]
#[cfg(target_arch = "x86_64")]
fn edits_change_the_hash_of_the_edited_function_alone() {
    let old = bodies(SOURCE);
    assert!(old.len() > 300, "{}", old.len());
    let edits = [
        ("n * 3", "n * 5"),
        ("to_uppercase", "to_lowercase"),
        ("0x1234_5678_9abc", "0x1234_5678_9abd"),
    ];
    check(&old, &edits, &["lab::fifth", "lab::first", "lab::second"]);
    // A comment and a function before all others move them, with their lines and data.
    let added = "\n// A comment.\n\n#[used]\nstatic ADDED: fn(u64) -> u64 = added;\n\
                 fn added(n: u64) -> u64 { println!(\"{}\", n / 3); n.rotate_left(7) }\n\
                 #[inline(never)]\nfn first(";
    let edits = [
        ("\n#[inline(never)]\nfn first(", added),
        ("fourth(n - 2)", "fourth(n - 3)"),
    ];
    check(&old, &edits, &["lab::fourth"]);
}

/// Checks which functions these edits change.
#[track_caller]
fn check(old: &Bodies, edits: &[(&str, &str)], expected: &[&str]) {
    let mut source = SOURCE.to_owned();
    for (old, new) in edits {
        assert!(source.contains(old), "{old}");
        source = source.replace(old, new);
    }
    let new = bodies(&source);
    assert_eq!(different(old, &new, |(hash, _)| *hash), expected);
    // A call through memory is the same text whatever it calls, so some may be missing there.
    let by_text = different(old, &new, |(_, text)| text.clone());
    let missing = by_text
        .iter()
        .filter(|name| !expected.contains(&name.as_str()));
    assert_eq!(missing.count(), 0, "{by_text:?}");
    assert!(by_text.len() + 1 >= expected.len(), "{by_text:?}");
}
