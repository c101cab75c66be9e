//! The code blocks of the README and of other documents: text in, blocks out.
//!
//! A block is code between two lines of three backticks. The first line of the code may name the
//! file it belongs to, in a comment: `# Cargo.toml`, `// benches/my_benchmark.rs`.

use std::fs;

use anyhow::{Context, Result};

use crate::workspace_root;

/// Documents with Rust code, beside the README.
const DOCUMENTS: [&str; 20] = [
    "binary-benchmarks",
    "client-requests",
    "constant-time",
    "determinism",
    "explain",
    "faq",
    "first-benchmark",
    "flamegraphs",
    "from-codspeed",
    "from-criterion",
    "from-divan",
    "library-benchmarks",
    "memory",
    "perf",
    "ratios",
    "scaling",
    "threads-processes-async",
    "throughput",
    "time",
    "tools",
];

/// A benchmark file around code that is none, with the names that such code takes for granted.
const AROUND: [&str; 2] = [
    "#![allow(unused, unexpected_cfgs)]

use std::time::Duration;

use iai_callgrind::*;

fn parse(text: &str) -> Vec<&str> {
    text.lines().collect()
}

#[library_benchmark]
fn code() {
    let text = String::new();
",
    "    ;
}

main!();
",
];

/// A fenced block of code.
#[derive(Debug, PartialEq)]
pub struct Block {
    /// The name of the document, as it can be in the name of a benchmark file.
    pub document: String,
    /// The word behind the opening backticks: `rust`, `toml`, `sh`; empty if there is none.
    pub language: String,
    /// The line of the opening backticks, counted from one.
    pub line: usize,
    /// The text between the backticks.
    pub code: String,
}

impl Block {
    /// The file that the first line of the code names in a comment.
    pub fn file(&self) -> Option<&str> {
        let first = self.code.lines().next()?;
        let comment = first
            .strip_prefix("// ")
            .or_else(|| first.strip_prefix("# "))?;
        let is_path = !comment.contains(' ') && comment.contains('.');
        is_path.then_some(comment)
    }
}

/// The code blocks of this checkout's `README.md`.
pub fn read() -> Result<Vec<Block>> {
    read_file("README.md", "readme")
}

/// The Rust code in the other documents, as benchmark files. Blocks that name a file are the
/// README's.
pub fn samples() -> Result<Vec<Block>> {
    let mut samples = Vec::new();
    for document in DOCUMENTS {
        let name = document.replace('-', "_");
        for mut block in read_file(&format!("docs/{document}.md"), &name)? {
            if block.language == "rust" && block.file().is_none() {
                block.code = as_file(block.code);
                samples.push(block);
            }
        }
    }
    Ok(samples)
}

/// The code blocks of all chapters of the book, with the file of each.
pub fn chapters() -> Result<Vec<(String, Block)>> {
    let mut chapters = Vec::new();
    for name in names()? {
        let path = format!("docs/{name}.md");
        let blocks = read_file(&path, &name)?.into_iter();
        chapters.extend(blocks.map(|block| (path.clone(), block)));
    }
    Ok(chapters)
}

/// The files in `docs`, without the ends of their names.
fn names() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(workspace_root().join("docs"))? {
        let file = entry?.file_name().to_string_lossy().into_owned();
        names.extend(file.strip_suffix(".md").map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

/// Documents whose code no test compiles, of those in `docs`.
pub fn documents_not_compiled() -> Result<Vec<String>> {
    let mut names = names()?;
    names.retain(|name| !DOCUMENTS.contains(&name.as_str()));
    let mut not_compiled = Vec::new();
    for name in names {
        let blocks = read_file(&format!("docs/{name}.md"), &name)?;
        if blocks.iter().any(|block| block.language == "rust") {
            not_compiled.push(name);
        }
    }
    Ok(not_compiled)
}

fn as_file(code: String) -> String {
    let [before, after] = AROUND;
    match code.contains("main!") {
        true => code,
        false => format!("{before}{code}{after}"),
    }
}

pub(crate) fn read_file(path: &str, document: &str) -> Result<Vec<Block>> {
    let path = workspace_root().join(path);
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    Ok(blocks(&text, document))
}

/// All fenced blocks, in order.
pub fn blocks(markdown: &str, document: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in markdown.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(language), None) => {
                open = Some(Block {
                    document: document.to_owned(),
                    language: language.trim().to_owned(),
                    line: index + 1,
                    code: String::new(),
                });
            }
            (None, Some(block)) => {
                block.code.push_str(line);
                block.code.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_knows_its_language_its_line_and_its_file() {
        let markdown = "text\n\n```toml\n# Cargo.toml\n[lib]\n```\n```\nplain\n```\n";
        let [manifest, plain] = &blocks(markdown, "readme")[..] else {
            panic!("two blocks")
        };
        assert_eq!((manifest.language.as_str(), manifest.line), ("toml", 3));
        assert_eq!(manifest.code, "# Cargo.toml\n[lib]\n");
        assert_eq!(manifest.file(), Some("Cargo.toml"));
        assert_eq!((plain.language.as_str(), plain.file()), ("", None));
    }

    #[test]
    fn an_ordinary_comment_is_not_a_file() {
        let [block] = &blocks("```rust\n// Sorts. Fast.\n```\n", "tools")[..] else {
            panic!("one block")
        };
        assert_eq!(block.file(), None);
    }
}
