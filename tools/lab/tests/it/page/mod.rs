//! The page for browsers, looked at by browsers. A test says what a person does and sees; nothing
//! is told to the page that a person could not tell it.
//!
//! Where a browser is not installed its tests say so and pass, except in CI. Firefox is started in
//! full runs only.

mod chromium;
mod everywhere;
mod numbers;
mod real;

use std::path::PathBuf;

use lab::page::{Chromium, Sample};
use tempfile::TempDir;

/// A page on disk.
struct Page {
    file: PathBuf,
    _folder: TempDir,
}

impl Page {
    fn of(sample: &Sample) -> Self {
        let folder = tempfile::Builder::new().prefix("page-").tempdir().unwrap();
        let file = sample.write(folder.path(), "page.html").unwrap();
        Self {
            file,
            _folder: folder,
        }
    }
}

/// Chromium, or nothing where there is none.
fn chromium() -> Option<Chromium> {
    if let Some(reason) = lab::page::missing(Chromium::NAMES) {
        eprintln!("{reason}");
        return None;
    }
    Some(Chromium::start().unwrap())
}

/// Fails if the page has written to the console, thrown, or asked for anything but itself.
#[track_caller]
fn assert_silent(browser: &mut Chromium) {
    let messages = browser.events(&[
        "Runtime.consoleAPICalled",
        "Runtime.exceptionThrown",
        "Log.entryAdded",
        "Network.requestWillBeSent",
    ]);
    let own = |address: &str| {
        address.starts_with("file://") && address.contains("/page.html") || address == "about:blank"
    };
    let loud: Vec<_> = messages
        .iter()
        .filter(|message| {
            !message["params"]["request"]["url"]
                .as_str()
                .is_some_and(own)
        })
        .collect();
    assert!(loud.is_empty(), "{loud:#?}");
}

#[test]
fn style_and_script_are_those_that_the_security_policy_allows() {
    let (written, right) = lab::page::security_policy_hashes().unwrap();
    assert_eq!(
        written, right,
        "`cargo xtask page --hashes` writes the hashes of changed files"
    );
}
