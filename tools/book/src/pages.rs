//! The pages of the book: as they were made, or as they will be made of the chapters.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};
use toml::{Table, Value};

use crate::markdown;
use crate::page::Page;

/// Pages by their path from the root of the book.
pub struct Pages {
    /// Where the other files of the book are.
    folder: PathBuf,
    pages: BTreeMap<PathBuf, Page>,
}

impl Pages {
    /// The pages that mdBook has written to this folder.
    #[cfg(feature = "html")]
    pub fn of_book(built: &Path) -> Result<Self> {
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
                    let name = path.strip_prefix(built).unwrap_or(&path).to_owned();
                    pages.insert(name, crate::page::of_html(&read(&path)?));
                }
            }
        }
        ensure!(pages.len() > 1, "`{}` has no pages", built.display());
        let folder = built.to_owned();
        Ok(Self { folder, pages })
    }

    /// The pages that mdBook would make of the chapters in `docs` and of the moved addresses in
    /// `book.toml`.
    pub fn of_chapters(checkout: &Path) -> Result<Self> {
        let folder = checkout.join("docs");
        let summary = markdown::page(&read(&folder.join("SUMMARY.md"))?);
        ensure!(!summary.links.is_empty(), "`docs/SUMMARY.md` has no links");
        let mut pages = BTreeMap::new();
        for address in summary.links {
            let chapter = folder.join(&address).with_extension("md");
            let page = markdown::page(&read(&chapter)?);
            if pages.is_empty() {
                pages.insert("index.html".into(), page.clone());
            }
            pages.insert(address.into(), page);
        }
        let settings: Table = read(&checkout.join("book.toml"))?.parse()?;
        let html = settings.get("output").and_then(|it| it.get("html"));
        let moved = html.and_then(|it| it.get("redirect"));
        for (from, to) in moved.and_then(Value::as_table).into_iter().flatten() {
            let to = to
                .as_str()
                .context("an address in `book.toml` is no text")?;
            let page = Page {
                links: vec![to.to_owned()],
                ..Page::default()
            };
            pages.insert(from.trim_start_matches('/').into(), page);
        }
        Ok(Self { folder, pages })
    }

    /// The pages with their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, &Page)> {
        self.pages.iter().map(|(path, page)| (&**path, page))
    }

    /// The mistake in a link to this place of the book, if there is one.
    pub fn mistake(&self, path: &Path, anchor: Option<&str>) -> Option<String> {
        let is_directory = path.as_os_str().is_empty() || self.folder.join(path).is_dir();
        let path = match is_directory {
            true => path.join("index.html"),
            false => path.to_owned(),
        };
        let Some(page) = self.pages.get(&path) else {
            // mdBook copies the files beside the chapters, but no Markdown.
            let is_copied = path.extension().is_none_or(|end| end != "md");
            let is_there = is_copied && self.folder.join(&path).is_file();
            return (!is_there || anchor.is_some()).then(|| "there is no such page".to_owned());
        };
        let anchor = anchor.filter(|anchor| !anchor.is_empty())?;
        let missing = !page.anchors.contains(anchor);
        missing.then(|| format!("the page has no `#{anchor}`"))
    }

    /// What these pages have and the others lack: places that links may lead to.
    #[cfg(feature = "html")]
    pub fn lacking_in(&self, others: &Self) -> Vec<String> {
        let lacking = self.iter().flat_map(|(path, page)| {
            let anchors = page.anchors.iter().map(|anchor| Some(anchor.as_str()));
            let places = anchors.chain([None]);
            places.filter_map(move |anchor| {
                let mistake = others.mistake(path, anchor)?;
                Some(format!(
                    "{}: {mistake}, and `markdown.rs` takes it to be there",
                    path.display()
                ))
            })
        });
        lacking.collect()
    }
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chapters_and_moved_addresses_are_pages() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        fs::create_dir(folder.path().join("docs")).unwrap();
        write("docs/SUMMARY.md", "[First](a.md)\n\n- [Second](b.md)\n");
        write("docs/a.md", "# A\n");
        write("docs/b.md", "# B\n## C d\n");
        write("docs/picture.png", "");
        let moved = "[output.html.redirect]\n\"/old.html\" = \"b.html#c-d\"\n";
        write("book.toml", moved);

        let pages = Pages::of_chapters(folder.path()).unwrap();
        let mistake = |path: &str, anchor| pages.mistake(Path::new(path), anchor);
        for good in ["", "a.html", "b.html", "old.html", "picture.png"] {
            assert_eq!(mistake(good, None), None, "{good}");
        }
        assert_eq!(mistake("", Some("a")), None);
        assert_eq!(mistake("b.html", Some("c-d")), None);
        let no_page = Some("there is no such page".to_owned());
        assert_eq!(mistake("c.html", None), no_page);
        assert_eq!(mistake("b.md", None), no_page);
        let no_anchor = Some("the page has no `#c`".to_owned());
        assert_eq!(mistake("b.html", Some("c")), no_anchor);
        let moved = pages.iter().find(|(path, _)| path.ends_with("old.html"));
        assert_eq!(moved.unwrap().1.links, ["b.html#c-d"]);
    }
}
