//! Lays one configuration over another: a level over the one below it, and what is said later over
//! what was said before.
//!
//! The order of levels is command line > environment > bench > attribute > group > `main!` >
//! default. Every merge writes the complete struct, so that a forgotten field does not compile.

use super::{Callgrind, Config, OutputFormat};

/// A value that can be laid over another one of its kind.
pub trait Over {
    /// What is said here wins, lists are appended to those below.
    #[must_use]
    fn over(self, below: Self) -> Self;
}

impl Over for Config {
    fn over(self, below: Self) -> Self {
        Self {
            valgrind_args: [below.valgrind_args, self.valgrind_args].concat(),
            env_clear: self.env_clear.or(below.env_clear),
            envs: [below.envs, self.envs].concat(),
            callgrind: self.callgrind.over(below.callgrind),
            fork: self.fork.or(below.fork),
            single_cpu: self.single_cpu.or(below.single_cpu),
            deterministic_random: self.deterministic_random.or(below.deterministic_random),
            output_format: self.output_format.over(below.output_format),
        }
    }
}

impl Over for Callgrind {
    fn over(self, below: Self) -> Self {
        Self {
            args: [below.args, self.args].concat(),
            entry_point: self.entry_point.or(below.entry_point),
            format: self.format.or(below.format),
            soft_limits: by_metric(self.soft_limits, below.soft_limits),
            hard_limits: by_metric(self.hard_limits, below.hard_limits),
        }
    }
}

impl Over for OutputFormat {
    fn over(self, below: Self) -> Self {
        Self {
            truncate_description: self.truncate_description.or(below.truncate_description),
            tolerance: self.tolerance.or(below.tolerance),
        }
    }
}

impl<T: Over> Over for Option<T> {
    fn over(self, below: Self) -> Self {
        match (self, below) {
            (Some(this), Some(below)) => Some(this.over(below)),
            (this, below) => this.or(below),
        }
    }
}

/// Limits of both; for a metric that both limit, the new limit.
fn by_metric<K: PartialEq, V>(this: Vec<(K, V)>, below: Vec<(K, V)>) -> Vec<(K, V)> {
    let mut merged = below;
    for (metric, limit) in this {
        set(&mut merged, metric, limit);
    }
    merged
}

/// Replaces the limit of a metric in its place, or adds it.
pub(crate) fn set<K: PartialEq, V>(limits: &mut Vec<(K, V)>, metric: K, limit: V) {
    match limits.iter_mut().find(|(other, _)| *other == metric) {
        Some((_, old)) => *old = limit,
        None => limits.push((metric, limit)),
    }
}

#[cfg(test)]
mod tests {
    use crate::protocol::{EntryPoint, EventKind, Truncate};

    use super::*;

    fn config(args: &str, entry_point: Option<EntryPoint>, limit: Option<f64>) -> Config {
        Config {
            callgrind: Some(Callgrind {
                args: vec![args.to_owned()],
                entry_point,
                soft_limits: limit
                    .map(|limit| (EventKind::Ir, limit))
                    .into_iter()
                    .collect(),
                ..Callgrind::default()
            }),
            ..Config::default()
        }
    }

    #[test]
    fn lists_are_appended_outer_first_and_inner_values_win() {
        let outer = config("--outer", Some(EntryPoint::None), Some(1.0));
        let inner = config("--inner", Some("inner*".into()), Some(2.0));
        let merged = inner.over(outer).callgrind.unwrap();
        assert_eq!(merged.args, ["--outer", "--inner"]);
        assert_eq!(merged.entry_point, Some("inner*".into()));
        assert_eq!(merged.soft_limits, [(EventKind::Ir, 2.0)]);
    }

    #[test]
    fn what_is_not_said_is_taken_from_below() {
        let outer = config("--outer", Some(EntryPoint::None), Some(1.0));
        assert_eq!(Config::default().over(outer.clone()), outer);
        let merged = config("--inner", None, None).over(outer).callgrind.unwrap();
        assert_eq!(merged.entry_point, Some(EntryPoint::None));
        assert_eq!(merged.soft_limits, [(EventKind::Ir, 1.0)]);
    }

    #[test]
    fn output_formats_merge_field_by_field() {
        let outer = OutputFormat {
            truncate_description: Some(Truncate::Never),
            tolerance: Some(1.0),
        };
        let inner = OutputFormat {
            truncate_description: Some(Truncate::At(3)),
            tolerance: None,
        };
        let merged = inner.over(outer);
        assert_eq!(merged.truncate_description, Some(Truncate::At(3)));
        assert_eq!(merged.tolerance, Some(1.0));
    }
}
