//! Stacks of inlined functions, compared with those of `addr2line -i -f`.

use std::fs;
use std::path::Path;

use iai_callgrind_symbols::{names, CodeObject, FrameReader};

use super::programs::{compiled, witness, Numbers};

/// A program whose functions are inlined into each other, also those of the standard library.
pub(crate) const PROGRAM: &str = r#"
use std::collections::HashMap;
struct Record { name: String, score: f64 }
#[inline(always)]
fn deepest(number: u64) -> u64 { number.rotate_left(7) ^ 0x1234 }
#[inline(always)]
fn middle(numbers: &[u64]) -> u64 { numbers.iter().map(|number| deepest(*number)).sum() }
#[inline(never)]
fn outermost(numbers: &[u64]) -> u64 { middle(numbers) + middle(&numbers[1..]) }
#[inline(never)]
fn sorted(records: &mut [Record]) { records.sort_by(|a, b| a.name.cmp(&b.name).then(a.score.total_cmp(&b.score))); }
#[inline(never)]
fn counted(words: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in words.split(' ') { *counts.entry(word.to_lowercase()).or_default() += 1; }
    counts
}
fn main() {
    let numbers: Vec<u64> = (0..std::env::args().count() as u64 + 9).collect();
    let mut records: Vec<_> = numbers.iter().map(|n| Record { name: format!("{n}"), score: *n as f64 }).collect();
    sorted(&mut records);
    println!("{} {} {}", outermost(&numbers), records.len(), counted("a b a").len());
}
"#;

/// Addresses spread over all functions of an executable.
fn addresses(object: &CodeObject, wanted: usize) -> Vec<u64> {
    let bodies: Vec<_> = object.bodies().collect();
    let mut numbers = Numbers(0x5eed);
    let some = (0..wanted).map(|_| {
        let body = bodies[numbers.below(bodies.len() as u64) as usize];
        body.start + numbers.below(body.size)
    });
    some.collect()
}

/// Function and line of each frame, innermost first.
type Frames = Vec<(String, Option<u32>)>;

fn ours(frames: &mut FrameReader<'_>, address: u64) -> Frames {
    let stack = frames.at(address).to_vec();
    let named = stack.iter().rev().map(|frame| {
        let name = frames.function(frame.function).name.clone();
        (name, frame.line)
    });
    named.collect()
}

/// The frames that `addr2line` finds at each address.
fn theirs(executable: &Path, addresses: &[u64]) -> Vec<Frames> {
    let directory = tempfile::tempdir().unwrap();
    let list = directory.path().join("arguments");
    let text: String = addresses.iter().map(|a| format!("{a:#x}\n")).collect();
    fs::write(&list, text).unwrap();
    let list = format!("@{}", list.display());
    // With the address before its frames (`-a`), which tells where one stack ends.
    let lines = witness("addr2line", &["-a", "-i", "-f", &list, "-e"], executable);
    let mut stacks: Vec<Frames> = Vec::new();
    let mut lines = lines.into_iter().peekable();
    while let Some(address) = lines.next() {
        assert!(address.starts_with("0x"), "{address}");
        let mut stack = Frames::new();
        while lines.peek().is_some_and(|line| !line.starts_with("0x")) {
            let function = lines.next().unwrap();
            let place = lines.next().unwrap();
            let line = place.split(" (").next().unwrap().rsplit(':').next();
            let line = line.unwrap().parse().ok().filter(|line| *line != 0);
            stack.push((names::canonical(&function), line));
        }
        stacks.push(stack);
    }
    stacks
}

/// Compares the frames of many addresses; as many of them have to be inlined ones.
#[track_caller]
fn check(executable: &Path, kind: NameKind, most: usize, inlined: usize) {
    let object = CodeObject::open(executable).unwrap();
    let all = addresses(&object, most);
    let theirs = theirs(executable, &all);
    let mut frames = object.frames().unwrap();
    let mut deep = 0;
    for (address, mut theirs) in all.iter().zip(theirs) {
        let mut ours = ours(&mut frames, *address);
        // Code of the C library has no debug information: addr2line has a symbol there.
        if ours.is_empty() {
            assert_eq!((theirs.len(), theirs[0].1), (1, None), "{address:#x}");
            continue;
        }
        deep += usize::from(ours.len() > 1);
        let symbol = names::canonical(object.body_at(*address).unwrap().symbol);
        if kind == NameKind::Bare {
            theirs.last_mut().unwrap().0.clone_from(&symbol);
            for (ours, theirs) in ours.iter_mut().zip(&theirs) {
                if theirs.0 == symbol {
                    ours.0.clone_from(&symbol);
                }
            }
        }
        assert_eq!(ours, theirs, "{address:#x} in {}", executable.display());
    }
    assert!(deep >= inlined, "{deep} of {most}");
}

/// The kind of names in the debug information.
#[derive(Clone, Copy, PartialEq)]
enum NameKind {
    /// Mangled ones, with paths.
    Full,
    /// Without paths. There addr2line has the symbol of the outermost function in some other place.
    Bare,
}

#[test]
fn stacks_are_those_of_addr2line_in_a_large_executable() {
    check(&std::env::current_exe().unwrap(), NameKind::Bare, 1000, 50);
}

/// Not address 0: linkers may write it for functions that they leave out.
#[test]
fn the_last_address_has_no_frames() {
    let object = CodeObject::open(&std::env::current_exe().unwrap()).unwrap();
    let mut frames = object.frames().unwrap();
    assert!(frames.at(u64::MAX).is_empty());
}

#[test]
fn stacks_are_those_of_addr2line_with_full_debug_information() {
    check_formats("-Cdebuginfo=2", "v0", NameKind::Full);
}

#[test]
fn stacks_are_those_of_addr2line_with_limited_debug_information() {
    check_formats("-Cdebuginfo=1", "legacy", NameKind::Full);
}

#[test]
fn stacks_are_those_of_addr2line_with_lines_alone() {
    check_formats("-Cdebuginfo=line-tables-only", "v0", NameKind::Bare);
}

/// Compiles the program in both versions of DWARF.
#[track_caller]
fn check_formats(debug: &str, mangling: &str, kind: NameKind) {
    let mangling = format!("-Csymbol-mangling-version={mangling}");
    let directory = tempfile::tempdir().unwrap();
    let with = |version: &str| {
        let version = format!("-Cdwarf-version={version}");
        let options = ["-O", debug, &mangling, &version];
        compiled(directory.path(), &version, PROGRAM, &options)
    };
    let (fourth, fifth) = (with("4"), with("5"));
    check(&fourth, kind, 1000, 300);
    check_alike(&fourth, &fifth);
}

/// Both have the same code with the same frames. Binutils 2.40 loses frames of DWARF 5, so they are
/// no witness there.
#[track_caller]
fn check_alike(one: &Path, other: &Path) {
    let (one, other) = (
        CodeObject::open(one).unwrap(),
        CodeObject::open(other).unwrap(),
    );
    let bodies = |object: &CodeObject| {
        object
            .bodies()
            .map(|body| (body.start, body.size))
            .collect::<Vec<_>>()
    };
    assert_eq!(bodies(&one), bodies(&other));
    let (mut frames, mut others) = (one.frames().unwrap(), other.frames().unwrap());
    let mut deep = 0;
    for address in addresses(&one, 2000) {
        let expected = ours(&mut frames, address);
        assert_eq!(ours(&mut others, address), expected, "{address:#x}");
        deep += usize::from(expected.len() > 1);
    }
    assert!(deep > 600, "{deep}");
}
