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
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        Some(Self {
            digits: format!("{whole}{decimals}").parse().ok()?,
            decimals: u32::try_from(decimals.len()).ok()?,
        })
    }
}
