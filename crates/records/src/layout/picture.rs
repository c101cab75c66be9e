//! Names of flamegraphs: `<tool>.<function>[.<id>].total.<metric>.flamegraph[.<results>].svg`.
//!
//! `.old` or `.base@<name>` stands for the new result, as in the names of other files; `.diff.old` or
//! `.diff.base@<name>` after it stands for the old result of a difference.

use super::name::{limited_to, Slot, BASE, OLD};
use base::tool::Tool;

/// The longest part of a name that comes from the benchmark. There are more parts than in other names.
const LONGEST: usize = 120;

/// Tools whose results are drawn.
const TOOLS: [Tool; 2] = [Tool::Callgrind, Tool::Dhat];

const KIND: &str = ".flamegraph";
const DIFFERENCE: &str = ".diff";
const SVG: &str = ".svg";

/// The results that a flamegraph shows.
#[derive(Debug, Clone, Copy)]
pub enum PictureName<'a> {
    /// A result.
    Of(&'a Slot),
    /// The result of the run before the last one.
    Old,
    /// The changes from the old result to the new one. `Slot::Last` as old result is that of the run
    /// before.
    Difference {
        /// The new result.
        new: &'a Slot,
        /// The old result.
        old: &'a Slot,
    },
}

impl PictureName<'_> {
    /// The name of the file, for a tool, a benchmark and a metric.
    pub fn file(self, tool: Tool, stem: &str, metric: &str) -> String {
        let results = match self {
            Self::Of(slot) => slot.file(""),
            Self::Old => OLD.to_owned(),
            Self::Difference { new, old } => {
                let old = match old {
                    Slot::Last => OLD.to_owned(),
                    named => named.file(""),
                };
                new.file("") + DIFFERENCE + &old
            }
        };
        let stem = limited_to(LONGEST, stem);
        format!("{tool}.{stem}.total.{metric}{KIND}{results}{SVG}")
    }
}

/// The parts of the name of a flamegraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureNameParts<'a> {
    /// The baseline that is shown; `None`: the last run, or the one before.
    new: Option<&'a str>,
    /// The baseline on the old side of a difference.
    old: Option<&'a str>,
    /// Is the flamegraph of the last run, not of the run before or of a difference?
    current: bool,
}

impl<'a> PictureNameParts<'a> {
    /// `None`: this is no flamegraph of ours.
    pub fn of(name: &'a str, tool: Tool) -> Option<Self> {
        let name = name.strip_suffix(SVG)?;
        if !TOOLS.contains(&tool) || name.split('.').next() != Some(tool.id()) {
            return None;
        }
        // No name of a benchmark or baseline has an `@`.
        let (first, baseline) = match name.split_once(BASE) {
            None => (name, None),
            Some((first, rest)) => (first, Some(rest)),
        };
        let is = |end: &[&str]| first.ends_with(&(KIND.to_owned() + &end.concat()));
        let between = DIFFERENCE.to_owned() + BASE;
        let (new, old) = match baseline {
            None if is(&[]) || is(&[OLD]) || is(&[DIFFERENCE, OLD]) => (None, None),
            Some(old) if is(&[DIFFERENCE]) => (None, Some(old)),
            Some(baselines) if is(&[]) => match baselines.split_once(&between) {
                None => (Some(baselines), None),
                Some((new, old)) => (Some(new), Some(old)),
            },
            _ => return None,
        };
        Some(Self {
            new,
            old,
            current: baseline.is_none() && is(&[]),
        })
    }

    /// Is the flamegraph about the last run or the one before?
    pub fn is_last(&self) -> bool {
        self.new.is_none()
    }

    /// Is the flamegraph deleted when a new run comes?
    pub fn is_old(&self) -> bool {
        !self.current
    }

    /// Does the flamegraph show this baseline, also as the old side?
    pub fn shows(&self, baseline: &str) -> bool {
        self.new == Some(baseline) || self.old == Some(baseline)
    }
}

/// Is this the name of a flamegraph?
pub fn is_one(name: &str) -> bool {
    TOOLS
        .iter()
        .any(|tool| PictureNameParts::of(name, *tool).is_some())
}

/// The name that the current flamegraph takes when a new one comes.
pub fn old(current: &str) -> Option<String> {
    let name = current.strip_suffix(SVG)?;
    Some(format!("{name}{OLD}{SVG}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(picture: PictureName<'_>, end: &str, expected: (Option<&str>, Option<&str>, bool)) {
        for (tool, other) in [(TOOLS[0], TOOLS[1]), (TOOLS[1], TOOLS[0])] {
            let name = picture.file(tool, "f.x", "Ir");
            assert_eq!(name, format!("{tool}.f.x.total.Ir.flamegraph{end}.svg"));
            let (new, old, current) = expected;
            let parsed = PictureNameParts::of(&name, tool);
            assert_eq!(parsed, Some(PictureNameParts { new, old, current }));
            assert_eq!(PictureNameParts::of(&name, other), None);
            assert!(is_one(&name));
        }
    }

    #[test]
    fn names_say_what_is_shown() {
        use PictureName::{Difference, Of, Old};
        // Baselines can be called so.
        let a = &Slot::Named("v1.diff.old".to_owned());
        let b = &Slot::Named("b.svg".to_owned());
        let last = &Slot::Last;
        let (of_a, of_b) = (Some("v1.diff.old"), Some("b.svg"));
        check(Of(last), "", (None, None, true));
        check(Old, ".old", (None, None, false));
        check(Of(a), ".base@v1.diff.old", (of_a, None, false));
        let difference = |new, old| Difference { new, old };
        check(difference(last, last), ".diff.old", (None, None, false));
        check(difference(last, b), ".diff.base@b.svg", (None, of_b, false));
        check(
            difference(a, b),
            ".base@v1.diff.old.diff.base@b.svg",
            (of_a, of_b, false),
        );
    }

    #[test]
    fn other_files_are_no_flamegraphs() {
        for name in [
            "callgrind.f.out",
            "callgrind.f.svg",
            "callgrind.f.flamegraph.out",
            "massif.f.total.Ir.flamegraph.svg",
            "callgrind.f.total.Ir.flamegraph.other.svg",
            "mine.flamegraph.svg",
        ] {
            assert!(!is_one(name), "{name}");
            assert_eq!(PictureNameParts::of(name, Tool::Massif), None, "{name}");
        }
    }

    #[test]
    fn the_longest_names_fit() {
        let name = PictureName::Difference {
            new: &Slot::Last,
            old: &Slot::Last,
        };
        let name = name.file(Tool::Callgrind, &"x".repeat(1000), "EstimatedCycles");
        assert!(name.len() <= 200, "{}", name.len());
    }
}
