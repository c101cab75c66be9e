//! Folded lines to an SVG picture.

use std::io;

use iai_callgrind::protocol::flamegraph::Direction;
use inferno::flamegraph::{self, Options};

use super::lines::{BLANK, SEMICOLON};
use super::name::printable;
use crate::FlamegraphSettings;

/// Texts above a picture, and the name of its metric.
#[derive(Debug, Clone, Copy)]
pub(super) struct Heading<'a> {
    pub(super) title: &'a str,
    pub(super) subtitle: &'a str,
    /// Name of the metric that the numbers count.
    pub(super) metric: &'a str,
}

/// Draws lines with one count; lines with two counts give a differential picture.
pub(super) fn draw(
    lines: &[String],
    heading: Heading<'_>,
    settings: &FlamegraphSettings,
) -> io::Result<Vec<u8>> {
    let mut options = Options::default();
    options.title = printable(heading.title.as_bytes()).into_owned();
    options.subtitle = Some(printable(heading.subtitle.as_bytes()).into_owned());
    options.count_name = heading.metric.to_owned();
    options.min_width = settings.min_width;
    options.negate_differentials = settings.negate;
    options.direction = match settings.direction {
        Direction::TopToBottom => flamegraph::Direction::Inverted,
        Direction::BottomToTop => flamegraph::Direction::Straight,
    };
    // Equal functions have one color in all pictures, and equal results give equal bytes.
    options.deterministic = true;
    // inferno keeps the order of the lines, from the last one to the first.
    options.flame_chart = true;
    let mut svg = Vec::new();
    let lines = lines.iter().rev().map(String::as_str);
    flamegraph::from_lines(&mut options, lines, &mut svg)?;
    // Both characters are single bytes, which occur in no other character of UTF-8.
    for byte in &mut svg {
        *byte = match char::from(*byte) {
            SEMICOLON => b';',
            BLANK => b' ',
            _ => continue,
        };
    }
    Ok(svg)
}
