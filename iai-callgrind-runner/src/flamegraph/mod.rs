//! Flamegraphs: Callgrind's profiles to pictures.
//!
//! ```text
//! profiles → graphs (parse) → costs of one metric, divided among callers  calls.rs, crate::components
//!          → tree of paths, new and old side by side                      tree.rs, shares.rs, name.rs
//!          → folded lines                                                 lines.rs
//!          → SVG                                                          svg.rs
//! ```
//!
//! All of that is computed from values; only `files.rs` reads and writes files. The total of a picture is
//! exactly the figure on the terminal, and every frame is the sum of its own cost and the frames in it.

mod calls;
mod files;
mod lines;
mod name;

mod svg;
#[cfg(test)]
mod tests;
mod tree;

use std::io;

use iai_callgrind::protocol::EventKind;

use self::calls::{Calls, Roots};
pub(crate) use self::files::{Drawing, DrawnFlamegraphs};
use self::lines::{folded, PathCosts};
use self::svg::Heading;
use self::tree::{PathTree, Side};
use crate::entry_functions::EntryFunctions;
use crate::metrics::RowValues;
use crate::parse::callgrind::{plain_names, CallGraph};
use crate::parse::ParseErrorKind;
use crate::plan::FlamegraphSettings;
use crate::shares::divide;

/// The pictures of one metric. Pictures that were not asked for, or have nothing to show, are absent.
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
    NotCollected(EventKind),
    /// The value of the metric is zero.
    #[error("{0} is 0")]
    Zero(EventKind),
    /// The value of the metric is too large to be computed.
    #[error("{0}")]
    Overflow(#[from] ParseErrorKind),
    /// The value of the metric is larger than any count of a real run.
    #[error("{0} is too large to be drawn")]
    TooLarge(EventKind),
    /// The picture cannot be made.
    #[error("drawing failed: {0}")]
    Svg(#[from] io::Error),
}

/// Largest total that is drawn: colors are computed from counts in 64 bits.
const LARGEST: u64 = 1 << 55;

/// Draws the pictures of one metric.
///
/// # Errors
///
/// There is nothing to draw, or it cannot be drawn.
pub fn draw(
    kind: EventKind,
    subject: FlamegraphInput<'_>,
    settings: &FlamegraphSettings,
) -> Result<Pictures, DrawError> {
    // The new side comes first: without it there is nothing to draw. All pictures are of one tree, so that
    // the differential one has both costs of a path.
    let mut tree = PathTree::new();
    let cut = settings.cut();
    let new = add(&mut tree, Side::New, kind, subject.new, subject, cut)?
        .ok_or(DrawError::NotCollected(kind))?;
    if new == 0 {
        return Err(DrawError::Zero(kind));
    }
    // A metric that was not collected in the old result has no old picture.
    let old = add(&mut tree, Side::Old, kind, subject.old, subject, cut)?.unwrap_or(0);
    if new.max(old) > LARGEST {
        return Err(DrawError::TooLarge(kind));
    }
    let counts = |own: Vec<u64>, total| PathCosts {
        own,
        least: least(total, cut),
    };
    let of = |side: Side, total| counts(tree.own(side), total);
    let metric = kind.label();
    let picture = |sides: &[PathCosts], generated: String| {
        let heading = Heading {
            title: settings.title.as_deref().unwrap_or(subject.title),
            subtitle: settings.subtitle.as_deref().unwrap_or(&generated),
            metric,
        };
        svg::draw(&folded(&tree, sides), heading, settings).map(Some)
    };
    let FlamegraphInput { old_name, .. } = subject;
    let mut pictures = Pictures::default();
    if settings.regular {
        pictures.regular = picture(&[of(Side::New, new)], format!("{metric}: {new}"))?;
        if old > 0 {
            let generated = format!("{metric}: {old} ({old_name})");
            pictures.old = picture(&[of(Side::Old, old)], generated)?;
        }
    }
    if settings.differential && old > 0 {
        let before = match settings.normalize {
            true => counts(divide(new, &tree.own(Side::Old)), new),
            false => of(Side::Old, old),
        };
        let (more, less) = match settings.negate {
            false => ("red", "blue"),
            true => ("blue", "red"),
        };
        let scaled = if settings.normalize { ", scaled" } else { "" };
        let generated = format!(
            "{metric}: {new}, against {old} of {old_name}{scaled}; {more} is more, {less} is less"
        );
        pictures.differential = picture(&[before, of(Side::New, new)], generated)?;
    }
    Ok(pictures)
}

/// Adds profiles to one side of the tree and returns their total. `None`: the metric is in none of
/// them.
fn add(
    tree: &mut PathTree,
    side: Side,
    kind: EventKind,
    graphs: &[CallGraph],
    subject: FlamegraphInput<'_>,
    cut: f64,
) -> Result<Option<u64>, ParseErrorKind> {
    let roots = match subject.regions {
        true => Roots::Regions,
        false => Roots::Preferred(subject.entry),
    };
    let mut profiles = Vec::new();
    for graph in graphs {
        let functions = (0..graph.functions.len()).map(|function| graph.name(function));
        let plain = plain_names(functions);
        let values = RowValues::new(kind, graph.events.iter().map(String::as_str));
        let own = (0..graph.functions.len()).map(|function| values.value(graph.own(function)));
        let recorded = (0..graph.arcs.len()).map(|arc| values.value(graph.inclusive(arc)));
        let own = own.collect::<Result<Option<Vec<u64>>, _>>()?;
        let recorded = recorded.collect::<Result<Option<Vec<u64>>, _>>()?;
        let (Some(own), Some(recorded)) = (own, recorded) else {
            continue;
        };
        let names: Vec<u32> = plain
            .iter()
            .enumerate()
            .map(|(function, plain)| tree.name(name::text(*plain, graph.object(function))))
            .collect();
        profiles.push((Calls::new(graph, own, recorded, &plain, roots), names));
    }
    if profiles.is_empty() {
        return Ok(None);
    }
    let totals = profiles.iter().map(|(calls, _)| calls.total());
    let total = totals.fold(0, u64::saturating_add);
    // Finer than the limit of the picture: a frame that is small on one side may be large on the other.
    let least = least(total, cut / 4.0);
    for (calls, names) in &profiles {
        tree.add(side, calls, names, least);
    }
    Ok(Some(total))
}

/// Percentage of a total, at least one.
fn least(total: u64, percent: f64) -> u64 {
    ((total as f64 * percent / 100.0) as u64).max(1)
}
