//! Canonical names of functions.
//!
//! In: a name from a symbol table, from debug information or from a profile, mangled or not. Out:
//! the name of the function in the source, the same whatever the mangling, the hash, the generic
//! instance and the version of the crate. It is made of text alone, and the canonical name of a
//! canonical name is itself.
//!
//! Types and traits keep their paths: with their last segments alone, `<a::Record as Clone>::clone`
//! and `<b::Record as Clone>::clone` would be one function. `explain` shortens them where they are
//! shown.

mod cleaning;
mod instances;
mod parser;

pub use instances::instance;

use std::fmt::{self, Write};

use iai_callgrind::shared::hash::hash;

/// Bytes of the longest canonical name. What is beyond is replaced by its hash, so that names stay
/// different.
const MOST: usize = 1000;

/// Bytes of the longest name that is parsed, and of the longest result: a few bytes of a mangled
/// name can stand for any number.
const MOST_TAKEN_APART: usize = 1 << 15;

/// Most steps to a fixed point. Most names need one; escapes within escapes need more.
const MOST_STEPS: usize = 32;

/// The canonical name of a function: its name in the source, without hash, generic arguments and
/// crate version. `core` and `alloc` are `std`, as users write their paths. Any text is accepted.
///
/// ```
/// use iai_callgrind_symbols::names::canonical;
///
/// assert_eq!(canonical("_RNvCs6Fr9Q1Lk2gC_3lab4main"), "lab::main");
/// assert_eq!(canonical("lab::sum::<u32>"), "lab::sum");
/// assert_eq!(canonical("core::mem::swap"), "std::mem::swap");
/// assert_eq!(canonical("malloc"), "malloc");
/// ```
#[must_use]
pub fn canonical(name: &str) -> String {
    if is_plain(name) {
        return name.to_owned();
    }
    let mut name = step(name);
    for _ in 1..MOST_STEPS {
        let next = step(&name);
        if next == name {
            break;
        }
        name = next;
    }
    name
}

/// Is it a name of a C library, such as `malloc`? That of most functions that executables import,
/// and canonical as it is.
fn is_plain(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.len() <= MOST && !is_mangled(name) && name.bytes().all(is_word)
}

/// Does it begin as mangled names of Rust?
fn is_mangled(name: &str) -> bool {
    // macOS puts a further underscore before each symbol.
    let mut begins = ["_ZN", "_R", "__ZN", "__R"].iter();
    begins.any(|begin| name.starts_with(begin))
}

/// One step towards the canonical name. It leaves a canonical name as it is.
fn step(name: &str) -> String {
    let name = cleaning::without_suffixes(name);
    let demangled = demangled(name);
    let name = cleaning::visible(demangled.as_deref().unwrap_or(name));
    let name = cleaning::without_suffixes(&name);
    let parsed = match name.len() <= MOST_TAKEN_APART {
        true => parser::parse(name),
        false => None,
    };
    shortened(parsed.unwrap_or_else(|| name.to_owned()))
}

/// The name without mangling, if it is one of Rust.
fn demangled(name: &str) -> Option<String> {
    if name.len() > MOST_TAKEN_APART || !is_mangled(name) {
        return None;
    }
    let demangled = rustc_demangle::try_demangle(name).ok()?;
    let mut text = Limited(String::new());
    // The alternate form is without the hash of legacy names and the disambiguators of v0 names.
    write!(text, "{demangled:#}").ok()?;
    Some(text.0)
}

/// Text up to a length.
struct Limited(String);

impl Write for Limited {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > MOST_TAKEN_APART {
            return Err(fmt::Error);
        }
        self.0 += text;
        Ok(())
    }
}

fn shortened(mut name: String) -> String {
    if name.len() <= MOST {
        return name;
    }
    let hash = hash(name.as_bytes());
    // Leaves room for the mark (3 bytes) and the hash (16).
    let mut end = MOST - 20;
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name.truncate(end);
    name += &format!("…{hash:016x}");
    name
}

#[cfg(test)]
mod tests;
