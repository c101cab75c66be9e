//! Counters: the amount that one call of a routine handles. Bytes and items are shown as
//! instructions per byte and item; characters count as items if there is no number of items; cycles
//! have no effect.
//!
//! ```no_run
//! # use iai_callgrind_divan as divan;
//! use divan::counter::{BytesCount, ItemsCount};
//!
//! const NUMBERS: &[u32] = &[1, 2, 3];
//!
//! #[divan::bench(counters = [BytesCount::of_slice(NUMBERS), ItemsCount::new(NUMBERS.len())])]
//! fn sum() -> u32 {
//!     divan::black_box(NUMBERS).iter().sum()
//! }
//! ```

use std::any::{Any, TypeId};

use iai_callgrind::__internal::Throughputs;

mod sealed {
    pub trait Sealed {}

    /// An unsigned number, or references to one.
    pub trait AsCountUInt {
        fn as_count(&self) -> u64;
    }

    impl<T: AsCountUInt + ?Sized> AsCountUInt for &T {
        fn as_count(&self) -> u64 {
            (**self).as_count()
        }
    }

    /// An unsigned number.
    pub trait CountUInt: Copy + AsCountUInt {}
}

pub(crate) use sealed::AsCountUInt;
use sealed::CountUInt;

/// A number of bytes, characters, cycles or items.
///
/// ```
/// # use iai_callgrind_divan as divan;
/// fn is_counter<C: divan::counter::Counter>(_: C) {}
/// is_counter(divan::counter::ItemsCount::new(3_u8));
/// ```
pub trait Counter: Sized + Any + sealed::Sealed {
    #[doc(hidden)]
    fn number(&self) -> u64;
}

/// Types that can be used as a [`Counter`]: counters themselves, and unsigned integers as a number
/// of items.
///
/// ```
/// # use iai_callgrind_divan as divan;
/// use divan::counter::{IntoCounter, ItemsCount};
///
/// assert_eq!(5_usize.into_counter(), ItemsCount::new(5_usize));
/// ```
pub trait IntoCounter {
    /// Which counter it is.
    type Counter: Counter;

    /// The counter.
    ///
    /// ```
    /// # use iai_callgrind_divan as divan;
    /// use divan::counter::{BytesCount, IntoCounter};
    ///
    /// assert_eq!(BytesCount::u8(3).into_counter(), BytesCount::u8(3));
    /// ```
    fn into_counter(self) -> Self::Counter;
}

impl<C: Counter> IntoCounter for C {
    type Counter = C;

    fn into_counter(self) -> C {
        self
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl AsCountUInt for $number {
            fn as_count(&self) -> u64 {
                *self as u64
            }
        }

        impl CountUInt for $number {}

        impl IntoCounter for $number {
            type Counter = ItemsCount;

            fn into_counter(self) -> ItemsCount {
                ItemsCount::new(self)
            }
        }
    )*};
}

numbers!(u8, u16, u32, u64, usize);

macro_rules! counters {
    ($($(#[$docs:meta])* $name:ident)*) => {$(
        $(#[$docs])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name(u64);

        impl $name {
            /// This number of them.
            pub fn new<N: CountUInt>(count: N) -> Self {
                Self(count.as_count())
            }
        }

        impl<C: AsCountUInt> From<C> for $name {
            fn from(count: C) -> Self {
                Self(count.as_count())
            }
        }

        impl sealed::Sealed for $name {}

        impl Counter for $name {
            fn number(&self) -> u64 {
                self.0
            }
        }
    )*};
}

counters! {
    /// Number of bytes.
    ///
    /// ```
    /// # use iai_callgrind_divan as divan;
    /// use divan::counter::BytesCount;
    ///
    /// const ONE: BytesCount = BytesCount::of::<u16>();
    /// const SOME: BytesCount = BytesCount::of_many::<u8>(2);
    ///
    /// assert!(ONE == SOME && ONE == BytesCount::of_str("ä"));
    /// assert_eq!(BytesCount::of_slice(&[1_u8, 2]), BytesCount::of_val(&1_u16));
    /// assert_eq!(BytesCount::of_iter([1_u8, 2]), BytesCount::new(2_u8));
    /// ```
    BytesCount
    /// Number of characters. They are shown as items, unless there is a number of these.
    ///
    /// ```
    /// # use iai_callgrind_divan as divan;
    /// use divan::counter::CharsCount;
    ///
    /// assert_eq!(CharsCount::of_str("ä"), CharsCount::new(1_u8));
    /// ```
    CharsCount
    /// Number of cycles, which is accepted and shown nowhere: counts have no Hertz.
    ///
    /// ```
    /// # use iai_callgrind_divan as divan;
    /// assert!(divan::counter::CyclesCount::new(2_u8) > 1_u8.into());
    /// ```
    CyclesCount
    /// Number of items.
    ///
    /// ```
    /// # use iai_callgrind_divan as divan;
    /// use divan::counter::ItemsCount;
    ///
    /// assert_eq!(ItemsCount::of_iter(["a", "b"]), ItemsCount::new(2_u8));
    /// ```
    ItemsCount
}

impl BytesCount {
    /// Size of a value of this type.
    #[must_use]
    pub const fn of<T>() -> Self {
        Self::of_many::<T>(1)
    }

    /// Size of that many values of this type.
    #[must_use]
    pub const fn of_many<T>(n: usize) -> Self {
        Self((size_of::<T>() as u64).saturating_mul(n as u64))
    }

    /// Size of this value, without what it points to.
    pub fn of_val<T: ?Sized>(val: &T) -> Self {
        Self(size_of_val(val) as u64)
    }

    /// Size of all elements.
    pub fn of_iter<T, I>(iter: I) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        Self::of_many::<T>(iter.into_iter().count())
    }

    /// Length of this text.
    pub fn of_str<S: ?Sized + AsRef<str>>(s: &S) -> Self {
        Self::of_val(s.as_ref())
    }

    /// Size of this slice.
    pub fn of_slice<T, S: ?Sized + AsRef<[T]>>(s: &S) -> Self {
        Self::of_val(s.as_ref())
    }
}

macro_rules! sizes {
    ($($number:ident)*) => {
        impl BytesCount {$(
            #[doc = concat!("Size of that many `", stringify!($number), "`s.")]
            ///
            /// ```
            /// # use iai_callgrind_divan as divan;
            /// use divan::counter::BytesCount;
            ///
            #[doc = concat!("let size = BytesCount::", stringify!($number), "(3);")]
            #[doc = concat!("assert_eq!(size, BytesCount::of::<[", stringify!($number), "; 3]>());")]
            /// ```
            #[must_use]
            pub const fn $number(n: usize) -> Self {
                Self::of_many::<$number>(n)
            }
        )*}
    };
}

sizes!(f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize);

impl CharsCount {
    /// Number of characters of this text.
    pub fn of_str<S: ?Sized + AsRef<str>>(s: &S) -> Self {
        Self(s.as_ref().chars().count() as u64)
    }
}

impl ItemsCount {
    /// Number of elements.
    pub fn of_iter<T, I>(iter: I) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        Self(iter.into_iter().count() as u64)
    }
}

