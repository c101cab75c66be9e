//! Writes a large Callgrind profile whose figures are known.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};

/// Events that Callgrind counts with its cache simulation.
const EVENTS: &str = "Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw";

/// Lines of costs in each function.
const LINES: u64 = 60;

/// Size and figures of a profile.
#[derive(Debug, Clone, Copy)]
pub(super) struct Profile {
    /// Size in bytes, about.
    pub(super) size: u64,
    /// Every seventh function executes so many instructions more.
    pub(super) more: u64,
}

impl Profile {
    /// Writes it: function `n` calls the functions `2n + 1` and `2n + 2` once, and each has 60
    /// lines of costs. Returns the total of instructions.
    pub(super) fn write(self, path: &Path) -> Result<u64> {
        let context = || format!("cannot write `{}`", path.display());
        let mut body = String::new();
        let mut costs = 0;
        for line in 0..LINES {
            let instructions = 1_000 + 37 * line;
            writeln!(body, "{} {instructions} {line} 17 0 1", 100 + line)?;
            costs += instructions;
        }
        // Calls are about as long as two of them are here.
        let length = function(1 << 20, 0, &body, &[costs, costs]).len() as u64;
        let functions = self.size.div_ceil(length) as usize;
        let more = |number: usize| if number % 7 == 0 { self.more } else { 0 };
        let mut inclusive: Vec<u64> = (0..functions).map(|number| costs + more(number)).collect();
        for number in (1..functions).rev() {
            inclusive[(number - 1) / 2] += inclusive[number];
        }
        let total = inclusive[0];

        let file = File::create(path).with_context(context)?;
        let mut file = BufWriter::with_capacity(1 << 20, file);
        write!(
            file,
            "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 1\ncmd:  large\npart: 1\n\n\n\
             desc: I1 cache: 32768 B, 64 B, 8-way associative\n\n\
             desc: Timerange: Basic block 0 - 1\ndesc: Trigger: Program termination\n\n\
             positions: line\nevents: {EVENTS}\nsummary: {total} {}\n\n\n",
            rest(functions as u64)
        )
        .with_context(context)?;
        for number in 0..functions {
            let end = functions.min(2 * number + 3);
            let below = inclusive.get(2 * number + 1..end).unwrap_or_default();
            let text = function(number, more(number), &body, below);
            file.write_all(text.as_bytes()).with_context(context)?;
        }
        writeln!(file, "totals: {total} {}", rest(functions as u64)).with_context(context)?;
        file.into_inner()
            .map_err(|error| error.into_error())
            .with_context(context)?;
        Ok(total)
    }
}

/// A function with the costs of its calls.
fn function(number: usize, more: u64, body: &str, below: &[u64]) -> String {
    let name = name(number);
    let mut text = format!("fl=/build/src/file_{}.rs\nfn={name}\n{body}", number / 40);
    if more > 0 {
        let _ = writeln!(text, "160 {more}");
    }
    for (call, cost) in below.iter().enumerate() {
        let callee = 2 * number + 1 + call;
        let file = callee / 40;
        let callee = self::name(callee);
        let _ = writeln!(
            text,
            "cfi=/build/src/file_{file}.rs\ncfn={callee}\ncalls=1 100\n159 {cost}"
        );
    }
    text.push('\n');
    text
}

fn name(number: usize) -> String {
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
