//! Library and runner must have the same version.

use iai_callgrind::protocol::VERSION;
use toml::Value;

use crate::project::{read_toml, Project, LIBRARY};
use crate::{Cure, Finding};

/// Compares the versions of the library in `Cargo.lock` with that of this runner.
pub fn examine(project: &Project) -> Vec<Finding> {
    if project.packages.is_empty() {
        return vec![Finding::problem(
            format!("no package of this workspace depends on {LIBRARY}"),
            Cure::run(format!("cargo add --dev {LIBRARY}@{VERSION}")),
        )];
    }
    let path = project.root.join("Cargo.lock");
    if !path.is_file() {
        return vec![Finding::note(
            format!(
                "there is no `Cargo.lock` yet, so the version of {LIBRARY} is not known; this runner \
                 is {VERSION}"
            ),
            Cure::run("cargo generate-lockfile"),
        )];
    }
    let lock = match read_toml(&path) {
        Ok(lock) => lock,
        Err(finding) => return vec![finding],
    };
    let packages = lock.get("package").and_then(Value::as_array);
    let versions = packages.into_iter().flatten().filter_map(|package| {
        let is_library = package.get("name")?.as_str()? == LIBRARY;
        is_library.then(|| package.get("version")?.as_str())?
    });
    versions.map(version).collect()
}

fn version(library: &str) -> Finding {
    if library == VERSION {
        return Finding::fine(format!("{LIBRARY} and this runner are {VERSION}"));
    }
    let cure = format!("cargo install iai-callgrind-runner --version {library}");
    Finding::problem(
        format!("{LIBRARY} is {library}, this runner is {VERSION}; they have to be the same"),
        Cure::run(cure),
    )
}
