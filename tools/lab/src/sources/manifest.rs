//! The one change of a manifest: which package the framework is.

use std::path::Path;

use anyhow::{ensure, Context, Result};

use super::list::Framework;

/// The manifest, as cargo writes it into packages, with our crate, which lies in this folder, in
/// place of the framework. Features of the dependency stay.
pub(super) fn with_ours(manifest: &str, framework: Framework, folder: &Path) -> Result<String> {
    let name = framework.dependency();
    // Some have it for some targets only.
    let section = format!("dev-dependencies.{name}]\n");
    let (before, rest) = manifest
        .split_once(&section)
        .with_context(|| format!("`{name}` is no dev-dependency"))?;
    let (version, after) = rest
        .split_once('\n')
        .filter(|(line, _)| line.starts_with("version = "))
        .with_context(|| format!("`{name}` has no version in its first line"))?;
    ensure!(version.ends_with('"'), "`{version}` is no version");
    // A stand-in of somebody else has its name here.
    let after = match after.split_once('\n') {
        Some((line, after)) if line.starts_with("package = ") => after,
        _ => after,
    };
    let (package, path) = (framework.package(), folder.display().to_string());
    Ok(format!(
        // It lies in the target directory of a workspace.
        "{before}{section}package = \"{package}\"\npath = {path:?}\n{after}\n[workspace]\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_framework_is_replaced_and_nothing_else() {
        let folder = Path::new("/ours");
        let manifest = "[package]\nname = \"a\"\n\n[dev-dependencies.divan]\nversion = \"0.1\"\npackage = \"other\"\nfeatures = [\"x\"]\n";
        let edited = with_ours(manifest, Framework::Divan, folder).unwrap();
        let expected = "[package]\nname = \"a\"\n\n[dev-dependencies.divan]\npackage = \"iai-callgrind-divan\"\n\
                        path = \"/ours\"\nfeatures = [\"x\"]\n\n[workspace]\n";
        assert_eq!(edited, expected);
        let manifest = "[target.'cfg(not(miri))'.dev-dependencies.criterion]\nversion = \"0.8\"\n";
        let edited = with_ours(manifest, Framework::Criterion, folder).unwrap();
        assert!(edited.starts_with("[target.'cfg(not(miri))'.dev-dependencies.criterion]\npackage"));
        let manifest = "";
        let error = with_ours(manifest, Framework::Criterion, folder).unwrap_err();
        assert_eq!(error.to_string(), "`criterion` is no dev-dependency");
        let workspace = "[dev-dependencies.divan]\nworkspace = true\n";
        assert!(with_ours(workspace, Framework::Divan, folder).is_err());
    }
}
