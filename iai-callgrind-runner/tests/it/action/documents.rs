//! The code of `docs/ci.md`, and the workflow of the README: workflows are compared with the action
//! and parsed, shell code runs.

use std::fs;
use std::path::Path;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use yaml_rust2::{Yaml, YamlLoader};

/// A block of code.
pub(crate) struct Block {
    pub(crate) language: String,
    pub(crate) code: String,
}

impl Block {
    /// The name that the first line has in a comment.
    pub(crate) fn file(&self) -> &str {
        let first = self.code.lines().next().unwrap();
        first.strip_prefix("# ").unwrap_or_default()
    }

    pub(crate) fn yaml(&self) -> Yaml {
        YamlLoader::load_from_str(&self.code).unwrap().remove(0)
    }
}

fn page() -> String {
    text("docs/ci.md")
}

fn text(file: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    fs::read_to_string(file).unwrap()
}

/// The blocks of the page.
pub(crate) fn blocks() -> Vec<Block> {
    blocks_of(&page())
}

fn blocks_of(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                open = Some(Block {
                    language: language.into_string(),
                    code: String::new(),
                });
            }
            Event::Text(text) => {
                if let Some(block) = &mut open {
                    block.code.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}

/// The block whose first line names this file.
pub(crate) fn block(file: &str) -> Block {
    named(blocks(), file)
}

/// A script of `docs/many-machines.md`.
pub(crate) fn script_for_machines(file: &str) -> String {
    named(blocks_of(&text("docs/many-machines.md")), file).code
}

fn named(blocks: Vec<Block>, file: &str) -> Block {
    let mut all = blocks.into_iter();
    let found = all.find(|block| block.file() == file);
    found.unwrap_or_else(|| panic!("{file}"))
}

/// The blocks with workflows of GitHub, also that of the README.
pub(crate) fn workflows() -> Vec<Yaml> {
    let all = blocks().into_iter();
    let all = all.filter(|block| block.file().starts_with(".github/workflows/"));
    let readme = blocks_of(&text("README.md")).into_iter();
    let readme = readme.filter(|block| block.language == "yaml");
    all.chain(readme).map(|block| block.yaml()).collect()
}

/// All steps of a workflow.
pub(crate) fn steps(workflow: &Yaml) -> Vec<Yaml> {
    let jobs = workflow["jobs"].as_hash().unwrap().iter();
    jobs.flat_map(|(_, job)| job["steps"].as_vec().unwrap().clone())
        .collect()
}

/// The rows of the table whose head begins with this cell.
pub(crate) fn table(head: &str) -> Vec<Vec<String>> {
    let page = page();
    let lines = page
        .lines()
        .skip_while(|line| !line.starts_with(&format!("| {head} |")));
    let rows = lines.skip(2).take_while(|line| line.starts_with('|'));
    let cells = |row: &str| -> Vec<String> {
        let cells = row.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().to_owned()).collect()
    };
    let rows: Vec<_> = rows.map(cells).collect();
    assert!(!rows.is_empty(), "{head}");
    rows
}
