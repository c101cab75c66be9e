//! Dependencies that no line uses: they are compiled, updated and audited for nothing.
//!
//! In: the manifests and the sources of the workspace. Out: dependencies that no source line names. A
//! line names a crate by a path (`serde_json::from_str`, `derive(thiserror::Error)`) or by `use
//! serde_json;`. Normal dependencies have to be used in `src`, those of build scripts in `build.rs`,
//! those of tests anywhere. Lines behind features and platforms count like all others, so optional
//! dependencies are seen as well.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Dependencies of a workspace that no line uses, as `crate: dependency`.
pub(crate) fn find(root: &Path) -> Result<Vec<String>> {
    let workspace = Manifest::read(root)?;
    let mut unused = Vec::new();
    let mut inherited = Vec::new();
    for member in &workspace.members {
        let directory = root.join(member);
        let nested = workspace.members.iter().map(|other| root.join(other));
        let nested: Vec<_> = nested.filter(|other| *other != directory).collect();
        let lines = source_lines(&directory, &nested)?;
        for (section, name) in Manifest::read(&directory)?.dependencies {
            if !section.is_used(&name, &lines) {
                unused.push(format!("{member}: {name}"));
            }
            inherited.push(name);
        }
    }
    for (_, name) in workspace.dependencies {
        if !inherited.contains(&name) {
            unused.push(format!("workspace: {name}"));
        }
    }
    Ok(unused)
}

/// Facts of a manifest that this check has to know.
#[derive(Debug, Default)]
struct Manifest {
    members: Vec<String>,
    dependencies: Vec<(Section, String)>,
}

/// Part of a crate that a dependency is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Normal,
    Build,
    Dev,
}

impl Manifest {
    fn read(directory: &Path) -> Result<Self> {
        let path = directory.join("Cargo.toml");
        let text = fs::read_to_string(&path);
        let text = text.with_context(|| format!("cannot read `{}`", path.display()))?;
        Ok(Self::parse(&text))
    }

    /// Our manifests have one dependency on a line, and their members on one.
    fn parse(text: &str) -> Self {
        let mut manifest = Self::default();
        let mut section = None;
        for line in text.lines().map(str::trim) {
            if let Some(header) = line.strip_prefix('[') {
                section = Section::of_header(header.trim_end_matches(']'));
            } else if let Some(members) = line.strip_prefix("members = ") {
                // Every other piece between quotes is a name.
                let names = members.split('"').skip(1).step_by(2);
                manifest.members = names.map(str::to_owned).collect();
            } else if let Some(section) = section {
                let end = line.find(['.', ' ', '=']).unwrap_or_default();
                if end > 0 && !line.starts_with('#') {
                    manifest
                        .dependencies
                        .push((section, line[..end].to_owned()));
                }
            }
        }
        manifest
    }
}

impl Section {
    /// `dependencies`, `workspace.dependencies`, `target.'cfg(unix)'.dev-dependencies`
    fn of_header(header: &str) -> Option<Self> {
        match header.rsplit('.').next()? {
            "dependencies" => Some(Self::Normal),
            "build-dependencies" => Some(Self::Build),
            "dev-dependencies" => Some(Self::Dev),
            _ => None,
        }
    }

    /// May a file use the dependencies of this section?
    fn reaches(self, file: &Path) -> bool {
        match self {
            Self::Normal => file.starts_with("src"),
            Self::Build => file == Path::new("build.rs"),
            Self::Dev => true,
        }
    }

    fn is_used(self, dependency: &str, lines: &[(PathBuf, String)]) -> bool {
        let name = dependency.replace('-', "_");
        let mut lines = lines.iter().filter(|(file, _)| self.reaches(file));
        lines.any(|(_, line)| names(line, &name))
    }
}

