//! Causes in words.
//!
//! The text of a cause follows from its parts alone, so that whoever reads a record can write it in
//! another form as well.

use super::explanation::{Cause, CauseDetail, CodeState, DetailKind, InliningChange};

/// Smallest share of a cause that a second part needs to be told.
const SECOND_SHARE: f64 = 0.2;

/// Counts that differ by less are about as many.
const SAME_SHARE: f64 = 0.1;

/// Form of names and numbers in a text.
pub struct TextForm {
    /// Name of a function.
    pub name: fn(&str) -> String,
    /// Whole number.
    pub number: fn(u64) -> String,
    /// Arrow between an old and a new number.
    pub arrow: &'static str,
}

/// Form of the terminal and of records.
pub const PLAIN: TextForm = TextForm {
    name: |name| name.to_owned(),
    number: |number| number.to_string(),
    arrow: "->",
};

/// The largest part of a cause in words, and the second if it matters.
#[must_use]
pub fn texts(cause: &Cause, form: &TextForm) -> (String, Option<String>) {
    // What went the other way is no reason of the row.
    let mut parts = cause.parts.iter();
    let first = parts.find(|part| part.diff.signum() == cause.diff.signum());
    let Some(first) = first.or(cause.parts.first()) else {
        return (String::new(), None);
    };
    let other = instead(cause, first);
    let mut text = match other {
        Some(other) => form.instead(first, other),
        None => form.part(first),
    };
    if let Some(change) = cause.inlining {
        text = format!("{text}; {}", form.inlining(change));
    }
    if cause.code == CodeState::OtherConstants {
        text = format!("{text}; refers to other constants");
    }
    let is_told = |part: &CauseDetail| {
        std::ptr::eq(part, first) || other.is_some_and(|other| std::ptr::eq(part, other))
    };
    let second = cause.parts.iter().find(|part| !is_told(part));
    let least = SECOND_SHARE * cause.diff.unsigned_abs() as f64;
    let second = second.filter(|part| part.diff.unsigned_abs() as f64 >= least);
    (text, second.map(|part| form.part(part)))
}

/// The other one of two callees of which one took the place of the largest part's.
fn instead<'a>(cause: &'a Cause, first: &CauseDetail) -> Option<&'a CauseDetail> {
    let is_call = |part: &CauseDetail| part.kind == DetailKind::Calls && part.through.is_empty();
    let gained = |part: &CauseDetail| part.old == 0 && part.new > 0;
    let lost = |part: &CauseDetail| part.old > 0 && part.new == 0;
    cause.parts.iter().find(|other| {
        let (old, new) = match () {
            () if gained(first) && lost(other) => (other.old, first.new),
            () if lost(first) && gained(other) => (first.old, other.new),
            () => return false,
        };
        is_call(first)
            && is_call(other)
            && old.abs_diff(new) as f64 <= SAME_SHARE * old.max(new) as f64
    })
}

impl TextForm {
    fn instead(&self, first: &CauseDetail, other: &CauseDetail) -> String {
        let (old, new) = match first.old {
            0 => (other, first),
            _ => (first, other),
        };
        let [old_name, new_name] = [old, new].map(|part| self.callee(part));
        let times = match old.old == new.new {
            true => self.times(new.new),
            false => format!(
                "{} {} {}",
                (self.number)(old.old),
                self.arrow,
                self.times(new.new)
            ),
        };
        format!("calls {new_name} instead of {old_name}, {times}")
    }

    fn part(&self, part: &CauseDetail) -> String {
        let arrow = self.arrow;
        let old = (self.number)(part.old);
        let text = match (part.kind, part.entries) {
            (DetailKind::Calls, _) => {
                let calls = match part.through.is_empty() {
                    true => "calls ",
                    false => "",
                };
                let name = self.callee(part);
                format!("{calls}{name} {old} {arrow} {}", self.times(part.new))
            }
            (DetailKind::Entries, _) => format!("called {old} {arrow} {}", self.times(part.new)),
            (DetailKind::Own, None) => {
                format!("own code, {old} {arrow} {}", (self.number)(part.new))
            }
            (DetailKind::Own, Some(entries)) => {
                let each = |costs: u64| format!("{:.1}", costs as f64 / entries as f64);
                let [old, new] = [part.old, part.new].map(each);
                let entries = (self.number)(entries);
                format!("own code, {old} {arrow} {new} for each of {entries} calls")
            }
        };
        match &part.through[..] {
            [] => text,
            [only] => format!("through {}: {text}", (self.name)(only)),
            [first, .., last] => {
                let [first, last] = [first, last].map(|name| (self.name)(name));
                format!("through {first}, {last}: {text}")
            }
        }
    }

    fn inlining(&self, change: InliningChange) -> String {
        match change {
            InliningChange::NoLongerInlined { calls: 1 } => "no longer inlined (1 call)".to_owned(),
            InliningChange::NoLongerInlined { calls } => {
                format!("no longer inlined ({} calls)", (self.number)(calls))
            }
            InliningChange::InlinedNow { .. } => "inlined now".to_owned(),
        }
    }

    fn callee(&self, part: &CauseDetail) -> String {
        (self.name)(part.callee.as_deref().unwrap_or("???"))
    }

    fn times(&self, count: u64) -> String {
        match count {
            1 => "1 time".to_owned(),
            count => format!("{} times", (self.number)(count)),
        }
    }
}
