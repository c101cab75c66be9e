//! The metrics of the tools: one table for each tool, from which labels, spellings and groups are
//! read.
//!
//! A new metric is a new row. The order of the rows is the order in which metrics are printed,
//! listed and written by default; the members of every group are in it, too. What is common to all
//! tables stands here, a table in the file of its tool; [`Metric`] is for code that does not care
//! which.

mod any;
mod bbv;
mod dhat;
mod errors;
mod massif;
mod simulated;

use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

pub use any::ToolMetric;
pub use bbv::{BbvMetric, BbvMetrics};
pub use dhat::{DhatMetric, DhatMetrics};
pub use errors::{ErrorMetric, ErrorMetrics};
pub use massif::{MassifMetric, MassifMetrics};
pub use simulated::{CachegrindMetric, CachegrindMetrics, CallgrindMetrics, EventKind};

/// A metric of some tool.
pub trait Metric:
    Copy + Eq + Ord + Hash + fmt::Debug + fmt::Display + FromStr<Err = UnknownMetric> + 'static
{
    /// Groups of the tool's metrics.
    type Groups: Copy
        + Default
        + PartialEq
        + fmt::Debug
        + From<Self>
        + FromStr<Err = UnknownMetric>
        + 'static;

    /// All metrics of the tool, in the order of the variants.
    const TABLE: &'static [Row<Self>];

    /// The groups that have a word.
    const GROUPS: &'static [Self::Groups];

    /// Words of each row and of each group on the command line, in lower case; those of a group
    /// stand after `@`. In tables of their own, so that one function reads the words of all tools.
    const WORDS: (Words, Words);

    /// Row of this metric in the table.
    fn row(self) -> &'static Row<Self>;

    /// The metrics of a group, in the order in which they are shown.
    fn members(group: Self::Groups) -> Vec<Self>;
}

/// Words that mean the same, for each thing that can be meant.
type Words = &'static [&'static [&'static str]];

/// Row of a metric in the table of its tool.
#[derive(Debug)]
pub struct Row<M: Metric> {
    /// The metric.
    pub kind: M,
    /// Name of the variant, which JSON has.
    pub name: &'static str,
    /// Name on the terminal.
    pub label: &'static str,
    /// Type of the metric's values.
    pub number: Number,
    /// Origin of the metric's values: counted or computed.
    pub origin: Origin,
    /// Direction of an improvement.
    pub direction: Direction,
    /// The metrics that depend on the same facts.
    pub family: Family,
    /// Groups that have the metric, without that of all metrics.
    pub groups: &'static [M::Groups],
}

/// The type of a metric's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// A count.
    Int,
    /// A percentage, or a count for each unit of what a benchmark handles.
    Float,
    /// A count of a unit of time, which the tool names.
    Time,
}

/// Metrics that depend on the same facts: where one of these facts differs, a change of none of
/// them is certain to be the program's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Executed instructions, data accesses and branches.
    Instructions,
    /// Simulated or timed: hits and misses of caches, mispredicted branches, cycles.
    Caches,
    /// Requests of a program: heap, and errors.
    Memory,
    /// Counters of the processor and the kernel, read by perf.
    Hardware,
}

/// Origin of a metric's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Counted by the tool.
    Raw,
    /// Computed from what the tool counted.
    Derived,
}

/// Direction in which a metric should change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Less is better.
    Lower,
    /// More is better.
    Higher,
}

