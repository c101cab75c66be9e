//! Links without a target: those between the pages of the built book, and those of the repository's
//! other texts to its published address.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use anyhow::{ensure, Context, Result};
use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::address::{target, Target, FILES, SITE};
use crate::page::Page;

/// Characters that end an address in Markdown, Rust, TOML and shell code.
const ENDS: [char; 12] = [')', '>', '<', '"', '\'', '`', ']', '}', '\\', ',', ';', '|'];

/// The pages of a built book, by their path from its root.
struct Pages(BTreeMap<PathBuf, Page>);

impl Pages {
    fn read(built: &Path) -> Result<Self> {
        let mut pages = BTreeMap::new();
        let mut directories = vec![built.to_owned()];
        while let Some(directory) = directories.pop() {
            let entries = fs::read_dir(&directory)
                .with_context(|| format!("cannot list `{}`", directory.display()))?;
            for entry in entries {
                let path = entry?.path();
                if path.is_dir() {
                    directories.push(path);
                } else if path.extension().is_some_and(|end| end == "html") {
                    let text = fs::read_to_string(&path)
                        .with_context(|| format!("cannot read `{}`", path.display()))?;
                    let name = path.strip_prefix(built).unwrap_or(&path).to_owned();
                    pages.insert(name, Page::of(&text));
                }
            }
        }
        ensure!(pages.len() > 1, "`{}` has no pages", built.display());
        Ok(Self(pages))
    }

    /// The mistake in a link to this place of the book, if there is one.
    fn mistake(&self, built: &Path, path: &Path, anchor: Option<&str>) -> Option<String> {
        let is_directory = path.as_os_str().is_empty() || built.join(path).is_dir();
        let path = match is_directory {
            true => path.join("index.html"),
            false => path.to_owned(),
        };
        let Some(page) = self.0.get(&path) else {
            let is_there = built.join(&path).is_file();
            return (!is_there || anchor.is_some()).then(|| "there is no such page".to_owned());
        };
        let anchor = anchor.filter(|anchor| !anchor.is_empty())?;
        let missing = !page.anchors.contains(anchor);
        missing.then(|| format!("the page has no `#{anchor}`"))
    }
}

/// The links of the built book that lead nowhere.
pub fn dead_in_book(built: &Path, checkout: &Path) -> Result<Vec<String>> {
    let pages = Pages::read(built)?;
    let mut mistakes = Vec::new();
    for (name, page) in &pages.0 {
        // The page for addresses that are not there is shown at any of them.
        let begin = name.parent().filter(|_| name != Path::new("404.html"));
        let links: HashSet<&String> = page.links.iter().collect();
        let mut links: Vec<&String> = links.into_iter().collect();
        links.sort();
        for link in links {
            let mistake = match target(link) {
                Err(mistake) => Some(mistake.to_owned()),
                Ok(Target::Elsewhere) => None,
                Ok(Target::InRepository(path)) => in_repository(checkout, Path::new(path)),
                Ok(Target::Published { path, anchor }) => {
                    pages.mistake(built, Path::new(path), anchor)
                }
                Ok(Target::Beside { path: "", anchor }) => pages.mistake(built, name, anchor),
                Ok(Target::Beside { path, anchor }) => {
                    match joined(begin.unwrap_or(Path::new("")), path) {
                        Some(path) => pages.mistake(built, &path, anchor),
                        None => Some("leads out of the book".to_owned()),
                    }
                }
            };
            if let Some(mistake) = mistake {
                mistakes.push(format!("{}: `{link}`: {mistake}", name.display()));
            }
        }
    }
    Ok(mistakes)
}

/// Addresses of the published book and of files of the repository in the texts and sources of the
/// checkout that lead nowhere.
pub fn dead_in_checkout(built: &Path, checkout: &Path) -> Result<Vec<String>> {
    let pages = Pages::read(built)?;
    let mut mistakes = Vec::new();
    for name in files_of(checkout)? {
        // Some files of tests are no text.
        let Ok(text) = fs::read_to_string(checkout.join(&name)) else {
            continue;
        };
        for (line, text) in (1..).zip(text.lines()) {
            for address in ours(text) {
                let mistake = match target(address) {
                    Ok(Target::Published { path, anchor }) => {
                        pages.mistake(built, Path::new(path), anchor)
                    }
                    Ok(Target::InRepository(path)) => in_repository(checkout, Path::new(path)),
                    _ => None,
                };
                if let Some(mistake) = mistake {
                    mistakes.push(format!("{name}:{line}: `{address}`: {mistake}"));
                }
            }
        }
    }
    Ok(mistakes)
}

/// Links between the Markdown files of the checkout, as the repository's page follows them, that
/// lead to no file.
pub fn dead_between_files(checkout: &Path) -> Result<Vec<String>> {
    let mut mistakes = Vec::new();
    let names = files_of(checkout)?.into_iter();
    for name in names.filter(|name| name.ends_with(".md")) {
        let Ok(text) = fs::read_to_string(checkout.join(&name)) else {
            continue;
        };
        let begin = Path::new(&name).parent().unwrap_or(Path::new(""));
        for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
            let (Event::Start(Tag::Link { dest_url, .. })
            | Event::Start(Tag::Image { dest_url, .. })) = event
            else {
                continue;
            };
            let mistake = match target(&dest_url) {
                Err(mistake) => Some(mistake.to_owned()),
                Ok(Target::Beside { path, .. }) if !path.is_empty() => match joined(begin, path) {
                    Some(path) => in_repository(checkout, &path),
                    None => Some("leads out of the repository".to_owned()),
                },
                Ok(_) => None,
            };
            if let Some(mistake) = mistake {
                mistakes.push(format!("{name}: `{dest_url}`: {mistake}"));
            }
        }
    }
    Ok(mistakes)
}

