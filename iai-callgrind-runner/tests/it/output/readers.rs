//! Programs that read what the terminal shows, such as Bencher with its adapter
//! `rust_iai_callgrind`.
//!
//! Its documentation and the outputs that it is tested with describe its input: a line with a path
//! of three names is a benchmark, its metrics follow at once, each with its tool if that is named,
//! and every other line is skipped.

use std::fs;
use std::path::Path;

/// A benchmark and its metrics.
pub(crate) type Read = (String, Vec<(String, f64)>);

pub(crate) fn read(text: &str) -> Vec<Read> {
    let mut benchmarks: Vec<Read> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let metric = metric(line).filter(|_| open);
        if let (Some(metric), Some((_, metrics))) = (metric, benchmarks.last_mut()) {
            metrics.push(metric);
        } else if is_path(line) {
            benchmarks.push((line.to_owned(), Vec::new()));
            open = true;
        } else {
            open = open && is_tool(line);
        }
    }
    benchmarks.retain(|(_, metrics)| !metrics.is_empty());
    benchmarks
}

/// `file::group::function id:arguments`
fn is_path(line: &str) -> bool {
    let mut rest = line;
    for _ in 0..2 {
        match rest.find(':') {
            Some(end) if end > 0 && rest[end..].starts_with("::") => rest = &rest[end + 2..],
            _ => return false,
        }
    }
    !rest.is_empty()
}

/// `  ======= DHAT ====`
fn is_tool(line: &str) -> bool {
    const KNOWN: [&str; 6] = [
        "CALLGRIND",
        "CACHEGRIND",
        "DHAT",
        "MEMCHECK",
        "HELGRIND",
        "DRD",
    ];
    let name = line.trim_start().trim_matches('=');
    line.ends_with('=') && KNOWN.iter().any(|known| name == format!(" {known} "))
}

/// `  Instructions:   1365|915   (+49.1803%) [+1.49180x]`
fn metric(line: &str) -> Option<(String, f64)> {
    let (name, rest) = line.strip_prefix(' ')?.split_once(": ")?;
    let (new, rest) = rest.trim_start().split_once('|')?;
    let new = new.parse().ok()?;
    let (old, difference) = rest.split_once(' ')?;
    let difference = difference.trim_start();
    let is_known = match old {
        "N/A" => difference == "(*********)",
        old => {
            old.parse::<f64>().ok()?;
            difference == "(No change)" || is_difference(difference)
        }
    };
    is_known.then(|| (name.trim_start().to_owned(), new))
}

/// `(+49.1803%) [+1.49180x]`
fn is_difference(text: &str) -> bool {
    let is_signed = |text: &str, unit: char| {
        text == "+++inf+++"
            || text == "---inf---"
            || (text.starts_with(['+', '-'])
                && text
                    .strip_suffix(unit)
                    .is_some_and(|number| number.parse::<f64>().is_ok()))
    };
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(']'));
    inner
        .and_then(|text| text.split_once(") ["))
        .is_some_and(|(percent, factor)| is_signed(percent, '%') && is_signed(factor, 'x'))
}

/// The benchmarks that are read from an expected output, each with the number of its metrics and
/// its first one.
#[track_caller]
fn check(name: &str, expected: &[(&str, usize, &str, f64)]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/output");
    let text = fs::read_to_string(path.join(format!("{name}.txt"))).unwrap();
    let benchmarks = read(&text);
    let read: Vec<_> = benchmarks
        .iter()
        .map(|(name, metrics)| {
            let (first, value) = &metrics[0];
            (name.as_str(), metrics.len(), first.as_str(), *value)
        })
        .collect();
    assert_eq!(read, expected);
}

#[test]
fn the_usual_output_can_be_read() {
    let (a, b) = (
        "i_lib::cmp::bench_a first:setup(1)",
        "i_lib::cmp::bench_b first:setup(1)",
    );
    let instructions = "Instructions";
    check(
        "first_run",
        &[
            (a, 6, instructions, 915.0),
            (b, 6, instructions, 415.0),
            ("i_lib::misc::no_id", 6, instructions, 466.0),
        ],
    );
    check(
        "changes",
        &[
            (a, 6, instructions, 915.0),
            (a, 6, instructions, 915.0),
            (a, 6, instructions, 1365.0),
            (a, 6, instructions, 555.0),
        ],
    );
    check(
        "tools",
        &[(a, 18, instructions, 915.0), (b, 18, instructions, 415.0)],
    );
    check(
        "regressions",
        &[
            (a, 1, instructions, 1365.0),
            ("i_lib::misc::printing p", 1, instructions, 1626.0),
        ],
    );
    check("rates", &[(a, 8, "L1 Hit Rate", 99.0)]);
    check(
        "failed",
        &[(a, 1, instructions, 915.0), (a, 1, instructions, 915.0)],
    );
}
