//! Parts of a name that compilers, linkers and Valgrind put behind it, and characters that no name
//! has.

/// The name without suffixes.
pub(super) fn without_suffixes(mut name: &str) -> &str {
    loop {
        // One after the other: `f.llvm.1.cold'2` has three.
        let rest = without_suffix(name);
        if rest.len() == name.len() || rest.is_empty() {
            return name;
        }
        name = rest;
    }
}

/// The name without the last suffix that is none of the source.
fn without_suffix(name: &str) -> &str {
    without_level(name)
        .or_else(|| without_version(name))
        .or_else(|| without_clone(name))
        .or_else(|| without_hash(name))
        .or_else(|| without_part(name))
        .unwrap_or_else(|| name.trim_end())
}

/// Callgrind marks the levels of a recursion: `f'2`.
fn without_level(name: &str) -> Option<&str> {
    let rest = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (rest.len() < name.len()).then_some(())?;
    rest.strip_suffix('\'')
}

/// The version of a symbol: `malloc@@GLIBC_2.2.5`.
fn without_version(name: &str) -> Option<&str> {
    let (rest, version) = name.rsplit_once('@')?;
    let is_version = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    version
        .chars()
        .all(is_version)
        .then(|| rest.trim_end_matches('@'))
}

/// The mark of demanglers: `f [clone .cold]`.
fn without_clone(name: &str) -> Option<&str> {
    let rest = name.strip_suffix(']')?;
    let (rest, _) = rest.rsplit_once("[clone ")?;
    Some(rest.trim_end())
}

/// The hash of the legacy mangling: `f::h0123456789abcdef`.
fn without_hash(name: &str) -> Option<&str> {
    let (rest, hash) = name.rsplit_once("::h")?;
    let is_hash = hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit());
    is_hash.then_some(rest)
}

/// Marks of copies that compilers make: `f.cold`, `f.llvm.123`, `f.constprop.0`.
fn without_part(name: &str) -> Option<&str> {
    let (rest, last) = name.rsplit_once('.')?;
    if last == "cold" || last == "localalias" {
        return Some(rest);
    }
    let is_number = !last.is_empty() && last.chars().all(|c| c.is_ascii_hexdigit());
    is_number.then_some(())?;
    let (rest, kind) = rest.rsplit_once('.')?;
    let kinds = ["llvm", "isra", "constprop", "part", "cold", "lto_priv"];
    kinds.contains(&kind).then_some(rest)
}

/// The name with the escapes of legacy mangling decoded, and without control characters.
pub(super) fn visible(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(start) = rest.find("$u") {
        text += &rest[..start];
        rest = &rest[start..];
        let end = rest[2..].find('$').map(|end| end + 2);
        let escaped = end.and_then(|end| escaped(&rest[2..end]));
        match (escaped, end) {
            (Some(c), Some(end)) => {
                text.push(c);
                rest = &rest[end + 1..];
            }
            _ => {
                text += "$u";
                rest = &rest[2..];
            }
        }
    }
    text += rest;
    let replaced = |c: char| match c.is_control() {
        true => char::REPLACEMENT_CHARACTER,
        false => c,
    };
    text.chars().map(replaced).collect()
}

fn escaped(hex: &str) -> Option<char> {
    let is_hex = (1..=6).contains(&hex.len()) && hex.chars().all(|c| c.is_ascii_hexdigit());
    let code = u32::from_str_radix(is_hex.then_some(hex)?, 16).ok()?;
    char::from_u32(code)
}
