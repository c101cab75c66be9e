//! `cargo xtask packages`: what is published is complete, small, and works without this repository.
//!
//! In the order of `run`: the packages that are published and what their manifests say
//! (`published`), their `.crate` files as cargo makes them, unpacked (`unpacked`), what is inside
//! (`contents`), and their unit tests in a directory where there is nothing else (`alone`).
//! `--contents` leaves out these tests, which compile all packages once more. `--write` writes the
//! list of packages into `docs/maintainers/releasing.md` (`list`).

mod alone;
mod contents;
mod list;
mod published;
mod unpacked;

use anyhow::{bail, ensure, Result};
use lab::step;

use self::contents::Contents;
use self::published::PublishedPackage;
use self::unpacked::Unpacked;

/// Checks all packages. With `--contents` it runs no tests; with `--order` it only prints their
/// names in the order in which they have to be published.
pub fn run(options: &[String]) -> Result<()> {
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    if let ["--order"] = options[..] {
        return print_order();
    }
    if !matches!(options[..], [] | ["--write" | "--contents"]) {
        bail!(
            "`cargo xtask packages` takes `--write`, `--contents` or `--order`, and nothing else"
        );
    }
    let packages = PublishedPackage::all()?;
    step("packing");
    let unpacked = Unpacked::new(&packages)?;
    let mut mistakes: Vec<String> = packages
        .iter()
        .flat_map(PublishedPackage::mistakes)
        .collect();
    let mut contents = Vec::new();
    for package in &packages {
        let inside = Contents::read(package, &unpacked)?;
        mistakes.extend(inside.mistakes());
        contents.push(inside);
    }
    ensure!(
        mistakes.is_empty(),
        "packages are not as they have to be:\n  {}",
        mistakes.join("\n  ")
    );
    print!("{}", list::table(&contents));
    match options[..] {
        ["--contents"] => return Ok(()),
        ["--write"] => list::write(&contents)?,
        _ => {}
    }
    step("the unit tests of each, from its package alone");
    alone::test(&packages, &unpacked)
}

fn print_order() -> Result<()> {
    for package in PublishedPackage::all()? {
        println!("{}", package.name);
    }
    Ok(())
}
