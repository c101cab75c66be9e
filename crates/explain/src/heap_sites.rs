//! Places of the source whose allocations differ, as they are shown and kept in records.

use std::collections::HashSet;

use base::counted::{counted, grouped};
use serde::{Deserialize, Serialize};

use super::digest::SourceOrigin;
use super::explanation::ExplainedRow;
use super::names;

/// Places of the source whose allocations differ between two results of DHAT.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeapSites {
    /// Bytes of all blocks.
    pub bytes: HeapAmount,
    /// Number of all blocks.
    pub blocks: HeapAmount,
    /// Places, the largest difference of bytes first. They add up to that of all bytes.
    pub sites: Vec<ExplainedRow<HeapSite>>,
}

/// A figure of both results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeapAmount {
    /// The old value.
    pub old: u64,
    /// The new value.
    pub new: u64,
    /// The difference.
    pub diff: i64,
}

/// A place that allocates: the user's function nearest to the allocation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeapSite {
    /// Difference of the bytes.
    pub diff: i64,
    /// The function.
    pub function: String,
    /// Its file, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line: the new one, if the place is in both results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Owner of the function.
    pub origin: SourceOrigin,
    /// Both sides in words.
    pub text: String,
    /// The allocations of the old result; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<SiteAllocation>,
    /// The allocations of the new result; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<SiteAllocation>,
}

/// The allocations of a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SiteAllocation {
    /// The functions that are called there, those with the most bytes first.
    pub calls: Vec<String>,
    /// Bytes of all blocks.
    pub bytes: u64,
    /// Number of all blocks.
    pub blocks: u64,
}

impl HeapAmount {
    /// An amount on both sides.
    #[must_use]
    pub fn new(old: u64, new: u64) -> Self {
        // Two counts of 64 bits may differ by more than `i64` holds.
        let diff = i128::from(new) - i128::from(old);
        let most = if diff < 0 { i64::MIN } else { i64::MAX };
        Self {
            old,
            new,
            diff: i64::try_from(diff).unwrap_or(most),
        }
    }
}

impl SiteAllocation {
    /// The functions have canonical names.
    pub fn new(calls: &[&str], bytes: u64, blocks: u64) -> Self {
        let calls = calls.iter().map(|name| names::shown(&names::short(name)));
        let mut calls: Vec<String> = calls.collect();
        // Functions that differ only in their generic arguments have the same short name: one is
        // enough.
        let mut said = HashSet::new();
        calls.retain(|call| said.insert(call.clone()));
        Self {
            calls,
            bytes,
            blocks,
        }
    }

    /// `Vec::with_capacity 512 B in 1 block`
    fn text(&self, names_calls: bool) -> String {
        let amount = format!(
            "{} B in {}",
            grouped(self.bytes),
            counted(self.blocks, "block")
        );
        match self.calls.as_slice() {
            [first, others @ ..] if names_calls => match others.len() {
                0 => format!("{first} {amount}"),
                more => format!("{first} and {more} more {amount}"),
            },
            _ => amount,
        }
    }
}

/// Both sides of a place in words; the same calls are named once.
pub(crate) fn site_text(old: Option<&SiteAllocation>, new: Option<&SiteAllocation>) -> String {
    let is_same = matches!((old, new), (Some(old), Some(new)) if old.calls == new.calls);
    let text = |side: Option<&SiteAllocation>, names_calls| {
        side.map_or("nothing".to_owned(), |side| side.text(names_calls))
    };
    format!("{} -> {}", text(old, true), text(new, !is_same))
}

/// The name of the function of a place.
pub(crate) fn site_name(name: &str) -> String {
    names::shown(name)
}
