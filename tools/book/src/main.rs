//! Makes the book of `docs/`, as `book.toml` says, and looks whether its links lead anywhere.
//!
//! In: nothing; the checkout is the one that this program was built in. Out: `target/book`, and an
//! error that names every link without a target, with its page.

mod address;
mod chapters;
mod links;
mod page;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{bail, Context, Result};
use mdbook_driver::MDBook;

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
    let book = MDBook::load(checkout).context("cannot read `book.toml` and its chapters")?;
    let built = book.build_dir_for("html");
    // Pages of chapters that are gone would be targets of links.
    if built.exists() {
        std::fs::remove_dir_all(&built)
            .with_context(|| format!("cannot remove `{}`", built.display()))?;
    }
    book.build().context("cannot make the book")?;

    let mut mistakes = chapters::not_listed(&book.source_dir())?;
    mistakes.extend(links::dead_in_book(&built, checkout)?);
    mistakes.extend(links::dead_in_checkout(&built, checkout)?);
    mistakes.extend(links::dead_between_files(checkout)?);
    if !mistakes.is_empty() {
        bail!(
            "{} of the book's links and chapters are wrong:\n  {}",
            mistakes.len(),
            mistakes.join("\n  ")
        );
    }
    println!("{}", first_page(&built).display());
    Ok(())
}

fn first_page(built: &Path) -> PathBuf {
    built.join("index.html")
}
