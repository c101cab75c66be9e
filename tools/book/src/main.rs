//! Looks whether the links of the book of `docs/` lead anywhere, and those of other texts to it. With
//! the feature `html`, which is on unless it is left out, it makes the book first, as `book.toml`
//! says.
//!
//! In: nothing; the checkout is the one that this program was built in. Out: `target/book`, and an
//! error that names every link without a target, with its page.

mod address;
mod chapters;
mod links;
mod markdown;
mod page;
mod pages;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{bail, Context, Result};

use self::pages::Pages;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .context("the tool lies in the checkout")?;
    let mut mistakes = chapters::not_listed(&checkout.join("docs"))?;
    let pages = Pages::of_chapters(checkout)?;
    #[cfg(feature = "html")]
    let pages = {
        let made = Pages::of_book(&make(checkout)?)?;
        mistakes.extend(pages.lacking_in(&made));
        made
    };
    mistakes.extend(links::dead_in_book(&pages, checkout));
    mistakes.extend(links::dead_in_checkout(&pages, checkout)?);
    mistakes.extend(links::dead_between_files(checkout)?);
    if !mistakes.is_empty() {
        bail!(
            "{} of the book's links and chapters are wrong:\n  {}",
            mistakes.len(),
            mistakes.join("\n  ")
        );
    }
    Ok(())
}

/// Makes the book and returns its folder.
#[cfg(feature = "html")]
fn make(checkout: &Path) -> Result<std::path::PathBuf> {
    let book = mdbook_driver::MDBook::load(checkout)
        .context("cannot read `book.toml` and its chapters")?;
    let built = book.build_dir_for("html");
    // Pages of chapters that are gone would be targets of links.
    if built.exists() {
        std::fs::remove_dir_all(&built)
            .with_context(|| format!("cannot remove `{}`", built.display()))?;
    }
    book.build().context("cannot make the book")?;
    println!("{}", built.join("index.html").display());
    Ok(built)
}
