//! Are the texts for users written in the words that people search for?
//!
//! In: the README and the chapters of the book. Out: an error that names each phrase of the list
//! with its place and a better one. `docs/options.md` has the texts of `--help` and
//! `docs/errors.md` the messages, which tests of the runner hold, so these are checked as well.
//! Blocks of code are left out: they show what programs print.

use std::fs;

use anyhow::{ensure, Context, Result};
use lab::workspace_root;

/// Habits of ours that readers stumble over, in lower case, and what to write.
const PHRASES: [(&str, &str); 20] = [
    ("as ever", "still, as usual"),
    ("believe none", "do not trust"),
    ("circumstances", "conditions"),
    ("count otherwise", "give different counts"),
    ("counted otherwise", "gave different counts"),
    ("counts otherwise", "gives different counts"),
    ("dearer", "slower, more expensive"),
    ("good begin", "good starting point"),
    ("has the whole of it", "covers the details"),
    ("is no configuration", "is not a configuration"),
    ("is no regression", "is not a regression"),
    ("is no soft limit", "invalid soft limit"),
    ("know nothing of", "ignore, do not apply to"),
    ("knows nothing of", "ignores, does not know"),
    ("nobody asks", "nothing asks"),
    ("nobody knows", "is unknown"),
    ("some hundred", "a few hundred"),
    ("some ten", "about ten"),
    ("some two fifths", "about 40 %"),
    ("somebody", "someone"),
];

/// Fails with all places of the phrases.
pub fn check() -> Result<()> {
    let mut found = Vec::new();
    for name in pages()? {
        let path = workspace_root().join(&name);
        let text = fs::read_to_string(&path)
            .with_context(|| format!("cannot read `{}`", path.display()))?;
        let places = phrases(&text).into_iter();
        found.extend(
            places.map(|(line, phrase, better)| {
                format!("{name}:{line}: `{phrase}`; better: {better}")
            }),
        );
    }
    ensure!(
        found.is_empty(),
        "words that readers stumble over:\n  {}",
        found.join("\n  ")
    );
    Ok(())
}

/// The README and the chapters, from the root of the repository.
fn pages() -> Result<Vec<String>> {
    let mut pages = vec!["README.md".to_owned()];
    for entry in fs::read_dir(workspace_root().join("docs"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".md") {
            pages.push(format!("docs/{name}"));
        }
    }
    pages.sort();
    Ok(pages)
}

/// Each phrase outside of code blocks, with the line in which it begins. Lines break anywhere
/// between words.
fn phrases(markdown: &str) -> Vec<(usize, &'static str, &'static str)> {
    let mut in_code = false;
    let mut text = String::new();
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            text += &line.trim_start().to_lowercase();
        }
        text.push('\n');
    }
    let on_one_line = text.replace('\n', " ");
    let mut found = Vec::new();
    for (phrase, better) in PHRASES {
        for (at, _) in on_one_line.match_indices(phrase) {
            let before = on_one_line[..at].chars().next_back();
            let after = on_one_line[at + phrase.len()..].chars().next();
            if ![before, after]
                .iter()
                .flatten()
                .any(|c| c.is_alphanumeric())
            {
                let line = text[..at].matches('\n').count() + 1;
                found.push((line, phrase, better));
            }
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_over_lines_and_not_in_code() {
        let text =
            "# Title\nLimits hold as\n  ever, and so.\n```text\nas ever\n```\nSome Hundred rows\n";
        let found: Vec<_> = phrases(text)
            .into_iter()
            .map(|(line, phrase, _)| (line, phrase))
            .collect();
        assert_eq!(found, [(2, "as ever"), (7, "some hundred")]);
    }

    #[test]
    fn a_phrase_is_whole_words() {
        assert_eq!(
            phrases("lost, as everything; was ever; troublesome hundred"),
            []
        );
    }

    #[test]
    fn the_texts_of_this_repository_have_none() {
        check().unwrap();
    }
}
