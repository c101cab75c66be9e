//! Files of accepted counts: read, changed, merged.

mod conflicts;
mod lines;
mod reading;

use super::{parse, AcceptedBenchmark, AcceptedCount, AcceptedDocument, AcceptedName};
use crate::summary::Number;
use crate::tool::Tool;

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
