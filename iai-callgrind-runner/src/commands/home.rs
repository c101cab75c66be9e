//! The results of the project in which a command runs, and names of places as users see them.

use std::path::{Path, PathBuf};

use iai_callgrind::protocol::options::variable;

use crate::error::{Error, Result};
use cli::env::RunnerEnvironment;
use project::{read_toml, MetadataQuestion, NoMetadata, ProjectPlaces};
use records::{ProjectHome, Workspace};

/// The directory of all results, and the project: the one search of all commands.
///
/// The directory is the one that the command line or its variable names, else that in the target
/// directory. Results of other projects beside those of this one are left out, unless the command
/// line names the directory.
pub(super) fn home(named: Option<&Path>, environment: &RunnerEnvironment) -> Result<ProjectHome> {
    if let Some(directory) = named.map(Path::to_owned) {
        return Ok(ProjectHome {
            directory,
            workspace: None,
        });
    }
    // Also where a variable names the home: the root of the workspace tells which results in it are
    // those of this project.
    let places = MetadataQuestion::default().ask::<ProjectPlaces>(environment);
    if let Some(directory) = environment.get(variable("--home")).map(PathBuf::from) {
        let root = places.ok().map(|places| places.workspace_root);
        return Ok(of_workspace(directory, root));
    }
    match places {
        Ok(places) => Ok(of_workspace(
            places.target_directory.join("iai"),
            Some(places.workspace_root),
        )),
        Err(reason) => without_cargo(environment).ok_or_else(|| not_found(&reason)),
    }
}

fn of_workspace(directory: PathBuf, root: Option<PathBuf>) -> ProjectHome {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let absolute = std::path::absolute(&directory).unwrap_or_else(|_| directory.clone());
    let workspace = root.map(|root| Workspace {
        home: absolute.strip_prefix(&root).ok().map(text),
        root: text(&root),
    });
    ProjectHome {
        directory: seen_from_here(directory),
        workspace,
    }
}

/// The results where cargo cannot be asked: in the target directory of the variable, else in
/// `target` here or above, up to the root of the workspace.
fn without_cargo(environment: &RunnerEnvironment) -> Option<ProjectHome> {
    if let Some(target) = environment.get("CARGO_TARGET_DIR") {
        return Some(of_workspace(Path::new(target).join("iai"), None));
    }
    let here = std::path::absolute(".").ok()?;
    let root = |directory: &&Path| {
        let manifest = read_toml(&directory.join("Cargo.toml"));
        manifest.is_ok_and(|manifest| manifest.contains_key("workspace"))
    };
    let end = here.ancestors().find(root);
    let mut above = here
        .ancestors()
        .take_while(|directory| end.is_none_or(|end| directory.starts_with(end)));
    let found = above.find(|directory| directory.join("target/iai").is_dir())?;
    Some(of_workspace(
        found.join("target/iai"),
        Some(found.to_owned()),
    ))
}

fn not_found(reason: &NoMetadata) -> Error {
    let reason = reason.text();
    let hint = "run it in the project, or name the results";
    Error::Results(format!(
        "the results of this project are not found: {reason}\n  hint: {hint}"
    ))
}

/// A path relative to the current directory, if it is below it. The directory itself stays as it
/// is.
pub(super) fn seen_from_here(path: PathBuf) -> PathBuf {
    let here = std::path::absolute(".").unwrap_or_default();
    match path.strip_prefix(here) {
        Ok(below) if !below.as_os_str().is_empty() => below.to_owned(),
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_below_are_relative_and_the_directory_itself_is_not() {
        let here = std::path::absolute(".").unwrap();
        assert_eq!(
            seen_from_here(here.join("target/iai")),
            Path::new("target/iai")
        );
        assert_eq!(seen_from_here(here.clone()), here);
        assert_eq!(seen_from_here("/elsewhere".into()), Path::new("/elsewhere"));
    }
}
