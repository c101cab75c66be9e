//! Stacks that allocated to pictures.

use iai_callgrind::protocol::DhatMetric;

use super::pictures::FilledTree;
use super::tree::{PathFrame, PathTree, Side};
use super::FlamegraphSettings;
use super::{name, DrawError, PictureTexts, Pictures};
use explain::heap_stacks::{HeapPoint, HeapStacks};

/// Draws the pictures of one metric of DHAT.
///
/// # Errors
///
/// There is nothing to draw, or it cannot be drawn.
pub fn draw_stacks(
    metric: DhatMetric,
    new: &HeapStacks,
    old: Option<&HeapStacks>,
    texts: PictureTexts<'_>,
    settings: &FlamegraphSettings,
) -> Result<Pictures, DrawError> {
    let mut tree = PathTree::new();
    let new = add(&mut tree, Side::New, metric, new);
    let old = old.map_or(0, |old| add(&mut tree, Side::Old, metric, old));
    let metric = metric.label();
    FilledTree {
        tree,
        metric,
        new,
        old,
    }
    .draw(texts, settings)
}

/// Adds stacks to one side of the tree, and returns their total.
fn add(tree: &mut PathTree, side: Side, metric: DhatMetric, stacks: &HeapStacks) -> u64 {
    let frames: Vec<PathFrame> = stacks
        .frames
        .iter()
        .map(|frame| PathFrame {
            name: tree.name(name::printable(frame.name.as_bytes()).into_owned()),
            is_inlined: frame.is_inlined,
            is_ours: false,
        })
        .collect();
    let mut total: u64 = 0;
    for point in &stacks.points {
        let amount = amount(metric, point);
        if amount > 0 {
            let path = point.stack.iter();
            let path = path.filter_map(|frame| frames.get(*frame as usize).copied());
            // Nothing is cut: whole stacks do not multiply as divided calls do.
            tree.add_path(side, path, amount);
            total = total.saturating_add(amount);
        }
    }
    total
}

fn amount(metric: DhatMetric, point: &HeapPoint) -> u64 {
    match metric {
        DhatMetric::TotalBlocks | DhatMetric::TotalEvents => point.blocks,
        DhatMetric::AtTGmaxBytes => point.gmax_bytes,
        _ => point.bytes,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::super::lines::{folded, PathCosts};
    use super::super::tests::{data, sum};
    use super::*;
    use base::entry_functions::{EntryFunctions, EVERYTHING};
    use explain::heap_stacks::{HeapFrame, HeapSources, ResolvedProfile};
    use formats::dhat;

    fn frame(name: &str, is_inlined: bool) -> HeapFrame {
        HeapFrame {
            name: name.to_owned(),
            is_inlined,
            file: None,
            line: None,
        }
    }

    fn point(bytes: u64, blocks: u64, gmax_bytes: u64, stack: &[u32]) -> HeapPoint {
        HeapPoint {
            bytes,
            blocks,
            gmax_bytes,
            stack: stack.to_vec(),
        }
    }

    fn lines_of(metric: DhatMetric, stacks: &HeapStacks) -> (Vec<String>, u64) {
        let mut tree = PathTree::new();
        let total = add(&mut tree, Side::New, metric, stacks);
        let side = PathCosts {
            side: Side::New,
            own: tree.own(Side::New),
            least: 1,
        };
        (folded(&tree, &[side]), total)
    }

    /// Every recorded profile, with and without an entry point.
    #[test]
    fn pictures_add_up_to_the_totals() {
        let Some(data) = data("dhat") else {
            return;
        };
        let mut checked = 0;
        let folders = ["3.19.0", "3.24.0", "3.27.1"].map(|version| data.join(version));
        let cases = folders
            .iter()
            .flat_map(|folder| fs::read_dir(folder).unwrap());
        let files = cases.flat_map(|case| fs::read_dir(case.unwrap().path()).unwrap());
        for path in files.map(|file| file.unwrap().path()) {
            let Ok(Some(profile)) = dhat::read_file(&path) else {
                continue; // logs
            };
            let sums = profile.sum(|_| true).unwrap();
            for entry in [&EVERYTHING, &EntryFunctions::of_patterns(["main"])] {
                let sources = HeapSources {
                    entry,
                    regions: false,
                    executable: None,
                    workspace: Path::new("/"),
                };
                let stacks = sources.stacks(&[ResolvedProfile {
                    profile: &profile,
                    selected: &vec![true; profile.points.len()],
                }]);
                for (metric, total) in [
                    (DhatMetric::TotalBytes, sums.total_bytes),
                    (DhatMetric::TotalBlocks, sums.total_blocks),
                    (DhatMetric::AtTGmaxBytes, sums.gmax_bytes.unwrap_or(0)),
                ] {
                    let (lines, found) = lines_of(metric, &stacks);
                    assert_eq!((sum(&lines), found), (total, total), "{}", path.display());
                    checked += usize::from(total > 0);
                }
            }
        }
        assert!(checked > 60, "{checked}");
    }

    #[test]
    fn stacks_are_paths_with_what_they_allocated() {
        let stacks = HeapStacks {
            is_ad_hoc: false,
            files: Vec::new(),
            frames: vec![
                frame("lab::bench", false),
                frame("Vec::push", true),
                frame("malloc", false),
                frame("lab::other", false),
            ],
            points: vec![
                point(100, 2, 60, &[0, 1, 2]),
                point(7, 1, 0, &[0, 2]),
                point(30, 3, 5, &[0, 3, 1, 2]),
            ],
        };
        let lines = |metric| lines_of(metric, &stacks);
        let (bytes, total) = lines(DhatMetric::TotalBytes);
        assert_eq!(
            bytes,
            [
                "lab::bench;Vec::push [inlined];malloc 100",
                "lab::bench;lab::other;Vec::push [inlined];malloc 30",
                "lab::bench;malloc 7",
            ]
        );
        assert_eq!(total, 137);
        assert_eq!(lines(DhatMetric::TotalBlocks).1, 6);
        let (largest, total) = lines(DhatMetric::AtTGmaxBytes);
        assert_eq!((largest.len(), total), (2, 65));
    }
}
