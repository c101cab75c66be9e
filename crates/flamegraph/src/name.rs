//! Names of functions in a picture.

use std::borrow::Cow;

use explain::readable_name;
use formats::callgrind::PlainName;

/// Callgrind's name of code without a name.
const NO_NAME: &str = "???";

/// The text of a frame.
pub(super) fn text(plain: PlainName<'_>, object: &[u8]) -> String {
    of_object(plain.name, object)
}

/// The text of a frame. Code without a name gets the name of its object.
pub(super) fn of_object(name: &[u8], object: &[u8]) -> String {
    let name = printable(name);
    // Code without a symbol has its address as a name, which tells nothing without the object.
    if !name.is_empty() && name != NO_NAME && !name.starts_with("0x") {
        return readable_name(&name).into_owned();
    }
    let object = object.rsplit(|byte| *byte == b'/').next().unwrap_or(object);
    let name = if name.is_empty() { NO_NAME } else { &name };
    format!("{name} [{}]", printable(object))
}

/// The text without control characters, which neither XML nor a line can have.
pub(super) fn printable(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    match text.chars().any(char::is_control) {
        true => text.replace(char::is_control, "\u{fffd}").into(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_can_be_shown() {
        let text = |name: &[u8]| {
            text(
                PlainName {
                    name,
                    nested: false,
                },
                b"/usr/lib/libc.so.6",
            )
        };
        assert_eq!(text(b"caf\xe9 12"), "caf\u{fffd} 12");
        assert_eq!(text(b"a\tb\x01"), "a\u{fffd}b\u{fffd}");
        assert_eq!(text(b"0x1ab70"), "0x1ab70 [libc.so.6]");
        assert_eq!(text(b""), "??? [libc.so.6]");
        assert_eq!(text(b"semi;colon"), "semi;colon");
        assert_eq!(text(b"__rustc::__rust_dealloc"), "alloc::dealloc");
    }
}
