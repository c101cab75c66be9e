//! A tree of both sides to the pictures that are asked for.

use super::lines::{folded, PathCosts};
use super::svg::{self, Heading};
use super::tree::{PathTree, Side};
use super::{least, DrawError, Pictures};
use crate::FlamegraphSettings;
use base::apportion::divide;

/// Largest total that is drawn: colors are computed from counts in 64 bits.
const LARGEST: u64 = 1 << 55;

/// Texts of pictures.
#[derive(Debug, Clone, Copy)]
pub struct PictureTexts<'a> {
    /// The headline.
    pub title: &'a str,
    /// Name of the old result in subtitles.
    pub old_name: &'a str,
}

/// Paths of one metric, and the totals of both sides.
#[derive(Debug)]
pub(super) struct FilledTree<'a> {
    pub(super) tree: PathTree,
    /// Name of the metric that the numbers count.
    pub(super) metric: &'a str,
    pub(super) new: u64,
    /// 0: there is no old result.
    pub(super) old: u64,
}

impl FilledTree<'_> {
    /// Draws the pictures. All are of one tree, so that the differential one has both costs of a
    /// path.
    pub(super) fn draw(
        &self,
        texts: PictureTexts<'_>,
        settings: &FlamegraphSettings,
    ) -> Result<Pictures, DrawError> {
        let Self {
            metric, new, old, ..
        } = *self;
        if new == 0 {
            return Err(DrawError::Zero(metric.to_owned()));
        }
        if new.max(old) > LARGEST {
            return Err(DrawError::TooLarge(metric.to_owned()));
        }
        let picture = |sides: &[PathCosts], generated: String| {
            let heading = Heading {
                title: settings.title.as_deref().unwrap_or(texts.title),
                subtitle: settings.subtitle.as_deref().unwrap_or(&generated),
                metric,
            };
            svg::draw(&folded(&self.tree, sides), heading, settings).map(Some)
        };
        let PictureTexts { old_name, .. } = texts;
        let mut pictures = Pictures::default();
        if settings.regular {
            let generated = format!("{metric}: {new}");
            pictures.regular = picture(&[self.side(Side::New, settings)], generated)?;
            if old > 0 {
                let generated = format!("{metric}: {old} ({old_name})");
                pictures.old = picture(&[self.side(Side::Old, settings)], generated)?;
            }
        }
        if settings.differential && old > 0 {
            // inferno takes the first count for the old one.
            let sides = [self.before(settings), self.side(Side::New, settings)];
            pictures.differential = picture(&sides, self.difference(old_name, settings))?;
        }
        Ok(pictures)
    }

    /// Costs of one side.
    fn side(&self, side: Side, settings: &FlamegraphSettings) -> PathCosts {
        let total = match side {
            Side::New => self.new,
            Side::Old => self.old,
        };
        PathCosts {
            side,
            own: self.tree.own(side),
            least: least(total, settings.cut()),
        }
    }

    /// Costs of the old side in a difference.
    fn before(&self, settings: &FlamegraphSettings) -> PathCosts {
        let before = self.side(Side::Old, settings);
        match settings.normalize {
            true => PathCosts {
                side: Side::Old,
                // Whole numbers that add up to the new total, so that both sides have the same
                // width.
                own: divide(self.new, &before.own),
                least: least(self.new, settings.cut()),
            },
            false => before,
        }
    }

    /// The subtitle of a difference.
    fn difference(&self, old_name: &str, settings: &FlamegraphSettings) -> String {
        let Self {
            metric, new, old, ..
        } = self;
        let (more, less) = match settings.negate {
            false => ("red", "blue"),
            true => ("blue", "red"),
        };
        let scaled = if settings.normalize { ", scaled" } else { "" };
        format!(
            "{metric}: {new}, against {old} of {old_name}{scaled}; {more} is more, {less} is less"
        )
    }
}
