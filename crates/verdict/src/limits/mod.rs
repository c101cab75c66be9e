//! Limits on metrics: soft ones on changes, and hard ones on values.

mod check;
mod decimal;
mod event_limits;

pub use self::check::{check, ExceededLimit};
pub(crate) use self::decimal::WrittenDecimal;
pub use self::event_limits::event_limits;
