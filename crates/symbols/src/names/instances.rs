//! Names of instances: a function together with its generic arguments.
//!
//! The text is only compared, never shown. Numbers of crates, closures and implementations are left
//! out, because they change with edits elsewhere.

use std::fmt::Write;

use super::{canonical, cleaning, is_mangled, Limited};

/// Name of the instance with this symbol, to compare instances with each other. `generic` is the
/// name in the debug information, such as `fill<4>`, which legacy mangling does not have.
#[must_use]
pub fn instance(symbol: &str, generic: Option<&str>) -> String {
    let symbol = cleaning::without_suffixes(symbol);
    if !is_mangled(symbol) {
        return canonical(symbol);
    }
    let is_legacy = symbol.trim_start_matches('_').starts_with("ZN");
    if let (true, Some(generic)) = (is_legacy, generic) {
        let name = canonical(symbol);
        return format!("{name} {}", without_numbers(generic));
    }
    // The alternate form of a legacy name has no hash, and the hash is all that tells instances
    // apart.
    let mut text = Limited(String::new());
    let written = match rustc_demangle::try_demangle(symbol) {
        Ok(name) if is_legacy => write!(text, "{name}"),
        Ok(name) => write!(text, "{name:#}"),
        Err(_) => Err(std::fmt::Error),
    };
    match written {
        Ok(()) => without_numbers(&text.0),
        Err(_) => canonical(symbol),
    }
}

/// The text without the numbers of `{closure#1}` and `{impl#2}`.
fn without_numbers(text: &str) -> String {
    let mut parts = text.split('#');
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        rest.push('#');
        rest += part.trim_start_matches(|digit: char| digit.is_ascii_digit());
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_have_their_arguments() {
        let legacy = "_ZN3lab4fill17h33545f3aff66f3b3E.llvm.77";
        assert_eq!(instance(legacy, Some("fill<4>")), "lab::fill fill<4>");
        assert_eq!(instance(legacy, None), "lab::fill::h33545f3aff66f3b3");
        // `lab::each::<lab::Cheap>` of crates with different disambiguators
        let each = |id: &str| format!("_RINvCs{id}_3lab4eachNtB2_5CheapEB2_");
        let name = instance(&each("kKfSbmiU8ft"), None);
        assert_eq!(name, "lab::each::<lab::Cheap>");
        assert_eq!(
            instance(&each("1234567890a"), Some("each<lab::Cheap>")),
            name
        );
        assert_eq!(instance("malloc@@GLIBC_2.2.5", None), "malloc");
    }

    #[test]
    fn closures_that_moved_are_the_same() {
        let name = |number: u32| {
            let generic = format!("each<lab::f::{{closure_env#{number}}}, 2>");
            instance("_ZN3lab4each17h33545f3aff66f3b3E", Some(&generic))
        };
        assert_eq!(name(0), "lab::each each<lab::f::{closure_env#}, 2>");
        assert_eq!(name(0), name(17));
    }
}
