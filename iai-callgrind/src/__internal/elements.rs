//! Benchmarks whose arguments come from an iterator or from the lines of a file.

use super::exit;
use super::table::{Element, Programs};
use crate::protocol::Command;

/// The most characters of a value that is shown in place of its place in the list.
const LONGEST_SHOWN: usize = 40;

/// Texts of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Text for people.
    pub shown: String,
    /// The argument alone, which tells it from others.
    pub input: String,
}

/// Texts around that of an argument.
#[derive(Debug, Clone, Copy)]
pub struct Around {
    /// Setup and const generics.
    pub before: &'static str,
    /// End of setup and const generics.
    pub after: &'static str,
    /// Const generics alone.
    pub consts: &'static str,
}

/// The texts of the elements of an iterator: the value of a number or short text, otherwise
/// `nth(2) of EXPRESSION`. A number or text is known by its value, everything else by its place in
/// the expression.
///
/// `_typed` is not called: it says which type the elements have.
pub fn described<I: IntoIterator>(
    elements: I,
    _typed: impl FnOnce(I::Item),
    text: impl Fn(&I::Item) -> Option<String>,
    list: &str,
    around: Around,
) -> Vec<Text> {
    let elements = elements.into_iter().enumerate();
    elements
        .map(|(index, element)| around.element(index, text(&element), list))
        .collect()
}

/// The texts of the lines of a file.
#[inline]
pub fn lines(file: &str, around: Around) -> Vec<Text> {
    let lines = file.lines().enumerate();
    lines
        .map(|(index, line)| around.line(index, line))
        .collect()
}

impl Around {
    #[inline]
    fn element(self, index: usize, text: Option<String>, list: &str) -> Text {
        let Self {
            before,
            after,
            consts,
        } = self;
        let place = format!("nth({index}) of {list}");
        let short = text
            .as_ref()
            .filter(|text| text.chars().count() <= LONGEST_SHOWN);
        Text {
            shown: format!("{before}{}{after}", short.unwrap_or(&place)),
            // Compared as a whole, also where it is too long to be shown.
            input: consts.to_owned() + &text.unwrap_or(place),
        }
    }

    #[inline]
    fn line(self, index: usize, line: &str) -> Text {
        let Self {
            before,
            after,
            consts,
        } = self;
        Text {
            shown: format!("{before}{line:?}{after} (line {})", index + 1),
            input: format!("{consts}{line:?}"),
        }
    }
}

/// Function that gets each element of an iterator or file in turn: its texts, and a function that
/// makes its command, which can be called once.
pub type Each<'a> = dyn FnMut(Text, &mut dyn FnMut() -> Command) + 'a;

/// Gives the elements of an iterator to `each`, in one pass.
pub fn commands<I: IntoIterator>(
    elements: I,
    command: impl Fn(I::Item) -> Command,
    text: impl Fn(&I::Item) -> Option<String>,
    list: &str,
    around: Around,
    each: &mut Each<'_>,
) {
    for (index, element) in elements.into_iter().enumerate() {
        let text = around.element(index, text(&element), list);
        let mut element = Some(element);
        each(text, &mut || {
            command(element.take().expect("a command is made once"))
        });
    }
}

/// Gives the lines of a file to `each`, in one pass.
pub fn commands_of_lines(
    file: &str,
    command: impl Fn(String) -> Command,
    around: Around,
    each: &mut Each<'_>,
) {
    for (index, line) in file.lines().enumerate() {
        each(around.line(index, line), &mut || command(line.to_owned()));
    }
}

/// The command of one element; the functions of the others are not called. The iterator runs to its
/// end, as in [`nth`].
#[inline]
pub(super) fn nth_command(programs: Programs, element: Element) -> Command {
    let mut found = None;
    let mut count = 0;
    (programs.commands)(&mut |_, command| {
        if count == element.index as usize {
            found = Some(command());
        }
        count += 1;
    });
    found.unwrap_or_else(|| absent(element.index, count))
}

