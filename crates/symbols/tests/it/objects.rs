//! Executables with other debug information than usual, and damaged ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use iai_callgrind_symbols::{CodeObject, DebugFacts, Symbolizer, UnreadDebug};

use super::frames::PROGRAM;
use super::programs::{compiled, Numbers};

/// Runs `objcopy` or `strip` on an executable.
#[track_caller]
fn changed(program: &str, arguments: &[&str], executable: &Path, name: &str) -> PathBuf {
    let changed = executable.with_file_name(name);
    let mut command = Command::new(program);
    command.args(arguments).arg(executable);
    if program == "strip" {
        command.arg("-o");
    }
    assert!(command.arg(&changed).status().unwrap().success());
    changed
}

/// Has it names, lines, inlined functions, declarations?
fn extent(facts: &DebugFacts) -> [bool; 4] {
    let DebugFacts {
        has_names,
        has_lines,
        has_inlined,
        has_declarations,
        ..
    } = *facts;
    [has_names, has_lines, has_inlined, has_declarations]
}

/// The frames of all functions of the crate.
fn all_frames(object: &CodeObject) -> Vec<String> {
    let Some(mut frames) = object.frames() else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for body in object.bodies().filter(|body| body.symbol.contains("3lab")) {
        for frame in frames.at(body.start + body.size / 2).to_vec() {
            all.push(format!(
                "{} {:?}",
                frames.function(frame.function).name,
                frame.line
            ));
        }
    }
    all
}

#[test]
fn compressed_and_stripped_executables_say_what_they_have() {
    let directory = tempfile::tempdir().unwrap();
    let plain = compiled(directory.path(), "lab", PROGRAM, &["-O", "-Cdebuginfo=2"]);
    let object = CodeObject::open(&plain).unwrap();
    let facts = object.debug_facts();
    assert_eq!((extent(facts), &facts.unread), ([true; 4], &None));
    assert!(
        facts.producer.as_ref().unwrap().contains("rustc version"),
        "{facts:?}"
    );
    let expected = all_frames(&object);
    assert!(expected.len() > 10, "{expected:?}");

    let zlib = changed(
        "objcopy",
        &["--compress-debug-sections=zlib"],
        &plain,
        "zlib",
    );
    assert!(fs::metadata(&zlib).unwrap().len() < fs::metadata(&plain).unwrap().len());
    let zlib = CodeObject::open(&zlib).unwrap();
    assert_eq!(zlib.debug_facts(), facts);
    assert_eq!(all_frames(&zlib), expected);
    assert_eq!(zlib.build_id(), object.build_id());

    let names = CodeObject::open(&changed("strip", &["-g"], &plain, "names")).unwrap();
    assert_eq!(extent(names.debug_facts()), [true, false, false, false]);
    assert!(names.frames().is_none());
    assert_eq!(names.bodies().count(), object.bodies().count());

    let none = CodeObject::open(&changed("strip", &[], &plain, "none")).unwrap();
    assert_eq!(extent(none.debug_facts()), [false; 4]);
    assert_eq!(
        (none.bodies().count(), &none.debug_facts().unread),
        (0, &None)
    );
}

#[test]
fn debug_information_of_the_standard_library_alone_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let of = |options: &[&str]| {
        let program = compiled(directory.path(), "lab", PROGRAM, options);
        let facts = CodeObject::open(&program).unwrap().debug_facts().clone();
        (facts.of_toolchain, extent(&facts))
    };
    assert_eq!(of(&["-O", "-Cdebuginfo=0"]), (true, [true; 4]));
    assert_eq!(of(&["-O", "-Cdebuginfo=1"]), (false, [true; 4]));
    let tables = of(&["-O", "-Cdebuginfo=line-tables-only"]);
    assert_eq!(tables, (false, [true, true, true, false]));
}

#[test]
fn split_debug_information_is_named_as_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    let options = ["-O", "-Cdebuginfo=2", "-Csplit-debuginfo=unpacked"];
    let split = compiled(directory.path(), "lab", PROGRAM, &options);
    let object = CodeObject::open(&split).unwrap();
    let facts = object.debug_facts();
    assert_eq!(extent(facts), [true, false, false, false]);
    assert_eq!(facts.unread, Some(UnreadDebug::Split));
    let text = facts.unread.as_ref().unwrap().to_string();
    assert!(text.contains("set `split-debuginfo = \"off\"`"), "{text}");
    let main = object
        .bodies()
        .find(|body| body.symbol.contains("3lab4main"));
    let main = main.unwrap();
    assert!(object.frames().unwrap().at(main.start).is_empty());
    assert_ne!(object.code_hashes(&main).code, 0);
}

