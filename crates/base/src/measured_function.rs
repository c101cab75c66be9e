//! Names of measured functions, in symbol tables and in profiles.
//!
//! In: a name. Out: the function of ours that has it, if there is one. The macro writes a copy of
//! each benchmark function as a method of a struct of its own
//! (`…::__iai_callgrind_wrapper_mod::NAME`). Items *inside* of that function have this path in
//! their names as well: nested functions, closures, methods of local types and, with v0 mangling,
//! every generic function with one of these as its argument. They are no measured functions; if one
//! were taken for an entry function, it would switch the count off.
//! `docs/design/measured-functions.md` has the whole story.

use std::borrow::Cow;

/// The struct whose methods are the measured functions.
pub(crate) const WRAPPER: &str = "__iai_callgrind_wrapper_mod";

/// Method of the struct by which the library calls all that is registered at run time.
pub const ROUTINE: &str = "routine";

/// Begin of the names of the two functions that call the closure of `measure`, one of which stays
/// on the stack.
const REGION: &str = "iai_callgrind::measure::__iai_callgrind_region_mod::";

/// Begin of the names of the functions that call a measured function and stay on the stack, for
/// DHAT.
const FRAME: &str = "iai_callgrind::__internal::frames::__iai_callgrind_frame_mod::";

/// The name of the benchmark function whose measured copy has this name. `None`: another function
/// has it.
///
/// Accepts mangled and demangled names, with the suffixes that Callgrind adds for levels of a
/// recursion.
pub fn benchmark_of(name: &str) -> Option<String> {
    if !name.contains(WRAPPER) {
        return None;
    }
    let name = demangled(name);
    method(&name).map(unescaped)
}

/// Is this the name of a function that runs regions of `measure`?
pub fn is_region(name: &str) -> bool {
    name.contains("__iai_callgrind_region_mod") && demangled(name).starts_with(REGION)
}

/// Begin of the names of the functions that make the arguments and call a measured function.
const CASE: &str = "__iai_callgrind_case";

/// The function that a benchmark executable calls right before a measured function.
const BEFORE: &str = "iai_callgrind::__internal::call::begin";

/// The function that it calls right after one.
const AFTER: &str = "iai_callgrind::__internal::call::end";

/// Is this the name of the function that is called right before a measured function?
pub fn is_before(name: &str) -> bool {
    name.contains("__internal") && demangled(name) == BEFORE
}

/// Is this the name of the function that is called right after a measured function?
pub fn is_after(name: &str) -> bool {
    name.contains("__internal") && demangled(name) == AFTER
}

/// Is this the name of a function that runs right before or after a measured one, with a part of it
/// in the brackets by which Cachegrind counts? The empty benchmark of a rehearsal is one.
pub fn is_around(name: &str) -> bool {
    const FUNCTIONS: [&str; 5] = [
        BEFORE,
        AFTER,
        "iai_callgrind::__internal::perf::empty",
        "iai_callgrind::__internal::perf::empty::nothing",
        "iai_callgrind::__internal::routine::measured",
    ];
    if !name.contains("__internal") && !name.contains(CASE) {
        return false;
    }
    let name = demangled(name);
    let plain = name.split('<').next().unwrap_or_default();
    let last = name.rsplit("::").next().unwrap_or_default();
    FUNCTIONS.contains(&plain.trim_end_matches("::")) || last.starts_with(CASE)
}

/// Is this the name of a function that calls a measured one under DHAT?
pub fn is_frame(name: &str) -> bool {
    name.contains("__iai_callgrind_frame_mod") && demangled(name).starts_with(FRAME)
}

/// The name as Valgrind writes it: without hash and disambiguators.
pub fn demangled(name: &str) -> Cow<'_, str> {
    let Ok(demangled) = rustc_demangle::try_demangle(name) else {
        return name.into();
    };
    let text = format!("{demangled:#}");
    // Valgrind decodes the escapes of legacy symbols except those of non-ASCII characters.
    match name.trim_start_matches('_').starts_with("ZN") && !text.is_ascii() {
        true => escaped(&text).into(),
        false => text.into(),
    }
}

