//! Owners of source files as numbers.

use crate::digest::SourceOrigin;

const ALL: [SourceOrigin; 5] = [
    SourceOrigin::User,
    SourceOrigin::Package,
    SourceOrigin::Std,
    SourceOrigin::System,
    SourceOrigin::Unknown,
];

/// The number of an owner.
pub(super) fn number(origin: SourceOrigin) -> u8 {
    // A `match`, so that an owner without a number does not compile. Numbers in files never change.
    match origin {
        SourceOrigin::User => 0,
        SourceOrigin::Package => 1,
        SourceOrigin::Std => 2,
        SourceOrigin::System => 3,
        SourceOrigin::Unknown => 4,
    }
}

/// The owner with this number.
pub(super) fn of(number: u8) -> Option<SourceOrigin> {
    ALL.get(usize::from(number)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_owner_has_its_number() {
        for (index, origin) in (0..).zip(ALL) {
            assert_eq!((number(origin), of(index)), (index, Some(origin)));
        }
        assert_eq!(of(ALL.len() as u8), None);
    }
}
