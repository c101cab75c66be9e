//! A table as RFC 4180 has it: fields between commas, those in quotation marks that would be read
//! as something else without them.

use super::markdown::on_one_line;

/// A text of a stranger as a field. Programs for tables take what begins with one of these
/// characters for a formula, some of them in full width too; an apostrophe before it makes it a
/// text.
pub fn text(text: &str) -> String {
    let text = on_one_line(text);
    match text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
        true => format!("'{text}"),
        false => text,
    }
}

/// A line, with its end.
pub fn line<T: AsRef<str>>(fields: &[T]) -> String {
    let mut line = String::new();
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            line.push(',');
        }
        let field = field.as_ref();
        match field.contains(['"', ',', '\r', '\n']) {
            true => line += &format!("\"{}\"", field.replace('"', "\"\"")),
            false => line += field,
        }
    }
    // The end of a line in RFC 4180, whatever the system.
    line + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_finds_the_same_fields() {
        let fields = [
            "a",
            "",
            "b c",
            "1,5",
            "\"x\"",
            "a\"b",
            "two\nlines",
            "cr\r",
            " ",
            "ä",
        ];
        let head = fields.map(|_| "head");
        let text = line(&head) + &line(&fields) + &line(&fields);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(records.len(), 2);
        for record in records {
            assert_eq!(record, fields.to_vec());
        }
        assert_eq!(super::text("=HYPERLINK(\"x\")\n"), "'=HYPERLINK(\"x\") ");
        assert_eq!(super::text("+1"), "'+1");
        assert_eq!(super::text("＝1+1"), "'＝1+1");
        assert_eq!(super::text("a=b"), "a=b");
        assert_eq!(line(&["a", "b"]), "a,b\r\n");
        assert_eq!(line(&["1,5", "\""]), "\"1,5\",\"\"\"\"\r\n");
    }
}
