//! Whether two results have the same code, which decides the meaning of a change of their counts.

use records::summary::Repeated;
use records::{is_same_code, CodeMarks};

/// Relation between the code of two results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameCode {
    /// Different or unknown code, or a different environment: these may be the reason of each
    /// change.
    No,
    /// The same code under other conditions or on another machine: a change is neither good nor
    /// bad.
    Elsewhere,
    /// The same code under the same conditions, with different counts from run to run.
    ByChance,
    /// The same code under the same conditions, with the same counts in one more run: the data
    /// that it reads or loads has changed.
    OtherData,
    /// The same code under the same conditions, and it ran once.
    Unproven,
}

impl SameCode {
    /// Compares the records of the old and the new side. Code without a mark is never the same.
    #[must_use]
    pub fn of(marks: [CodeMarks<'_>; 2], is_elsewhere: bool, repeated: Option<Repeated>) -> Self {
        let [old, new] = marks;
        match is_same_code(old.code, new.code) {
            false => Self::No,
            // Before the fingerprints, which have the C library and the processor in them: on
            // another machine they differ although the code is the same.
            true if is_elsewhere => Self::Elsewhere,
            // Another environment.
            true if old.fingerprint != new.fingerprint => Self::No,
            true => Self::proven_by(repeated),
        }
    }

    /// The same code under the same conditions, by what one more run showed.
    fn proven_by(repeated: Option<Repeated>) -> Self {
        match repeated {
            Some(Repeated::Other) => Self::ByChance,
            Some(Repeated::Same) => Self::OtherData,
            None => Self::Unproven,
        }
    }

    /// Did the same code run under the same conditions?
    #[must_use]
    pub fn is_here(self) -> bool {
        matches!(self, Self::ByChance | Self::OtherData | Self::Unproven)
    }

    /// Is a change neither good nor bad? Only what one more run showed proves that: a limit that
    /// switches itself off is the worse mistake.
    #[must_use]
    pub fn is_by_chance(self) -> bool {
        self == Self::ByChance
    }

    /// The reason of a change, if the code cannot be it.
    #[must_use]
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Self::No | Self::ByChance => None,
            Self::Elsewhere => Some("not judged: the same code, other data or machine"),
            Self::OtherData => Some("same code: what it reads or loads has changed"),
            Self::Unproven => {
                Some("same code: what it reads or loads has changed, or it is not deterministic")
            }
        }
    }
}