/// The element that the benchmark gets. The iterator runs to its end, so that one which gives
/// something else in every process does not go unnoticed; it does so before the count begins.
///
/// # Panics
///
/// When there are not as many elements as before, if that is known.
#[track_caller]
pub fn nth<I: IntoIterator>(elements: I, element: Element) -> I::Item {
    let mut found = None;
    let mut count = 0;
    for (index, item) in elements.into_iter().enumerate() {
        if index == element.index as usize {
            found = Some(item);
        }
        count += 1;
    }
    // A count of 0: the benchmark was chosen by its name, without listing the elements before.
    match found {
        Some(item) if count == element.count as usize || element.count == 0 => item,
        None if element.count == 0 => absent(element.index, count),
        _ => panic!(
            "`iter` gave {} elements when the benchmarks were listed and {count} when element {} \
             was to be measured; it must give the same in every process",
            element.count, element.index
        ),
    }
}

/// Ends a process whose command line names an element that is not there.
#[inline]
fn absent(index: u32, count: usize) -> ! {
    exit::with_error(
        exit::USAGE,
        format_args!(
            "there is no such benchmark: the number is {index}, and `iter` gave {count} elements"
        ),
    );
    std::process::exit(exit::USAGE.into())
}

/// Returns the same as [`nth`], for a hook that may take more types than the benchmark does.
/// `_typed` is not called: it says which type the elements have.
#[track_caller]
pub fn nth_typed<I: IntoIterator>(
    elements: I,
    _typed: impl FnOnce(I::Item),
    element: Element,
) -> I::Item {
    nth(elements, element)
}

/// The line that the benchmark gets.
#[inline]
pub fn nth_line(file: &str, element: Element) -> String {
    nth(file.lines(), element).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_element_is_found() {
        let element = |index| Element { index, count: 3 };
        let found: Vec<_> = (0..3).map(|index| nth(5..8, element(index))).collect();
        assert_eq!(found, [5, 6, 7]);
        assert_eq!(nth_line("a\n\nb \n", element(2)), "b ");
        assert_eq!(nth_line("a\n\nb \n", element(1)), "");
    }

    #[test]
    #[should_panic = "`iter` gave 3 elements when the benchmarks were listed and 4 when element 1"]
    fn another_number_of_elements_is_noticed() {
        nth(0..4, Element { index: 1, count: 3 });
    }

    #[test]
    fn the_number_of_elements_need_not_be_known() {
        assert_eq!(nth(5..8, Element { index: 2, count: 0 }), 7);
    }

    #[test]
    fn texts() {
        let around = Around {
            before: "<4>(setup(",
            after: "))",
            consts: "<4> ",
        };
        let check = |texts: Vec<Text>, expected: [(&str, &str); 2]| {
            let texts: Vec<_> = texts.iter().map(|t| (&*t.shown, &*t.input)).collect();
            assert_eq!(texts, expected);
        };
        check(
            described(
                [7, 8],
                drop,
                |n| (*n == 8).then(|| n.to_string()),
                "LIST",
                around,
            ),
            [
                ("<4>(setup(nth(0) of LIST))", "<4> nth(0) of LIST"),
                ("<4>(setup(8))", "<4> 8"),
            ],
        );
        let long = "ä".repeat(LONGEST_SHOWN + 1);
        let short = &long[..2 * LONGEST_SHOWN];
        let texts = described(
            [short, &long],
            drop,
            |text| Some((*text).to_owned()),
            "LIST",
            around,
        );
        check(
            texts,
            [
                (&format!("<4>(setup({short}))"), &format!("<4> {short}")),
                ("<4>(setup(nth(1) of LIST))", &format!("<4> {long}")),
            ],
        );
        check(
            lines("a b\n\n", around),
            [
                ("<4>(setup(\"a b\")) (line 1)", "<4> \"a b\""),
                ("<4>(setup(\"\")) (line 2)", "<4> \"\""),
            ],
        );
    }
}
