//! Canonical names of the same functions, compiled with both manglings and with bare names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

use iai_callgrind_symbols::{names, CodeObject};

use super::programs::{compiled, compiled_crate};

/// A crate whose types and functions have the same names as those of another one.
const LIBRARY: &str = r#"
use std::fmt;
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub struct Record<T> { pub name: String, pub value: T }
pub trait Describe { fn describe(&self) -> String; fn twice(&self) -> String { self.describe() + &self.describe() } }
impl<T: fmt::Debug> Describe for Record<T> { fn describe(&self) -> String { format!("{} {:?}", self.name, self.value) } }
impl Describe for u32 { fn describe(&self) -> String { self.to_string() } }
impl Describe for [u8] { fn describe(&self) -> String { format!("{}", self.len()) } }
impl<T> Describe for &mut Record<T> { fn describe(&self) -> String { self.name.clone() } }
impl<T> fmt::Display for Record<T> { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(&self.name) } }
impl<T> Drop for Record<T> { fn drop(&mut self) { self.name.clear(); } }
impl From<Record<u8>> for String { fn from(record: Record<u8>) -> String { record.to_string() } }
pub struct Numbers(pub u64);
impl Iterator for Numbers { type Item = u64; fn next(&mut self) -> Option<u64> { self.0 = self.0.checked_sub(1)?; Some(self.0) } }
impl Numbers { pub fn evens(self) -> impl Iterator<Item = u64> { self.filter(|n| n % 2 == 0).map(|n| n * 3) } }
pub mod inner { pub fn work<F: Fn(u64) -> u64>(n: u64, f: F) -> u64 { (0..n).map(|n| f(n)).sum() } }
pub fn all(text: &str) -> String {
    let mut record = Record { name: text.to_owned(), value: 7_u8 };
    let boxed: [Box<dyn Describe>; 2] = [Box::new(record.clone()), Box::new(7_u32)];
    let sum = Numbers(9).evens().sum::<u64>() + inner::work(5, |n| n ^ 1);
    let by_ref = (&mut record).describe() + &text.as_bytes().describe();
    let compared = record == record.clone() && record <= record.clone();
    format!("{}{}{sum}{by_ref}{compared}{}", boxed[0].twice(), boxed[1].twice(), String::from(record))
}
"#;

/// A program with many functions of the standard library.
const PROGRAM: &str = r#"
use std::collections::{BTreeMap, HashMap};
fn sorted(words: &str) -> Vec<(String, usize)> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for word in words.split_whitespace() { *counts.entry(word.to_lowercase()).or_default() += 1; }
    let mut all: Vec<_> = counts.into_iter().collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    all
}
fn main() {
    let text = std::env::args().collect::<Vec<_>>().join(" ");
    let mut tree = BTreeMap::new();
    for (name, value) in sorted(&text) { tree.insert(value, one::Record { name, value }); }
    let last = tree.into_values().map(|record| record.to_string()).collect::<Vec<_>>().join(",");
    println!("{}{}{last}", one::all(&text), two::all(&text));
    std::thread::spawn(move || println!("{text}")).join().unwrap();
}
"#;

/// Compiles two libraries and the program with a mangling.
fn program(directory: &Path, mangling: &str) -> CodeObject {
    let mangling = format!("-Csymbol-mangling-version={mangling}");
    let options = [&*mangling, "-Cdebuginfo=2", "-Copt-level=1"];
    let libraries = ["one", "two"].map(|name| {
        let library = [&options[..], &["--crate-type=rlib"]].concat();
        let file = format!("lib{name}.rlib");
        let file = compiled_crate(directory, name, &file, LIBRARY, &library);
        format!("--extern={name}={}", file.display())
    });
    let libraries: Vec<&str> = libraries.iter().map(String::as_str).collect();
    let options = [&options[..], &libraries].concat();
    CodeObject::open(&compiled(directory, "lab", PROGRAM, &options)).unwrap()
}

/// Place of a declaration: file and line.
type Place = (String, u32);

/// Canonical names by the place where the function is declared, with the name of the instance.
type Declared = BTreeMap<Place, BTreeSet<(String, String)>>;

