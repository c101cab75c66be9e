//! What the machine offers: Valgrind.

use std::env;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::settings::Settings;

/// What benchmarks are run with.
#[derive(Debug)]
pub struct Host {
    /// Absolute path of Valgrind.
    pub valgrind: PathBuf,
}

impl Host {
    /// Looks for Valgrind. It is not started: its version stands in every log it writes.
    ///
    /// # Errors
    ///
    /// Valgrind is not found, or what was named is no program.
    pub fn detect(settings: &Settings) -> Result<Self> {
        let valgrind = match &settings.valgrind {
            Some(path) if path.components().count() > 1 => named(path)?,
            Some(name) => in_path(settings, name).ok_or_else(|| Error::BadValgrind {
                path: name.clone(),
                reason: "was not found in PATH",
            })?,
            None => in_path(settings, Path::new("valgrind")).ok_or_else(|| Error::NoValgrind {
                path: search_path(settings).to_string_lossy().into_owned(),
            })?,
        };
        log::debug!("valgrind is `{}`", valgrind.display());
        Ok(Self { valgrind })
    }
}

fn named(path: &Path) -> Result<PathBuf> {
    let bad = |reason| Error::BadValgrind {
        path: path.to_owned(),
        reason,
    };
    let absolute = path.canonicalize().map_err(|_| bad("does not exist"))?;
    if is_program(&absolute) {
        // Not the resolved path: Debian's wrapper finds its program beside its own name.
        std::path::absolute(path).map_err(|_| bad("does not exist"))
    } else {
        Err(bad("is not a program"))
    }
}

fn in_path(settings: &Settings, name: &Path) -> Option<PathBuf> {
    env::split_paths(search_path(settings))
        .map(|folder| folder.join(name))
        .find(|path| is_program(path))
        .and_then(|path| std::path::absolute(path).ok())
}

fn search_path(settings: &Settings) -> &std::ffi::OsStr {
    settings.environment.get("PATH").unwrap_or_default()
}

fn is_program(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
