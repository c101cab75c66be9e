//! Were an old and a new result measured with the same arguments?
//!
//! In: the arguments of both. Out: nothing if they are equal or not known, else whether the figures
//! may be compared, and a note. An id that is a place in a list stands for something else as soon
//! as the list changes; under a name that the author gave, other arguments are a change like any
//! other.

use iai_callgrind::protocol::Input;

use crate::summary::OtherInput;

/// The most characters of arguments in a note.
const SHOWN: usize = 60;

/// The number of characters that are shown before the first difference of longer arguments.
const BEFORE: usize = 15;

/// The difference of arguments. `None` is not known.
#[must_use]
pub fn other_input(old: Option<&Input>, new: Option<&Input>) -> Option<OtherInput> {
    let (old, new) = (old?, new?);
    (old.text != new.text).then(|| OtherInput {
        was: old.text.clone(),
        is: new.text.clone(),
        compared: !old.positional && !new.positional,
    })
}

impl OtherInput {
    /// The note for the user. `name` stands in front of the arguments, and `last` is the old
    /// result.
    #[must_use]
    pub fn note(&self, name: &str, last: &str) -> String {
        let [was, is] = self.excerpts();
        let changed = format!("was `{name}({was})`, is `{name}({is})`");
        match self.compared {
            true => format!("{changed}: {last} had other arguments"),
            false => format!("{changed}: not compared with {last}"),
        }
    }

    /// The change in few words.
    #[must_use]
    pub fn change(&self) -> String {
        let [was, is] = self.excerpts();
        format!("arguments {was} -> {is}")
    }

    fn excerpts(&self) -> [String; 2] {
        let same = self.was.chars().zip(self.is.chars());
        let same = same.take_while(|(was, is)| was == is).count();
        [excerpt(&self.was, same), excerpt(&self.is, same)]
    }
}

/// The text on one line; around the first difference if it is long.
fn excerpt(text: &str, same: usize) -> String {
    let text: Vec<char> = text.chars().collect();
    let begin = match text.len() > SHOWN && same > SHOWN / 2 {
        // More than 30 are the same here, so this does not wrap.
        true => same - BEFORE,
        false => 0,
    };
    let end = text.len().min(begin + SHOWN);
    let shown: String = text.get(begin..end).unwrap_or_default().iter().collect();
    let dots = |cut| if cut { ".." } else { "" };
    format!("{}{shown}{}", dots(begin > 0), dots(end < text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(text: &str, positional: bool) -> Input {
        Input {
            text: text.to_owned(),
            positional,
        }
    }

    #[test]
    fn places_in_a_list_are_not_compared_and_names_are() {
        #[track_caller]
        fn check(old: (&str, bool), new: (&str, bool), compared: Option<bool>) {
            let (old, new) = (input(old.0, old.1), input(new.0, new.1));
            let other = other_input(Some(&old), Some(&new));
            assert_eq!(other.map(|other| other.compared), compared);
        }
        check(("100", true), ("100", true), None);
        check(("100", true), ("50", true), Some(false));
        check(("100", false), ("50", false), Some(true));
        // `rows_1` was a place and is a name, or the other way round.
        check(("100", true), ("50", false), Some(false));
        check(("100", false), ("50", true), Some(false));
        check(("100", false), ("100", true), None);
    }

    #[test]
    fn what_is_not_known_is_compared() {
        let known = input("100", true);
        assert_eq!(other_input(None, Some(&known)), None);
        assert_eq!(other_input(Some(&known), None), None);
    }

    #[track_caller]
    fn check(was: &str, is: &str, compared: bool, expected: &str) {
        let other = OtherInput {
            was: was.to_owned(),
            is: is.to_owned(),
            compared,
        };
        assert_eq!(other.note("rows", "the last run"), expected);
    }

    #[test]
    fn notes() {
        check(
            "100",
            "50",
            false,
            "was `rows(100)`, is `rows(50)`: not compared with the last run",
        );
        check(
            "100",
            "1000",
            true,
            "was `rows(100)`, is `rows(1000)`: the last run had other arguments",
        );
    }

    #[test]
    fn long_arguments_are_shown_where_they_differ() {
        let same = "ä".repeat(100);
        let shown = format!("{}1{}", "ä".repeat(BEFORE), "x".repeat(SHOWN - BEFORE - 1));
        let expected = format!(
            "was `rows(..{shown}..)`, is `rows(..{}2)`: not compared with the last run",
            "ä".repeat(BEFORE)
        );
        let was = format!("{same}1{}", "x".repeat(100));
        check(&was, &format!("{same}2"), false, &expected);
        let end = "x".repeat(100);
        let expected = format!(
            "was `rows(1{}..)`, is `rows()`: not compared with the last run",
            &end[..SHOWN - 1]
        );
        check(&format!("1{end}"), "", false, &expected);
        // The one text is the beginning of the other one.
        let note = OtherInput {
            was: end.clone(),
            is: end + "y",
            compared: false,
        };
        let note = note.note("rows", "the last run");
        assert!(note.contains("is `rows(..xxxxxxxxxxxxxxxy)`"), "{note}");
    }
}
