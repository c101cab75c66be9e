//! The address of a link to where it leads.

/// Where the book is published.
pub const SITE: &str = "https://iai-callgrind.github.io/iai-callgrind/";
/// Where the files of this repository are.
pub const FILES: [&str; 3] = [
    "https://github.com/iai-callgrind/iai-callgrind/blob/main/",
    "https://github.com/iai-callgrind/iai-callgrind/tree/main/",
    "https://github.com/iai-callgrind/iai-callgrind/raw/main/",
];
/// Pages of registries, whose addresses are not ours to promise.
const REGISTRIES: [&str; 4] = ["crates.io", "www.crates.io", "docs.rs", "lib.rs"];

/// Target of a link.
#[derive(Debug, PartialEq)]
pub enum Target<'a> {
    /// A page or file of the book, relative to the page with the link.
    Beside {
        /// The path; empty is the page itself.
        path: &'a str,
        /// The anchor, if there is one.
        anchor: Option<&'a str>,
    },
    /// A page or file of the book by its published address.
    Published {
        /// The path from the root of the book.
        path: &'a str,
        /// The anchor, if there is one.
        anchor: Option<&'a str>,
    },
    /// A file or directory of this repository.
    InRepository(&'a str),
    /// A page of somebody else.
    Elsewhere,
}

/// Reads an address, or says what is wrong with it.
pub fn target(address: &str) -> Result<Target<'_>, &'static str> {
    if let Some(rest) = address.strip_prefix(SITE) {
        let (path, anchor) = divided(rest);
        return Ok(Target::Published { path, anchor });
    }
    for files in FILES {
        if let Some(rest) = address.strip_prefix(files) {
            return Ok(Target::InRepository(divided(rest).0));
        }
    }
    if let Some(rest) = address.strip_prefix("https://") {
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        return match host {
            host if REGISTRIES.contains(&host) => Err("is the page of a registry"),
            host if is_host(host) && !address.contains(char::is_whitespace) => {
                Ok(Target::Elsewhere)
            }
            _ => Err("is no address"),
        };
    }
    if address
        .split('/')
        .next()
        .is_some_and(|first| first.contains(':'))
    {
        return Err("is neither of this book nor `https`");
    }
    if address.starts_with('/') {
        return Err("begins at the root of the server, where this book is not");
    }
    let (path, anchor) = divided(address);
    Ok(Target::Beside { path, anchor })
}

/// Path and anchor; a query changes neither.
fn divided(address: &str) -> (&str, Option<&str>) {
    let (path, anchor) = match address.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (address, None),
    };
    (path.split('?').next().unwrap_or_default(), anchor)
}

fn is_host(host: &str) -> bool {
    let is_known = |c: char| c.is_ascii_alphanumeric() || "-.".contains(c);
    host.contains('.') && host.chars().all(is_known) && !host.split('.').any(str::is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_book_and_of_the_repository_are_known() {
        let beside = |path, anchor| Ok(Target::Beside { path, anchor });
        assert_eq!(target("ci.html"), beside("ci.html", None));
        assert_eq!(target("../ci.html?a#b"), beside("../ci.html", Some("b")));
        assert_eq!(target("#b"), beside("", Some("b")));
        let (path, anchor) = ("ci.html", Some("shards"));
        assert_eq!(
            target("https://iai-callgrind.github.io/iai-callgrind/ci.html#shards"),
            Ok(Target::Published { path, anchor })
        );
        assert_eq!(
            target("https://github.com/iai-callgrind/iai-callgrind/blob/main/CHANGELOG.md#a"),
            Ok(Target::InRepository("CHANGELOG.md"))
        );
    }

    #[test]
    fn addresses_of_others_are_looked_at_for_their_form() {
        assert_eq!(target("https://valgrind.org"), Ok(Target::Elsewhere));
        assert_eq!(target("https://a.b/c:d"), Ok(Target::Elsewhere));
        for wrong in [
            "https://",
            "https://valgrind",
            "https://a..b/",
            "https://a.b/c d",
            "http://valgrind.org",
            "javascript:alert(1)",
            "/ci.html",
            "https://docs.rs/iai-callgrind",
            "https://crates.io/crates/iai-callgrind",
        ] {
            assert!(target(wrong).is_err(), "{wrong}");
        }
    }
}
