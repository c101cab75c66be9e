//! A chapter to the anchors and links of its page, as mdBook makes it.
//!
//! `cargo run` with the feature `html` makes the pages and compares.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::page::Page;

/// Extensions that mdBook reads and that chapters have.
const EXTENSIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_HEADING_ATTRIBUTES)
    .union(Options::ENABLE_SMART_PUNCTUATION);

/// Anchors and links of the page of this chapter.
pub fn page(chapter: &str) -> Page {
    let mut page = Page::default();
    // The text and the given anchor of the heading that is being read.
    let mut heading: Option<(String, Option<String>)> = None;
    for event in Parser::new_ext(chapter, EXTENSIONS) {
        match event {
            Event::Start(Tag::Heading { id, .. }) => {
                heading = Some((String::new(), id.map(|id| id.to_string())));
            }
            Event::End(TagEnd::Heading(_)) => {
                let (text, given) = heading.take().unwrap_or_default();
                let anchor = given.unwrap_or_else(|| anchor(&text));
                add_anchor(&mut page, anchor);
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.links.push(address(&dest_url));
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some((heading, _)) = &mut heading {
                    heading.push_str(&text);
                }
            }
            _ => {}
        }
    }
    page
}

/// The address of the page that mdBook makes of a chapter.
pub fn address(of_chapter: &str) -> String {
    let (path, anchor) = match of_chapter.split_once('#') {
        Some((path, _)) => of_chapter.split_at(path.len()),
        None => (of_chapter, ""),
    };
    match path.strip_suffix(".md") {
        Some(path) if !path.contains(':') => format!("{path}.html{anchor}"),
        _ => of_chapter.to_owned(),
    }
}

fn anchor(heading: &str) -> String {
    let characters = heading.trim().chars();
    let kept = characters.filter_map(|character| match character {
        _ if character.is_whitespace() => Some('-'),
        _ if character.is_alphanumeric() || "-_".contains(character) => Some(character),
        _ => None,
    });
    kept.collect::<String>().to_lowercase()
}

/// A second heading of one text gets `-1` at its end, a third one `-2`.
fn add_anchor(page: &mut Page, anchor: String) {
    let mut unique = anchor.clone();
    for number in 1.. {
        if page.anchors.insert(unique) {
            return;
        }
        unique = format!("{anchor}-{number}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_anchors_and_chapters_pages() {
        let page = page(
            "# A `b` & \"C_d\"\n\n## E {#given}\n## Twice\n## Twice\n\
             [a](ci.md#x) ![b](./i/p.png) [c](https://a.b/c.md) `[no](no.md)`\n",
        );
        let mut anchors: Vec<&str> = page.anchors.iter().map(String::as_str).collect();
        anchors.sort_unstable();
        assert_eq!(anchors, ["a-b--c_d", "given", "twice", "twice-1"]);
        let links = ["ci.html#x", "./i/p.png", "https://a.b/c.md"];
        assert_eq!(page.links, links);
    }
}
