//! Two benchmarks at a time, against one at a time: on the disk of the machine, and where no disk has a part in it.

use std::path::Path;

use anyhow::{Context, Result};

use super::candidates::Crate;
use super::table::{Report, Samples, Unit};
use super::usage::{measure, Usage};

/// Greatest part of the wall time that two at a time take on two processors.
const PARALLEL: f64 = 0.6;

/// Pairs of runs in a round: the part is near its bound, and what happens on the machine meanwhile moves it by a hundredth.
const PAIRS: usize = 2;

/// Directory in memory.
const MEMORY: &str = "/dev/shm";

/// Runs after which nothing changes: then the files of the last results are those of the results before as well.
const UNTIL_STEADY: usize = 3;

/// 1000 small benchmarks, with results on the disk and in memory.
pub(super) fn two_at_a_time(
    project: &Crate<'_>,
    executable: &Path,
    rounds: usize,
    report: &mut Report,
) -> Result<()> {
    let place = Path::new(MEMORY);
    let memory = tempfile::tempdir_in(place);
    let memory = memory.with_context(|| format!("create a directory in `{}`", place.display()))?;
    for (home, results) in [(None, ""), (Some(memory.path()), ", results in memory")] {
        let run = |arguments: &[&str]| {
            let mut command = project.run(executable);
            if let Some(home) = home {
                command.arg("--home").arg(home);
            }
            measure(command.args(arguments))
        };
        for _ in 0..UNTIL_STEADY {
            run(&[])?;
        }
        let (mut one, mut two) = (Samples::default(), Samples::default());
        for _ in 0..rounds * PAIRS {
            one.push(run(&[])?);
            two.push(run(&["--parallel=2"])?);
        }
        let what = format!("1000 small benchmarks with `--parallel=2`{results}");
        report.figure(what.clone(), &two);
        report.figure(
            format!("1000 small benchmarks, one at a time beside it{results}"),
            &one,
        );
        report.row(
            format!("{what}, wall time against one at a time"),
            PARALLEL,
            two.against(&one, |usage: &Usage| usage.wall),
            Unit::Times,
        );
    }
    Ok(())
}
