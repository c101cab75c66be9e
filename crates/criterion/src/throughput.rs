//! Amounts that routines handle.

use iai_callgrind::__internal::Throughputs;

use crate::ignored;

/// Amount that one call of a routine handles: instructions are shown for each byte or element as
/// well.
///
/// An amount of 0 says nothing, and of bits only whole bytes count.
///
/// ```
/// use iai_callgrind_criterion::{Criterion, Throughput};
///
/// fn lengths(c: &mut Criterion) {
///     let mut group = c.benchmark_group("lengths");
///     let text = "a few words";
///     group.throughput(Throughput::Bytes(text.len() as u64));
///     group.bench_function("chars", |b| b.iter(|| text.chars().count()));
///     group.finish();
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Throughput {
    /// Number of bits.
    Bits(u64),
    /// Number of bytes.
    Bytes(u64),
    /// The same as [`Bytes`](Self::Bytes).
    BytesDecimal(u64),
    /// Number of elements.
    Elements(u64),
    /// Both.
    ElementsAndBytes {
        /// Number of elements.
        elements: u64,
        /// Number of bytes.
        bytes: u64,
    },
}

impl Throughput {
    /// The amount in the units that instructions are divided by.
    pub(crate) fn amounts(&self) -> Throughputs {
        let (elements, bytes) = match *self {
            Self::Bits(bits) => {
                if bits % 8 != 0 {
                    ignored::setting("Throughput::Bits");
                }
                (0, if bits % 8 == 0 { bits / 8 } else { 0 })
            }
            Self::Bytes(bytes) | Self::BytesDecimal(bytes) => (0, bytes),
            Self::Elements(elements) => (elements, 0),
            Self::ElementsAndBytes { elements, bytes } => (elements, bytes),
        };
        let some = |number: u64| (number > 0).then_some(number);
        Throughputs {
            bytes: some(bytes),
            elements: some(elements),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_amount_is_one_of_bytes_and_elements() {
        let (elements, bytes) = (3, 5);
        for (throughput, expected) in [
            (Throughput::Bits(16), (None, Some(2))),
            (Throughput::Bits(17), (None, None)),
            (Throughput::Bytes(7), (None, Some(7))),
            (Throughput::BytesDecimal(7), (None, Some(7))),
            (Throughput::Elements(9), (Some(9), None)),
            (Throughput::Elements(0), (None, None)),
            (
                Throughput::ElementsAndBytes { elements, bytes },
                (Some(3), Some(5)),
            ),
        ] {
            let amounts = throughput.amounts();
            assert_eq!(
                (amounts.elements, amounts.bytes),
                expected,
                "{throughput:?}"
            );
        }
    }
}
