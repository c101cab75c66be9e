//! The common interface of all browsers in tests.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{bail, Result};
use serde_json::Value;

use super::{Chromium, Firefox};

/// Longest time that anything may take which a test waits for, on a machine that does much else.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// A tab of a browser.
pub trait Tab {
    /// Opens an address and waits until the page has loaded.
    fn open(&mut self, address: &str) -> Result<()>;

    /// The value of an expression in the page; a promise is waited for.
    fn value(&mut self, expression: &str) -> Result<Value>;

    /// Presses and releases keys as a person would: one letter, or a name as in
    /// `KeyboardEvent.key`.
    fn press(&mut self, key: &str) -> Result<()>;

    /// Goes one step back in the history.
    fn back(&mut self) -> Result<()>;

    /// Writes a text with the keyboard.
    fn write(&mut self, text: &str) -> Result<()> {
        text.chars()
            .try_for_each(|letter| self.press(&letter.to_string()))
    }

    /// The value of an expression as text, which is its JSON unless it is a string.
    fn text(&mut self, expression: &str) -> Result<String> {
        Ok(match self.value(expression)? {
            Value::String(text) => text,
            other => other.to_string(),
        })
    }

    /// Waits until an expression is true.
    fn wait_for(&mut self, expression: &str) -> Result<()> {
        let start = Instant::now();
        while self.value(&format!("Boolean({expression})"))? != true {
            if start.elapsed() > PATIENCE {
                let seen = self.text("document.body.innerText.slice(0, 2000)")?;
                bail!("`{expression}` did not become true; the page shows\n{seen}");
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }
}

/// Why tests cannot look at pages here: none of these programs is on the path. In CI this is an
/// error.
///
/// # Panics
///
/// In CI, with the reason.
pub fn missing(names: &[&str]) -> Option<String> {
    let reason = lacking_one(names)?;
    assert!(
        std::env::var_os("CI").is_none(),
        "{reason}, which CI may not do"
    );
    Some(reason)
}

/// Why tests do not look at pages in Firefox: it is left to full runs, since a change that Chromium
/// shows well seldom breaks it, or it is not installed, as in `missing`.
///
/// # Panics
///
/// In a full run in CI without Firefox, with the reason.
pub fn without_firefox() -> Option<String> {
    match std::env::var_os("SUITE_FULL").is_some_and(|value| value == "1") {
        true => missing(Firefox::NAMES),
        false => Some(LEFT_OUT.to_owned()),
    }
}

const LEFT_OUT: &str = "the page in Firefox is left to `cargo suite --full`";

/// Tests of the page that are skipped here, a line for each browser.
pub fn lacking(full: bool) -> Vec<String> {
    let firefox = match full {
        true => lacking_one(Firefox::NAMES),
        false => Some(LEFT_OUT.to_owned()),
    };
    lacking_one(Chromium::NAMES)
        .into_iter()
        .chain(firefox)
        .collect()
}

fn lacking_one(names: &[&str]) -> Option<String> {
    let missing = program(names).is_none();
    missing.then(|| {
        format!(
            "`{}` is not installed: what it would show of the page is passed over",
            names[0]
        )
    })
}

/// The first of these programs on the path.
pub(super) fn program(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let found = |name: &&str| {
        folders
            .iter()
            .map(|folder| folder.join(name))
            .find(|file| file.is_file())
    };
    names.iter().find_map(found)
}

/// The address of a file.
pub(super) fn address(file: &Path) -> String {
    format!("file://{}", file.display())
}
