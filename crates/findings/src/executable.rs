//! The benchmark executable: its symbols and debug information, on which tools and explanations
//! depend.
//!
//! The profile in the manifest shows what the next build will have, the executable what the results
//! are made with.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::project::Project;
use crate::{targets, Cure, Finding};
use base::cargo_hash;
use base::listed_directory::{list, ListedKind};
use symbols::{CodeObject, DebugFacts, UnreadDebug};

/// The executable of a bench target that was built last.
pub fn newest(project: &Project) -> Option<PathBuf> {
    let names = names(project);
    let directories = directories(&project.build_directory);
    let found = directories.iter().flat_map(|directory| {
        let listed = list(directory).unwrap_or_default().into_iter();
        let executables = listed.filter(|listed| {
            listed.kind == ListedKind::File && is_executable_of(&names, &listed.name)
        });
        executables.map(|listed| directory.join(listed.name))
    });
    // Executables of earlier builds stay, under other hashes.
    found.max_by_key(|path| built_at(path))
}

/// Looks at the executable that was built last. `None`: no bench target uses the library.
///
/// `as_said`: the profile gives everything that explanations need.
pub fn built_last(project: &Project, newest: Option<&Path>, as_said: bool) -> Option<Finding> {
    if names(project).is_empty() {
        return None;
    }
    let Some(path) = newest else {
        let text = format!(
            "no benchmark was built yet in `{}`, so its debug information is not known",
            project.build_directory.display()
        );
        return Some(Finding::note(text, Cure::run("cargo bench --no-run")));
    };
    let manifest = project.root_manifest_path();
    let stale = as_said.then(|| Cure::run("cargo bench --no-run"));
    Some(examine(path, &manifest, stale))
}

/// Names of the bench targets that use the library, as the compiler writes them.
fn names(project: &Project) -> Vec<String> {
    targets::benches(project)
        .map(|target| target.name.replace('-', "_"))
        .collect()
}

/// Examines an executable. `manifest` is the one with the profiles; `stale`: the cure for an
/// executable that lacks what the profile asks for.
pub fn examine(path: &Path, manifest: &Path, stale: Option<Cure>) -> Finding {
    let object = match CodeObject::open(path) {
        Ok(object) => object,
        Err(error) => return Finding::problem(error.to_string(), None),
    };
    let extent = DebugDescription {
        path,
        facts: object.debug_facts(),
    };
    match extent.shortcoming() {
        None => Finding::fine(extent.text()),
        Some(found) => {
            let cure = || found.cure.map(|lines| Cure::write(manifest, lines));
            let (text, cure) = match stale {
                Some(stale) => (
                    "; the profile says otherwise by now, so it has to be built again",
                    Some(stale),
                ),
                None => ("", cure()),
            };
            let text = format!("{}: {}{text}", extent.text(), found.reason);
            match found.is_problem {
                true => Finding::problem(text, cure),
                false => Finding::note(text, cure),
            }
        }
    }
}

/// Directories in which cargo puts bench executables, also those of other targets than the host.
fn directories(target_directory: &Path) -> Vec<PathBuf> {
    let listed = list(target_directory).unwrap_or_default();
    let of_targets = listed
        .into_iter()
        .filter(|listed| listed.kind == ListedKind::Directory)
        .map(|listed| target_directory.join(listed.name));
    let all = std::iter::once(target_directory.to_owned()).chain(of_targets);
    // The bench profile has the folder of the release profile.
    all.map(|directory| directory.join("release/deps"))
        .collect()
}

/// Is this the executable of one of these targets?
fn is_executable_of(targets: &[String], name: &str) -> bool {
    let target = cargo_hash::without(name);
    target.is_some_and(|target| targets.iter().any(|known| known == target))
}

fn built_at(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|data| data.modified()).ok()
}

/// Describes the debug information of an executable.
struct DebugDescription<'a> {
    path: &'a Path,
    facts: &'a DebugFacts,
}

/// Reason why an executable lacks something.
struct Shortcoming {
    reason: String,
    /// Results cannot be explained by inlined functions, or cannot be made at all.
    is_problem: bool,
    /// Lines for the manifest, if they help.
    cure: Option<&'static [&'static str]>,
}

