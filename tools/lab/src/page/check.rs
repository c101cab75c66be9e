//! Goes through a page as a patient person would: every benchmark, every part. Firefox opens the
//! first one.

use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};

use super::{Checker, Chromium, Firefox, Tab};

/// Events that the page must not cause: output on the console, exceptions, requests.
const NOISES: &[&str] = &[
    "Runtime.consoleAPICalled",
    "Runtime.exceptionThrown",
    "Log.entryAdded",
    "Network.requestWillBeSent",
];

/// Opens all benchmarks of a page, and all of their parts, and returns how many parts it has seen.
/// Fails if the page writes to a console, asks for anything, is wider than a narrow window, or
/// shows what is no text; with a checker, if that finds something in one of the parts.
pub fn check(page: &Path, checker: Option<&Checker>) -> Result<usize> {
    let page = found(page)?;
    let mut chromium = Chromium::start()?;
    chromium.resize(375, 800, 1)?;
    chromium.open_file(&page, "")?;
    let seen = go_through(&mut chromium, checker)?;
    ensure!(seen > 0, "the page has no benchmark");
    let noises = chromium.events(NOISES);
    let own = |address: &str| address == "about:blank" || address.starts_with("file://");
    let request =
        |noise: &&serde_json::Value| noise["params"]["request"]["url"].as_str().is_some_and(own);
    let noises: Vec<_> = noises.iter().filter(|noise| !request(noise)).collect();
    ensure!(noises.is_empty(), "the page is not silent: {noises:#?}");
    Ok(seen)
}

/// Opens the page and its first benchmark in Firefox. Fails if the page writes to the console.
pub fn check_in_firefox(page: &Path) -> Result<()> {
    let mut firefox = Firefox::start()?;
    firefox.open_file(&found(page)?, "")?;
    firefox.wait_for("document.querySelector('#benchmarks .badge')")?;
    firefox.press("j")?;
    firefox.press("Enter")?;
    firefox.wait_for("document.querySelector('#benchmark-title')")?;
    let errors = firefox.console()?;
    ensure!(errors.is_empty(), "Firefox has errors: {errors:#?}");
    Ok(())
}

/// The whole path of the page.
pub(super) fn found(page: &Path) -> Result<PathBuf> {
    let page = page.canonicalize();
    page.context("the page is not there: `compare --export html=FILE` writes one")
}

/// Goes from benchmark to benchmark by its keys, as long as there is a next one.
fn go_through(tab: &mut Chromium, checker: Option<&Checker>) -> Result<usize> {
    tab.value("document.querySelector('.controls [data-value=all]').click()")?;
    tab.press("j")?;
    tab.press("Enter")?;
    let mut seen = 0;
    let mut before = String::new();
    loop {
        tab.wait_for(&format!(
            "document.querySelector('#benchmark-title') && location.hash !== {before:?}"
        ))?;
        let address = tab.text("location.hash")?;
        for part in 1..=7 {
            tab.press(&part.to_string())?;
            if tab.value("Boolean(document.querySelector('#part'))")? == false {
                break; // no details, which the page says
            }
            seen += 1;
            look(tab, checker.filter(|_| before.is_empty()))
                .with_context(|| format!("part {part} of `{address}`"))?;
        }
        if tab.value("document.querySelector('[title=j]').disabled")? == true {
            return Ok(seen);
        }
        before = tab.text("location.hash")?;
        tab.press("j")?;
    }
}

fn look(tab: &mut Chromium, checker: Option<&Checker>) -> Result<()> {
    let text = tab.text("document.querySelector('#part').innerText")?;
    for wrong in ["[object ", "undefined", "NaN", "Infinity"] {
        ensure!(!text.contains(wrong), "it shows `{wrong}`:\n{text}");
    }
    ensure!(!text.trim().is_empty(), "it shows nothing");
    let over =
        tab.text("document.documentElement.scrollWidth - document.documentElement.clientWidth")?;
    ensure!(over == "0", "it is {over} pixels wider than the window");
    let Some(checker) = checker else {
        return Ok(());
    };
    let found = checker.check(tab)?;
    ensure!(found.is_empty(), "it is not accessible: {found:#?}");
    Ok(())
}
