//! Files of the repository, for unit tests that compare with recorded ones.

use std::path::{Path, PathBuf};

/// A path below the root of the repository, seen from the directory of a package (`env!("CARGO_MANIFEST_DIR")`). `None` where the
/// package is alone, as it is when it was published: recorded files are not in it, so there is nothing to compare with.
#[must_use]
pub fn of_repository(package: &str, path: &str) -> Option<PathBuf> {
    let mut above = Path::new(package).ancestors();
    let root = above.find(|root| root.join("iai-callgrind-runner/tests/data").is_dir())?;
    Some(root.join(path))
}