/// Characters other than ASCII as legacy symbols have them: `ö` is `$uf6$`.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c.is_ascii() {
            true => escaped.push(c),
            false => escaped += &format!("$u{:x}$", u32::from(c)),
        }
    }
    escaped
}

fn unescaped(name: &str) -> String {
    let mut pieces = name.split('$');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    // Escapes and the text between them alternate.
    while let (Some(escape), Some(plain)) = (pieces.next(), pieces.next()) {
        let code = escape
            .strip_prefix('u')
            .map(|hex| u32::from_str_radix(hex, 16));
        match code.and_then(|code| code.ok()).and_then(char::from_u32) {
            Some(c) => text.push(c),
            None => text += &format!("${escape}$"),
        }
        text += plain;
    }
    text
}

/// The method, if the path ends with `<wrapper>::method` or, in the legacy form, `wrapper::method`.
fn method(path: &str) -> Option<&str> {
    let rest = match path.strip_prefix('<') {
        None => legacy_method(path)?,
        Some(inner) => {
            let end = closing(inner)?;
            inner[..end]
                .strip_suffix(WRAPPER)
                .filter(|module| module.ends_with("::"))?;
            inner[end + 1..].strip_prefix("::")?
        }
    };
    let end = rest
        .find(|c: char| !is_of_identifier(c))
        .unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    let is_last = match rest.strip_prefix("::<") {
        Some(arguments) => closing(arguments).is_some_and(|end| is_suffix(&arguments[end + 1..])),
        None => is_suffix(rest),
    };
    (is_last && !name.is_empty()).then_some(name)
}

/// The path after the struct, which is a segment of the path itself and not of a generic argument.
fn legacy_method(path: &str) -> Option<&str> {
    let mut rest = path;
    loop {
        let (segment, after) = rest.split_once("::")?;
        if segment == WRAPPER {
            return Some(after);
        }
        // Closures and constants around the benchmark stand in braces.
        if !segment
            .chars()
            .all(|c| is_of_identifier(c) || "{}#".contains(c))
        {
            return None;
        }
        rest = after;
    }
}

/// The index of the `>` that closes a `<` before the text. Arrows are no brackets.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut previous = ' ';
    for (index, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if previous == '-' => {}
            '>' if depth == 0 => return Some(index),
            '>' => depth -= 1,
            _ => {}
        }
        previous = c;
    }
    None
}

