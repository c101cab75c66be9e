//! The name under which the user's crate knows the library.
//!
//! It is `divan`, unless the dependency has another one. A macro is not told, but the command line
//! of the compiler is. Editors have none; there it is `divan`.

use std::ffi::{OsStr, OsString};
use std::fs;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// File name of the library, without what stands around it.
const FILE: &str = "iai_callgrind_divan-";

/// The path of the library.
pub(crate) fn library() -> TokenStream {
    let words = std::env::args_os().flat_map(|word| in_file(&word).unwrap_or_else(|| vec![word]));
    let name = of_words(words).unwrap_or_else(|| "divan".to_owned());
    let name = Ident::new(&name, Span::call_site());
    quote!(::#name)
}

/// The words of a long command line, which is in a file: `@FILE`.
fn in_file(word: &OsStr) -> Option<Vec<OsString>> {
    let text = fs::read_to_string(word.to_str()?.strip_prefix('@')?).ok()?;
    Some(text.lines().map(OsString::from).collect())
}

/// The name in `--extern NAME=../libiai_callgrind_divan-1.rlib`.
fn of_words(words: impl Iterator<Item = OsString>) -> Option<String> {
    let mut is_next = false;
    for word in words {
        let word = word.to_string_lossy().into_owned();
        let value = match word.strip_prefix("--extern=") {
            Some(value) => value,
            None if is_next => word.as_str(),
            None => {
                is_next = word == "--extern";
                continue;
            }
        };
        is_next = false;
        let Some((name, file)) = value.split_once('=') else {
            continue;
        };
        let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
        if file.trim_start_matches("lib").starts_with(FILE) {
            // In front there may be options: `priv:NAME`.
            return name.rsplit(':').next().map(str::to_owned);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_tells_the_name() {
        let name = |line: &str| of_words(line.split(' ').map(OsString::from));
        let ours = "--crate-name x --extern libc=/d/liblibc-1.rlib --extern divan=/d/libiai_callgrind_divan-2.rlib";
        assert_eq!(name(ours).as_deref(), Some("divan"));
        let both = "--extern divan=/d/libdivan-1.rlib --extern=priv:counted=/d/libiai_callgrind_divan-2.rmeta";
        assert_eq!(name(both).as_deref(), Some("counted"));
        let macros = "--extern m=/d/libiai_callgrind_divan_macros-1.so --extern";
        assert_eq!(name(macros), None);
    }
}
