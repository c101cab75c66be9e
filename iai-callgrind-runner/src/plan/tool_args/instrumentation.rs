//! When Callgrind begins to look at a process, which costs time whether something counts or not.

/// Time in which Callgrind looks at a process. Code runs about ten times faster while it does not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Instrumentation {
    /// The whole process.
    #[default]
    Process,
    /// The benchmark function: `fast_setup`. Simulated caches are empty when it begins.
    Function,
    /// Either of them, whichever is faster: no figure depends on it. The whole process, until it is
    /// known what the setup costs.
    Faster,
}

impl Instrumentation {
    /// Argument for Callgrind. The executable switches it on.
    pub(super) fn argument(self) -> Option<String> {
        (self == Self::Function).then(|| format!("{ATSTART}=no"))
    }
}

/// Option of Callgrind: does it look at the process from the start?
const ATSTART: &str = "--instr-atstart";

/// Options with which a count depends on code that ran before, with their value.
const SIMULATIONS: [&str; 2] = ["--cache-sim=yes", "--branch-sim=yes"];

/// Facts that decide when Callgrind looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct InstrumentationFacts<'a> {
    /// `fast_setup`, if it is configured.
    pub(super) wanted: Option<bool>,
    /// All arguments of Callgrind.
    pub(super) words: &'a [String],
    /// Does the executable tell Callgrind when the benchmark function begins?
    pub(super) is_told: bool,
    /// Does nothing but the benchmark function count, in its thread?
    pub(super) counts_only_the_function: bool,
}

/// The time in which Callgrind instruments, or the reason why the requested one is impossible.
///
/// If neither caches nor branches are simulated, no figure depends on it, and the faster one is the
/// default.
pub(super) fn choose(facts: InstrumentationFacts<'_>) -> Result<Instrumentation, &'static str> {
    let simulates = || {
        let mut words = facts.words.iter();
        words.any(|word| SIMULATIONS.contains(&word.as_str()))
    };
    let given = || {
        let mut words = facts.words.iter();
        words.any(|word| word.split('=').next() == Some(ATSTART))
    };
    let impossible = if given() {
        Some("the argument `--instr-atstart` says when Callgrind begins to look")
    } else if !facts.is_told {
        Some("programs do not tell when their benchmark begins; it is for library benchmarks")
    } else if !facts.counts_only_the_function {
        Some("with another entry point or `count_threads` something else than the benchmark function counts")
    } else {
        None
    };
    // Only who asked for it is told why it is impossible; as a default it gives way in silence.
    match (facts.wanted, impossible) {
        (Some(true), Some(reason)) => Err(reason),
        (Some(false), _) | (None, Some(_)) => Ok(Instrumentation::Process),
        (Some(true), None) => Ok(Instrumentation::Function),
        // Caches would be empty when the function begins, and other misses than before would be
        // counted.
        (None, None) if simulates() => Ok(Instrumentation::Process),
        (None, None) => Ok(Instrumentation::Faster),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSSIBLE: InstrumentationFacts<'_> = InstrumentationFacts {
        wanted: None,
        words: &[],
        is_told: true,
        counts_only_the_function: true,
    };

    #[track_caller]
    fn check(facts: InstrumentationFacts<'_>, words: &[&str], expected: Option<Instrumentation>) {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let words = words.as_slice();
        assert_eq!(
            choose(InstrumentationFacts { words, ..facts }).ok(),
            expected
        );
    }

    #[test]
    fn without_simulation_the_faster_one_is_the_default() {
        use Instrumentation::{Faster, Function, Process};
        let simulating = ["--tool=callgrind", "--cache-sim=yes"];
        let plain = ["--tool=callgrind", "--cache-sim=no"];
        let wanted = |wanted| InstrumentationFacts { wanted, ..POSSIBLE };
        check(wanted(None), &plain, Some(Faster));
        check(wanted(None), &simulating, Some(Process));
        check(
            wanted(None),
            &["--cache-sim=no", "--branch-sim=yes"],
            Some(Process),
        );
        check(wanted(Some(true)), &simulating, Some(Function));
        check(wanted(Some(false)), &plain, Some(Process));
    }

    #[test]
    fn it_is_refused_where_something_else_counts() {
        let own_argument = ["--instr-atstart=yes"];
        let of_program = InstrumentationFacts {
            is_told: false,
            ..POSSIBLE
        };
        let of_threads = InstrumentationFacts {
            counts_only_the_function: false,
            ..POSSIBLE
        };
        for (facts, words) in [
            (POSSIBLE, &own_argument[..]),
            (of_program, &[]),
            (of_threads, &[]),
        ] {
            check(facts, words, Some(Instrumentation::Process));
            let wanted = Some(true);
            check(InstrumentationFacts { wanted, ..facts }, words, None);
        }
    }
}
