//! Anchors and links of a page of the book.

use std::collections::HashSet;

#[cfg(feature = "html")]
mod html;
#[cfg(feature = "html")]
pub use self::html::of_html;

/// Anchors and links of a page.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Page {
    /// Values of `id`.
    pub anchors: HashSet<String>,
    /// Values of `href` and `src`, in the order of the page.
    pub links: Vec<String>,
}
