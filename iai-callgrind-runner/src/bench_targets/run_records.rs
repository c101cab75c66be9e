//! The file in which the runners of bench targets leave the records of their runs, each behind
//! those of its regressed benchmarks.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use super::run::EndedRun;
use base::exit::Exit;
use records::summary::{self, Ending, Record, Run, Summary};

/// Adds the records of a run to the file. The exit code is 0 then, if it would only repeat the
/// record: cargo would report it in words of its own.
pub(crate) fn leave_record(file: &Path, regressed: Vec<Summary>, run: Run, exit: Exit) -> Exit {
    let is_told = matches!(
        run.ending,
        Ending::Ok | Ending::Regression | Ending::Failure | Ending::FailFast
    );
    let regressed = regressed.into_iter().map(Box::new);
    let records = regressed.map(Record::Benchmark);
    match add(file, records.chain([Record::Run(Box::new(run))])) {
        Ok(()) if is_told => Exit::Ok,
        Ok(()) => exit,
        Err(error) => {
            log::error!("cannot write `{}`: {error}", file.display());
            exit
        }
    }
}

/// One write: runners may end at the same time.
fn add(file: &Path, records: impl Iterator<Item = Record>) -> io::Result<()> {
    let mut lines = Vec::new();
    for record in records {
        lines.extend(record.to_bytes(false)?);
    }
    let mut file = OpenOptions::new().append(true).create(true).open(file)?;
    file.write_all(&lines)
}

/// The runs in the text of the file.
pub(super) fn read(text: &str) -> Vec<EndedRun> {
    let mut runs = Vec::new();
    let mut regressed = Vec::new();
    for record in summary::read(text).filter_map(Result::ok) {
        match record {
            Record::Benchmark(summary) => regressed.push(*summary),
            Record::Run(run) => runs.push(EndedRun {
                run: *run,
                regressed: std::mem::take(&mut regressed),
            }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(ending: Ending, exit_code: i32) -> Run {
        let text = r#"{"type":"run","version":1,"ending":"ok","exit_code":0,"counts":{"ok":1,"regressed":0,
            "failed":0,"filtered":0,"not_run":0},"started_at":"","duration_ns":0,"baselines":{},
            "system":{"runner":"","cpu_features":[]},"warnings":[],"errors":[]}"#;
        let run = read(text).remove(0).run;
        Run {
            ending,
            exit_code: Some(exit_code),
            ..run
        }
    }

    #[test]
    fn what_the_record_says_is_said_once() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("runs.jsonl");
        let leave =
            |ending, exit: Exit| leave_record(&file, Vec::new(), run(ending, exit as i32), exit);
        assert_eq!(leave(Ending::Regression, Exit::Regression), Exit::Ok);
        assert_eq!(leave(Ending::Error, Exit::Usage), Exit::Usage);
        let text = std::fs::read_to_string(&file).unwrap();
        let codes = read(&text).into_iter().map(|ended| ended.run.exit_code);
        assert_eq!(codes.collect::<Vec<_>>(), [Some(3), Some(2)]);
        let nowhere = directory.path().join("nowhere/runs.jsonl");
        let exit = leave_record(&nowhere, Vec::new(), run(Ending::Ok, 0), Exit::Regression);
        assert_eq!(exit, Exit::Regression);
    }
}
