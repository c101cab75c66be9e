//! The words for yes and no that options and variables take.

/// Each word for yes, with that for no.
const WORDS: [(&str, &str); 6] = [
    ("yes", "no"),
    ("y", "n"),
    ("true", "false"),
    ("t", "f"),
    ("on", "off"),
    ("1", "0"),
];

/// Yes or no, in any case of letters.
///
/// # Errors
///
/// Any other text.
pub fn yes_or_no(text: &str) -> Result<bool, &'static str> {
    let text = text.to_ascii_lowercase();
    for (yes, no) in &WORDS {
        if *yes == text || *no == text {
            return Ok(*yes == text);
        }
    }
    Err("expected `yes` or `no`")
}

#[cfg(test)]
mod tests {
    use super::yes_or_no;

    #[test]
    fn words() {
        for yes in ["yes", "y", "true", "t", "on", "1", "T", "Yes"] {
            assert_eq!(yes_or_no(yes), Ok(true), "{yes}");
        }
        for no in ["no", "n", "false", "f", "off", "0", "OFF"] {
            assert_eq!(yes_or_no(no), Ok(false), "{no}");
        }
        for neither in ["", "treu", "2", " yes"] {
            yes_or_no(neither).unwrap_err();
        }
    }
}
