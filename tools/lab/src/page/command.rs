//! The words of `cargo xtask page`.

use std::path::Path;

use anyhow::{bail, Result};
use serde_json::json;

use super::check::found;
use super::{check, check_in_firefox, fill, Checker, Chromium, Firefox, Sample, Tab};
use crate::step;

const USAGE: &str = "\
cargo xtask page --hashes             write the hashes of style and script into the template
cargo xtask page --samples DIRECTORY  write pages of comparisons that are made by hand
cargo xtask page --time [PAGE]        measure how long a page takes to open; of none, one of 1 000 benchmarks
cargo xtask page --check PAGE         go through all benchmarks of a page in Chromium and Firefox
cargo xtask page --picture PNG PAGE [FRAGMENT]
                                      take the picture of a page, for the README; the fragment is that
                                      of the address in a browser, such as `#b=sort&p=flame`";

/// Benchmarks of the page whose opening is measured.
const MANY: usize = 1000;

/// Does what the words say.
pub fn run(words: &[String]) -> Result<()> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["--hashes"] => fill::write_hashes(),
        ["--samples", directory] => write_samples(Path::new(directory)),
        ["--time"] => {
            let folder = tempfile::tempdir()?;
            measure(&Sample::repeated(MANY)?.write(folder.path(), "many.html")?)
        }
        ["--time", page] => measure(page.as_ref()),
        ["--check", page] => {
            let checker = Checker::find()?;
            let seen = check(page.as_ref(), Some(&checker))?;
            check_in_firefox(page.as_ref())?;
            println!("{seen} parts of benchmarks, nothing wrong");
            Ok(())
        }
        ["--picture", picture, page] => take(picture.as_ref(), page.as_ref(), ""),
        ["--picture", picture, page, fragment] => take(picture.as_ref(), page.as_ref(), fragment),
        _ => bail!("usage:\n{USAGE}"),
    }
}

fn write_samples(directory: &Path) -> Result<()> {
    for (name, sample) in [
        ("usual.html", Sample::usual()?),
        ("hostile.html", Sample::hostile()?),
        ("empty.html", Sample::empty()?),
        ("many.html", Sample::repeated(MANY)?),
    ] {
        println!("{}", sample.write(directory, name)?.display());
    }
    Ok(())
}

/// Times of the page's own clock, from its begin: when its table stood, and when the browser had
/// laid it out.
fn measure(page: &Path) -> Result<()> {
    let file = found(page)?;
    let bytes = file.metadata()?.len();
    step(&format!("a page of {:.1} MB", bytes as f64 / 1e6));
    let mut chromium = Chromium::start()?;
    let mut firefox = Firefox::start()?;
    for _ in 0..3 {
        chromium.open_file(&file, "")?;
        println!("Chromium: {}", times(&mut chromium)?);
        firefox.open_file(&file, "")?;
        println!("Firefox:  {}", times(&mut firefox)?);
    }
    Ok(())
}

fn times(tab: &mut dyn Tab) -> Result<String> {
    tab.wait_for("performance.getEntriesByType('navigation')[0].loadEventEnd > 0")?;
    let stands =
        tab.text("Math.round(performance.getEntriesByName('table stands')[0].startTime)")?;
    let laid_out = tab.text("(document.body.offsetHeight, Math.round(performance.now()))")?;
    let loaded =
        tab.text("Math.round(performance.getEntriesByType('navigation')[0].loadEventEnd)")?;
    Ok(format!(
        "table stands after {stands} ms, loaded {loaded} ms, laid out before {laid_out} ms"
    ))
}

fn take(picture: &Path, page: &Path, fragment: &str) -> Result<()> {
    let page = found(page)?;
    let mut browser = Chromium::start()?;
    browser.resize(1200, 800, 1)?;
    browser.call("Emulation.setScrollbarsHidden", json!({"hidden": true}))?;
    browser.prefer("light")?;
    browser.open_file(&page, fragment)?;
    browser.wait_for("document.querySelector('#benchmarks .badge')")?;
    if !fragment.is_empty() {
        browser.wait_for("document.querySelector('#part')?.innerText")?;
    }
    browser.screenshot(picture)
}
