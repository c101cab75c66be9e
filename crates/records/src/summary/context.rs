//! The parts that all records of a run have in common.

use std::fs;
use std::path::{Path, PathBuf};

use iai_callgrind::protocol::Package;

use super::{Files, LazySource, RunSelection, System};

/// The parts that are the same in the records of all benchmarks of a run.
#[derive(Debug, Clone, Default)]
pub struct RunContext {
    /// The name of the package.
    pub package: String,
    /// The name of the bench target as an identifier.
    pub file: String,
    /// The text of `--label`.
    pub label: Option<String>,
    /// The target directory without symlinks, if it is known.
    pub target_directory: Option<PathBuf>,
    /// State of the source.
    pub source: LazySource,
    /// The part of the suite that runs.
    pub selection: RunSelection,
    /// Paths of the project, the benchmark executable and the results.
    pub files: Files,
    /// Versions, build and processor.
    pub system: System,
    /// `summary.json` is indented.
    pub pretty: bool,
}

impl RunContext {
    /// Context of the benchmarks of an executable.
    pub fn new(
        package: &Package,
        executable: &Path,
        workspace: &Path,
        home: &Path,
        system: System,
        pretty: bool,
    ) -> Self {
        let package_dir = Path::new(&package.manifest_dir);
        let text = |path: &Path| path.to_string_lossy().into_owned();
        Self {
            package: package.name.clone(),
            file: package.module.clone(),
            label: None,
            target_directory: None,
            source: LazySource::default(),
            selection: RunSelection::default(),
            files: Files {
                workspace: text(workspace),
                package_dir: text(package_dir),
                bench_file: text(&bench_file(package, package_dir, workspace)),
                executable: text(executable),
                home: text(home),
                home_in_workspace: home.strip_prefix(workspace).ok().map(text),
            },
            system,
            pretty,
        }
    }

    /// Sets the target directory. Profiles name the libraries in it without symlinks, as the system
    /// does.
    #[must_use]
    pub fn with_target_directory(mut self, directory: Option<PathBuf>) -> Self {
        let resolved = |path: PathBuf| fs::canonicalize(&path).unwrap_or(path);
        self.target_directory = directory.map(resolved);
        self
    }
}

/// `file!()` begins where cargo calls the compiler: most often at the workspace, which may have
/// moved since.
fn bench_file(package: &Package, package_dir: &Path, workspace: &Path) -> PathBuf {
    let places = [workspace, package_dir, Path::new(&package.workspace)];
    let mut files = places.map(|place| place.join(&package.file)).into_iter();
    files
        .find(|file| file.is_file())
        .unwrap_or_else(|| workspace.join(&package.file))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn the_target_directory_is_named_as_profiles_name_it() {
        let directory = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(directory.path()).unwrap().join("real");
        fs::create_dir(&real).unwrap();
        let link = directory.path().join("target");
        symlink(&real, &link).unwrap();
        let found = |path: &Path| {
            let context = RunContext::default().with_target_directory(Some(path.to_owned()));
            context.target_directory
        };
        assert_eq!(found(&link), Some(real));
        let missing = Path::new("/no/such/target");
        assert_eq!(found(missing).as_deref(), Some(missing));
    }
}
