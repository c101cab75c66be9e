//! Files of accepted counts: read, changed, merged.

mod conflicts;
mod lines;
mod reading;

use std::collections::BTreeMap;

use super::{parse, AcceptedBenchmark, AcceptedCount, AcceptedDocument, AcceptedName};
use base::tool::Tool;
use records::summary::Number;

/// The example of the documentation.
const EXAMPLE: &str = r##"# Accepted counts of iai-callgrind: a change here is an accepted change of performance.
version = 1

["x86_64-unknown-linux-gnu"]                     # where they were measured; only for snapshot mode
rustc = "1.95.0"
libc = "glibc 2.36"
cpu = "avx2"

["x86_64-unknown-linux-gnu".exp1]
"app::g::json_write::n_0" = { Ir = 16387, own = 13762, reason = "needs a Vec, #123" }
# Its loop is unrolled now.
"app::g::memchr_lines::n_0" = { Ir = 2882, dhat.TotalBytes = 4096 }

["x86_64-unknown-linux-gnu softfloat".exp1]
"app::g::json_write::n_0" = { Ir = 99, own = 9 } # only here
"##;

/// Valid TOML in other shapes than the one that we write.
const OTHER_SHAPES: &str = r#"version = 1
"x86_64-unknown-linux-gnu fast".exp1."a".Ir = 1 # dotted
"x86_64-unknown-linux-gnu short" = { exp1 = { "a" = { Ir = 1 } # one
  , "b" = { Ir = 2 } # two
} }

["x86_64-unknown-linux-gnu"]
exp2."a" = { Ir = 2 } # in its place

# about a
["x86_64-unknown-linux-gnu".exp1."app::g::a"]
# its count
Ir = 3
dhat = { TotalBytes = 5 }

["x86_64-unknown-linux-gnu".exp1]
# about b
"app::g::b" = { Ir = 4,
  own = 1 } # two lines
# end
"#;

/// All benchmarks of a file, and a new one in each table, with seven instructions.
fn with_seven(document: &AcceptedDocument) -> BTreeMap<AcceptedName, AcceptedBenchmark> {
    let old = document.counts().benchmarks.keys().cloned();
    let all = old.flat_map(|name| {
        let path = "app::g::new".to_owned();
        [
            AcceptedName {
                path,
                ..name.clone()
            },
            name,
        ]
    });
    all.map(|name| (name, ir(7, None))).collect()
}

fn name(label: Option<&str>, package: &str, path: &str) -> AcceptedName {
    AcceptedName::new(Some("x86_64-unknown-linux-gnu"), label, package, path)
}

fn ir(count: u64, own: Option<u64>) -> AcceptedBenchmark {
    let mut benchmark = AcceptedBenchmark {
        own,
        ..AcceptedBenchmark::default()
    };
    benchmark.set(AcceptedCount {
        tool: Tool::Callgrind,
        kind: "Ir".to_owned(),
        count: Number::Count(count),
    });
    benchmark
}
