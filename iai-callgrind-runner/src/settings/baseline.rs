//! The slot that a run writes, and the slot that it compares with.
//!
//! | options | new | old | written |
//! | --- | --- | --- | --- |
//! | none | the run | the last run | the last run; the one before becomes `.old` |
//! | `--baseline=B` | the run | `B` | as without |
//! | `--save-baseline=S` | the run | `S` before | `S` |
//! | `--save-baseline=S --baseline=B` | the run | `B` | `S` |
//! | `--load-baseline=L --baseline=B` | `L` | `B` | nothing |
//!
//! `--baseline-lenient=B` chooses the same slots as `--baseline=B`.

use cli::BaselineOptions;
use records::layout::Slot;
use records::summary::Baselines;

/// The slots of the new and of the old result, and whether anything runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Baseline {
    /// Slot that the new result goes to, or comes from if nothing runs.
    pub write: Slot,
    /// Slot of the result to compare with.
    pub compare: Slot,
    /// Do benchmarks run? Else the new result is a kept one, and none is written.
    pub run: bool,
    /// Is something that is missing an error, such as the result to compare with?
    pub strict: bool,
    /// Does a bench file run that has no result at all to compare with?
    pub lenient: bool,
}

impl Baseline {
    pub(crate) fn new(options: &BaselineOptions, strict: bool) -> Self {
        let named = |name: &Option<String>| name.clone().map(Slot::Named);
        let new = named(&options.load_baseline).or_else(|| named(&options.save_baseline));
        let write = new.unwrap_or(Slot::Last);
        Self {
            // `--save-baseline` alone compares with the content of the baseline before.
            compare: named(&options.baseline)
                .or_else(|| named(&options.baseline_lenient))
                .unwrap_or_else(|| write.clone()),
            write,
            run: options.load_baseline.is_none(),
            strict,
            lenient: options.baseline_lenient.is_some(),
        }
    }

    /// The baselines of which a bench file needs at least one result: a name without any is a
    /// mistake.
    pub(crate) fn needed(&self) -> Vec<&str> {
        let loaded = self.write.name().filter(|_| !self.run);
        let compared = self.expected().filter(|_| !self.lenient);
        let mut needed: Vec<&str> = loaded.into_iter().chain(compared).collect();
        needed.dedup();
        needed
    }

    /// The baseline that has to have results to compare with. `None`: a first result has none.
    fn expected(&self) -> Option<&str> {
        let name = self.compare.name()?;
        (self.write != self.compare || !self.run).then_some(name)
    }

    /// Names of the compared results for people: a slot that the run replaces is called old.
    pub(crate) fn titles(&self) -> Baselines {
        let Baselines { new, old } = self.names();
        let is_replaced = self.run && self.write == self.compare;
        let old = old.map(|name| match is_replaced {
            true => format!("{name} (old)"),
            false => name,
        });
        Baselines { new, old }
    }

    /// Names of the compared results for programs.
    pub(crate) fn names(&self) -> Baselines {
        let name = |slot: &Slot| slot.name().map(str::to_owned);
        Baselines {
            new: name(&self.write),
            old: name(&self.compare),
        }
    }

    /// Message for a missing result to compare with. `None`: a first result has none.
    pub(crate) fn missing(&self) -> Option<String> {
        let name = self.expected()?;
        Some(format!(
            "the baseline `{name}` has no result to compare with\n  \
             hint: `cargo bench -- --save-baseline={name}` makes one"
        ))
    }
}
