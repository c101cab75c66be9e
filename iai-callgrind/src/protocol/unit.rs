//! The units of what perf measures.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// The unit of a metric of perf. A metric without unit is a count.
///
/// Parses from what perf writes (`msec`) and from the usual symbols (`ms`), and prints as a symbol.
///
/// ```
/// use iai_callgrind::Unit;
///
/// assert_eq!("msec".parse(), Ok(Unit::Milliseconds));
/// assert_eq!(Unit::Milliseconds.base(), ("ns".to_owned(), 1e6));
/// assert_eq!(Unit::Bytes.scaled(2000.0), (Unit::Kilobytes, 2.0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "String", into = "String"))]
#[non_exhaustive]
pub enum Unit {
    /// `ns`
    Nanoseconds,
    /// `us`
    Microseconds,
    /// `ms`
    Milliseconds,
    /// `s`
    Seconds,
    /// `Hz`
    Hertz,
    /// `kHz`
    Kilohertz,
    /// `MHz`
    Megahertz,
    /// `GHz`
    Gigahertz,
    /// `B`
    Bytes,
    /// `KB`, 1000 bytes
    Kilobytes,
    /// `MB`
    Megabytes,
    /// `GB`
    Gigabytes,
    /// `KiB`, 1024 bytes
    Kibibytes,
    /// `MiB`
    Mebibytes,
    /// `GiB`
    Gibibytes,
    /// `%`
    Percent,
    /// `J`
    Joules,
    /// `W`
    Watts,
    /// `V`
    Volts,
    /// `A`
    Amperes,
    /// `rpm`
    RevolutionsPerMinute,
    /// `'C`
    Celsius,
    /// `cap`
    Capacity,
    /// `cyc`
    Cycles,
    /// One unit for each of another: `MiB/s`.
    Rate(Box<Unit>, Box<Unit>),
    /// Any other, as perf writes it.
    Unknown(String),
}

/// Symbol, what else perf writes for it, family (its smallest unit) and size in that.
type Row = (
    Unit,
    &'static str,
    &'static [&'static str],
    &'static str,
    f64,
);

const ROWS: &[Row] = &[
    (Unit::Nanoseconds, "ns", &["nsec"], "ns", 1.0),
    (Unit::Microseconds, "us", &["usec"], "ns", 1e3),
    (Unit::Milliseconds, "ms", &["msec"], "ns", 1e6),
    (Unit::Seconds, "s", &["sec"], "ns", 1e9),
    (Unit::Hertz, "Hz", &[], "Hz", 1.0),
    (Unit::Kilohertz, "kHz", &[], "Hz", 1e3),
    (Unit::Megahertz, "MHz", &[], "Hz", 1e6),
    (Unit::Gigahertz, "GHz", &[], "Hz", 1e9),
    (Unit::Bytes, "B", &["Bytes"], "B", 1.0),
    (Unit::Kilobytes, "KB", &[], "B", 1e3),
    (Unit::Megabytes, "MB", &[], "B", 1e6),
    (Unit::Gigabytes, "GB", &[], "B", 1e9),
    (Unit::Kibibytes, "KiB", &[], "B", 1024.0),
    (Unit::Mebibytes, "MiB", &[], "B", 1_048_576.0),
    (Unit::Gibibytes, "GiB", &[], "B", 1_073_741_824.0),
    (Unit::Percent, "%", &[], "%", 1.0),
    (Unit::Joules, "J", &["Joules"], "J", 1.0),
    (Unit::Watts, "W", &["Watts"], "W", 1.0),
    (Unit::Volts, "V", &[], "V", 1.0),
    (Unit::Amperes, "A", &[], "A", 1.0),
    (Unit::RevolutionsPerMinute, "rpm", &[], "rpm", 1.0),
    (Unit::Celsius, "'C", &[], "'C", 1.0),
    (Unit::Capacity, "cap", &[], "cap", 1.0),
    (Unit::Cycles, "cyc", &[], "cyc", 1.0),
];

