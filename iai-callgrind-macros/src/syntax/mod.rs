//! Rust as far as the macros look at it.
//!
//! In: tokens. Out: functions with their parameters, paths, and expressions of which only the outermost form is
//! known. All the rest stays tokens, which the compiler reads anyway, and which it is the one to complain about. The
//! parsers of `syn` would be most of what a user waits for before the library is compiled; the tests compare with them.

mod attribute;
mod cursor;
mod expression;
mod function;
mod literal;
mod path;
mod scan;
#[cfg(test)]
mod tests;
mod types;
mod word;

pub(crate) use attribute::Attribute;
pub(crate) use cursor::{is, is_word, starts, trees, visible, Cursor};
pub(crate) use expression::{tokens_of, Closure, Expression, Form};
pub(crate) use function::{Function, Generic, Parameter, Signature};
pub(crate) use literal::{Text, Value};
pub(crate) use path::Path;
pub(crate) use scan::{scan, scan_statement};
pub(crate) use types::Type;
pub(crate) use word::{is_keyword, is_part_of_name, operator_length};
