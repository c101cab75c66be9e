//! The table of contents against the files: mdBook passes over files that no line names.
//!
//! Folders below `docs` are no part of the book: `docs/design` and `docs/maintainers` are for those
//! who change the code.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Files with text that `SUMMARY.md` of this directory does not name, as mistakes.
pub fn not_listed(source: &Path) -> Result<Vec<String>> {
    let summary = source.join("SUMMARY.md");
    let summary = fs::read_to_string(&summary)
        .with_context(|| format!("cannot read `{}`", summary.display()))?;
    let mut mistakes = Vec::new();
    for entry in
        fs::read_dir(source).with_context(|| format!("cannot list `{}`", source.display()))?
    {
        let file = entry?.file_name().to_string_lossy().into_owned();
        let is_chapter = file.ends_with(".md") && file != "SUMMARY.md";
        if is_chapter && !summary.contains(&format!("]({file})")) {
            mistakes.push(format!("docs/{file}: is not in `docs/SUMMARY.md`"));
        }
    }
    mistakes.sort();
    Ok(mistakes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chapter_that_no_line_names_is_found() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
        write("SUMMARY.md", "# Summary\n\n- [One](one.md)\n");
        write("one.md", "");
        assert_eq!(not_listed(directory.path()).unwrap(), [""; 0]);
        write("two.md", "");
        let mistakes = not_listed(directory.path()).unwrap();
        assert_eq!(mistakes, ["docs/two.md: is not in `docs/SUMMARY.md`"]);
    }
}
