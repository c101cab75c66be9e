//! The JSON objects of a text, whatever is between them: compact ones on a line, pretty ones on
//! several, and text of other programs around them.
//!
//! An object begins where a line begins with `{`, maybe behind blanks, or where another object has
//! just ended. One that another line interrupts which begins with `{` as well was cut off, such as
//! by a full disk, and counts as foreign.

use std::io::{self, BufRead};

/// The most bytes of an object, far above those of a benchmark with thousands of processes and
/// threads.
pub(super) const LONGEST: usize = 64 << 20;

/// The objects of a text, in their order.
pub(super) struct JsonObjects<R> {
    input: R,
    /// The line that was read last, or its rest.
    line: String,
    /// Is this line UTF-8?
    line_is_text: bool,
    /// The part of `line` that was not looked at.
    place: usize,
    /// The number of lines that were read.
    lines: u64,
    open: Option<OpenObject>,
}

/// An object whose end was not found yet.
struct OpenObject {
    text: String,
    is_text: bool,
    line: u64,
    state: Nesting,
}

/// The state of a scan through an object.
#[derive(Debug, Clone, Copy, Default)]
struct Nesting {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

/// An object of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct JsonObject {
    /// The text of the object.
    pub(super) text: String,
    /// Are its bytes UTF-8? `text` has replacement characters where they are not.
    pub(super) is_text: bool,
    /// The number of its first line, from 1.
    pub(super) line: u64,
    /// Is the object complete?
    pub(super) is_whole: bool,
}

impl<R: BufRead> JsonObjects<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            line: String::new(),
            line_is_text: true,
            place: 0,
            lines: 0,
            open: None,
        }
    }

    /// The next object. `None`: the text has ended.
    ///
    /// # Errors
    ///
    /// The text cannot be read, or an object is longer than any of ours.
    pub(super) fn next(&mut self) -> io::Result<Option<JsonObject>> {
        loop {
            if self.place == self.line.len() {
                if !self.read_line()? {
                    return Ok(self.open.take().map(OpenObject::cut_off));
                }
                // Pretty JSON of ours is indented, and has no line breaks in its texts: a brace at
                // the very beginning of a line is never inside of an object.
                if self.line.starts_with('{') {
                    if let Some(open) = self.open.take() {
                        return Ok(Some(open.cut_off()));
                    }
                }
            }
            if let Some(object) = self.go_on()? {
                return Ok(Some(object));
            }
        }
    }

    /// Looks at the rest of the line.
    fn go_on(&mut self) -> io::Result<Option<JsonObject>> {
        let rest = &self.line[self.place..];
        let mut open = match self.open.take() {
            Some(open) => open,
            None => {
                let begin = rest.len() - rest.trim_start().len();
                if !rest[begin..].starts_with('{') {
                    self.place = self.line.len();
                    return Ok(None);
                }
                self.place += begin;
                OpenObject {
                    text: String::new(),
                    is_text: true,
                    line: self.lines,
                    state: Nesting::default(),
                }
            }
        };
        let rest = &self.line[self.place..];
        let end = open.state.end(rest.as_bytes());
        let taken = end.unwrap_or(rest.len());
        open.text.push_str(&rest[..taken]);
        open.is_text &= self.line_is_text;
        self.place += taken;
        // Each line is bounded, but an object may have any number of them.
        if open.text.len() > LONGEST {
            return Err(too_long(open.line));
        }
        if end.is_some() {
            return Ok(Some(JsonObject {
                text: open.text,
                is_text: open.is_text,
                line: open.line,
                is_whole: true,
            }));
        }
        self.open = Some(open);
        Ok(None)
    }

    /// Reads a line. `false`: there is none.
    fn read_line(&mut self) -> io::Result<bool> {
        let mut bytes = std::mem::take(&mut self.line).into_bytes();
        bytes.clear();
        // A line without an end must not fill the memory. One byte more tells a line that is too
        // long from one of exactly this length.
        let most = LONGEST as u64 + 1;
        let read = io::Read::take(&mut self.input, most).read_until(b'\n', &mut bytes)?;
        self.lines += 1;
        self.place = 0;
        if read as u64 == most && bytes.last() != Some(&b'\n') {
            return Err(too_long(self.lines));
        }
        let line = String::from_utf8(bytes);
        self.line_is_text = line.is_ok();
        // A damaged byte must not hide that the line begins a record.
        self.line =
            line.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Ok(read > 0)
    }
}

