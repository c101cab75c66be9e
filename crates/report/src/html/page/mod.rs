//! The page for browsers as it is before a comparison is put in: template, style and script.
//!
//! Style and script are constant, so the template names their hashes in its content security policy, and a browser
//! runs nothing else. `cargo xtask page --hashes` writes them anew.

/// The page, with a token `<!--NAME-->` for each text that is put in.
pub(super) const TEMPLATE: &str = include_str!("page.html");

/// For `<!--STYLE-->`.
pub(super) const STYLE: &str = include_str!("page.css");

/// For `<!--SCRIPT-->`. At its top level, a file uses only definitions of files above it.
pub(super) const SCRIPT: &str = concat!(
    include_str!("dom.js"),
    include_str!("numbers.js"),
    include_str!("data.js"),
    include_str!("state.js"),
    include_str!("tables.js"),
    include_str!("links.js"),
    include_str!("index.js"),
    include_str!("metrics.js"),
    include_str!("why.js"),
    include_str!("flame_tree.js"),
    include_str!("flame_paint.js"),
    include_str!("flame.js"),
    include_str!("functions.js"),
    include_str!("source.js"),
    include_str!("asm.js"),
    include_str!("history.js"),
    include_str!("benchmark.js"),
    include_str!("keys.js"),
    include_str!("print.js"),
    include_str!("main.js"),
);