impl Unit {
    fn row(&self) -> Option<&'static Row> {
        ROWS.iter().find(|(unit, ..)| unit == self)
    }

    /// The smallest unit that this one can be written in, and how much of it this one is. Units
    /// with the same smallest unit can be compared.
    #[must_use]
    #[inline]
    pub fn base(&self) -> (String, f64) {
        if let Some((.., family, size)) = self.row() {
            return ((*family).to_owned(), *size);
        }
        match self {
            Self::Rate(above, below) => {
                let ((above, size), (below, divisor)) = (above.base(), below.base());
                (format!("{above}/{below}"), size / divisor)
            }
            other => (other.to_string(), 1.0),
        }
    }

    /// The unit of its family in which this value has the fewest digits before the point, at least
    /// one, and the value in it. Binary sizes stay binary.
    #[must_use]
    #[inline]
    pub fn scaled(&self, value: f64) -> (Self, f64) {
        let Some((.., family, size)) = self.row() else {
            return (self.clone(), value);
        };
        let is_binary =
            |unit: &Self| matches!(unit, Self::Kibibytes | Self::Mebibytes | Self::Gibibytes);
        let base = value * size;
        let fits = |(unit, _, _, other, size): &&Row| {
            other == family
                && (*unit == Self::Bytes || is_binary(unit) == is_binary(self))
                && base.abs() >= *size
        };
        // The rows of a family ascend, so the first one from behind is the largest that fits.
        match ROWS.iter().rev().find(fits) {
            Some((unit, .., size)) => (unit.clone(), base / size),
            None => (self.clone(), value),
        }
    }
}

/// A unit, or none.
pub trait OfUnit {
    /// The unit.
    fn of_unit(self) -> Option<Unit>;
}

impl OfUnit for Unit {
    fn of_unit(self) -> Option<Unit> {
        Some(self)
    }
}

impl OfUnit for Option<Unit> {
    fn of_unit(self) -> Option<Unit> {
        self
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.row(), self) {
            (Some((_, symbol, ..)), _) => f.write_str(symbol),
            (None, Self::Rate(above, below)) => write!(f, "{above}/{below}"),
            (None, Self::Unknown(text)) => f.write_str(text),
            (None, _) => Ok(()),
        }
    }
}

impl From<&str> for Unit {
    #[inline]
    fn from(text: &str) -> Self {
        let named = |(_, symbol, others, ..): &&Row| *symbol == text || others.contains(&text);
        if let Some((unit, ..)) = ROWS.iter().find(named) {
            return unit.clone();
        }
        match text.split_once('/') {
            // One level is all there is; whatever comes does not nest without end.
            Some((above, below))
                if !below.contains("/") && !above.is_empty() && !below.is_empty() =>
            {
                Self::Rate(Box::new(above.into()), Box::new(below.into()))
            }
            _ => Self::Unknown(text.to_owned()),
        }
    }
}

impl From<String> for Unit {
    #[inline]
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<Unit> for String {
    #[inline]
    fn from(unit: Unit) -> Self {
        unit.to_string()
    }
}

impl FromStr for Unit {
    type Err = Infallible;

    #[inline]
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(text.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_read_back() {
        for (unit, symbol, others, ..) in ROWS {
            assert_eq!(unit.to_string(), *symbol);
            for text in others.iter().chain([symbol]) {
                assert_eq!(Unit::from(*text), *unit);
            }
        }
        for text in ["MiB/s", "furlongs", "a/b/c", "/s", "insn/cyc"] {
            assert_eq!(Unit::from(text).to_string(), text);
        }
    }

    #[test]
    fn values_are_scaled_within_their_family() {
        #[track_caller]
        fn check(value: f64, unit: &str, expected: f64, expected_unit: &str) {
            let (unit, value) = Unit::from(unit).scaled(value);
            assert!((value - expected).abs() < 1e-9, "{value}");
            assert_eq!(unit.to_string(), expected_unit);
        }
        check(0.542707, "msec", 542.707, "us");
        check(1500.0, "msec", 1.5, "s");
        check(0.0, "msec", 0.0, "ms");
        check(2048.0, "B", 2.048, "KB");
        check(2048.0, "KiB", 2.0, "MiB");
        check(0.5, "KiB", 512.0, "B");
        check(1e6, "J", 1e6, "J");
        check(7.0, "furlongs", 7.0, "furlongs");
    }

    #[test]
    fn units_of_a_family_can_be_compared() {
        assert_eq!(Unit::Milliseconds.base(), ("ns".to_owned(), 1e6));
        assert_eq!(
            Unit::from("KiB/ms").base(),
            ("B/ns".to_owned(), 1024.0 / 1e6)
        );
        assert_eq!(Unit::from("x").base(), ("x".to_owned(), 1.0));
    }
}