/// Lines of all files of a crate, with the path of the file in it; comments are left out.
fn source_lines(directory: &Path, others: &[PathBuf]) -> Result<Vec<(PathBuf, String)>> {
    let mut lines = Vec::new();
    let mut folders = vec![directory.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder);
        let entries = entries.with_context(|| format!("cannot list `{}`", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                if !others.contains(&path) && !path.ends_with("target") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path);
                let text = text.with_context(|| format!("cannot read `{}`", path.display()))?;
                let file = path.strip_prefix(directory)?;
                let code = text.lines().map(str::trim);
                let code = code.filter(|line| !line.starts_with("//"));
                lines.extend(code.map(|line| (file.to_owned(), line.to_owned())));
            }
        }
    }
    Ok(lines)
}

/// Does a line name a crate, and not a module or a variable of the same name?
fn names(line: &str, name: &str) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(name).any(|(start, _)| {
        let (before, after) = (&line[..start], &line[start + name.len()..]);
        let is_begin = !before.ends_with(|letter| is_word(letter) || letter == ':');
        let imports = before.ends_with("use ") || before.ends_with("extern crate ");
        let is_end = !after.starts_with(is_word);
        is_begin && (after.starts_with("::") || (imports && is_end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace_root;

    /// A workspace of one crate.
    #[track_caller]
    fn check(manifest: &str, files: &[(&str, &str)], unused: &[&str]) {
        let root = tempfile::tempdir().unwrap();
        let workspace =
            "[workspace]\nmembers = [\"ours\"]\n[workspace.dependencies]\nlibc = \"1\"\n";
        let all = [("../Cargo.toml", workspace), ("Cargo.toml", manifest)];
        for (name, text) in all.iter().chain(files) {
            let path = root.path().join("ours").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        assert_eq!(find(root.path()).unwrap(), unused);
    }

    #[test]
    fn each_kind_of_dependency_is_used_in_its_files() {
        let manifest = "[dependencies]\nlibc = \"1\"\n";
        check(manifest, &[("src/lib.rs", "fn f() { libc::abort() }")], &[]);
        let in_test = [("tests/a.rs", "fn f() { libc::abort() }")];
        check(manifest, &in_test, &["ours: libc"]);
        check("[dev-dependencies]\nlibc = \"1\"\n", &in_test, &[]);
        let manifest = "[target.'cfg(unix)'.build-dependencies]\nlibc.workspace = true\n";
        check(manifest, &in_test, &["ours: libc"]);
        check(manifest, &[("build.rs", "use libc as _;")], &[]);
        let manifest = "[dependencies]\nlibc = { workspace = true, optional = true }\n";
        let behind = "#[cfg(feature = \"libc\")]\nuse libc::abort;";
        check(manifest, &[("src/lib.rs", behind)], &[]);
    }

    #[test]
    fn what_no_member_inherits_is_unused() {
        check("[dependencies]\n", &[], &["workspace: libc"]);
    }

    #[test]
    fn comments_modules_and_variables_use_no_crate() {
        for line in [
            "// libc::abort()",
            "/// use libc;",
            "let libc = my_libc::f(self::libc::g());",
        ] {
            let files = [("src/lib.rs", line)];
            check("[dependencies]\nlibc = \"1\"\n", &files, &["ours: libc"]);
        }
        let manifest = "[dependencies]\nlibc = \"1\"\nproc-macro2.workspace = true\n";
        let uses = "use libc;\n#[derive(proc_macro2::Error)]";
        check(manifest, &[("src/lib.rs", uses)], &[]);
    }

    /// The dependency was there for a long time, and unused.
    #[test]
    fn anstyle_would_be_noticed() {
        let runner = workspace_root().join("iai-callgrind-runner");
        let text = fs::read_to_string(runner.join("Cargo.toml")).unwrap();
        let added = text.replace("[dependencies]", "[dependencies]\nanstyle.workspace = true");
        let lines = source_lines(&runner, &[]).unwrap();
        let dependencies = Manifest::parse(&added).dependencies.into_iter();
        let unused = dependencies.filter(|(section, name)| !section.is_used(name, &lines));
        let unused: Vec<_> = unused.collect();
        assert_eq!(unused, [(Section::Normal, "anstyle".to_owned())]);
    }
}
