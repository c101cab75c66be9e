//! The file in which the runners of bench targets leave the records of their runs.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use base::exit::Exit;
use records::summary::{self, Ending, Record, Run};

/// Adds the record of a run to the file. The exit code is 0 then, if it would only repeat the
/// record: cargo would report it in words of its own.
pub(crate) fn leave_record(file: &Path, run: Run, exit: Exit) -> Exit {
    let is_told = matches!(
        run.ending,
        Ending::Ok | Ending::Regression | Ending::Failure | Ending::FailFast
    );
    match add(file, run) {
        Ok(()) if is_told => Exit::Ok,
        Ok(()) => exit,
        Err(error) => {
            log::error!("cannot write `{}`: {error}", file.display());
            exit
        }
    }
}

/// One write: runners may end at the same time.
fn add(file: &Path, run: Run) -> io::Result<()> {
    let line = Record::Run(Box::new(run)).to_bytes(false)?;
    let mut file = OpenOptions::new().append(true).create(true).open(file)?;
    file.write_all(&line)
}

/// The records in the text of the file.
pub(super) fn read(text: &str) -> Vec<Run> {
    let runs = summary::read(text).filter_map(|record| match record {
        Ok(Record::Run(run)) => Some(*run),
        _ => None,
    });
    runs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(ending: Ending, exit_code: i32) -> Run {
        let text = r#"{"type":"run","version":1,"ending":"ok","exit_code":0,"counts":{"ok":1,"regressed":0,
            "failed":0,"filtered":0,"not_run":0},"started_at":"","duration_ns":0,"baselines":{},
            "system":{"runner":"","cpu_features":[]},"warnings":[],"errors":[]}"#;
        let run = read(text).remove(0);
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
        let leave = |ending, exit: Exit| leave_record(&file, run(ending, exit as i32), exit);
        assert_eq!(leave(Ending::Regression, Exit::Regression), Exit::Ok);
        assert_eq!(leave(Ending::Error, Exit::Usage), Exit::Usage);
        let text = std::fs::read_to_string(&file).unwrap();
        let codes = read(&text).into_iter().map(|run| run.exit_code);
        assert_eq!(codes.collect::<Vec<_>>(), [Some(3), Some(2)]);
        let nowhere = directory.path().join("nowhere/runs.jsonl");
        let exit = leave_record(&nowhere, run(Ending::Ok, 0), Exit::Regression);
        assert_eq!(exit, Exit::Regression);
    }
}
