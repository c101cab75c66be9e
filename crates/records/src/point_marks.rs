//! The marks of the code that the benchmarks of a line of `history.jsonl` measured.
//!
//! Most often all benchmarks have the same mark, which a line has once; the others are listed.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::is_same_code;

/// The mark of a benchmark. `None`: it is not known.
pub type PointMark<'a> = Option<Cow<'a, str>>;

/// The marks of all benchmarks that a run measured. Lines of before have none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PointMarks<'a> {
    /// The mark of all benchmarks that are not among the others.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    most: PointMark<'a>,
    /// Benchmarks with another mark, by their paths.
    #[serde(borrow, default, skip_serializing_if = "BTreeMap::is_empty")]
    others: BTreeMap<Cow<'a, str>, PointMark<'a>>,
}

impl<'a> PointMarks<'a> {
    /// The marks of these benchmarks.
    pub fn of_benchmarks(
        benchmarks: impl Iterator<Item = (Cow<'a, str>, PointMark<'a>)> + Clone,
    ) -> Self {
        let mut numbers: BTreeMap<PointMark<'a>, usize> = BTreeMap::new();
        for (_, mark) in benchmarks.clone() {
            *numbers.entry(mark).or_default() += 1;
        }
        // Of equally many the last in order, so that the same results always give the same line.
        let most = numbers.into_iter().max_by_key(|(_, number)| *number);
        let most = most.and_then(|(mark, _)| mark);
        Self {
            others: benchmarks.filter(|(_, mark)| *mark != most).collect(),
            most,
        }
    }

    /// Is no mark known?
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The mark of a benchmark that the run measured.
    pub fn of(&self, path: &str) -> Option<&str> {
        // `others` has unknown marks as well, which are not `most`.
        self.others.get(path).unwrap_or(&self.most).as_deref()
    }

    /// The marks of a run of some benchmarks come beside those of runs before.
    pub fn set(&mut self, path: Cow<'a, str>, mark: PointMark<'a>) {
        self.others.insert(path, mark);
    }

    /// All marks, each once or more.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let others = self.others.values();
        std::iter::once(&self.most)
            .chain(others)
            .filter_map(Option::as_deref)
    }

    /// Did two runs measure the same code, whatever benchmarks they selected?
    pub fn are_of_the_same_code(&self, other: &PointMarks<'_>) -> bool {
        let is_same = |path: &Cow<'_, str>| is_same_code(self.of(path), other.of(path));
        // Two lines without marks, as of earlier versions, are never of the same code.
        is_same_code(self.most.as_deref(), other.most.as_deref())
            && self.others.keys().all(is_same)
            && other.others.keys().all(is_same)
    }

    pub(super) fn into_owned(self) -> PointMarks<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let others = self.others.into_iter();
        PointMarks {
            most: self.most.map(owned),
            others: others
                .map(|(path, mark)| (owned(path), mark.map(owned)))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(marks: &[(&'static str, Option<&'static str>)]) -> PointMarks<'static> {
        let marks = marks.iter();
        PointMarks::of_benchmarks(marks.map(|(path, mark)| ((*path).into(), mark.map(Cow::from))))
    }

    #[track_caller]
    fn check(marks: &[(&'static str, Option<&'static str>)], expected: &str) {
        let made = of(marks);
        assert_eq!(serde_json::to_string(&made).unwrap(), expected);
        assert_eq!(
            serde_json::from_str::<PointMarks<'_>>(expected).unwrap(),
            made
        );
        for (path, mark) in marks {
            assert_eq!(made.of(path), *mark, "{path}");
        }
    }

    #[test]
    fn the_mark_of_most_benchmarks_is_written_once() {
        let [one, two] = [Some("1f"), Some("2f")];
        check(&[], "{}");
        check(&[("a", one), ("b", one)], r#"{"most":"1f"}"#);
        check(
            &[("a", two), ("b", one), ("c", one), ("d", None)],
            r#"{"most":"1f","others":{"a":"2f","d":null}}"#,
        );
        check(
            &[("a", None), ("b", one), ("c", None)],
            r#"{"others":{"b":"1f"}}"#,
        );
    }

    #[test]
    fn runs_are_of_the_same_code_if_every_mark_is_equal() {
        let [one, two] = [Some("1f"), Some("2f")];
        let both = of(&[("a", one), ("b", one), ("c", two)]);
        assert!(both.are_of_the_same_code(&both.clone()));
        // A filter selected those of the executable.
        let executable = of(&[("a", one)]);
        assert!(executable.are_of_the_same_code(&of(&[("a", one), ("b", one)])));
        for other in [
            of(&[("a", one), ("b", one), ("c", Some("3f"))]),
            of(&[("a", one), ("b", one), ("c", one)]),
            of(&[("a", two), ("b", two), ("c", two)]),
            of(&[("a", one), ("b", one), ("c", None)]),
            of(&[("a", None)]),
            PointMarks::default(),
        ] {
            assert!(!both.are_of_the_same_code(&other), "{other:?}");
            assert!(!other.are_of_the_same_code(&both), "{other:?}");
        }
        let unknown = PointMarks::default();
        assert!(!unknown.are_of_the_same_code(&unknown.clone()));
    }
}
