//! The measured functions of the executable, by the names at which Callgrind's count begins.
//!
//! Callgrind learns them when it starts, so that one server is good for all benchmarks of the plan. Each
//! name stands for itself and no other function: no nested one, no closure, no generic one that got one
//! of these.

use std::collections::HashSet;

use crate::plan::{Job, Plan};
use crate::symbols::{self, Copies, Copy};

/// Up to this size, in bytes, the names of all functions are given, whatever the filter selects: the order in
/// which Callgrind writes functions depends on its command line.
const FEW: usize = 64 * 1024;

/// The most that goes on one command line; Linux allows two million with the environment.
const MOST: usize = 1280 * 1024;

/// Those of the executable or, if they are many, of the functions in a plan.
#[derive(Debug)]
pub(super) struct MeasuredFunctions {
    /// As Valgrind writes them, each once: instances may differ in a hash only.
    names: Vec<Name>,
    /// The same as they stand in the symbol table.
    symbols: Vec<Name>,
    /// They are too many for one command line.
    too_many: bool,
}

/// The name of the measured copy of a benchmark function.
#[derive(Debug)]
struct Name {
    benchmark: String,
    text: String,
}

impl MeasuredFunctions {
    /// Reads the symbols of the executable. Where there are none, nothing is counted, and the benchmarks
    /// say why.
    pub(super) fn of(plan: &Plan) -> Self {
        let mut toggling = plan.jobs().filter(|job| job.args.toggles()).peekable();
        // A plan has one executable.
        let read = toggling
            .peek()
            .and_then(|job| symbols::copies(&job.target.program));
        let Copies { mut list, .. } = read.unwrap_or_default();
        if size(&list) > FEW {
            let functions: HashSet<&str> =
                toggling.map(|job| job.identity.function.as_str()).collect();
            list.retain(|copy| functions.contains(copy.benchmark.as_str()));
        }
        let too_many = size(&list) > MOST;
        let (mut names, mut symbols) = (Vec::new(), Vec::new());
        let mut known = HashSet::new();
        for copy in list {
            let Copy {
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

    /// The only benchmark function of which these names are, if that is not any one of the plan.
    pub(super) fn only<'a>(&self, job: &'a Job) -> Option<&'a str> {
        let is_alone = self.too_many && job.args.toggles();
        is_alone.then_some(job.identity.function.as_str())
    }
}

/// What the copies take on a command line, with the name of the argument.
fn size(copies: &[Copy]) -> usize {
    copies.iter().map(|copy| copy.symbol.len() + 32).sum()
}
