//! Benchmarks whose arguments come from an iterator or from the lines of a file.

use super::table::Element;

/// The texts of the elements of an iterator: `nth(2) of EXPRESSION`.
pub fn described<I: IntoIterator>(elements: I, before: &str, after: &str) -> Vec<String> {
    let elements = elements.into_iter().enumerate();
    elements
        .map(|(index, _)| format!("{before}nth({index}) of {after}"))
        .collect()
}

/// The texts of the lines of a file.
pub fn lines(file: &str, before: &str, after: &str) -> Vec<String> {
    let lines = file.lines().enumerate();
    lines
        .map(|(index, line)| format!("{before}{line:?}{after} (line {})", index + 1))
        .collect()
}

/// The element that the benchmark gets. The iterator runs to its end, so that one which gives
/// something else in every process does not go unnoticed; it does so before the count begins.
///
/// # Panics
///
/// When there are not as many elements as before.
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
    match found {
        Some(item) if count == element.count as usize => item,
        _ => panic!(
            "`iter` gave {} elements when the benchmarks were listed and {count} when element {} \
             was to be measured; it must give the same in every process",
            element.count, element.index
        ),
    }
}

/// The line that the benchmark gets.
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
    fn texts() {
        assert_eq!(
            described([7, 8], "setup(", "LIST)"),
            ["setup(nth(0) of LIST)", "setup(nth(1) of LIST)"]
        );
        assert_eq!(
            lines("a b\n\n", "", ""),
            ["\"a b\" (line 1)", "\"\" (line 2)"]
        );
    }
}
