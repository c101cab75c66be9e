//! Finds Valgrind's headers and reads them.
//!
//! The directory above `valgrind/` comes from `IAI_CALLGRIND_<TRIPLE>_VALGRIND_INCLUDE`, then from
//! `IAI_CALLGRIND_VALGRIND_INCLUDE`, then from the places where systems keep headers.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure, Context, Result};

use super::scan::{self, Enumerator};

/// The headers with requests, and the version of Valgrind that has them first, if not all have.
pub(super) const FILES: [(&str, (u32, u32)); 7] = [
    ("valgrind.h", (3, 0)),
    ("callgrind.h", (3, 0)),
    ("cachegrind.h", (3, 22)),
    ("memcheck.h", (3, 0)),
    ("helgrind.h", (3, 0)),
    ("drd.h", (3, 0)),
    ("dhat.h", (3, 15)),
];

/// Directories in which systems keep headers.
const STANDARD: [&str; 2] = ["/usr/local/include", "/usr/include"];

const VARIABLE: &str = "IAI_CALLGRIND_VALGRIND_INCLUDE";

/// The headers of one Valgrind.
#[derive(Debug)]
pub(super) struct Headers {
    /// The directory above `valgrind/`.
    pub(super) directory: PathBuf,
    /// Major and minor version.
    pub(super) version: (u32, u32),
    /// The requests of each header.
    pub(super) requests: Vec<(&'static str, Vec<Enumerator>)>,
}

impl Headers {
    /// Reads the headers below a directory.
    pub(super) fn read(directory: &Path) -> Result<Self> {
        let text = |file: &str| {
            let path = directory.join("valgrind").join(file);
            fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))
        };
        let version = scan::version(&text("valgrind.h")?)?;
        let mut requests = Vec::new();
        for (file, since) in FILES {
            if version < since {
                continue;
            }
            let found = scan::enumerators(&text(file)?).with_context(|| file.to_owned())?;
            ensure!(!found.is_empty(), "no request was found in `{file}`");
            requests.push((file, found));
        }
        Ok(Self {
            directory: directory.to_owned(),
            version,
            requests,
        })
    }
}

/// The directory above `valgrind/` for programs of this machine.
pub(super) fn directory() -> Result<PathBuf> {
    find(host_triple()?, |name| std::env::var_os(name), Path::is_file)
}

/// Decides; the environment and the disk are asked through the last two arguments.
fn find(
    triple: String,
    variable: impl Fn(&str) -> Option<OsString>,
    is_file: impl Fn(&Path) -> bool,
) -> Result<PathBuf> {
    let triple = triple.to_uppercase().replace('-', "_");
    for name in [
        &format!("IAI_CALLGRIND_{triple}_VALGRIND_INCLUDE"),
        VARIABLE,
    ] {
        let Some(value) = variable(name).filter(|value| !value.is_empty()) else {
            continue;
        };
        let directory = PathBuf::from(value);
        let header = directory.join("valgrind/valgrind.h");
        if !is_file(&header) {
            bail!(
                "`{name}` names `{}`, but there is no `{}`\n  \
                 hint: name the directory above `valgrind/`",
                directory.display(),
                header.display()
            );
        }
        return Ok(directory);
    }
    let mut standard = STANDARD.iter().map(PathBuf::from);
    standard
        .find(|directory| is_file(&directory.join("valgrind/valgrind.h")))
        .with_context(|| {
            format!(
                "Valgrind's headers are in none of {}\n  \
                 hint: install them (Debian: `valgrind`, Fedora: `valgrind-devel`), or let \
                 `{VARIABLE}` name the directory above `valgrind/`",
                STANDARD
                    .map(|directory| format!("`{directory}`"))
                    .join(", ")
            )
        })
}

/// The target that rustc builds for by itself.
fn host_triple() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let text = lab::process::output(std::process::Command::new(rustc).arg("-vV"))?;
    let mut lines = text.lines().filter_map(|line| line.strip_prefix("host: "));
    let triple = lines.next().context("`rustc -vV` names no host")?;
    Ok(triple.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIPLE_VARIABLE: &str = "IAI_CALLGRIND_X86_64_UNKNOWN_LINUX_GNU_VALGRIND_INCLUDE";

    fn find_with(variables: &[(&str, &str)], files: &[&str]) -> Result<PathBuf> {
        let variable = |name: &str| {
            let mut matching = variables.iter().filter(|(n, _)| *n == name);
            matching.next().map(|(_, value)| value.into())
        };
        let is_file = |path: &Path| files.iter().any(|file| Path::new(file) == path);
        find("x86_64-unknown-linux-gnu".to_owned(), variable, is_file)
    }

    #[test]
    fn the_variable_of_the_target_is_first() {
        let files = ["/a/valgrind/valgrind.h", "/b/valgrind/valgrind.h"];
        let both = [(TRIPLE_VARIABLE, "/a"), (VARIABLE, "/b")];
        assert_eq!(find_with(&both, &files).unwrap(), Path::new("/a"));
        assert_eq!(find_with(&both[1..], &files).unwrap(), Path::new("/b"));
    }

    #[test]
    fn empty_variables_count_as_unset() {
        let found = find_with(&[(VARIABLE, "")], &["/usr/include/valgrind/valgrind.h"]);
        assert_eq!(found.unwrap(), Path::new("/usr/include"));
    }

    #[test]
    fn local_headers_are_before_those_of_the_system() {
        let files = [
            "/usr/include/valgrind/valgrind.h",
            "/usr/local/include/valgrind/valgrind.h",
        ];
        let found = find_with(&[], &files).unwrap();
        assert_eq!(found, Path::new("/usr/local/include"));
    }

    #[test]
    fn a_variable_that_names_the_wrong_directory() {
        let error = find_with(&[(VARIABLE, "/a/valgrind")], &["/a/valgrind/valgrind.h"]);
        let text = error.unwrap_err().to_string();
        assert_eq!(
            text,
            "`IAI_CALLGRIND_VALGRIND_INCLUDE` names `/a/valgrind`, but there is no \
             `/a/valgrind/valgrind/valgrind.h`\n  hint: name the directory above `valgrind/`"
        );
    }

    #[test]
    fn no_headers() {
        let text = find_with(&[], &[]).unwrap_err().to_string();
        assert!(text.contains("hint: install them"), "{text}");
    }
}
