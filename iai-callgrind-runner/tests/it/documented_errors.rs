//! `docs/errors.md` has every error of the runner, and no message that nothing says any more.
//!
//! Texts of the sources and of the page are compared with `…` in the place of whatever a message
//! fills in.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::sources::CRATES;

/// Files with messages: of the runner and its crates, the library, the crate for sources of
/// Criterion and the macros.
const SOURCES: [&str; 4] = [
    "../iai-callgrind-runner/src",
    "../iai-callgrind/src",
    "../crates/criterion/src",
    "../iai-callgrind-macros/src",
];

fn sources() -> Vec<(PathBuf, String)> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut directories: Vec<PathBuf> = SOURCES.iter().map(|path| package.join(path)).collect();
    let crates = CRATES
        .iter()
        .map(|name| package.join("../crates").join(name));
    directories.extend(crates);
    let mut files = Vec::new();
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path, text));
            }
        }
    }
    files
}

/// The string literal that begins here, as the compiler reads it, and what follows it.
fn literal(code: &str) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut characters = code.strip_prefix('"')?.char_indices();
    while let Some((place, character)) = characters.next() {
        match character {
            '"' => return Some((text, &code[place + 2..])),
            '\\' => match characters.next()?.1 {
                'n' => text.push('\n'),
                // The rest of the literal begins at the next word.
                '\n' => {
                    let rest = characters.as_str();
                    let blanks = rest.len() - rest.trim_start().len();
                    for _ in 0..rest[..blanks].chars().count() {
                        characters.next();
                    }
                }
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
    None
}

/// The first line of a message, with `…` for its values.
fn shown(message: &str) -> String {
    let first = message.split('\n').next().unwrap_or_default();
    let mut shown = String::new();
    let mut rest = first.replace("{{", "\u{1}").replace("}}", "\u{2}");
    while let Some((before, value)) = rest.split_once('{') {
        shown += before;
        shown.push('…');
        rest = value
            .split_once('}')
            .map_or("", |(_, after)| after)
            .to_owned();
    }
    (shown + &rest).replace('\u{1}', "{").replace('\u{2}', "}")
}

/// Are there words in it? Otherwise the text of another error stands in its place.
fn has_words(message: &str) -> bool {
    message.chars().any(char::is_alphabetic)
}

/// The messages of `#[error("…")]`.
fn errors() -> BTreeSet<String> {
    let mut errors = BTreeSet::new();
    for (_, code) in sources() {
        for behind in code.split("#[error(").skip(1) {
            if let Some((message, _)) = literal(behind.trim_start()) {
                errors.insert(shown(&message));
            }
        }
    }
    errors.retain(|message| has_words(message));
    errors
}

/// All texts of the sources.
fn literals() -> Vec<String> {
    let mut literals = Vec::new();
    for (_, code) in sources() {
        let mut rest = code.as_str();
        while let Some(begin) = rest.find('"') {
            // A quotation mark in a character, or in a comment, ends at the next one: whatever is
            // between is no message.
            match literal(&rest[begin..]) {
                Some((text, after)) => {
                    literals.extend(text.split('\n').map(shown));
                    rest = after;
                }
                None => break,
            }
        }
    }
    literals
}

/// The first cells of the page's tables of messages.
fn documented() -> Option<Vec<String>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/errors.md");
    let page = fs::read_to_string(file).ok()?;
    let mut messages = Vec::new();
    let mut is_table = false;
    for line in page.lines() {
        match line
            .strip_prefix("| ")
            .and_then(|row| row.split_once(" | "))
        {
            Some(("message", _)) => is_table = true,
            Some(("---", _)) => {}
            Some((message, _)) if is_table => messages.push(message.to_owned()),
            Some(_) => {}
            None => is_table = false,
        }
    }
    Some(messages)
}

#[test]
fn every_error_of_the_runner_has_a_cure() {
    let Some(documented) = documented() else {
        return;
    };
    let errors = errors();
    assert!(errors.len() > 80, "{errors:#?}");
    let missing: Vec<&String> = errors
        .iter()
        .filter(|message| !documented.contains(message))
        .collect();
    assert!(missing.is_empty(), "docs/errors.md lacks {missing:#?}");
}

#[test]
fn every_message_of_the_page_is_one_of_ours() {
    let Some(documented) = documented() else {
        return;
    };
    assert!(documented.len() > 120, "{documented:#?}");
    let literals = literals();
    let is_said = |message: &&String| {
        let mut pieces = message
            .split('…')
            .map(str::trim)
            .filter(|piece| has_words(piece));
        pieces.all(|piece| literals.iter().any(|text| text.contains(piece)))
    };
    let gone: Vec<&String> = documented
        .iter()
        .filter(|message| !is_said(message))
        .collect();
    assert!(gone.is_empty(), "nothing says {gone:#?}");
}

#[test]
fn messages_are_read_as_the_compiler_does() {
    let (text, rest) = literal("\"a `{b:?}` \\\n     c \\\"d\\\"\\n  hint\", e)").unwrap();
    assert_eq!(text, "a `{b:?}` c \"d\"\n  hint");
    assert_eq!(rest, ", e)");
    assert_eq!(shown(&text), "a `…` c \"d\"");
    assert_eq!(shown("{{ {a} }}"), "{ … }");
    assert!(has_words("line …: …") && !has_words("`…` …"));
}