/// Writes the enums of metrics and groups, and the table. A row has documentation, variant, label,
/// words, number, origin, direction, family and groups (`All` contains every metric and is not
/// repeated).
macro_rules! metrics {
    (
        $(#[$doc:meta])* $metric:ident
        $(#[$groups_doc:meta])* $groups:ident {
            $(#[$single_doc:meta])* single $single:ident;
            $(#[$default_doc:meta])* default;
            $($(#[$group_doc:meta])* $group:ident [$($group_word:literal),+];)*
        }
        rows {
            $($(#[$row_doc:meta])* $kind:ident, $label:literal, [$($word:literal),+],
              $number:ident $origin:ident $direction:ident $family:ident, [$($member_of:ident),*];)+
        }
    ) => {
        $(#[$doc])*
        ///
        /// Parses from the words of the command line in any case (the variant's name is one of
        /// them) and prints as the label that the terminal shows.
        ///
        /// ```
        #[doc = concat!("use iai_callgrind::", stringify!($metric), ";")]
        ///
        #[doc = concat!("for metric in ", stringify!($metric), "::all() {")]
        ///     assert_eq!(metric.to_name().parse(), Ok(metric));
        ///     println!("{}, derived: {}", metric.label(), metric.is_derived());
        /// }
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum $metric { $($(#[$row_doc])* $kind,)+ }

        $(#[$groups_doc])*
        ///
        /// Parses from `@` and a word (`@default`) or from the word of a metric, in any case.
        ///
        /// ```
        #[doc = concat!("use iai_callgrind::", stringify!($groups), ";")]
        ///
        #[doc = concat!("assert_eq!(\"@all\".parse(), Ok(", stringify!($groups), "::All));")]
        #[doc = concat!("assert!(", stringify!($groups), "::None.members().is_empty());")]
        /// ```
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $groups {
            /// No metric.
            None,
            /// Every metric.
            All,
            $(#[$default_doc])*
            #[default]
            Default,
            $($(#[$group_doc])* $group,)*
            $(#[$single_doc])*
            $single($metric),
        }

        impl $crate::protocol::metric::Metric for $metric {
            type Groups = $groups;

            const TABLE: &'static [$crate::protocol::metric::Row<Self>] =
                &[$($crate::protocol::metric::Row {
                    kind: $metric::$kind,
                    name: stringify!($kind),
                    label: $label,
                    number: $crate::protocol::metric::Number::$number,
                    origin: $crate::protocol::metric::Origin::$origin,
                    direction: $crate::protocol::metric::Direction::$direction,
                    family: $crate::protocol::metric::Family::$family,
                    groups: &[$($groups::$member_of),*],
                }),+];

            const GROUPS: &'static [$groups] =
                &[$groups::All, $groups::Default, $($groups::$group),*];

            const WORDS: ($crate::protocol::metric::Words, $crate::protocol::metric::Words) = (
                &[$(&[$($word),+]),+],
                &[&["all"], &["default", "def"], $(&[$($group_word),+]),*],
            );

            // The table is written in the order of the variants; a test checks it.
            fn row(self) -> &'static $crate::protocol::metric::Row<Self> {
                &Self::TABLE[self as usize]
            }

            #[inline]
            fn members(group: $groups) -> Vec<Self> {
                match group {
                    $groups::None => vec![],
                    $groups::All => Self::all().collect(),
                    $groups::$single(metric) => vec![metric],
                    group => {
                        let mut members = Vec::new();
                        for row in Self::TABLE {
                            if row.groups.contains(&group) {
                                members.push(row.kind);
                            }
                        }
                        members
                    }
                }
            }
        }

        impl $metric {
            /// Every metric, in the order of the variants.
            pub fn all() -> impl Iterator<Item = Self> {
                <Self as $crate::protocol::metric::Metric>::TABLE.iter().map(|row| row.kind)
            }

            /// Name of the variant, which JSON has.
            #[must_use]
            #[inline]
            pub fn to_name(self) -> String {
                $crate::protocol::metric::Metric::row(self).name.to_owned()
            }

            /// Name on the terminal.
            #[must_use]
            pub fn label(self) -> &'static str {
                $crate::protocol::metric::Metric::row(self).label
            }

            /// Is the metric computed from others, not counted by the tool?
            #[must_use]
            pub fn is_derived(self) -> bool {
                $crate::protocol::metric::Metric::row(self).origin
                    == $crate::protocol::metric::Origin::Derived
            }

            /// Type of the metric's values.
            #[doc(hidden)]
            #[must_use]
            pub fn number(self) -> $crate::protocol::metric::Number {
                $crate::protocol::metric::Metric::row(self).number
            }

            /// Direction in which the metric should change.
            #[doc(hidden)]
            #[must_use]
            pub fn direction(self) -> $crate::protocol::metric::Direction {
                $crate::protocol::metric::Metric::row(self).direction
            }
        }

        impl $groups {
            /// The metrics of this group, in the order in which they are shown.
            #[must_use]
            #[inline]
            pub fn members(self) -> Vec<$metric> {
                <$metric as $crate::protocol::metric::Metric>::members(self)
            }
        }

        impl std::fmt::Display for $metric {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.label())
            }
        }

        impl std::str::FromStr for $metric {
            type Err = $crate::protocol::metric::UnknownMetric;

            #[inline]
            fn from_str(word: &str) -> Result<Self, Self::Err> {
                $crate::protocol::metric::parse_metric(word)
            }
        }

        impl From<$metric> for $groups {
            fn from(metric: $metric) -> Self {
                Self::$single(metric)
            }
        }

        impl std::str::FromStr for $groups {
            type Err = $crate::protocol::metric::UnknownMetric;

            #[inline]
            fn from_str(word: &str) -> Result<Self, Self::Err> {
                $crate::protocol::metric::parse_group::<$metric>(word)
            }
        }
    };
}

use metrics;

fn parse_metric<M: Metric>(word: &str) -> Result<M, UnknownMetric> {
    let (metrics, _) = M::WORDS;
    match position(word, metrics) {
        Some(index) => Ok(M::TABLE[index].kind),
        None => Err(UnknownMetric(word.to_owned())),
    }
}

fn parse_group<M: Metric>(word: &str) -> Result<M::Groups, UnknownMetric> {
    let Some(group) = word.strip_prefix('@') else {
        return Ok(parse_metric::<M>(word)?.into());
    };
    let (_, groups) = M::WORDS;
    match position(group, groups) {
        Some(index) => Ok(M::GROUPS[index]),
        None => Err(UnknownMetric(word.to_owned())),
    }
}

/// Index of what a word means, in any case.
#[inline]
fn position(word: &str, all: Words) -> Option<usize> {
    let lower = word.to_ascii_lowercase();
    all.iter().position(|words| words.contains(&lower.as_str()))
}

/// The metric to which a tool's own name of an event belongs, whatever its case.
#[inline]
fn from_event<M: Metric>(name: &str) -> Option<M> {
    M::TABLE
        .iter()
        .find(|row| row.origin == Origin::Raw && row.name.eq_ignore_ascii_case(name))
        .map(|row| row.kind)
}

/// A word that names no metric and no group of metrics.
///
/// ```
/// use iai_callgrind::{EventKind, UnknownMetric};
///
/// assert_eq!("foo".parse::<EventKind>(), Err(UnknownMetric("foo".into())));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownMetric(pub String);

impl fmt::Display for UnknownMetric {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.0.starts_with('@') {
            "group of metrics"
        } else {
            "metric"
        };
        write!(f, "unknown {what} `{}`", self.0)
    }
}

impl std::error::Error for UnknownMetric {}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// For the tests of the tables: a group by its word, and its members.
    #[track_caller]
    pub(super) fn check_members<M: Metric>(group: &str, expected: &str) {
        let group: M::Groups = group.parse().unwrap();
        let members: Vec<&str> = M::members(group).iter().map(|m| m.row().name).collect();
        assert_eq!(members.join(" "), expected, "{group:?}");
    }

    /// Every table is in order, labels and words are unique, and every spelling parses back.
    #[track_caller]
    fn check_table<M: Metric>() {
        let mut labels = HashSet::new();
        let mut words = HashSet::new();
        for (index, row) in M::TABLE.iter().enumerate() {
            assert_eq!(row.kind.row().kind, row.kind, "row {index}");
            assert_eq!(row.name, format!("{:?}", row.kind));
            assert_eq!(row.label, row.kind.to_string());
            let of_row = M::WORDS.0[index];
            assert_eq!(of_row[0], row.name.to_lowercase());
            assert_eq!(row.name.parse(), Ok(row.kind));
            assert!(labels.insert(row.label), "{} is used twice", row.label);
            for word in of_row {
                assert!(words.insert(*word), "{word} is used twice");
                assert_eq!(word.parse(), Ok(row.kind));
                assert_eq!(word.parse(), Ok(M::Groups::from(row.kind)));
            }
        }
        assert_eq!(M::WORDS.1.len(), M::GROUPS.len());
        for (group, words) in M::GROUPS.iter().zip(M::WORDS.1) {
            assert!(!M::members(*group).is_empty(), "{group:?}");
            for word in *words {
                assert_eq!(format!("@{word}").parse(), Ok(*group));
                assert_eq!(format!("@{}", word.to_uppercase()).parse(), Ok(*group));
            }
        }
        let all: Vec<M> = M::TABLE.iter().map(|row| row.kind).collect();
        assert_eq!(M::members("@all".parse().unwrap()), all);
        assert!(
            "foo".parse::<M>().is_err(),
            "a word that is in no table was accepted"
        );
    }

    #[test]
    fn tables_are_in_order_and_every_spelling_parses_back() {
        check_table::<EventKind>();
        check_table::<CachegrindMetric>();
        check_table::<DhatMetric>();
        check_table::<MassifMetric>();
        check_table::<BbvMetric>();
        check_table::<ErrorMetric>();
    }

    #[cfg(feature = "serde")]
    #[test]
    fn json_has_the_names() {
        #[track_caller]
        fn check<M: Metric + serde::Serialize>() {
            for row in M::TABLE {
                let json = serde_json::to_string(&row.kind).unwrap();
                assert_eq!(json, format!("\"{}\"", row.name));
            }
        }
        check::<EventKind>();
        check::<CachegrindMetric>();
        check::<DhatMetric>();
        check::<MassifMetric>();
        check::<BbvMetric>();
        check::<ErrorMetric>();
    }

    #[test]
    fn unknown_words_are_named() {
        assert_eq!(
            "foo".parse::<EventKind>().unwrap_err().to_string(),
            "unknown metric `foo`"
        );
        assert_eq!(
            "@foo".parse::<CallgrindMetrics>().unwrap_err().to_string(),
            "unknown group of metrics `@foo`"
        );
    }
}