impl DebugDescription<'_> {
    /// `` `counts-0123` has names of functions and lines, but no inlined functions and no
    /// declarations``
    fn text(&self) -> String {
        let DebugFacts {
            has_names,
            has_lines,
            has_inlined,
            has_declarations,
            of_toolchain,
            ..
        } = *self.facts;
        // What came with the compiler is about the standard library alone.
        let parts = [
            ("names of functions", has_names),
            ("lines", has_lines && !of_toolchain),
            ("inlined functions", has_inlined && !of_toolchain),
            ("declarations", has_declarations && !of_toolchain),
        ];
        let named = |wanted: bool| {
            let parts = parts.iter().filter(|(_, is_there)| *is_there == wanted);
            let names: Vec<&str> = parts.map(|(name, _)| *name).collect();
            names
        };
        let (has, lacks) = (named(true), named(false));
        let path = self.path.display();
        match (has.as_slice(), lacks.as_slice()) {
            (_, []) => format!("`{path}` has {}", joined(&has, "and")),
            ([], _) => format!("`{path}` has no {}", joined(&lacks, "or")),
            _ => format!(
                "`{path}` has {}, but no {}",
                joined(&has, "and"),
                joined(&lacks, "or")
            ),
        }
    }

    fn shortcoming(&self) -> Option<Shortcoming> {
        let facts = self.facts;
        // What could not be read tells nothing of what there is.
        if let Some(unread) = &facts.unread {
            return Some(Shortcoming::unread(unread));
        }
        if !facts.has_names {
            return Some(Shortcoming {
                reason: "it was stripped (`strip = true` or `strip = \"symbols\"`), and without names nothing can be \
                         counted"
                    .to_owned(),
                is_problem: true,
                cure: Some(&["[profile.bench]", "debug = true", "strip = false"]),
            });
        }
        if !facts.has_lines || !facts.has_inlined || facts.of_toolchain {
            return Some(Shortcoming {
                reason: "it was built without debug information (`debug = false`) or that was removed (`strip = \
                         \"debuginfo\"`), so inlined functions are part of their callers, and no line is known"
                    .to_owned(),
                is_problem: true,
                cure: Some(&["[profile.bench]", "debug = true", "strip = false"]),
            });
        }
        (!facts.has_declarations).then(|| Shortcoming {
            reason: "it has line tables only (`debug = \"line-tables-only\"`), so inlined functions are shown without \
                     their module"
                .to_owned(),
            is_problem: false,
            cure: Some(&["[profile.bench]", "debug = true"]),
        })
    }
}

impl Shortcoming {
    fn unread(reason: &UnreadDebug) -> Self {
        Self {
            reason: reason.to_string(),
            is_problem: true,
            cure: match reason {
                UnreadDebug::Split => Some(&["[profile.bench]", "split-debuginfo = \"off\""]),
                UnreadDebug::TooLong => Some(&["[profile.bench]", "debug = \"line-tables-only\""]),
                UnreadDebug::Zstandard | UnreadDebug::Damaged(_) => None,
            },
        }
    }
}

/// `a, b and c`
fn joined(words: &[&str], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(facts: &DebugFacts, expected: &str) {
        let description = DebugDescription {
            path: Path::new("x"),
            facts,
        };
        let reason = description.shortcoming().map(|found| found.reason);
        let found = match reason {
            Some(reason) => format!("{}: {reason}", description.text()),
            None => description.text(),
        };
        assert!(found.starts_with(expected), "{found}");
    }

    #[test]
    fn each_extent_has_its_words() {
        let names = DebugFacts {
            has_names: true,
            ..DebugFacts::default()
        };
        let tables = DebugFacts {
            has_lines: true,
            has_inlined: true,
            ..names.clone()
        };
        let full = DebugFacts {
            has_declarations: true,
            ..tables.clone()
        };
        check(
            &full,
            "`x` has names of functions, lines, inlined functions and declarations",
        );
        check(
            &tables,
            "`x` has names of functions, lines and inlined functions, but no declarations: it has line tables only",
        );
        let without =
            "`x` has names of functions, but no lines, inlined functions or declarations: it was built without";
        check(&names, without);
        let of_toolchain = DebugFacts {
            of_toolchain: true,
            ..full
        };
        check(&of_toolchain, without);
        check(
            &DebugFacts::default(),
            "`x` has no names of functions, lines, inlined functions or declarations: it was stripped",
        );
        let split = DebugFacts {
            unread: Some(UnreadDebug::Split),
            ..names
        };
        check(
            &split,
            "`x` has names of functions, but no lines, inlined functions or declarations: its debug information is in \
             files of its own; set `split-debuginfo = \"off\"`",
        );
    }

    #[test]
    fn executables_have_the_name_of_a_target_and_a_hash() {
        let targets = ["my_bench".to_owned()];
        assert!(is_executable_of(&targets, "my_bench-0123456789abcdef"));
        for other in [
            "my_bench",
            "my_bench-0123",
            "my_bench-0123456789abcdef.d",
            "other-0123456789abcdef",
        ] {
            assert!(!is_executable_of(&targets, other), "{other}");
        }
    }
}