impl OpenObject {
    fn cut_off(self) -> JsonObject {
        JsonObject {
            text: self.text,
            is_text: self.is_text,
            line: self.line,
            is_whole: false,
        }
    }
}

impl Nesting {
    /// The place behind the end of the object in these bytes, if it ends here.
    fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut place = 0;
        while let Some(&byte) = bytes.get(place) {
            place += 1;
            if self.in_string {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_string = false,
                    // Most bytes are in texts.
                    _ => {
                        let rest = &bytes[place..];
                        place += memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
                    }
                }
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' => self.depth += 1,
                b'}' => {
                    // The text of an object begins with `{`, so the depth is at least 1 here.
                    // Brackets need no count: in JSON they close before the brace around them.
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Some(place);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

fn too_long(line: u64) -> io::Error {
    io::Error::other(format!(
        "line {line} begins an object of more than {LONGEST} bytes"
    ))
}

/// The text of an object on one line: without blanks outside of its texts.
pub fn on_one_line(object: String) -> String {
    if !object.contains('\n') {
        return object;
    }
    let mut line = String::with_capacity(object.len() / 2);
    let (mut in_string, mut escaped) = (false, false);
    for c in object.chars() {
        if in_string {
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else if c == '"' {
            in_string = true;
        } else if c.is_ascii_whitespace() {
            continue;
        }
        line.push(c);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: impl AsRef<[u8]>) -> Vec<(u64, String, bool)> {
        let mut objects = JsonObjects::new(text.as_ref());
        std::iter::from_fn(|| objects.next().unwrap())
            .map(|object| (object.line, object.text, object.is_whole))
            .collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &[(u64, &str)]) {
        let found = all(text);
        assert!(found.iter().all(|(.., is_whole)| *is_whole), "{found:?}");
        let found: Vec<(u64, &str)> = found.iter().map(|it| (it.0, &*it.1)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn objects_are_found_between_foreign_text() {
        check("", &[]);
        check("running 1 test\n\nnone {here}\n", &[]);
        check("{\"a\":1}", &[(1, "{\"a\":1}")]);
        check("x\n{\"a\":1}\r\n\n  {}\n", &[(2, "{\"a\":1}"), (4, "{}")]);
        check(
            "{\"a\":{}}{} {\"b\":2} rest\n",
            &[(1, "{\"a\":{}}"), (1, "{}"), (1, "{\"b\":2}")],
        );
        check(
            "{\n  \"a\": [\n    {}\n  ]\n}\n{}",
            &[(1, "{\n  \"a\": [\n    {}\n  ]\n}"), (6, "{}")],
        );
        check(r#"{"}":"\"}\\"} x"#, &[(1, r#"{"}":"\"}\\"}"#)]);
    }

    #[test]
    fn an_object_without_its_end_takes_none_of_those_behind_it() {
        let cut = all("{\"a\":\"b\n{\"c\":1}\n{\"d\"");
        let expected = [
            (1, "{\"a\":\"b\n", false),
            (2, "{\"c\":1}", true),
            (3, "{\"d\"", false),
        ];
        let expected = expected.map(|(line, text, whole)| (line, text.to_owned(), whole));
        assert_eq!(cut, expected);
    }

    #[test]
    fn bytes_that_are_no_text_are_marked() {
        let bytes = b"{\"a\":\"\xff\"}\n{}\n\xff\n{\n\xfe\"\xff\"}\n{}".as_slice();
        let mut objects = JsonObjects::new(bytes);
        let found = std::iter::from_fn(|| objects.next().unwrap());
        let found: Vec<(u64, bool)> = found.map(|it| (it.line, it.is_text)).collect();
        assert_eq!(found, [(1, false), (2, true), (4, false), (6, true)]);
    }

    #[test]
    fn an_object_of_many_bytes_is_refused_by_its_line() {
        let text = format!("\n{{\"a\":\"{}\"}}\n", "x".repeat(LONGEST));
        let error = JsonObjects::new(text.as_bytes()).next().unwrap_err();
        assert!(
            error.to_string().starts_with("line 2 begins an object"),
            "{error}"
        );
    }

    #[test]
    fn pretty_objects_become_one_line() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(on_one_line(text.to_owned()), expected);
        }
        check("{\"a b\": 1}", "{\"a b\": 1}");
        check(
            "{\n \"a \\\" b\\\\\": [1,\n 2]\n}",
            "{\"a \\\" b\\\\\":[1,2]}",
        );
    }
}
