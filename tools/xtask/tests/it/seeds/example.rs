//! An example and what surrounds it: text of a document in, a file that can be compiled out.

use std::path::{Path, PathBuf};

use lab::readme::Block;

use super::around::Surroundings;

/// An example as a file of the crate.
#[derive(Debug)]
pub(crate) struct Example {
    /// Name of the target.
    pub name: String,
    pub kind: Kind,
    /// The file, in which each line has the number that it has in the document.
    pub code: String,
    /// The block as it stands in the document.
    pub block: String,
    document: String,
    line: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Runs in the test mode.
    Benchmark,
    /// Program with a `main` of its own, which gets the name of a file.
    Program,
}

/// In front of every example, in one line: the lines keep their numbers.
const BEFORE: &str = "#![allow(warnings)] use iai_callgrind::*; use example::*; ";

/// The group that examples name without making it.
const SOME_GROUP: &str = "
#[library_benchmark]
fn __some_function() {}
library_benchmark_group!(name = some_group; benchmarks = __some_function);
";

impl Example {
    pub(crate) fn new(block: &Block) -> Self {
        let short = block.document.split('_').next().unwrap();
        let around = Surroundings::of(block);
        let filled = around.fill(without_marks(&block.code));
        let lines = "\n".repeat(block.line);
        let Surroundings { before, after, .. } = around;
        let code = format!("{BEFORE}{before}{lines}{filled}{after}");
        let code = format!("{code}{}", end(&code));
        Self {
            name: format!("seed_{short}_line_{}", block.line),
            kind: match calls(&code, "main!(") {
                true => Kind::Benchmark,
                false => Kind::Program,
            },
            code,
            block: block.code.clone(),
            document: block.document.clone(),
            line: block.line,
        }
    }

    /// The document and the line in which the block begins.
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", self.document, self.line)
    }

    /// Is it the block of this document that has this line?
    pub(crate) fn has(&self, document: &str, line: &str) -> bool {
        self.document.starts_with(document) && has_line(&self.block, line)
    }

    pub(crate) fn file(&self) -> PathBuf {
        let folder = match self.kind {
            Kind::Benchmark => "benches",
            Kind::Program => "examples",
        };
        Path::new(folder).join(&self.name).with_extension("rs")
    }
}

/// Has the block this line, however far it is indented?
pub(crate) fn has_line(block: &str, line: &str) -> bool {
    block.lines().any(|of_block| of_block.trim() == line)
}

/// Lines that a guide compiles without showing them begin with `# `. The `main` around `main!` is
/// there for those who compile the guide: readers do not see it, and benchmarks would not run in
/// it.
fn without_marks(code: &str) -> String {
    let lines = code.lines().map(|line| match line {
        "# fn main() {" | "# }" | "#" => "",
        _ => line.strip_prefix("# ").unwrap_or(line),
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Code that a file needs at its end to run its benchmarks.
fn end(code: &str) -> String {
    let mut end = String::new();
    if code.contains("some_group") && !code.contains("name = some_group;") {
        end.push_str(SOME_GROUP);
    }
    if calls(code, "main!(") || code.contains("fn main()") {
        return end;
    }
    let name = |kind| {
        let (_, group) = code.split_once(&format!("{kind}_benchmark_group!("))?;
        group.split_once("name = ")?.1.split([';', ',']).next()
    };
    for kind in ["library", "binary"] {
        if let Some(name) = name(kind) {
            return end + &format!("main!({kind}_benchmark_groups = {name});\n");
        }
    }
    let has_benchmarks =
        code.contains("#[library_benchmark") || code.contains("#[binary_benchmark");
    end + match has_benchmarks {
        true => "main!();\n",
        false => "fn main() {}\n",
    }
}

/// Is there a line that begins with this text? Comments speak of `main!` as well.
fn calls(code: &str, text: &str) -> bool {
    code.lines().any(|line| line.starts_with(text))
}
