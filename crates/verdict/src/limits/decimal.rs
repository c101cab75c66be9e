//! Decimals as they were written, for comparisons of counts in whole numbers.

/// A decimal: its digits as a whole number, and the number of digits after the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WrittenDecimal {
    pub digits: i128,
    pub decimals: u32,
}

impl WrittenDecimal {
    /// `None`: it is no number, or has more digits than fit.
    pub(crate) fn read(text: &str) -> Option<Self> {
        // No exponent: `to_string` of a float writes none. The sign goes with the digits: -0.5 is
        // -05.
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        Some(Self {
            digits: format!("{whole}{decimals}").parse().ok()?,
            decimals: u32::try_from(decimals.len()).ok()?,
        })
    }
}