/// How Divan prints bytes, which is accepted and means nothing here.
///
/// ```no_run
/// # use iai_callgrind_divan as divan;
/// use divan::{counter::BytesFormat, Divan};
///
/// Divan::from_args().bytes_format(BytesFormat::Binary).main();
/// ```
#[non_exhaustive]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum BytesFormat {
    /// Powers of 1000.
    #[default]
    Decimal,
    /// Powers of 1024.
    Binary,
}

/// One counter of each type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    bytes: Option<u64>,
    chars: Option<u64>,
    cycles: Option<u64>,
    items: Option<u64>,
}

impl Counters {
    pub(crate) fn set<C: IntoCounter>(&mut self, counter: C) {
        let counter = counter.into_counter();
        self.set_number::<C::Counter>(counter.number());
    }

    pub(crate) fn set_number<C: Counter>(&mut self, number: u64) {
        let ty = TypeId::of::<C>();
        let fields = [
            (TypeId::of::<BytesCount>(), &mut self.bytes),
            (TypeId::of::<CharsCount>(), &mut self.chars),
            (TypeId::of::<CyclesCount>(), &mut self.cycles),
            (TypeId::of::<ItemsCount>(), &mut self.items),
        ];
        for (of_field, field) in fields {
            if of_field == ty {
                *field = Some(number);
            }
        }
    }

    /// These counters over those of an outer level.
    pub(crate) fn over(self, below: Self) -> Self {
        Self {
            bytes: self.bytes.or(below.bytes),
            chars: self.chars.or(below.chars),
            cycles: self.cycles.or(below.cycles),
            items: self.items.or(below.items),
        }
    }

    /// The throughput that `iai-callgrind` shows for them.
    pub(crate) fn throughput(self) -> Option<Throughputs> {
        let elements = self.items.or(self.chars);
        let is_any = self.bytes.is_some() || elements.is_some();
        is_any.then_some(Throughputs {
            bytes: self.bytes,
            elements,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_compiler() {
        let numbers = vec![1_u16, 2, 3];
        for count in [
            BytesCount::of_slice(&numbers),
            BytesCount::of_iter(numbers.iter().copied()),
            BytesCount::u16(3),
            BytesCount::of::<[u16; 3]>(),
            BytesCount::of_val(&[0_u8; 6]),
            BytesCount::from(&&6_u32),
        ] {
            assert_eq!(count, BytesCount(6));
        }
    }

    #[test]
    fn the_inner_counter_of_a_type_wins() {
        let mut outer = Counters::default();
        outer.set(BytesCount(1));
        outer.set(CharsCount(2));
        let mut inner = Counters::default();
        inner.set(BytesCount(3));
        let throughput = |counters: Counters| {
            let throughput = counters.throughput().unwrap();
            (throughput.bytes, throughput.elements)
        };
        assert_eq!(throughput(inner.over(outer)), (Some(3), Some(2)));
        inner.set(4_u8);
        assert_eq!(throughput(inner.over(outer)), (Some(3), Some(4)));
        let mut cycles = Counters::default();
        cycles.set(CyclesCount(5));
        assert!(cycles.throughput().is_none());
    }
}
