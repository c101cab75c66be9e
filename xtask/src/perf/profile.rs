//! Writes a large Callgrind profile whose totals are known.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};

/// What Callgrind counts with its cache simulation.
const EVENTS: &str = "Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw";

/// Lines of costs in each function.
const LINES: u64 = 60;

/// Writes a profile of about `size` bytes: function `n` calls function `n + 1` once, and each has
/// 60 lines of costs. Returns the total of instructions.
pub(super) fn write(path: &Path, size: u64) -> Result<u64> {
    let context = || format!("cannot write `{}`", path.display());
    let mut body = String::new();
    let mut costs = 0;
    for line in 0..LINES {
        let instructions = 1_000 + 37 * line;
        writeln!(body, "{} {instructions} {line} 17 0 1", 100 + line)?;
        costs += instructions;
    }
    let length = function(size / LINES, size / LINES, costs, &body).len() as u64;
    let functions = size.div_ceil(length);
    let total = functions * costs;

    let file = File::create(path).with_context(context)?;
    let mut file = BufWriter::with_capacity(1 << 20, file);
    write!(
        file,
        "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 1\ncmd:  large\npart: 1\n\n\n\
         desc: I1 cache: 32768 B, 64 B, 8-way associative\n\n\
         desc: Timerange: Basic block 0 - 1\ndesc: Trigger: Program termination\n\n\
         positions: line\nevents: {EVENTS}\nsummary: {total} {}\n\n\n",
        rest(functions)
    )
    .with_context(context)?;
    for number in 0..functions {
        let text = function(number, functions - number - 1, costs, &body);
        file.write_all(text.as_bytes()).with_context(context)?;
    }
    writeln!(file, "totals: {total} {}", rest(functions)).with_context(context)?;
    file.into_inner()
        .map_err(|error| error.into_error())
        .with_context(context)?;
    Ok(total)
}

/// A function that `below` functions are called from, in the end.
fn function(number: u64, below: u64, costs: u64, body: &str) -> String {
    let name = name(number);
    let mut text = format!("fl=/build/src/file_{}.rs\nfn={name}\n{body}", number / 40);
    if below > 0 {
        let callee = self::name(number + 1);
        let _ = writeln!(text, "cfn={callee}\ncalls=1 100\n159 {}", below * costs);
    }
    text.push('\n');
    text
}

fn name(number: u64) -> String {
    format!(
        "<core::module_{}::Node<K, V> as visit::Visit<'_>>::step_{number}",
        number % 97
    )
}

/// The totals of the other events, as each body has them.
fn rest(functions: u64) -> String {
    let reads: u64 = (0..LINES).sum();
    let lines = LINES * functions;
    format!("{} {} 0 {lines}", reads * functions, 17 * lines)
}
