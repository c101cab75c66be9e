//! The file in its new place, with an edit.

#[inline(never)]
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() * 2);
    for char in text.chars() {
        add(&mut escaped, char);
    }
    escaped
}

#[inline(never)]
fn add(escaped: &mut String, char: char) {
    match char {
        '\n' => escaped.push_str("\\n"),
        '"' | '\\' => escaped.extend(['\\', char]),
        _ => escaped.extend(char.escape_default()),
    }
}
