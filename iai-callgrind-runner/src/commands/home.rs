//! The directory of all results of the project in which a command runs, and names of places as
//! users see them.

use std::path::{Path, PathBuf};

use iai_callgrind::protocol::options::variable;

use crate::cli::env::RunnerEnvironment;
use crate::doctor;
use crate::error::{Error, Result};

/// The directory of all results: the one that the command line or its variable names, else that in
/// the target directory.
pub(super) fn home(named: Option<&Path>, environment: &RunnerEnvironment) -> Result<PathBuf> {
    let variable = || environment.get(variable("--home")).map(PathBuf::from);
    if let Some(home) = named.map(Path::to_owned).or_else(variable) {
        return Ok(home);
    }
    let target = doctor::target_directory(environment);
    let target = target.map_err(|reason| {
        let hint = "run it in the project, or name the results";
        Error::Results(format!(
            "the results of this project are not found: {reason}\n  hint: {hint}"
        ))
    })?;
    Ok(seen_from_here(target.join("iai")))
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
