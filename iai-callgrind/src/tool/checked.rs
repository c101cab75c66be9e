//! Limits as the configuration sets them: numbers that nothing exceeds are refused, where they are
//! written.

use crate::protocol::limit::mistake;
use crate::protocol::{Limit, Percent};

/// A soft limit that can be exceeded.
///
/// # Panics
///
/// If it is `NaN`, infinite or `-0.0`.
#[track_caller]
#[inline]
pub(crate) fn soft(percent: Percent) -> Percent {
    if let Some(reason) = mistake(percent.0) {
        panic!("a soft limit {reason}");
    }
    percent
}

/// A hard limit that can be exceeded.
///
/// # Panics
///
/// If it is `NaN`, infinite or `-0.0`.
#[track_caller]
#[inline]
pub(crate) fn hard(limit: Limit) -> Limit {
    let reason = match limit {
        Limit::Int(_) => None,
        Limit::Float(limit) => mistake(limit),
    };
    if let Some(reason) = reason {
        panic!("a hard limit {reason}");
    }
    limit
}
