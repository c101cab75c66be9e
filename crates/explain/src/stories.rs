//! Causes in words.
//!
//! The text of a cause follows from its parts alone, so that readers of a record can write it in
//! another form as well.

use base::counted::{counted, grouped, signed};

use super::explanation::{Cause, CauseDetail, CodeState, DetailKind, InliningChange};

/// Smallest share of a cause for which a second part is mentioned.
const SECOND_SHARE: f64 = 0.2;

/// Counts that differ by less are regarded as equal.
const SAME_SHARE: f64 = 0.1;

/// Form of names and arrows in a text.
pub struct TextForm {
    /// Name of a function.
    pub name: fn(&str) -> String,
    /// Arrow between an old and a new number.
    pub arrow: &'static str,
}

/// Form of the terminal and of records.
pub const PLAIN: TextForm = TextForm {
    name: |name| name.to_owned(),
    arrow: "->",
};

/// The largest part of a cause in words, and the second if it matters.
#[must_use]
pub fn texts(cause: &Cause, form: &TextForm) -> (String, Option<String>) {
    // A part with the opposite sign does not explain the difference of the row.
    let mut parts = cause.parts.iter();
    let first = parts.find(|part| part.diff.signum() == cause.diff.signum());
    let Some(first) = first.or(cause.parts.first()) else {
        return (String::new(), None);
    };
    let other = instead(cause, first);
    let is_told = |part: &CauseDetail| {
        std::ptr::eq(part, first) || other.is_some_and(|other| std::ptr::eq(part, other))
    };
    let least = SECOND_SHARE * cause.diff.unsigned_abs() as f64;
    let matters = |part: &&CauseDetail| !is_told(part) && part.diff.unsigned_abs() as f64 >= least;
    let second = cause.parts.iter().find(matters);
    let is_net = |second: &&CauseDetail| second.diff.signum() != first.diff.signum();
    let (text, also) = match (other, second) {
        (Some(other), second) => (form.instead(first, other), second),
        // Numbers beside the difference of the row have to be that difference.
        (None, Some(second)) if is_net(&second) || !is_whole(first, cause) => {
            let others = others(cause, first, second, least);
            let both = format!("{}, {}", form.amount(first), form.amount(second));
            (both + &others.unwrap_or_default(), None)
        }
        (None, None) if !is_whole(first, cause) => (form.amount(first), None),
        (None, second) => (form.part(first), second),
    };
    let also = also.map(|part| match part.kind {
        DetailKind::Own => form.amount(part),
        _ => form.part(part),
    });
    let inlining = cause.inlining.map(TextForm::inlining);
    let constants = cause.code == CodeState::OtherConstants;
    let constants = constants.then(|| "refers to other constants".to_owned());
    let text = [Some(text), inlining, constants].into_iter().flatten();
    (text.collect::<Vec<_>>().join("; "), also)
}

/// The sum of the parts that are not told beside two others: `, 2 more +32,812`.
fn others(cause: &Cause, first: &CauseDetail, second: &CauseDetail, least: f64) -> Option<String> {
    // The parts are those of a record, which may be a stranger's.
    let rest = cause
        .diff
        .checked_sub(first.diff)?
        .checked_sub(second.diff)?;
    let number = cause.parts.len().checked_sub(2).filter(|left| *left > 0)?;
    let matters = rest.unsigned_abs() as f64 >= least;
    matters.then(|| format!(", {number} more {}", signed(rest)))
}

/// Are the costs of a part, if it has some, the difference of the row?
fn is_whole(part: &CauseDetail, cause: &Cause) -> bool {
    // One more or less comes from rounding.
    let is_all = part.diff.abs_diff(cause.diff) <= 1;
    part.kind != DetailKind::Own || (is_all && has_pair(part))
}

/// Are the old and new own costs of a part its difference?
fn has_pair(part: &CauseDetail) -> bool {
    let difference = i128::from(part.new) - i128::from(part.old) - i128::from(part.diff);
    // Rounding may have moved one count to another part.
    part.entries.is_some() || difference.abs() <= 1
}

