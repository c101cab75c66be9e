//! The measured functions of the executable, by the names at which Callgrind's count begins.
//!
//! Callgrind gets them on its command line, so that one server is good for all benchmarks of the
//! plan. Each name matches one function only: no nested function, no closure, and no generic
//! function that has one of these as its argument.

use std::collections::HashSet;

use crate::plan::{Job, Plan};
use symbols::symbol_table::{self, MeasuredCopies, MeasuredCopy};

/// Up to this size, in bytes, the names of all functions are given, whatever the filter selects:
/// the order in which Callgrind writes functions depends on its command line.
const FEW: usize = 64 * 1024;

/// Most bytes of names on one command line; Linux allows two million with the environment.
const MOST: usize = 1280 * 1024;

/// Measured functions of the executable or, if they are many, of the plan.
#[derive(Debug)]
pub(super) struct MeasuredFunctions {
    /// Names as Valgrind writes them, each once: instances may differ in a hash only.
    names: Vec<Name>,
    /// Names as the symbol table has them.
    symbols: Vec<Name>,
    /// All names together are too long for one command line.
    too_many: bool,
}

/// The name of the measured copy of a benchmark function.
#[derive(Debug)]
struct Name {
    benchmark: String,
    text: String,
}

impl MeasuredFunctions {
    /// Reads the symbols of the executable. Without symbols nothing is counted, and each benchmark
    /// fails with this reason.
    pub(super) fn of(plan: &Plan) -> Self {
        let mut toggling = plan.jobs().filter(|job| job.args.toggles()).peekable();
        // A plan has one executable.
        let read = toggling
            .peek()
            .and_then(|job| symbol_table::measured_copies(&job.target.program));
        let MeasuredCopies { mut list, .. } = read.unwrap_or_default();
        if size(&list) > FEW {
            let functions: HashSet<&str> = toggling.map(Job::measured_function).collect();
            list.retain(|copy| functions.contains(copy.benchmark.as_str()));
        }
        let too_many = size(&list) > MOST;
        let (mut names, mut symbols) = (Vec::new(), Vec::new());
        let mut known = HashSet::new();
        for copy in list {
            let MeasuredCopy {
                benchmark,
                symbol,
                name,
                ..
            } = copy;
            let named = |text| Name {
                benchmark: benchmark.clone(),
                text,
            };
            symbols.push(named(symbol));
            if known.insert(name.clone()) {
                names.push(named(name));
            }
        }
        Self {
            names,
            symbols,
            too_many,
        }
    }

    /// The names at which the count of a job may begin.
    pub(super) fn names<'a>(&'a self, job: &'a Job) -> impl Iterator<Item = &'a str> {
        let only = self.only(job);
        // With this argument Callgrind knows functions by the names of the symbol table.
        let mangled = job.args.words.iter().any(|word| word == "--demangle=no");
        let names = match mangled {
            true => &self.symbols,
            false => &self.names,
        };
        let names = names.iter();
        names
            .filter(move |name| only.is_none_or(|only| name.benchmark == only))
            .map(|name| name.text.as_str())
    }

    /// The benchmark function of a job, if the count may begin at no other one: if all names of the
    /// plan are too long together.
    pub(super) fn only<'a>(&self, job: &'a Job) -> Option<&'a str> {
        let is_alone = self.too_many && job.args.toggles();
        is_alone.then(|| job.measured_function())
    }
}

/// Size of the copies' names on a command line, with the name of the argument.
fn size(copies: &[MeasuredCopy]) -> usize {
    copies.iter().map(|copy| copy.symbol.len() + 32).sum()
}