fn is_of_identifier(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Is this empty or a suffix? Callgrind adds the level of a recursion (`'2`) and, with
/// `--separate-callers`, names of callers (`'f'main`); optimizers add `.llvm.1234` to a symbol.
fn is_suffix(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(['\'', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: Option<&str>) {
        assert_eq!(benchmark_of(name).as_deref(), expected, "{name}");
    }

    #[test]
    fn the_measured_copy_is_told_from_what_is_defined_inside_of_it() {
        let w = "me::__iai_callgrind_function_a::__iai_callgrind_wrapper_mod";
        check(&format!("{w}::a"), Some("a"));
        check(&format!("{w}::größe"), Some("größe"));
        check(&format!("{w}::gr$uf6$$udf$e"), Some("größe"));
        check(&format!("{w}::a'2"), Some("a"));
        check(&format!("{w}::a'main'(below main)"), Some("a"));
        check(&format!("<{w}>::a"), Some("a"));
        check(
            &format!("<{w}>::a::<16, me::main::{{closure#0}}>"),
            Some("a"),
        );
        check(&format!("<{w}>::a::<fn(&u8) -> u8, *const u8>"), Some("a"));
        check(&format!("<{w}>::a::<16>'2"), Some("a"));
        check(&format!("me::f::{{{{closure}}}}::{w}::a"), Some("a"));

        check(&format!("{w}::a::inner"), None);
        check(&format!("{w}::a::{{{{closure}}}}"), None);
        check(&format!("<{w}::a::S as {w}::a::Visit>::visit"), None);
        check(&format!("core::ptr::drop_in_place<{w}::a::S>"), None);
        check(&format!("<{w}>::a::inner"), None);
        check(&format!("<{w}>::a::{{closure#0}}"), None);
        check(&format!("<{w}>::a::<16>::{{closure#0}}"), None);
        check(
            &format!("<<{w}>::a::S as core::ops::drop::Drop>::drop"),
            None,
        );
        check(&format!("me::apply::<<{w}>::a::{{closure#0}}>"), None);
        check(&format!("<alloc::vec::Vec<<{w}>::a::S>>::push"), None);
        check("me::a", None);
        check("", None);
        check("<", None);
        check(WRAPPER, None);
    }

    #[test]
    fn symbols_are_known_as_well() {
        let legacy = "_ZN2me27__iai_callgrind_wrapper_mod1a";
        check(&format!("{legacy}17h50a02085ca52ab62E"), Some("a"));
        check(&format!("{legacy}17h50a02085ca52ab62E.llvm.123"), Some("a"));
        check(&format!("{legacy}5inner17h50a02085ca52ab62E"), None);
        check(
            "_RNvMNvC2me1bNtB2_27___iai_callgrind_wrapper_mod1a",
            Some("a"),
        );
        check(
            "_RNCNvMNvC2me1bNtB4_27___iai_callgrind_wrapper_mod1a0",
            None,
        );
    }

    #[test]
    fn names_are_those_of_valgrind() {
        let symbol = "_ZN2me27__iai_callgrind_wrapper_mod13gr$uf6$$udf$e17h50a02085ca52ab62E";
        let name = "me::__iai_callgrind_wrapper_mod::gr$uf6$$udf$e";
        assert_eq!(demangled(symbol), name);
        check(symbol, Some("größe"));
        assert_eq!(demangled("main"), "main");
    }

    #[test]
    fn regions_and_frames_are_known_by_the_begin_of_their_names() {
        let region = "iai_callgrind::measure::__iai_callgrind_region_mod::call";
        assert!(is_region(region));
        assert!(is_region(&format!(
            "{region}::<me::f::{{closure#0}}, ()>'2"
        )));
        assert!(is_region(
            "_ZN13iai_callgrind7measure26__iai_callgrind_region_mod4call17h2458aed98c27475cE"
        ));
        assert!(!is_region(&format!("core::hint::black_box::<{region}>")));
        assert!(is_frame(
            "iai_callgrind::__internal::frames::__iai_callgrind_frame_mod::call_1"
        ));
        assert!(!is_frame("me::__iai_callgrind_frame_mod::call_1"));
        assert!(is_before("iai_callgrind::__internal::call::begin"));
        assert!(is_after(
            "_ZN13iai_callgrind10__internal4call3end17h2458aed98c27475cE"
        ));
        assert!(!is_after("me::__internal::call::end"));
    }

    #[test]
    fn functions_around_a_measured_one() {
        for name in [
            "iai_callgrind::__internal::call::begin",
            "iai_callgrind::__internal::perf::empty::nothing",
            "iai_callgrind::__internal::routine::measured::<u64, (), f>",
            "b::__iai_callgrind_function_f::__iai_callgrind_case",
            "b::__iai_callgrind_function_f::__iai_callgrind_case_small",
        ] {
            assert!(is_around(name), "{name}");
        }
        for name in [
            "b::__iai_callgrind_function_f::__iai_callgrind_wrapper_mod::f",
            "b::__iai_callgrind_function_f::__iai_callgrind_case::{{closure}}",
            "iai_callgrind::__internal::block_on::block_on",
            "me::__internal::f",
        ] {
            assert!(!is_around(name), "{name}");
        }
    }
}
