//! Limits on metrics: soft ones on changes, and hard ones on values.

mod check;
mod decimal;
mod event_limits;

pub use self::check::{check, ExceededLimit};
pub(in crate::verdict) use self::decimal::WrittenDecimal;
pub(crate) use self::event_limits::event_limits;
