//! Records of results: the format that is written, and records that are read back from files,
//! directories and stdin.
//!
//! **In**: JSON, one record after another, from any input ([`RecordReader`]) or from the place that
//! an argument names ([`ResultsPlace`]). **Out**: a [`RecordSet`] with the records of all bench
//! targets, packages and machines as they are. [`summary`] has the types of the format, [`layout`]
//! the names of files on disk. Nothing here judges a value.
//!
//! | subject | modules |
//! | --- | --- |
//! | bytes to records | `reader`, `fields`; `text` refuses other versions of the format |
//! | the format that is written | [`summary`] |
//! | names on disk | [`layout`] |
//! | records beside results that stay | `kept`, `kept_lines` |
//! | lines of `history.jsonl` | `point`, `point_marks` |
//! | lines with digests | `digest_line` |
//! | names alone, for completions | `names` |
//!
//! Inputs are read line by line, so their length does not matter. A damaged record is an error that
//! names input and line. One that is cut off is left out with a note, other objects without one.
//!
//! ```
//! use iai_callgrind_records::{RecordInput, RecordReader};
//!
//! let record = r#"{"type": "benchmark", "version": 1, "status": "ok",
//!     "benchmark": {"path": "app::g::f", "kind": "library", "package": "app", "file": "app",
//!         "group": "g", "function": "f"},
//!     "baselines": {}, "started_at": "2026-11-20T10:00:01.000Z", "duration_ns": 3,
//!     "profiles": [{"tool": "callgrind", "mode": "fork",
//!         "metrics": [{"kind": "Ir", "label": "Instructions", "shown": true, "new": 1365}],
//!         "parts": [], "regressions": [], "errors": [], "notes": [], "out_files": [],
//!         "log_files": [], "environment": {"valgrind_args": [], "caches": []}}],
//!     "failures": [], "comparisons": [], "directory": "app/app/g",
//!     "files": {"workspace": "/w", "package_dir": "/w", "bench_file": "/w/benches/app.rs",
//!         "executable": "/w/target/app", "home": "/w/target/iai"},
//!     "system": {"runner": "0.17.0", "cpu_features": []}}"#;
//! let mut reader = RecordReader::default();
//! let name = "summary.json".to_owned();
//! reader.read(RecordInput { name }, record.replace('\n', "").as_bytes())?;
//! let set = reader.finish();
//! let benchmark = &set.benchmarks[0];
//! assert_eq!(&*benchmark.identity.path, "app::g::f");
//! let (metric, value) = benchmark.tools[0].metrics[0];
//! assert_eq!((metric.label(), value.as_f64()), ("Instructions", 1365.0));
//! # Ok::<(), iai_callgrind_records::RecordError>(())
//! ```

#![cfg(unix)]

mod argument;
mod benchmark;
mod circumstances;
mod digest_line;
mod fields;
mod inputs;
mod interned;
mod kept;
mod kept_lines;
pub mod last_times;
pub mod layout;
mod measured_code;
mod names;
mod objects;
mod point;
mod point_marks;
mod project_home;
mod reader;
#[cfg(any(test, feature = "sample"))]
pub mod sample;
mod set;
pub mod summary;
#[cfg(test)]
mod tests;
mod text;
mod times;
pub mod timings;

pub use self::argument::{ResultsArgument, ResultsPlace};
pub use self::benchmark::{
    BenchTargetKey, BenchmarkIdentity, MeasuredFunction, RecordedBenchmark, RecordedFailure,
    RecordedRun, RecordedTool, UnmetInRecord,
};
pub use self::circumstances::{processor_class, Circumstances, Workspace, LACKS_BLOCKS};
pub use self::digest_line::{
    digest_lines, DigestLine, DigestLineError, DigestOwner, RecordedDigest, DIGEST_VERSION,
    LONGEST_DIGEST,
};
pub use self::inputs::other_input;
pub use self::kept::{KeptRecord, KeptRecords};
pub use self::kept_lines::{kept_label, label_words, MeasuredBenchmarks};
pub use self::measured_code::CodeMarks;
pub use self::measured_code::{is_same_code, mark_of_benchmark};
pub use self::names::{baseline_names, benchmark_names};
pub use self::objects::on_one_line;
pub use self::point::{
    metric_word, PointLine, PointMetricValues, PointSource, PointValues, POINT, POINT_VERSION,
};
pub use self::point::{PointMetrics, PointResult, RecordedPoint};
pub use self::point_marks::{PointMark, PointMarks};
pub use self::project_home::{OtherProjects, ProjectHome};
pub use self::reader::{RecordError, RecordReader};
pub use self::set::{RecordInput, RecordSet};
pub use self::text::{RecordText, ToolText};
pub use self::times::times;
