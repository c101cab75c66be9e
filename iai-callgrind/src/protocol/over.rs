//! Lays one configuration over another: a level over the one below it, and what is said later over
//! what was said before.
//!
//! The order of levels is command line > environment > bench > attribute > group > `main!` >
//! default. Every type is merged in one function, beside its definition, which writes the complete
//! struct, so that a forgotten field does not compile. They are inlined: what benchmark files do
//! not call, their users do not compile.

/// A value that can be laid over another one of its kind.
pub trait Over {
    /// Lays this value over the one below: its settings win, its lists are appended to those below.
    #[must_use]
    fn over(self, below: Self) -> Self;
}

impl<T: Over> Over for Option<T> {
    fn over(self, below: Self) -> Self {
        match (self, below) {
            (Some(this), Some(below)) => Some(this.over(below)),
            (this, below) => this.or(below),
        }
    }
}

/// Puts the items of the level below before those of this one.
pub(super) fn prepend<T>(this: &mut Vec<T>, below: &mut Vec<T>) {
    below.append(this);
    std::mem::swap(this, below);
}

/// Limits of both; for a metric that both limit, the new limit.
pub(super) fn by_metric<K: PartialEq, V>(this: Vec<(K, V)>, below: Vec<(K, V)>) -> Vec<(K, V)> {
    let mut merged = below;
    for (metric, limit) in this {
        set(&mut merged, metric, limit);
    }
    merged
}

/// Replaces the limit of a metric in its place, or adds it.
pub(super) fn set<K: PartialEq, V>(limits: &mut Vec<(K, V)>, metric: K, limit: V) {
    match limits.iter_mut().find(|(other, _)| *other == metric) {
        Some((_, old)) => *old = limit,
        None => limits.push((metric, limit)),
    }
}