#[test]
fn damaged_files_are_errors_or_have_less() {
    let directory = tempfile::tempdir().unwrap();
    let options = ["-O", "-Cdebuginfo=1", "-Clink-arg=-Wl,--gc-sections"];
    let executable = compiled(directory.path(), "lab", "fn main() {}", &options);
    let whole = fs::read(&executable).unwrap();
    let damaged = directory.path().join("damaged");
    let mut numbers = Numbers(0xdead);
    let (mut errors, mut objects) = (0, 0);
    for round in 0..30 {
        let mut bytes = whole.clone();
        match round % 3 {
            0 => bytes.truncate(numbers.below(whole.len() as u64) as usize),
            // Headers are where damage goes furthest.
            1 => {
                for _ in 0..4 {
                    let headers = [0, whole.len() - 2000][numbers.below(2) as usize];
                    let place = headers + numbers.below(2000) as usize;
                    bytes[place] = numbers.below(256) as u8;
                }
            }
            _ => {
                for _ in 0..2000 {
                    let place = 4096 + numbers.below(whole.len() as u64 - 4096) as usize;
                    bytes[place] = numbers.below(256) as u8;
                }
            }
        }
        fs::write(&damaged, bytes).unwrap();
        match CodeObject::open(&damaged) {
            Ok(object) => {
                objects += 1;
                for body in object.bodies().take(60) {
                    object.code_hashes(&body);
                    if let Some(mut frames) = object.frames() {
                        frames.at(body.start + body.size / 2);
                    }
                }
            }
            Err(error) => {
                errors += 1;
                let text = error.to_string();
                assert!(
                    text.contains("damaged` is no executable or library"),
                    "{text}"
                );
            }
        }
    }
    assert!(errors > 3 && objects > 10, "{errors} {objects}");
}

/// A small program with two functions that are inlined into a third one.
const IN_C: &str = "
#include <stdlib.h>
static inline int square(int n) { return n * n + rand() % 3; }
static inline int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += square(i); return s; }
int outer(int n) { return n > 3 ? sum(n) + sum(n - 2) : square(n); }
int main(int count, char **words) { return outer(count + 5) % 7; }
";

#[test]
fn damaged_debug_information_has_less() {
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join("lab.c");
    let program = directory.path().join("lab");
    fs::write(&source, IN_C).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-g", "-O2", "-o"]).args([&program, &source]);
    assert!(compiler.status().unwrap().success());
    let stacks = |path: &Path| -> Option<Vec<usize>> {
        let object = CodeObject::open(path).ok()?;
        let mut frames = object.frames()?;
        let bodies = object.bodies();
        let addresses = bodies.flat_map(|body| body.start..body.start + body.size.min(500));
        Some(addresses.map(|address| frames.at(address).len()).collect())
    };
    let expected = stacks(&program).unwrap();
    assert!(
        expected.contains(&3),
        "nothing is inlined twice: {expected:?}"
    );
    let whole = fs::read(&program).unwrap();
    let debug = memchr::memmem::find(&whole, b"rand").unwrap();
    let mut numbers = Numbers(0xbad);
    let mut as_before = 0;
    for round in 0..400 {
        let mut bytes = whole.clone();
        for _ in 0..=round % 8 {
            let place = debug + numbers.below((whole.len() - debug) as u64) as usize;
            bytes[place] = numbers.below(256) as u8;
        }
        let damaged = directory.path().join("damaged");
        fs::write(&damaged, bytes).unwrap();
        let found = stacks(&damaged).unwrap_or_default();
        as_before += usize::from(found == expected);
        let deepest = found.iter().max().copied().unwrap_or(0);
        assert!(deepest < 50, "round {round}: {deepest} frames");
    }
    assert!((20..400).contains(&as_before), "{as_before}");
}

#[test]
fn files_are_opened_once_and_no_longer_when_they_are_replaced() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("lab");
    fs::copy("/bin/true", &file).unwrap();
    let symbolizer = Symbolizer::default();
    symbolizer.begin(&file);
    let first = symbolizer.object(&file).unwrap();
    let second = symbolizer.object(&file).unwrap();
    assert!(std::sync::Arc::ptr_eq(&first, &second));
    assert_eq!(first.path(), file);
    let replaced = format!("`{}` was replaced during the run", file.display());
    let error = || symbolizer.object(&file).unwrap_err().to_string();
    fs::write(&file, "#!/bin/sh\n").unwrap();
    assert!(error().starts_with(&replaced), "{}", error());
    fs::remove_file(&file).unwrap();
    symbolizer.begin(&file);
    assert!(error().starts_with(&replaced), "{}", error());
    fs::copy("/bin/true", &file).unwrap();
    assert!(error().starts_with(&replaced), "{}", error());
}

#[test]
fn files_have_the_same_number_until_somebody_writes_them() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("lab");
    let identity = || Symbolizer::default().identity(&file);
    assert!(identity().is_err());
    fs::write(&file, "it is not opened").unwrap();
    let first = identity().unwrap();
    assert_ne!(first, 0);
    assert_eq!(identity().unwrap(), first);
    let symbolizer = Symbolizer::default();
    assert_eq!(symbolizer.identity(&file).unwrap(), first);
    // A file of before with its time, as caches and `cp -p` restore it.
    let written = fs::metadata(&file).unwrap().modified().unwrap();
    let again = fs::File::options().write(true).open(&file).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    fs::write(&file, "it has 16 letter").unwrap();
    again.set_modified(written).unwrap();
    assert_ne!(identity().unwrap(), first);
    fs::write(&file, "another length").unwrap();
    let error = symbolizer.identity(&file).unwrap_err().to_string();
    assert!(error.contains("was replaced during the run"), "{error}");
}

#[test]
fn what_is_no_executable_is_an_error_with_its_path() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("lab");
    let error = || Symbolizer::default().object(&file).unwrap_err().to_string();
    assert!(error().starts_with("cannot read `"), "{}", error());
    fs::write(&file, "#!/bin/sh\n").unwrap();
    let expected = format!(
        "`{}` is no executable or library that can be read",
        file.display()
    );
    assert!(error().starts_with(&expected), "{}", error());
}
