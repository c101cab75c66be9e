//! Which results a run writes, and with which it compares them.
//!
//! | options | new | old | written |
//! | --- | --- | --- | --- |
//! | none | the run | the last run | the last run; the one before becomes `.old` |
//! | `--baseline=B` | the run | `B` | as without |
//! | `--save-baseline=S` | the run | `S` before | `S` |
//! | `--save-baseline=S --baseline=B` | the run | `B` | `S` |
//! | `--load-baseline=L --baseline=B` | `L` | `B` | nothing |

use crate::cli::BaselineOptions;
use crate::compare::Baselines;
use crate::store::Slot;

/// What is written, what it is compared with, and whether anything runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Baseline {
    /// Where the new result goes, or comes from if nothing runs.
    pub write: Slot,
    /// What it is compared with.
    pub compare: Slot,
    /// Benchmarks run. Else the new result is an old one, and none is written.
    pub run: bool,
    /// Something that is missing, such as the result to compare with, is an error.
    pub strict: bool,
}

impl Baseline {
    /// What the command line says.
    pub(crate) fn new(options: &BaselineOptions, strict: bool) -> Self {
        let named = |name: &Option<String>| name.clone().map(Slot::Named);
        let new = named(&options.load_baseline).or_else(|| named(&options.save_baseline));
        let write = new.unwrap_or(Slot::Last);
        Self {
            // A baseline that is saved shows what changes in it.
            compare: named(&options.baseline).unwrap_or_else(|| write.clone()),
            write,
            run: options.load_baseline.is_none(),
            strict,
        }
    }

    /// For people: what is replaced is called old.
    pub(crate) fn titles(&self) -> Baselines {
        let (new, old) = self.names();
        match old {
            Some(name) if self.run && self.write == self.compare => {
                (new, Some(format!("{name} (old)")))
            }
            old => (new, old),
        }
    }

    /// For programs.
    pub(crate) fn names(&self) -> Baselines {
        let name = |slot: &Slot| slot.name().map(str::to_owned);
        (name(&self.write), name(&self.compare))
    }

    /// What to say if there is nothing to compare with, unless that is how it begins.
    pub(crate) fn missing(&self) -> Option<String> {
        let name = self.compare.name()?;
        (self.write != self.compare || !self.run).then(|| {
            format!(
                "the baseline `{name}` has no result to compare with\n  \
                 hint: `cargo bench -- --save-baseline={name}` makes one"
            )
        })
    }
}