/// The functions of the program in both manglings, which are compiled once.
fn legacy_and_v0() -> &'static [Declared; 2] {
    static BOTH: OnceLock<[Declared; 2]> = OnceLock::new();
    BOTH.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        ["legacy", "v0"].map(|mangling| declared(&program(directory.path(), mangling)))
    })
}

/// The functions that have an address, inlined or not.
fn declared(object: &CodeObject) -> Declared {
    let mut declared = Declared::new();
    let mut frames = object.frames().unwrap();
    let mut functions = BTreeSet::new();
    for body in object.bodies() {
        // Each instruction of an inlined function would say the same.
        let is_own = ["3one", "3two", "3lab"]
            .iter()
            .any(|name| body.symbol.contains(name));
        let step = if is_own { 4 } else { 64 };
        for address in (body.start..body.start + body.size).step_by(step) {
            let stack = frames.at(address);
            functions.extend(stack.iter().map(|frame| frame.function));
        }
    }
    for function in functions {
        let function = frames.function(function);
        if let (Some(file), Some(line)) = (function.file, function.line) {
            let instance = function.instance.clone().unwrap_or_default();
            let place = (frames.file(file).to_owned(), line);
            let names = declared.entry(place).or_default();
            names.insert((function.name.clone(), instance));
        }
    }
    declared
}

/// The trait and the method, or the last two segments: what pairs functions whose names are not
/// equal.
fn ending(name: &str) -> String {
    let (function, tail) = name.split_once("::{").unwrap_or((name, ""));
    let (owner, function) = function.rsplit_once("::").unwrap_or(("", function));
    let owner = owner.rsplit(" as ").next().unwrap().trim_end_matches('>');
    let owner = owner
        .split('<')
        .next()
        .unwrap()
        .rsplit("::")
        .next()
        .unwrap();
    format!("{owner}::{function}::{tail}")
}

#[test]
fn names_do_not_depend_on_mangling() {
    let [legacy, v0] = legacy_and_v0();
    let (mut all, mut same, mut paired) = (0, 0, 0);
    let mut others = Vec::new();
    for (place, names) in v0 {
        let Some(old) = legacy.get(place) else {
            continue;
        };
        let keys: BTreeSet<_> = old.iter().map(|(name, _)| ending(name)).collect();
        for (name, _) in names {
            all += 1;
            if old.iter().any(|(old, _)| old == name) {
                same += 1;
            } else if keys.contains(&ending(name)) {
                paired += 1;
            } else {
                others.push((name, old));
            }
        }
    }
    assert!(all > 1000, "{all}");
    let counts = format!("{same} + {paired} of {all}");
    assert!((same + paired) * 1000 >= all * 995, "{counts}: {others:#?}");
    assert!(same * 100 >= all * 80, "{counts}");
}

#[test]
fn bare_names_are_the_ends_of_full_ones() {
    for declared in legacy_and_v0() {
        let mut all = 0;
        for (name, instance) in declared.values().flatten() {
            // The compiler's own functions have another name for the linker.
            if name.starts_with("__rustc::") {
                continue;
            }
            all += 1;
            let bare = names::canonical(instance);
            let name = name.trim_end_matches("::{shim}");
            let is_end = name == bare || name.ends_with(&format!("::{bare}"));
            assert!(is_end, "{name}: {instance}");
        }
        assert!(all > 1000, "{all}");
    }
}

#[test]
fn functions_of_different_crates_have_different_names() {
    for declared in legacy_and_v0() {
        let mut crates: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for ((file, _), names) in declared {
            let file = file.rsplit('/').next().unwrap();
            let own = ["one.rs", "two.rs", "lab.rs"];
            let krate = if own.contains(&file) { file } else { "std" };
            for (name, _) in names {
                crates.entry(name).or_default().insert(krate);
            }
        }
        let own = crates.values().filter(|crates| crates.contains("one.rs"));
        let own = own.count();
        assert!(own > 10, "{own}");
        let shared = crates.iter().filter(|(_, crates)| crates.len() > 1);
        let shared: Vec<_> = shared.collect();
        assert!(shared.is_empty(), "{shared:#?}");
    }
}
