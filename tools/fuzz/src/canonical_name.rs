//! Canonical names of functions, of any text.

use symbols::names;

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let name = names::canonical(&text);
    assert_eq!(names::canonical(&name), name, "{text:?}");
    assert!(name.len() <= 1000, "{} bytes", name.len());
    assert!(!name.chars().any(char::is_control), "{name:?}");
    // The level of a recursion does not count, unless nothing else is left.
    if !name.is_empty() {
        assert_eq!(names::canonical(&format!("{name}'2")), name);
    }
}
