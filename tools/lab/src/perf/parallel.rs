//! Two benchmarks at a time, against one at a time.

use std::path::Path;

use anyhow::Result;

use super::candidates::Crate;
use super::table::{Report, Samples, Unit};
use super::usage::measure;

/// Greatest part of the wall time that two at a time take on two processors.
const PARALLEL: f64 = 0.8;

/// 1000 small benchmarks, which have run before.
pub(super) fn two_at_a_time(
    project: &Crate<'_>,
    executable: &Path,
    rounds: usize,
    report: &mut Report,
) -> Result<()> {
    let (mut one, mut two) = (Samples::default(), Samples::default());
    for _ in 0..rounds {
        one.push(measure(&mut project.run(executable))?);
        two.push(measure(project.run(executable).arg("--parallel=2"))?);
    }
    let what = "1000 small benchmarks with `--parallel=2`";
    report.figure(what, &two);
    report.figure("1000 small benchmarks, one at a time beside it", &one);
    report.row(
        format!("{what}, wall time against one at a time"),
        PARALLEL,
        two.against(&one, |usage| usage.wall),
        Unit::Times,
    );
    Ok(())
}
