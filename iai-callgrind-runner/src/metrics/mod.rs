//! Profiles to metrics: counters by name, and what follows from them.
//!
//! Hits, cycles and rates are computed here, once, from the counters of the whole benchmark.
//! Adding up the rates of parts or threads would give percentages above 100.

mod derive;
mod value;

use std::collections::BTreeMap;

use iai_callgrind::protocol::EventKind;

pub use value::{decimals, Value};

use crate::parse::callgrind::Profile;
use crate::parse::Reason;

/// The metrics of one benchmark.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metrics {
    values: BTreeMap<EventKind, Value>,
    /// Counters that are in no table of ours (`--collect-alloc=yes`), under Callgrind's names.
    pub unknown: Vec<(String, u64)>,
}

impl Metrics {
    /// The metrics of a profile: its counters, summed over all parts, and the derived ones.
    ///
    /// Fails if a sum does not fit into 64 bits.
    pub fn from_profile(profile: &Profile) -> Result<Self, Reason> {
        Self::from_counters(profile.totals()?)
    }

    /// The metrics of the profiles of several processes and threads together.
    pub fn from_profiles(profiles: &[Profile]) -> Result<Self, Reason> {
        let parts = profiles
            .iter()
            .flat_map(|profile| profile.parts.iter().cloned());
        Self::from_profile(&Profile {
            parts: parts.collect(),
        })
    }

    /// The metrics that follow from these counters, named as Callgrind names them.
    pub fn from_counters<'a>(
        counters: impl IntoIterator<Item = (&'a str, u64)>,
    ) -> Result<Self, Reason> {
        let mut metrics = Self::default();
        for (name, count) in counters {
            match EventKind::from_event(name) {
                Some(kind) => {
                    metrics.values.insert(kind, Value::Int(count));
                }
                None => metrics.unknown.push((name.to_owned(), count)),
            }
        }
        derive::derive(&mut metrics.values)?;
        Ok(metrics)
    }

    /// The value of one metric, if it was collected.
    #[must_use]
    pub fn get(&self, kind: EventKind) -> Option<Value> {
        self.values.get(&kind).copied()
    }

    /// Every collected metric, in the order of [`EventKind`].
    pub fn iter(&self) -> impl Iterator<Item = (EventKind, Value)> + '_ {
        self.values.iter().map(|(kind, value)| (*kind, *value))
    }

    /// Was nothing counted at all? Then the count never began.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        let zero = self.iter().all(|(_, value)| value.as_f64() == 0.0);
        zero && self.unknown.iter().all(|(_, count)| *count == 0)
    }
}
