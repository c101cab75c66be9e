//! Flamegraphs of DHAT: stacks that allocated to files of pictures.

use iai_callgrind::protocol::DhatMetric;

use super::place::{DrawnFlamegraphs, PicturePlace};
use crate::error::Result as RunResult;
use explain::heap_stacks::HeapStacks;
use flamegraph::{draw_stacks, DrawError, FlamegraphSettings, PictureTexts, Pictures};

/// Metrics that are drawn. A graph of one that is 0 is left out.
const METRICS: [DhatMetric; 3] = [
    DhatMetric::TotalBytes,
    DhatMetric::TotalBlocks,
    DhatMetric::AtTGmaxBytes,
];

/// Metrics of programs that count something else than the heap (`--mode=ad-hoc`).
const AD_HOC: [DhatMetric; 2] = [DhatMetric::TotalUnits, DhatMetric::TotalEvents];

/// Input of the pictures of a benchmark under DHAT.
#[derive(Debug)]
pub(crate) struct HeapDrawing<'a> {
    pub(crate) place: PicturePlace<'a>,
    /// Stacks of the new result.
    pub(crate) new: &'a HeapStacks,
    /// Both sides of a comparison, if there is an old result: their names come from the same place.
    pub(crate) both: Option<(&'a HeapStacks, &'a HeapStacks)>,
}

impl HeapDrawing<'_> {
    /// Draws the pictures that the job asks for, into files.
    pub(crate) fn draw(&self) -> RunResult<DrawnFlamegraphs> {
        let mut drawn = DrawnFlamegraphs::default();
        let place = &self.place;
        let Some(settings) = &place.job.flamegraph else {
            return Ok(drawn);
        };
        let metrics = match self.new.is_ad_hoc {
            true => &AD_HOC[..],
            false => &METRICS[..],
        };
        for metric in metrics {
            let pictures =
                place.with_texts(settings, |texts| self.pictures(*metric, texts, settings));
            match pictures {
                Ok(pictures) => place.keep(pictures, &metric.to_name(), &mut drawn)?,
                // A function that allocates nothing has nothing to show, and its figures say so.
                Err(DrawError::Zero(_)) => {}
                Err(error) => drawn.notes.push(format!("no flamegraph: {error}")),
            }
        }
        Ok(drawn)
    }

    fn pictures(
        &self,
        metric: DhatMetric,
        texts: PictureTexts<'_>,
        settings: &FlamegraphSettings,
    ) -> Result<Pictures, DrawError> {
        let draw = |new, old| draw_stacks(metric, new, old, texts, settings);
        let Some((new, old)) = self.both else {
            return draw(self.new, None);
        };
        // The same value, not an equal one: `HeapOfJob::drawn` passes it if its names fit the old
        // side.
        if std::ptr::eq(new, self.new) {
            return draw(new, Some(old));
        }
        Ok(Pictures {
            regular: draw(self.new, None)?.regular,
            ..draw(new, Some(old))?
        })
    }
}
