//! The packages with their sizes, as a table of Markdown.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result};
use lab::workspace_root;

use super::contents::Contents;

/// The document with the table, and the lines around it.
const DOCUMENT: &str = "docs/maintainers/releasing.md";
const BEGIN: &str = "<!-- packages -->\n";
const END: &str = "<!-- end of packages -->\n";

/// A row for each package: the number of its files, what is downloaded, and its largest file.
pub(super) fn table(packages: &[Contents]) -> String {
    let mut text = String::from(
        "| package | files | compressed | largest file |\n| --- | ---: | ---: | --- |\n",
    );
    for package in packages {
        let largest = package
            .largest()
            .map(|file| format!("`{}`, {}", file.path, kilobytes(file.bytes)));
        // Writing to a text cannot fail.
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} |",
            package.name,
            package.files.len(),
            kilobytes(package.compressed),
            largest.unwrap_or_default()
        );
    }
    text
}

/// Puts the table in the place of that in the document.
pub(super) fn write(packages: &[Contents]) -> Result<()> {
    let path = workspace_root().join(DOCUMENT);
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let text = replaced(&text, &table(packages)).with_context(|| {
        format!(
            "`{DOCUMENT}` has no lines `{}` and `{}`",
            BEGIN.trim(),
            END.trim()
        )
    })?;
    fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))
}

fn replaced(document: &str, table: &str) -> Option<String> {
    let (before, rest) = document.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{table}\n{END}{after}"))
}

/// Thousands of bytes, rounded up: nothing is free.
fn kilobytes(bytes: u64) -> String {
    format!("{} kB", bytes.div_ceil(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_takes_the_place_of_the_old_one() {
        let document = "# A\n\n<!-- packages -->\nold\n<!-- end of packages -->\n\nMore.\n";
        let new = "# A\n\n<!-- packages -->\n\nnew\n\n<!-- end of packages -->\n\nMore.\n";
        assert_eq!(replaced(document, "new\n").as_deref(), Some(new));
        assert_eq!(replaced(new, "new\n").as_deref(), Some(new));
        assert_eq!(replaced("# A\n", "new\n"), None);
    }

    #[test]
    fn bytes_are_rounded_up() {
        assert_eq!(
            [0, 1, 1000, 1001].map(kilobytes),
            ["0 kB", "1 kB", "1 kB", "2 kB"]
        );
    }
}
