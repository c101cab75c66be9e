//! Sizes of inputs, for `scaling`.

/// Number that is the size of an input.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no size of an input",
    label = "a size is a whole number",
    note = "where the argument is no number, a function says how large it is: `scaling = (\"n log n\", size)`"
)]
pub trait InputSize {
    /// The size. A negative number is as good as 0.
    fn size(self) -> u64;
}

macro_rules! input_size {
    ($($number:ty)+) => {
        $(
            #[diagnostic::do_not_recommend]
            impl InputSize for $number {
                #[inline]
                fn size(self) -> u64 {
                    u64::try_from(self).unwrap_or(0)
                }
            }
        )+
    };
}

input_size!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);
