//! Were two results made by the same code under the same circumstances? Then what differs between
//! them is not the code.

use super::Comparison;
use crate::metrics::Value;
use crate::summary::{Environment, Mode};

/// Is nothing known that could make counts differ? Without an old record, or the fingerprint of what ran, there is
/// no saying.
pub(crate) fn is_same(old: Option<&(Mode, Environment)>, new: (Mode, &Environment)) -> bool {
    let is_known = new.1.fingerprint.is_some();
    is_known && old.is_some_and(|(mode, environment)| (*mode, environment) == new)
}

/// A count that is not the same on both sides.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    /// The label on the terminal.
    pub(crate) label: String,
    /// The left side.
    pub(crate) new: Option<Value>,
    /// The right side.
    pub(crate) old: Option<Value>,
}

impl Comparison {
    /// The counts that differ, without those that follow from others and without times, which
    /// always do.
    pub(crate) fn changes(&self) -> Vec<Change> {
        let known = self.rows.iter();
        let known = known
            .filter(|row| !row.kind.is_derived() && !row.kind.is_time())
            .map(|row| Change {
                label: row.kind.label().to_owned(),
                new: row.new,
                old: row.old,
            });
        let unknown = self.unknown.iter().map(|row| Change {
            label: row.name.clone(),
            new: row.new.map(Value::Int),
            old: row.old.map(Value::Int),
        });
        let differs = |change: &Change| match (change.new, change.old) {
            (Some(new), Some(old)) => !new.equals(old),
            (new, old) => new.is_some() != old.is_some(),
        };
        known.chain(unknown).filter(differs).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::compare;
    use super::*;
    use crate::metrics::Metrics;
    use crate::tool::Tool;

    fn environment(fingerprint: Option<&str>) -> Environment {
        Environment {
            valgrind_version: Some("3.24.0".to_owned()),
            valgrind_args: vec!["--cache-sim=yes".to_owned()],
            fingerprint: fingerprint.map(str::to_owned),
            ..Environment::default()
        }
    }

    #[test]
    fn everything_that_is_known_has_to_be_equal() {
        let same = |old: &Environment, mode, new: &Environment| {
            is_same(Some(&(Mode::Fork, old.clone())), (mode, new))
        };
        let one = environment(Some("1"));
        assert!(same(&one, Mode::Fork, &one));
        assert!(!same(&one, Mode::Direct, &one));
        assert!(!same(&one, Mode::Fork, &environment(Some("2"))));
        assert!(!same(&environment(None), Mode::Fork, &environment(None)));
        let other_valgrind = Environment {
            valgrind_version: Some("3.19.0".to_owned()),
            ..one.clone()
        };
        assert!(!same(&one, Mode::Fork, &other_valgrind));
        let other_args = Environment {
            valgrind_args: Vec::new(),
            ..one.clone()
        };
        assert!(!same(&one, Mode::Fork, &other_args));
    }

    #[test]
    fn counts_differ_but_what_follows_from_them_and_times_do_not() {
        let metrics = |ir, time, own| {
            let counters = [("Ir", ir), ("Dr", 5), ("sysTime", time), ("own", own)];
            Metrics::from_counters(Tool::Callgrind, counters).unwrap()
        };
        let labels = |new: &Metrics, old: &Metrics| -> Vec<String> {
            let changes = compare(new, Some(old)).changes();
            changes.into_iter().map(|change| change.label).collect()
        };
        let one = metrics(1, 2, 3);
        assert_eq!(labels(&one, &one), [""; 0]);
        assert_eq!(labels(&metrics(1, 9, 3), &one), [""; 0]);
        assert_eq!(labels(&metrics(2, 2, 4), &one), ["Instructions", "own"]);
    }
}
