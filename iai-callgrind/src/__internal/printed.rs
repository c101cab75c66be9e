//! The values of numbers, characters and texts, for elements of iterators.
//!
//! Other types may have a `Debug` as well, but it may say something else in every process: addresses, or the
//! order of a hash map. Generated code calls `(&Printed(element)).text()`: the method of `Printed` itself
//! is found if there is a text, and the one of [`Unprintable`] otherwise.

/// An element of an iterator.
#[derive(Debug)]
pub struct Printed<'a, T: ?Sized>(pub &'a T);

impl<T: Plain + ?Sized> Printed<'_, T> {
    #[must_use]
    pub fn text(&self) -> Option<String> {
        Some(self.0.plain())
    }
}

/// An element of which nothing is known.
pub trait Unprintable {
    fn text(&self) -> Option<String>;
}

impl<T: ?Sized> Unprintable for &Printed<'_, T> {
    fn text(&self) -> Option<String> {
        None
    }
}

/// A value whose text is the same in every process.
pub trait Plain {
    fn plain(&self) -> String;
}

macro_rules! plain {
    ($($type:ty),*) => {$(
        impl Plain for $type {
            #[inline]
            fn plain(&self) -> String {
                format!("{self:?}")
            }
        }
    )*};
}

plain!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);
plain!(f32, f64, bool, char, str, String);

impl<T: Plain + ?Sized> Plain for &T {
    fn plain(&self) -> String {
        (**self).plain()
    }
}

impl<A: Plain, B: Plain> Plain for (A, B) {
    fn plain(&self) -> String {
        format!("({}, {})", self.0.plain(), self.1.plain())
    }
}

impl<A: Plain, B: Plain, C: Plain> Plain for (A, B, C) {
    fn plain(&self) -> String {
        let (a, b, c) = self;
        format!("({}, {}, {})", a.plain(), b.plain(), c.plain())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls the trait method like generated code, where the type of the value is known.
    macro_rules! text {
        ($value:expr) => {
            (&Printed(&$value)).text()
        };
    }

    #[test]
    fn plain_values_have_a_text() {
        assert_eq!(text!(7_u64).unwrap(), "7");
        assert_eq!(text!(7).unwrap(), "7");
        assert_eq!(text!(-1.5).unwrap(), "-1.5");
        assert_eq!(text!("a\n").unwrap(), "\"a\\n\"");
        assert_eq!(text!(String::from("x")).unwrap(), "\"x\"");
        assert_eq!(text!(&&3_u8).unwrap(), "3");
        assert_eq!(text!((1_u8, "x")).unwrap(), "(1, \"x\")");
    }

    #[test]
    fn others_have_none() {
        struct Other;
        assert_eq!(text!(Other), None);
        assert_eq!(text!(std::collections::HashSet::from([1, 2])), None);
        assert_eq!(text!(plain_values_have_a_text as fn()), None);
        assert_eq!(text!(|x: u8| x), None);
    }
}
