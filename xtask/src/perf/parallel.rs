//! Two benchmarks at a time, against one at a time, where no disk has a part in it.

use std::path::Path;

use anyhow::{Context, Result};

use super::candidates::Crate;
use super::table::{Report, Samples, Unit};
use super::usage::{measure, Usage};

/// Greatest part of the wall time that two at a time take on two processors.
pub(super) const PARALLEL: f64 = 0.6;

/// Directory in memory.
const MEMORY: &str = "/dev/shm";

/// Runs after which nothing changes: then the files of the last results are those of the results before as well.
const UNTIL_STEADY: usize = 3;

/// 1000 small benchmarks, with results in memory: beside the same on the disk of the machine it shows what that adds.
pub(super) fn two_at_a_time(
    project: &Crate<'_>,
    executable: &Path,
    rounds: usize,
    report: &mut Report,
) -> Result<()> {
    let place = Path::new(MEMORY);
    let home = tempfile::tempdir_in(place);
    let home = home.with_context(|| format!("create a directory in `{}`", place.display()))?;
    let run = |arguments: &[&str]| {
        let mut command = project.run(executable);
        command.arg("--home").arg(home.path()).args(arguments);
        measure(&mut command)
    };
    for _ in 0..UNTIL_STEADY {
        run(&[])?;
    }
    let (mut one, mut two) = (Samples::default(), Samples::default());
    for _ in 0..rounds {
        one.push(run(&[])?);
        two.push(run(&["--parallel=2"])?);
    }
    report.figure("1000 small benchmarks, results in memory", &one);
    report.figure(
        "1000 small benchmarks with `--parallel=2`, results in memory",
        &two,
    );
    report.row(
        "1000 small benchmarks with `--parallel=2`, results in memory, wall time against one at a time",
        PARALLEL,
        two.against(&one, |usage: &Usage| usage.wall),
        Unit::Times,
    );
    Ok(())
}
