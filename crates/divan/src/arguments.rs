//! Arguments of `args`: from an element of the list to the parameter of the function, and to a
//! text.

use std::borrow::Cow;
use std::fmt::{Debug, Display};

/// An element that a parameter can have by value.
#[diagnostic::on_unimplemented(
    message = "an element of `args` is `{Self}`, and the parameter is `{P}`",
    label = "the parameter has the type of the elements, which is `Copy`, or is a reference to it"
)]
pub trait ByValue<P> {
    fn value(&self) -> P;
}

impl<P: Copy> ByValue<P> for P {
    fn value(&self) -> P {
        *self
    }
}

impl<P: Copy> ByValue<P> for &P {
    fn value(&self) -> P {
        **self
    }
}

/// An element that a parameter can have by reference.
#[diagnostic::on_unimplemented(
    message = "an element of `args` is `{Self}`, and the parameter is a reference to `{T}`",
    label = "the parameter is a reference to the type of the elements; strings are `&str` as well"
)]
pub trait ByReference<T: ?Sized> {
    fn reference(&self) -> &T;
}

impl<T> ByReference<T> for T {
    fn reference(&self) -> &T {
        self
    }
}

impl<T: ?Sized> ByReference<T> for &T {
    fn reference(&self) -> &T {
        self
    }
}

impl ByReference<str> for String {
    fn reference(&self) -> &str {
        self
    }
}

impl ByReference<str> for &String {
    fn reference(&self) -> &str {
        self
    }
}

impl ByReference<str> for &&str {
    fn reference(&self) -> &str {
        self
    }
}

impl ByReference<str> for Box<str> {
    fn reference(&self) -> &str {
        self
    }
}

impl ByReference<str> for Cow<'_, str> {
    fn reference(&self) -> &str {
        self
    }
}

/// Makes the text of an element: as it is displayed, or otherwise as it is debugged. The method of
/// the type itself comes before that of the trait.
#[derive(Debug)]
pub struct Label<'a, T: ?Sized>(pub &'a T);

impl<T: Display + ?Sized> Label<'_, T> {
    #[must_use]
    pub fn text(&self) -> String {
        self.0.to_string()
    }
}

/// Texts of elements that cannot be displayed.
pub trait Debugged {
    fn text(&self) -> String;
}

impl<T: Debug + ?Sized> Debugged for &Label<'_, T> {
    fn text(&self) -> String {
        format!("{:?}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::needless_borrow)] // As generated code has it: the reference makes the difference.
    fn texts_are_displayed_or_debugged() {
        assert_eq!((&Label("a b")).text(), "a b");
        assert_eq!((&Label(&1.5)).text(), "1.5");
        assert_eq!((&Label(&Some(1))).text(), "Some(1)");
    }

    #[test]
    fn elements_become_parameters() {
        fn value<P>(element: impl ByValue<P>) -> P {
            element.value()
        }
        assert_eq!((value::<u8>(1), value::<u8>(&1)), (1, 1));
        assert_eq!(value::<&str>("a"), "a");
        fn text(element: impl ByReference<str>) -> String {
            element.reference().to_owned()
        }
        let owned = "b".to_owned();
        let texts = [
            text("a"),
            text(&owned),
            text(Box::<str>::from("c")),
            text(Cow::Borrowed("d")),
        ];
        assert_eq!(texts.concat() + &text(owned.into_boxed_str()), "abcdb");
        let number: &u8 = 7_u8.reference();
        assert_eq!(*number, 7);
    }
}
