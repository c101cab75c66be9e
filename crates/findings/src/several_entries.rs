//! An entry point of the user that several functions match.
//!
//! Callgrind switches the count on at the entry of a matching function and off at that of the next
//! one, so costs of a matching function inside of another one are left out. Such a function has no
//! costs and is not in the profile. So there is a note if the executable has matching functions
//! that the profile does not show: a typical pattern is `my_crate::work*`, which matches
//! `work_inner` as well.

use std::collections::BTreeSet;
use std::path::Path;

use base::entry_functions::GLOB;
use formats::callgrind::CallGraphReader;
use formats::read_path;
use symbols::symbol_table;

/// Largest number of functions that are named.
const NAMED: usize = 3;

/// The note about these entry points of an executable. The profiles are read only where several
/// functions match.
pub fn note<'a>(
    patterns: &[String],
    executable: &Path,
    profiles: impl IntoIterator<Item = &'a Path>,
) -> Option<String> {
    let wild: Vec<&String> = patterns.iter().filter(|p| GLOB.is_pattern(p)).collect();
    let pattern = wild.first()?;
    let matches = |name: &str| wild.iter().any(|pattern| GLOB.matches(pattern, name));
    let matching = symbol_table::functions(executable, matches)?;
    // A pattern that one function matches is clear without a look at the profile.
    if matching.len() < 2 {
        return None;
    }
    let mut reader = CallGraphReader::default();
    for path in profiles {
        // Unreadable profiles have an error or a note of their own.
        read_path(path, |file| reader.add(file)).ok()?;
    }
    let graph = reader.finish();
    let names = (0..graph.functions.len()).map(|index| graph.name(index));
    let shown: BTreeSet<String> = names
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect();
    text(pattern, &matching, &shown)
}

/// `matching`: the functions of the executable, `shown`: those of the profile.
fn text(pattern: &str, matching: &BTreeSet<String>, shown: &BTreeSet<String>) -> Option<String> {
    let hidden: Vec<&str> = matching.difference(shown).map(String::as_str).collect();
    let (named, more) = hidden.split_at(hidden.len().min(NAMED));
    let more = match more.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!hidden.is_empty() && hidden.len() < matching.len()).then(|| {
        format!(
            "the entry point `{pattern}` also matches `{}`{more}: if one of these was called inside of a \
             function that matches, the count was switched off there; an exact name counts all",
            named.join("`, `")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn matching_functions_without_costs_may_have_switched_the_count_off() {
        let note = text(
            "work*",
            &set(&["work", "work_inner"]),
            &set(&["main", "work"]),
        );
        let note = note.unwrap();
        assert!(
            note.starts_with("the entry point `work*` also matches `work_inner`: if"),
            "{note}"
        );
        // All of them have costs, or none: then something else is wrong.
        let both = set(&["work", "workb"]);
        assert_eq!(text("work*", &both, &both), None);
        assert_eq!(text("work*", &both, &set(&["main"])), None);
        let many = set(&["a", "b", "c", "d", "e", "f"]);
        let note = text("?", &many, &set(&["a"])).unwrap();
        assert!(note.contains("`b`, `c`, `d` and 2 more: "), "{note}");
    }

    #[test]
    fn exact_names_need_no_look_at_anything() {
        let absent = Path::new("/nowhere/at/all");
        assert_eq!(note(&["main".to_owned()], absent, [absent]), None);
    }
}
