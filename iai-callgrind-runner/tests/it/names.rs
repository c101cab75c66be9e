//! Types of the runner that have the name of another one: none that leaves its file.
//!
//! Whoever reads a name has to know what it stands for without a look at the imports. Private types of a
//! file may share a name with other private ones: nobody meets both. The types are read from the sources;
//! tests and macros do not count.

use std::collections::BTreeMap;

use crate::sources::{all_sources, code, name};

/// Files that define a type of a name, each with whether others can use the type.
type Definitions = BTreeMap<String, Vec<(String, bool)>>;

#[test]
fn types_that_leave_their_file_have_a_name_of_their_own() {
    let mut all = Definitions::new();
    for (path, source) in all_sources() {
        let file = path.display().to_string();
        for (name, is_visible) in defined(&source) {
            all.entry(name)
                .or_default()
                .push((file.clone(), is_visible));
        }
    }
    assert!(all.len() > 250, "{}", all.len());
    let shared = shared(&all);
    assert!(shared.is_empty(), "{shared:#?}");
}

#[test]
fn shared_names_are_found() {
    let types = [
        ("Own", vec![("a.rs", true)]),
        ("Private", vec![("a.rs", false), ("b.rs", false)]),
        ("Shadowed", vec![("a.rs", true), ("b.rs", false)]),
        ("Twice", vec![("a.rs", true), ("b.rs", true)]),
    ];
    let all = types.map(|(name, files)| {
        let files = files.into_iter();
        let files = files.map(|(file, is_visible)| (file.to_owned(), is_visible));
        (name.to_owned(), files.collect())
    });
    let all = Definitions::from(all);
    assert_eq!(
        Vec::from_iter(shared(&all).into_keys()),
        ["Shadowed", "Twice"]
    );
}

#[test]
fn types_are_read() {
    let source = "\
/// A `struct Comment`.
pub struct Wide<'a>(&'a str);
pub(crate) enum InCrate { Variant }
pub(super) type Alias = Wide<'static>;
pub(in crate::report) trait Narrow {}
struct Private;
impl FromStr for Private {
    type Err = ();
}
struct $name;
#[cfg(test)]
mod tests {
    pub struct OfTests;
}
";
    let expected = [
        ("Wide", true),
        ("InCrate", true),
        ("Alias", true),
        ("Narrow", true),
        ("Private", false),
    ];
    let expected = expected.map(|(name, is_visible)| (name.to_owned(), is_visible));
    assert_eq!(defined(source), expected);
}

/// Types that a source defines outside of its tests, each with whether other files can use it.
fn defined(source: &str) -> Vec<(String, bool)> {
    let code = code(source);
    code.lines().filter_map(definition).collect()
}

fn definition(line: &str) -> Option<(String, bool)> {
    let is_inner = line.starts_with(' ');
    let line = line.trim_start();
    let public = line.strip_prefix("pub");
    let rest = match public {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1,
        Some(rest) => rest,
        None => line,
    };
    let (keyword, rest) = rest.trim_start().split_once(' ')?;
    let is_type = ["struct", "enum", "union", "type", "trait"].contains(&keyword);
    // The trait has the name of a type in an `impl`.
    let is_type = is_type && !(keyword == "type" && is_inner);
    Some((name(rest).filter(|_| is_type)?, public.is_some()))
}

/// Names of several types of which one leaves its file.
fn shared(all: &Definitions) -> Definitions {
    let all = all.clone().into_iter();
    let shared =
        all.filter(|(_, files)| files.len() > 1 && files.iter().any(|(_, is_visible)| *is_visible));
    shared.collect()
}
