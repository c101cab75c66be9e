//! Flamegraphs: profiles of Callgrind and DHAT as pictures.
//!
//! **In**: call graphs ([`draw`]), digests with inlined functions ([`draw_digests`],
//! [`merged_tree`]) or stacks that allocated ([`draw_stacks`]), of a new result and of an old one
//! if there is one. **Out**: [`Pictures`] as SVG, or a [`MergedTree`], which the script of a page
//! draws.
//!
//! The total of a picture is exactly the value on the terminal, and the width of a frame is its own
//! cost and that of the frames in it. Pictures of the old result are drawn anew, from its files.
//!
//! ```
//! use base::entry_functions::EVERYTHING;
//! use formats::callgrind::{CallGraph, CallGraphReader};
//! use iai_callgrind::protocol::EventKind;
//! use iai_callgrind_flamegraph::{draw, FlamegraphInput, FlamegraphSettings};
//!
//! fn graph(profile: &str) -> CallGraph {
//!     let mut reader = CallGraphReader::default();
//!     reader.add(profile.as_bytes()).unwrap();
//!     reader.finish()
//! }
//! let new = [graph("events: Ir\nfn=main\n1 10\ncfn=work\ncalls=1 5\n2 400\nfn=work\n5 400\n")];
//! let input = FlamegraphInput {
//!     new: &new,
//!     old: &[],
//!     entry: &EVERYTHING,
//!     regions: false,
//!     title: "app::g::work",
//!     old_name: "the last run",
//! };
//! let pictures = draw(EventKind::Ir, input, &FlamegraphSettings::default())?;
//! let svg = String::from_utf8(pictures.regular.expect("something was counted"))?;
//! assert!(svg.contains("work (400 "), "{svg}");
//! assert!(pictures.old.is_none() && pictures.differential.is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg(unix)]

// Where each step is done:
//
//   digests, with inlined functions ┐                      digests.rs
//   profiles → graphs (formats)     ┴ costs by function    profiles.rs
//            → divided among callers                       calls.rs, base::scc
//   stacks that allocated                                  stacks.rs
//            → tree of paths, new and old side by side     tree.rs, base::apportion, name.rs
//            → folded lines                                pictures.rs, lines.rs
//            → SVG                                         svg.rs
//            → tree of both sides, for pages               merged.rs

mod calls;
mod digests;
mod lines;
mod merged;
mod name;
mod pictures;
mod profiles;
mod settings;
mod stacks;
mod svg;
#[cfg(test)]
mod tests;
mod tree;

use std::io;

use iai_callgrind::protocol::EventKind;

pub use self::merged::{merged_tree, MergedFrame, MergedTree};
use self::pictures::FilledTree;
pub use self::pictures::PictureTexts;
use self::profiles::add;
pub use self::settings::FlamegraphSettings;
pub use self::stacks::draw_stacks;
use self::tree::{PathTree, Side};
use base::entry_functions::EntryFunctions;
use explain::digest::Digest;
use formats::callgrind::CallGraph;
use formats::ParseErrorKind;

/// The pictures of one metric. Pictures that were not asked for, or have nothing to show, are
/// absent.
#[derive(Debug, Default)]
pub struct Pictures {
    /// Picture of the new result.
    pub regular: Option<Vec<u8>>,
    /// Picture of the old result.
    pub old: Option<Vec<u8>>,
    /// Picture of the new result, whose colors show the difference from the old one.
    pub differential: Option<Vec<u8>>,
}

/// Profiles and texts of the pictures.
#[derive(Debug, Clone, Copy)]
pub struct FlamegraphInput<'a> {
    /// The profiles of the new result, one for each process and thread.
    pub new: &'a [CallGraph],
    /// The profiles of the old result; empty: there is no old result.
    pub old: &'a [CallGraph],
    /// The functions at which the picture begins.
    pub entry: &'a EntryFunctions,
    /// The picture begins at the regions that the benchmark measured, and not at `entry`.
    pub regions: bool,
    /// The headline.
    pub title: &'a str,
    /// Name of the old result in subtitles.
    pub old_name: &'a str,
}

/// Reason why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    /// The metric was not collected.
    #[error("{0} was not collected")]
    NotCollected(String),
    /// The value of the metric is zero.
    #[error("{0} is 0")]
    Zero(String),
    /// The value of the metric is too large to be computed.
    #[error("{0}")]
    Overflow(#[from] ParseErrorKind),
    /// The value of the metric is larger than any count of a real run.
    #[error("{0} is too large to be drawn")]
    TooLarge(String),
    /// The picture cannot be made.
    #[error("drawing failed: {0}")]
    Svg(#[from] io::Error),
}

/// Draws the pictures of one metric of profiles.
///
/// # Errors
///
/// There is nothing to draw, or it cannot be drawn.
pub fn draw(
    kind: EventKind,
    subject: FlamegraphInput<'_>,
    settings: &FlamegraphSettings,
) -> Result<Pictures, DrawError> {
    // The new side comes first: without it there is nothing to draw.
    let mut tree = PathTree::new();
    let cut = settings.cut();
    let new = add(&mut tree, Side::New, kind, subject.new, subject, cut)?;
    let new = new.ok_or_else(|| DrawError::NotCollected(kind.to_string()))?;
    // A metric that was not collected in the old result has no old picture.
    let old = add(&mut tree, Side::Old, kind, subject.old, subject, cut)?.unwrap_or(0);
    let metric = kind.label();
    let texts = PictureTexts {
        title: subject.title,
        old_name: subject.old_name,
    };
    FilledTree {
        tree,
        metric,
        new,
        old,
    }
    .draw(texts, settings)
}

/// Draws the pictures of one metric of digests, with the functions that were inlined.
///
/// # Errors
///
/// There is nothing to draw, or it cannot be drawn.
pub fn draw_digests(
    kind: EventKind,
    new: &Digest,
    old: Option<&Digest>,
    texts: PictureTexts<'_>,
    settings: &FlamegraphSettings,
) -> Result<Pictures, DrawError> {
    let mut tree = PathTree::new();
    let cut = settings.cut();
    let total = digests::add(&mut tree, Side::New, kind, new, cut)?;
    let new = total.ok_or_else(|| DrawError::NotCollected(kind.to_string()))?;
    let old = match old {
        Some(old) => digests::add(&mut tree, Side::Old, kind, old, cut)?.unwrap_or(0),
        None => 0,
    };
    let metric = kind.label();
    FilledTree {
        tree,
        metric,
        new,
        old,
    }
    .draw(texts, settings)
}

/// Percentage of a total, at least one.
fn least(total: u64, percent: f64) -> u64 {
    ((total as f64 * percent / 100.0) as u64).max(1)
}
