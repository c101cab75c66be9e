//! Links without a target: those between the pages of the book, and those of the repository's other
//! texts to its published address.

use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use anyhow::{ensure, Context, Result};
use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::address::{target, Target, FILES, SITE};
use crate::pages::Pages;

/// Characters that end an address in Markdown, Rust, TOML and shell code.
const ENDS: [char; 12] = [')', '>', '<', '"', '\'', '`', ']', '}', '\\', ',', ';', '|'];

/// The links of the book that lead nowhere.
pub fn dead_in_book(pages: &Pages, checkout: &Path) -> Vec<String> {
    let mut mistakes = Vec::new();
    for (name, page) in pages.iter() {
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
                Ok(Target::Published { path, anchor }) => pages.mistake(Path::new(path), anchor),
                Ok(Target::Beside { path: "", anchor }) => pages.mistake(name, anchor),
                Ok(Target::Beside { path, anchor }) => {
                    match joined(begin.unwrap_or(Path::new("")), path) {
                        Some(path) => pages.mistake(&path, anchor),
                        None => Some("leads out of the book".to_owned()),
                    }
                }
            };
            if let Some(mistake) = mistake {
                mistakes.push(format!("{}: `{link}`: {mistake}", name.display()));
            }
        }
    }
    mistakes
}

/// Addresses of the published book and of files of the repository in the texts and sources of the
/// checkout that lead nowhere.
pub fn dead_in_checkout(pages: &Pages, checkout: &Path) -> Result<Vec<String>> {
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
                        pages.mistake(Path::new(path), anchor)
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
        let checkout = directory.path();
        fs::create_dir_all(checkout.join("docs/images")).unwrap();
        let write = |name: &str, text: &str| fs::write(checkout.join(name), text).unwrap();
        write("book.toml", "[output.html.redirect]\n");
        write("docs/SUMMARY.md", "[First](first.md)\n[CI](ci.md)\n");
        write("docs/images/page.png", "");
        write("docs/first.md", "[a](ci.md#shards) ![b](./images/page.png)");
        write("docs/ci.md", "## Shards\n[a](first.md) [b](#shards)");
        let dead = || dead_in_book(&Pages::of_chapters(checkout).unwrap(), checkout);
        assert_eq!(dead(), [""; 0]);

        write(
            "docs/first.md",
            "[a](ci.md#parts) [b](gone.md) [c](../gone.html)\n\
             [d](https://iai-callgrind.github.io/iai-callgrind/ci.html#no)\n\
             [e](https://github.com/iai-callgrind/iai-callgrind/blob/main/gone.md)",
        );
        let mistakes = [
            "`../gone.html`: leads out of the book",
            "`ci.html#parts`: the page has no `#parts`",
            "`gone.html`: there is no such page",
            "`https://github.com/iai-callgrind/iai-callgrind/blob/main/gone.md`: \
             there is no such file in this checkout",
            "`https://iai-callgrind.github.io/iai-callgrind/ci.html#no`: the page has no `#no`",
        ];
        let of = |page: &str| mistakes.map(|mistake| format!("{page}: {mistake}"));
        // The first chapter is the first page, too.
        assert_eq!(dead(), [of("first.html"), of("index.html")].concat());
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
