//! The words for yes and no that options and variables take.

/// Yes or no, in any case of letters.
///
/// # Errors
///
/// Any other text.
pub fn yes_or_no(text: &str) -> Result<bool, &'static str> {
    match text.to_ascii_lowercase().as_str() {
        "yes" | "y" | "true" | "t" | "on" | "1" => Ok(true),
        "no" | "n" | "false" | "f" | "off" | "0" => Ok(false),
        _ => Err("expected `yes` or `no`"),
    }
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
