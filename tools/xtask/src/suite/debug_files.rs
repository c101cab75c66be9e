//! Keeps the source lines of the C library from Valgrind, which reads them at each of the two
//! thousand starts of a run. They are half of the processor time of a start: Callgrind takes 0.50 s
//! with them and 0.25 without. No test is about them.
//!
//! In: the debug files that Debian and its relatives install. Out: copies that only have names,
//! which Memcheck needs, and commands that see the copies in place of the files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use lab::process::{output, succeeds};

/// Where distributions put debug files: each in a folder, both named by its build id.
const FOLDER: &str = "/usr/lib/debug/.build-id";

/// Files of fewer bytes are read in no time.
const LEAST: u64 = 200_000;

/// Script of the shell that starts a program. Words: pairs of a copy and the file that it covers,
/// `--`, the program and its arguments.
const COVER: &str = r#"
while [ "$1" != -- ]; do
    mount --bind "$1" "$2"
    shift 2
done
shift
exec "$@""#;

/// Debug files with their copies.
#[derive(Debug, Default)]
pub(super) struct DebugFiles {
    /// Pairs of a copy and the file that it covers.
    covers: Vec<(PathBuf, PathBuf)>,
}

impl DebugFiles {
    /// Makes the copies in a folder. There are none where nothing may be mounted, as by other users
    /// than root, or where `objcopy` is missing: there the same tests take longer.
    pub(super) fn without_lines(copies: &Path) -> Result<Self> {
        let mount = ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"];
        if !succeeds("unshare", &mount) || !succeeds("objcopy", &["--version"]) {
            return Ok(Self::default());
        }
        Self::of_folder(Path::new(FOLDER), copies)
    }

    fn of_folder(folder: &Path, copies: &Path) -> Result<Self> {
        fs::create_dir_all(copies)
            .with_context(|| format!("cannot make `{}`", copies.display()))?;
        let mut covers = Vec::new();
        for file in large_files(folder) {
            // The name of a file is the rest of its build id, so no two have the same.
            let copy = copies.join(file.file_name().unwrap_or_default());
            let mut strip = Command::new("objcopy");
            strip.arg("--strip-debug").args([&file, &copy]);
            // What `objcopy` cannot read is of another architecture, and no test loads its library.
            if output(&mut strip).is_ok() {
                covers.push((copy, file));
            }
        }
        Ok(Self { covers })
    }

    /// The command of a program that sees the copies.
    pub(super) fn command(&self, program: &Path) -> Command {
        if self.covers.is_empty() {
            return Command::new(program);
        }
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-ec", COVER, "sh"]);
        for (copy, file) in &self.covers {
            command.args([copy, file]);
        }
        command.arg("--").arg(program);
        command
    }
}

/// The large files in the folders of this folder. None if there is no such folder: the machine has
/// no debug files.
fn large_files(folder: &Path) -> Vec<PathBuf> {
    let list = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    list(folder)
        .flat_map(|entry| list(&entry.path()))
        .filter(|entry| entry.metadata().is_ok_and(|file| file.len() >= LEAST))
        .map(|entry| entry.path())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Binutils are the witness: an executable has lines, as the debug file of a library has.
    #[test]
    fn a_copy_has_names_and_no_lines() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("files/0a/1bff.debug");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let source = folder.path().join("program.rs");
        fs::write(&source, "fn main() {}\n").unwrap();
        let mut rustc = Command::new("rustc");
        output(rustc.args(["-g", "-o"]).args([&file, &source])).unwrap();
        fs::write(file.with_file_name("small.debug"), "small").unwrap();
        fs::write(file.with_file_name("other.debug"), "x".repeat(300_000)).unwrap();

        let copies = folder.path().join("copies");
        let files = DebugFiles::of_folder(&folder.path().join("files"), &copies).unwrap();
        let [(copy, covered)] = &files.covers[..] else {
            panic!("{files:?}")
        };
        assert_eq!((copy, covered), (&copies.join("1bff.debug"), &file));
        let sections = |path: &Path| output(Command::new("readelf").arg("-SW").arg(path)).unwrap();
        assert!(sections(covered).contains(".debug_line"));
        assert!(!sections(copy).contains(".debug_line"));
        assert!(sections(copy).contains(".symtab"));
    }

    #[test]
    fn a_program_is_started_behind_the_mounts() {
        let alone = DebugFiles::default().command(Path::new("/t/it"));
        assert_eq!(alone.get_program(), "/t/it");
        let files = DebugFiles {
            covers: vec![("/c/1".into(), "/d/1".into())],
        };
        let command = files.command(Path::new("/t/it"));
        let words: Vec<_> = command.get_args().collect();
        assert_eq!(command.get_program(), "unshare");
        assert_eq!(words[..3], ["--mount", "sh", "-ec"]);
        assert_eq!(words[4..], ["sh", "/c/1", "/d/1", "--", "/t/it"]);
    }
}
