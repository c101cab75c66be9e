//! Every sample of the documents compiles, and what it benchmarks runs.
#![cfg(feature = "benchmark")]

use std::fs;
use std::path::{Path, PathBuf};

/// Files with complete samples, from the root of the repository. The README has a test of its own.
const DOCUMENTS: [&str; 3] = [
    "docs/binary-benchmarks.md",
    "docs/library-benchmarks.md",
    "docs/tools.md",
];

#[test]
fn samples() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents");
    fs::create_dir_all(&folder).unwrap();
    let cases = trybuild::TestCases::new();
    let mut count = 0;
    for document in DOCUMENTS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("..")
            .join(document);
        // A package of the library alone has no documents beside it.
        let Ok(text) = fs::read_to_string(path) else {
            return;
        };
        for (line, sample) in samples_of(&text) {
            let path = file(&folder, document, line);
            fs::write(&path, sample).unwrap();
            cases.pass(path);
            count += 1;
        }
    }
    assert!(count >= 4, "only {count} samples were found");
}

/// The blocks of Rust, with their lines.
fn samples_of(text: &str) -> Vec<(usize, String)> {
    let mut samples = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if line == "```rust" {
            let block: Vec<&str> = lines
                .by_ref()
                .map(|(_, line)| line)
                .take_while(|line| *line != "```")
                .collect();
            samples.push((number + 2, block.join("\n") + "\n"));
        }
    }
    samples
}

fn file(folder: &Path, document: &str, line: usize) -> PathBuf {
    let name: String = document
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    folder.join(format!("{name}_line_{line}.rs"))
}
