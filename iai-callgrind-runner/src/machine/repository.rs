//! Files of the repository, for unit tests that compare with what was recorded there.

use std::path::{Path, PathBuf};

/// A path below the root of the repository; `None` where the package is alone, as it is when it was published: recorded
/// files are not in it, so there is nothing to compare with.
pub(crate) fn of_repository(path: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let is_repository = root.join("iai-callgrind-runner/tests/data").is_dir();
    is_repository.then(|| root.join(path))
}