/// The addresses of the published book and of files of the repository in a line.
fn ours(line: &str) -> impl Iterator<Item = &str> {
    let begins = FILES.into_iter().chain([SITE]);
    let places = begins.flat_map(|begin| line.match_indices(begin));
    places.map(|(begin, _)| {
        let address = &line[begin..];
        let end = address
            .find(|c: char| c.is_whitespace() || ENDS.contains(&c))
            .unwrap_or(address.len());
        // The end of a sentence is none of the address, `…` stands for any page.
        address[..end].trim_end_matches(['.', ':', '…'])
    })
}

/// Files that git follows, but for those of this tool, whose tests have addresses that lead
/// nowhere, and templates of chapters, whose links are relative to the chapter.
fn files_of(checkout: &Path) -> Result<Vec<String>> {
    let output = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--",
            "*.rs",
            "*.md",
            "*.toml",
            "*.yml",
            ":!tools/book",
            ":!tools/lab/src/*.md",
        ])
        .current_dir(checkout)
        .output()
        .context("cannot start git, which lists the files of the checkout")?;
    ensure!(
        output.status.success(),
        "`git ls-files` in `{}`: {}",
        checkout.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    let names = String::from_utf8_lossy(&output.stdout);
    Ok(names.split_terminator('\0').map(str::to_owned).collect())
}

fn in_repository(checkout: &Path, path: &Path) -> Option<String> {
    let is_there = checkout.join(path).exists();
    (!is_there).then(|| "there is no such file in this checkout".to_owned())
}

/// The path from the root of the book; `None` if it leads out of it.
fn joined(begin: &Path, path: &str) -> Option<PathBuf> {
    let mut joined = begin.to_owned();
    for component in Path::new(path).components() {
        match component {
            Component::ParentDir => {
                if !joined.pop() {
                    return None;
                }
            }
            Component::CurDir => {}
            other => joined.push(other),
        }
    }
    Some(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_lead_nowhere_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let book = directory.path().join("book");
        fs::create_dir_all(book.join("images")).unwrap();
        let write = |name: &str, text: &str| fs::write(book.join(name), text).unwrap();
        write("images/page.png", "");
        write(
            "index.html",
            "<a href='ci.html#shards'></a><a href='./images/page.png'></a>",
        );
        write(
            "ci.html",
            "<h2 id=shards></h2><a href='index.html'></a><a href='#shards'></a>",
        );
        assert_eq!(dead_in_book(&book, directory.path()).unwrap(), [""; 0]);

        write(
            "index.html",
            "<a href='ci.html#parts'></a><a href='gone.html'></a><a href='../gone.html'></a>\
             <a href='https://iai-callgrind.github.io/iai-callgrind/ci.html#no'></a>\
             <a href='https://github.com/iai-callgrind/iai-callgrind/blob/main/gone.md'></a>",
        );
        assert_eq!(
            dead_in_book(&book, directory.path()).unwrap(),
            [
                "index.html: `../gone.html`: leads out of the book",
                "index.html: `ci.html#parts`: the page has no `#parts`",
                "index.html: `gone.html`: there is no such page",
                "index.html: `https://github.com/iai-callgrind/iai-callgrind/blob/main/gone.md`: \
                 there is no such file in this checkout",
                "index.html: `https://iai-callgrind.github.io/iai-callgrind/ci.html#no`: the page has no `#no`",
            ]
        );
    }

    #[test]
    fn links_between_files_are_those_that_git_follows() {
        let directory = tempfile::tempdir().unwrap();
        let checkout = directory.path();
        let git = |arguments: &[&str]| {
            let mut git = Command::new("git");
            let status = git.args(arguments).current_dir(checkout).status().unwrap();
            assert!(status.success(), "{arguments:?}");
        };
        let write = |name: &str, text: &str| fs::write(checkout.join(name), text).unwrap();
        fs::create_dir(checkout.join("docs")).unwrap();
        write(
            "README.md",
            "[a](docs/a.md#b) `[no](code.md)`\n\n| a |\n| --- |\n| [b](gone.md) |\n",
        );
        write("docs/a.md", "[a](../README.md) ![b](../../b.png)\n");
        write("not-followed.md", "[a](gone.md)");
        git(&["init", "--quiet"]);
        git(&["add", "README.md", "docs"]);
        assert_eq!(
            dead_between_files(checkout).unwrap(),
            [
                "README.md: `gone.md`: there is no such file in this checkout",
                "docs/a.md: `../../b.png`: leads out of the repository",
            ]
        );
    }

    #[test]
    fn addresses_end_where_the_text_goes_on() {
        let line = format!("[a]({SITE}ci.html#shards), `{SITE}faq.html`. {SITE}tools.html.");
        let found: Vec<&str> = ours(&line).collect();
        let expected =
            ["ci.html#shards", "faq.html", "tools.html"].map(|end| format!("{SITE}{end}"));
        assert_eq!(found, expected);
    }
}
