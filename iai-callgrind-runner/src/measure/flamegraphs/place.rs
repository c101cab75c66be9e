//! Flamegraphs on disk: which file each picture becomes.

use std::fs;
use std::path::Path;

use crate::error::{FileContext, Result};
use crate::plan::Job;
use crate::results::BenchmarkSlots;
use crate::settings::Baseline;
use flamegraph::{FlamegraphSettings, PictureTexts, Pictures};
use records::layout::{BenchmarkEntry, PictureName, Slot};
use records::summary;
use store::NewFile;

/// Pictures of a benchmark.
#[derive(Debug, Default)]
pub(crate) struct DrawnFlamegraphs {
    /// Files of the pictures.
    pub(crate) files: Vec<NewFile>,
    /// Entries of the pictures for the JSON output.
    pub(crate) list: Vec<summary::Flamegraph>,
    /// Notes about pictures that are missing.
    pub(crate) notes: Vec<String>,
    /// Messages about metrics that were not collected, which is a mistake of the configuration.
    pub(crate) uncollected: Vec<String>,
}

/// Place of the pictures of a benchmark under a tool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PicturePlace<'a> {
    pub(crate) job: &'a Job,
    pub(crate) entry: &'a BenchmarkEntry,
    pub(crate) baseline: &'a Baseline,
    /// The directory where they are written.
    pub(crate) work: &'a Path,
}

impl<'a> PicturePlace<'a> {
    /// Place of the flamegraphs of a job.
    pub(crate) fn of(job: &'a Job, kept: &'a BenchmarkSlots<'_>, work: &'a Path) -> Self {
        Self {
            job,
            entry: &kept.entry,
            baseline: kept.baseline,
            work,
        }
    }

    /// Gives the texts of the pictures to who draws them.
    pub(super) fn with_texts<T>(
        &self,
        settings: &FlamegraphSettings,
        draw: impl FnOnce(PictureTexts<'_>) -> T,
    ) -> T {
        draw(PictureTexts {
            title: &self.job.benchmark_path.headline(settings.truncate),
            old_name: &self.baseline.compare.to_string(),
        })
    }

    /// Writes the pictures of a metric, and adds them to those that are drawn.
    pub(super) fn keep(
        &self,
        pictures: Pictures,
        metric: &str,
        drawn: &mut DrawnFlamegraphs,
    ) -> Result<()> {
        let Baseline { write, compare, .. } = self.baseline;
        let stem = self.job.benchmark_path.stem();
        let name = |picture: PictureName<'_>| picture.file(self.job.tool, &stem, metric);
        let regular = name(PictureName::Of(write));
        // A baseline that is replaced would give both pictures one name.
        let old = match compare {
            Slot::Last => Some(PictureName::Old),
            named => Some(PictureName::Of(named)).filter(|_| named != write),
        };
        let difference = name(PictureName::Difference {
            new: write,
            old: compare,
        });
        for (graph, name, picture) in [
            (summary::Graph::Regular, Some(regular), pictures.regular),
            (summary::Graph::Old, old.map(name), pictures.old),
            (
                summary::Graph::Differential,
                Some(difference),
                pictures.differential,
            ),
        ] {
            let (Some(name), Some(svg)) = (name, picture) else {
                continue;
            };
            let path = self.work.join(&name);
            fs::write(&path, svg).context("write", &path)?;
            // Records name the place to which the picture is moved together with the results.
            let kept = self.entry.directory().join(&name);
            drawn.list.push(summary::Flamegraph {
                kind: metric.to_owned(),
                graph,
                path: kept.display().to_string(),
            });
            drawn.files.push(NewFile { path, name });
        }
        Ok(())
    }
}
