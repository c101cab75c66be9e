//! Changes beyond their limits that could not be judged: one message about all of them, at the end.

use crate::run_report::event::UnderTool;
use base::counted::counted;
use base::tool;
use report::text::exceeded::regression_summary;
use report::text::Style;
use verdict::ExceededLimit;

/// The changes of a run that were not judged.
#[derive(Debug, Default)]
pub(super) struct NotJudged {
    benchmarks: usize,
    /// The path of the last benchmark, which may have been measured under several tools.
    last: String,
    largest: Option<LargestUnjudged>,
}

#[derive(Debug)]
struct LargestUnjudged {
    benchmark: String,
    /// The name of the tool.
    title: &'static str,
    exceeded: ExceededLimit,
}

impl NotJudged {
    /// Adds the changes of a result.
    pub(super) fn add(&mut self, measured: UnderTool<'_>) {
        let UnderTool {
            benchmark, result, ..
        } = measured;
        if result.not_judged.is_empty() {
            return;
        }
        let path = benchmark.path.to_string();
        self.benchmarks += usize::from(path != self.last);
        for exceeded in &result.not_judged {
            let known = self.largest.as_ref().map(|known| known.exceeded.size());
            if known.is_none_or(|known| exceeded.size() > known) {
                self.largest = Some(LargestUnjudged {
                    benchmark: path.clone(),
                    title: tool::row(result.tool).title,
                    exceeded: *exceeded,
                });
            }
        }
        self.last = path;
    }

    /// The message, if there are some.
    pub(super) fn text(&self, style: Style) -> Option<String> {
        let LargestUnjudged {
            benchmark,
            title,
            exceeded,
        } = self.largest.as_ref()?;
        let benchmarks = counted(self.benchmarks as u64, "benchmark");
        let largest = regression_summary(title, exceeded, style);
        Some(format!(
            "{benchmarks} changed beyond limits that are not checked, since the results were made under different \
             conditions; the largest change: `{benchmark}`: {}",
            largest.trim_end()
        ))
    }
}
