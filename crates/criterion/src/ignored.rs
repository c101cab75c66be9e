//! Settings that are accepted and have no effect, reported once in a run.
//!
//! The process that becomes the runner reports them; the others register as well, and report
//! nothing.

use std::sync::{Mutex, MutexGuard, PoisonError};

struct Ignored {
    /// Does this process say it?
    is_told: bool,
    /// Settings and options, in the order in which they came.
    names: Vec<String>,
}

static IGNORED: Mutex<Ignored> = Mutex::new(Ignored {
    is_told: false,
    names: Vec::new(),
});

/// Notes that a setting or option has no effect.
pub(crate) fn setting(name: &str) {
    let mut ignored = locked();
    if !ignored.names.iter().any(|known| known == name) {
        ignored.names.push(name.to_owned());
    }
}

/// Marks this process as the one that reports them.
pub(crate) fn will_tell() {
    locked().is_told = true;
}

/// Reports the noted settings, the first time that it is called.
pub(crate) fn tell() {
    let mut ignored = locked();
    if ignored.is_told && !ignored.names.is_empty() {
        eprintln!("{}", text(&ignored.names));
        ignored.is_told = false;
    }
}

fn text(names: &[String]) -> String {
    let verb = match names {
        [_] => "has",
        _ => "have",
    };
    let names = names.join("`, `");
    let mut text = format!("note: `{names}` {verb} no effect: one call of each routine is counted");
    if names.contains("_baseline") {
        text += "\n  hint: baselines are options: `--save-baseline=NAME`, `--baseline=NAME`";
    }
    text
}

fn locked() -> MutexGuard<'static, Ignored> {
    IGNORED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn one_sentence_for_all() {
        let names = |names: &[&str]| {
            text(
                &names
                    .iter()
                    .map(|name| (*name).to_owned())
                    .collect::<Vec<_>>(),
            )
        };
        assert!(names(&["sample_size"]).starts_with("note: `sample_size` has no effect: "));
        let text = names(&["--quick", "save_baseline"]);
        assert!(
            text.starts_with("note: `--quick`, `save_baseline` have no effect: "),
            "{text}"
        );
        assert!(text.ends_with("`--baseline=NAME`"), "{text}");
    }
}
