//! `cargo xtask api`: the public items of the library are those of a list in the repository, so
//! that who changes them sees it in the diff, as reviewers do.
//!
//! `public-api` reads what rustdoc writes. Hidden items are not in the list, nor what the compiler
//! adds: automatic and blanket implementations, and derived ones.

use std::collections::HashSet;
use std::fs;

use anyhow::{bail, Context, Result};
use lab::workspace_root;

use crate::library_docs;

/// The list.
const FILE: &str = "iai-callgrind/public-api.txt";

/// Compares the list with the source; with `--write` it is written.
pub fn compare(options: &[String]) -> Result<()> {
    let is_written = match options {
        [] => false,
        [option] if option == "--write" => true,
        _ => bail!("`cargo xtask api` takes `--write` and nothing else"),
    };
    let items = items()?;
    let path = workspace_root().join(FILE);
    if is_written {
        return fs::write(&path, items)
            .with_context(|| format!("cannot write `{}`", path.display()));
    }
    let listed =
        fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let differences = differences(&listed, &items);
    if !differences.is_empty() {
        bail!(
            "the public items of the library are not those of `{FILE}`:\n{differences}  \
             hint: if this is meant, `cargo xtask api --write` writes the list; users notice what is gone or changed"
        );
    }
    println!("{} public items, as in {FILE}", items.lines().count());
    Ok(())
}

/// A line for each item, then a line for each member of the types that are exported from the hidden
/// module `protocol`: without hidden items rustdoc writes only the names of those.
fn items() -> Result<String> {
    let visible = listed(&[])?;
    let all = listed(&["--document-hidden-items"])?;
    let members = members(&all, &exported(&visible));
    Ok(format!("{visible}{members}"))
}

fn listed(options: &[&str]) -> Result<String> {
    let json = library_docs::write(library_docs::LIBRARY, options)?;
    let items = public_api::Builder::from_rustdoc_json(&json)
        .omit_auto_derived_impls(true)
        .omit_auto_trait_impls(true)
        .omit_blanket_impls(true)
        .build()
        .with_context(|| format!("cannot understand `{}`", json.display()))?;
    Ok(items.to_string())
}

/// The names that are exported from somewhere else.
fn exported(items: &str) -> HashSet<&str> {
    let lines = items.lines();
    lines
        .filter_map(|line| line.strip_prefix("pub use iai_callgrind::"))
        .collect()
}

/// The lines about types of the protocol with these names: their definitions, variants, fields and
/// methods.
fn members(items: &str, names: &HashSet<&str>) -> String {
    let is_exported = |line: &&str| {
        let (words, rest) = line.split_once("iai_callgrind::protocol::")?;
        let is_path = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
        let path = rest.split(|c| !is_path(c)).next()?;
        // Modules have small letters.
        let mut segments = path.split("::");
        let name = segments.find(|one| one.starts_with(|c: char| c.is_ascii_uppercase()))?;
        // Otherwise it is the type of a parameter.
        let is_item = words.starts_with("pub ") && !words.contains([':', '(']);
        (is_item && names.contains(name)).then_some(())
    };
    let lines = items.lines().filter(|line| is_exported(line).is_some());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Lines that only one of both has, as in a diff.
fn differences(listed: &str, items: &str) -> String {
    let without = |lines: &str, others: &str, sign: &str| -> String {
        let others: HashSet<&str> = others.lines().collect();
        let lines = lines.lines().filter(|line| !others.contains(line));
        lines.map(|line| format!("  {sign} {line}\n")).collect()
    };
    without(listed, items, "-") + &without(items, listed, "+")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_exported_types_are_listed() {
        let visible =
            "pub mod iai_callgrind\npub use iai_callgrind::Kind\npub fn iai_callgrind::f()\n";
        let all = "pub enum iai_callgrind::protocol::metric::Kind\n\
                   pub iai_callgrind::protocol::metric::Kind::One\n\
                   pub const fn iai_callgrind::protocol::metric::Kind::label(self) -> u8\n\
                   pub iai_callgrind::protocol::metric::Hidden::One\n\
                   pub fn iai_callgrind::f(iai_callgrind::protocol::metric::Kind::One)\n\
                   impl core::clone::Clone for iai_callgrind::protocol::metric::Kind\n";
        let members = members(all, &exported(visible));
        assert_eq!(
            members.lines().collect::<Vec<_>>(),
            all.lines().take(3).collect::<Vec<_>>()
        );
    }

    #[test]
    fn what_is_gone_and_what_is_new_is_shown() {
        assert_eq!(
            differences("pub fn a()\npub fn b()\n", "pub fn a()\npub fn b()\n"),
            ""
        );
        assert_eq!(
            differences("pub fn a()\npub fn b()\n", "pub fn b()\npub fn a(u8)\n"),
            "  - pub fn a()\n  + pub fn a(u8)\n"
        );
    }
}
