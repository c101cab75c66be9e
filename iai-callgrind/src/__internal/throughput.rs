//! Amounts that benchmarks handle, for `throughput`. The runner checks the values, because every
//! user compiles the code here.

use super::size::InputSize;
use super::table::Element;
pub use crate::protocol::Throughput as Throughputs;
use crate::Throughput;

/// Value of `throughput`: amounts, of which those of one unit add up.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no throughput",
    label = "a throughput is `Bytes(n)`, `Elements(n)`, an array of both, or an `Option`",
    note = "it says how much the benchmark handles: `throughput = Bytes(text.len())`, or for the arguments of a setup \
            `throughput = |n| Elements(n)`"
)]
pub trait IntoThroughputs {
    fn throughputs(self) -> Throughputs;
}

impl IntoThroughputs for Throughput {
    #[inline]
    fn throughputs(self) -> Throughputs {
        [self].throughputs()
    }
}

/// Unsets what an outer attribute says.
#[diagnostic::do_not_recommend]
impl IntoThroughputs for () {
    #[inline]
    fn throughputs(self) -> Throughputs {
        Throughputs::default()
    }
}

#[diagnostic::do_not_recommend]
impl IntoThroughputs for Option<Throughput> {
    #[inline]
    fn throughputs(self) -> Throughputs {
        self.map(Throughput::throughputs).unwrap_or_default()
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize> IntoThroughputs for [Throughput; N] {
    #[inline]
    fn throughputs(self) -> Throughputs {
        sum(self)
    }
}

#[diagnostic::do_not_recommend]
impl IntoThroughputs for Vec<Throughput> {
    #[inline]
    fn throughputs(self) -> Throughputs {
        sum(self)
    }
}

fn sum(amounts: impl IntoIterator<Item = Throughput>) -> Throughputs {
    let mut all = Throughputs::default();
    for amount in amounts {
        amount.add_to(&mut all);
    }
    all
}

impl Throughput {
    /// Adds the amount to those of its unit.
    #[inline]
    pub(crate) fn add_to(self, all: &mut Throughputs) {
        let (sum, number) = match self {
            Self::Bytes(number) => (&mut all.bytes, number),
            Self::Elements(number) => (&mut all.elements, number),
        };
        *sum = Some(sum.unwrap_or(0).saturating_add(number));
    }
}

/// Number of bytes or elements.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number of bytes or elements",
    label = "an amount is a whole number of at most 64 bits"
)]
pub trait Amount {
    /// The number. A negative one is as good as 0.
    fn amount(self) -> u64;
}

#[diagnostic::do_not_recommend]
impl<N: InputSize> Amount for N {
    #[inline]
    fn amount(self) -> u64 {
        self.size()
    }
}

/// The names of the amounts in attributes, which take any whole number.
pub mod amounts {
    #![allow(non_snake_case)]

    use super::Amount;
    use crate::Throughput;

    #[inline]
    pub fn Bytes<N: Amount>(number: N) -> Throughput {
        Throughput::Bytes(number.amount())
    }

    #[inline]
    pub fn Elements<N: Amount>(number: N) -> Throughput {
        Throughput::Elements(number.amount())
    }
}

/// Amounts of a case, which the user's code may make.
pub(super) enum LaterThroughputs {
    Of(fn(Element) -> Throughputs, Element),
    Known(Throughputs),
}

impl LaterThroughputs {
    #[inline]
    pub(super) fn get(&self) -> Throughputs {
        match self {
            Self::Of(function, element) => function(*element),
            Self::Known(amounts) => *amounts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::amounts::{Bytes, Elements};
    use super::*;

    #[test]
    fn any_whole_number_is_an_amount() {
        assert_eq!(Bytes(3), Throughput::Bytes(3));
        assert_eq!(Elements("abc".len()), Throughput::Elements(3));
        assert_eq!(Bytes(u64::MAX), Throughput::Bytes(u64::MAX));
        assert_eq!(Bytes(-1_i8), Throughput::Bytes(0));
    }

    #[test]
    fn amounts_of_a_unit_add_up() {
        let said = |bytes, elements| Throughputs { bytes, elements };
        assert_eq!(Bytes(7_u8).throughputs(), said(Some(7), None));
        assert_eq!(
            [Elements(2), Bytes(16)].throughputs(),
            said(Some(16), Some(2))
        );
        assert_eq!(vec![Bytes(1), Bytes(2)].throughputs(), said(Some(3), None));
        assert_eq!(
            [Bytes(u64::MAX), Bytes(2)].throughputs(),
            said(Some(u64::MAX), None)
        );
        assert_eq!(Some(Elements(0)).throughputs(), said(None, Some(0)));
        assert_eq!(None.throughputs(), said(None, None));
        assert_eq!(().throughputs(), said(None, None));
    }
}
