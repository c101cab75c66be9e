//! Text around single examples, and in their gaps.

use lab::readme::Block;

use super::example::{has_line, Example};

/// Code that one block needs besides the names of the library and of the user's library.
pub(crate) struct Surroundings {
    /// Begin of the document's name.
    document: &'static str,
    /// Line of this block and of no other of the document.
    line: &'static str,
    pub(crate) before: &'static str,
    /// Texts that stand for something: the ellipses, and a path outside of the crate.
    gaps: &'static [(&'static str, &'static str)],
    pub(crate) after: &'static str,
}

const NOTHING: Surroundings = Surroundings {
    document: "",
    line: "",
    before: "",
    gaps: &[],
    after: "",
};

const SURROUNDINGS: &[Surroundings] = &[
    Surroundings {
        document: "000",
        line:
            "config = LibraryBenchmarkConfig::default().raw_callgrind_args([\"--cache-sim=no\"]);",
        gaps: &[("= /* ... */", "= some_group")],
        ..NOTHING
    },
    Surroundings {
        document: "000",
        line: "// benchmark something",
        gaps: &[("// benchmark something", "value")],
        ..NOTHING
    },
    Surroundings {
        document: "000",
        line: "use iai_callgrind::{main, LibraryBenchmarkConfig};",
        gaps: &[("= /* ... */", "= some_group")],
        ..NOTHING
    },
    Surroundings {
        document: "000",
        line: "use iai_callgrind::{library_benchmark_group, LibraryBenchmarkConfig};",
        before: "#[library_benchmark] fn some_function() {} ",
        gaps: &[("= /* ... */", "= some_function")],
        ..NOTHING
    },
    Surroundings {
        document: "000",
        line: "#[library_benchmark(config = LibraryBenchmarkConfig::default())]",
        gaps: &[("/* ... */", "fn some_function() {}")],
        ..NOTHING
    },
    Surroundings {
        document: "000",
        line: "#[bench::some_id(args = (1, 2), config = LibraryBenchmarkConfig::default())]",
        gaps: &[("/* ... */", "fn some_function(_: u64, _: u64) {}")],
        ..NOTHING
    },
    Surroundings {
        document: "000",
        line: "Tool::new(ValgrindTool::Memcheck).args([\"--error-exitcode=0\"]);",
        before: "fn main() {",
        after: "}",
        ..NOTHING
    },
    Surroundings {
        document: "001",
        line: "library_benchmark_groups = ...",
        gaps: &[("= ...", "= some_group")],
        ..NOTHING
    },
    Surroundings {
        document: "001",
        line: "#[library_benchmark(config = LibraryBenchmarkConfig::default())]",
        gaps: &[("...", "fn some_function() {}")],
        ..NOTHING
    },
    Surroundings {
        document: "004",
        line: "/// Create a file `/tmp/foo.txt` with some content",
        gaps: &[(
            "PathBuf::from(\"/tmp/foo.txt\")",
            "PathBuf::from(\"foo.txt\")",
        )],
        ..NOTHING
    },
];

impl Surroundings {
    pub(crate) fn of(block: &Block) -> &'static Self {
        let of_block =
            |it: &&Self| block.document.starts_with(it.document) && has_line(&block.code, it.line);
        SURROUNDINGS.iter().find(of_block).unwrap_or(&NOTHING)
    }

    pub(crate) fn fill(&self, code: String) -> String {
        self.gaps
            .iter()
            .fold(code, |code, (gap, with)| code.replace(gap, with))
    }
}

/// Surroundings that are not those of exactly one example, or fill nothing.
pub(crate) fn unused(examples: &[Example]) -> Vec<String> {
    let mut unused = Vec::new();
    for surroundings in SURROUNDINGS {
        let Surroundings {
            document,
            line,
            gaps,
            ..
        } = surroundings;
        let found: Vec<_> = examples
            .iter()
            .filter(|it| it.has(document, line))
            .collect();
        let [example] = found[..] else {
            unused.push(format!(
                "{} blocks of `{document}` have the line `{line}`",
                found.len()
            ));
            continue;
        };
        for (gap, _) in *gaps {
            if !example.block.contains(gap) {
                unused.push(format!("{}: there is no `{gap}`", example.place()));
            }
        }
    }
    unused
}