/// The counterpart of the first part, if one of two callees replaced the other.
fn instead<'a>(cause: &'a Cause, first: &CauseDetail) -> Option<&'a CauseDetail> {
    // Calls further down are not made here, so none of them replaced another one at this place.
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
            true => counted(new.new, "time"),
            false => format!(
                "{} {} {}",
                grouped(old.old),
                self.arrow,
                counted(new.new, "time")
            ),
        };
        format!("calls {new_name} instead of {old_name}, {times}")
    }

    fn part(&self, part: &CauseDetail) -> String {
        let arrow = self.arrow;
        let text = match (part.kind, part.entries) {
            (DetailKind::Calls, _) => {
                let calls = match part.through.is_empty() {
                    true => "calls ",
                    false => "",
                };
                format!("{calls}{}", self.counts(part))
            }
            (DetailKind::Entries, _) => format!("called {}", self.counts(part)),
            (DetailKind::Allocates | DetailKind::Frees, _) => self.counts(part),
            (DetailKind::Own, _) if !has_pair(part) => return self.amount(part),
            (DetailKind::Own, None) => {
                let [old, new] = [part.old, part.new].map(grouped);
                format!("own code, {old} {arrow} {new}")
            }
            (DetailKind::Own, Some(entries)) => {
                let each = |costs: u64| format!("{:.1}", costs as f64 / entries as f64);
                let [old, new] = [part.old, part.new].map(each);
                let entries = grouped(entries);
                format!("own code, {old} {arrow} {new} for each of {entries} calls")
            }
        };
        self.through(part, text)
    }

    /// A part with its share of the difference.
    fn amount(&self, part: &CauseDetail) -> String {
        let text = match part.kind {
            DetailKind::Own => "own code".to_owned(),
            DetailKind::Entries => format!("called {}", self.counts(part)),
            DetailKind::Calls | DetailKind::Allocates | DetailKind::Frees => self.counts(part),
        };
        let about = if part.estimate { "about " } else { "" };
        // Own code below is one part of a difference that came up from there.
        let is_below = part.kind == DetailKind::Own && !part.through.is_empty() && !part.estimate;
        let (is_less, amount) = match is_below {
            true => (part.new < part.old, part.new.abs_diff(part.old)),
            false => (part.diff < 0, part.diff.unsigned_abs()),
        };
        let sign = if is_less { "-" } else { "+" };
        let amount = grouped(amount);
        self.through(part, format!("{text} {about}{sign}{amount}"))
    }

    fn counts(&self, part: &CauseDetail) -> String {
        let old = grouped(part.old);
        let numbers = match (part.kind, part.old == part.new) {
            (DetailKind::Allocates | DetailKind::Frees, true) => {
                format!("{} as before", counted(part.new, "block"))
            }
            (DetailKind::Allocates | DetailKind::Frees, false) => {
                format!("{old} {} {}", self.arrow, counted(part.new, "block"))
            }
            _ => format!("{old} {} {}", self.arrow, counted(part.new, "time")),
        };
        match part.kind {
            DetailKind::Allocates => format!("allocates {numbers}"),
            DetailKind::Frees => format!("frees {numbers}"),
            DetailKind::Calls => format!("{} {numbers}", self.callee(part)),
            DetailKind::Own | DetailKind::Entries => numbers,
        }
    }

    fn through(&self, part: &CauseDetail, text: String) -> String {
        match &part.through[..] {
            [] => text,
            [only] => format!("through {}: {text}", (self.name)(only)),
            [first, .., last] => {
                let [first, last] = [first, last].map(|name| (self.name)(name));
                format!("through {first}, {last}: {text}")
            }
        }
    }

    fn inlining(change: InliningChange) -> String {
        match change {
            InliningChange::NoLongerInlined { calls } => {
                format!("no longer inlined ({})", counted(calls, "call"))
            }
            InliningChange::InlinedNow { .. } => "inlined now".to_owned(),
        }
    }

    fn callee(&self, part: &CauseDetail) -> String {
        let name = (self.name)(part.callee.as_deref().unwrap_or("???"));
        let others: Vec<String> = part.merged.iter().map(|name| (self.name)(name)).collect();
        match &others[..] {
            [] => name,
            others => format!("{name} (merged with {})", others.join(", ")),
        }
    }
}
