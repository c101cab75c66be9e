//! Canonical names of functions.

/// The canonical name.
pub fn canonical(name: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(name))
}
