//! One run of perf: its purpose, its files, and its arguments.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use iai_callgrind::protocol::wire::PERF_OWN_CONTROL;

use crate::plan::{CountBegin, Job, PerfSettings, Subject};
use base::tool::ToolFile;

/// One run of perf.
#[derive(Debug, Clone, Copy)]
pub(super) struct Invocation<'a> {
    pub(super) perf: &'a PerfSettings,
    pub(super) purpose: Purpose,
    /// The number of the event set, from 1.
    pub(super) part: usize,
    pub(super) events: &'a str,
}

/// Purpose of a run of perf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Figures of the result, from one run.
    Count,
    /// Figures of the result, from all runs that fit into this time.
    Sample(Duration),
    /// Costs of the measurement itself, from all runs of an empty benchmark that fit into this
    /// time.
    Calibrate(Duration),
    /// End of the program, which perf does not report when it repeats the program.
    Check,
    /// Samples of `perf record`.
    Record,
}

impl Purpose {
    /// The runs of perf for one event set, in their order.
    pub(super) fn all(perf: &PerfSettings, subject: &Subject) -> Vec<Self> {
        let mut purposes = Vec::new();
        purposes.extend(perf.calibration.map(Self::Calibrate));
        match (perf.sampling, subject) {
            (Some(duration), Subject::Case(_)) => purposes.push(Self::Sample(duration)),
            (Some(duration), Subject::Command(_)) => {
                purposes.extend([Self::Check, Self::Sample(duration)]);
            }
            (None, _) => purposes.push(Self::Count),
        }
        if perf.record.is_some() {
            purposes.push(Self::Record);
        }
        purposes
    }
}

/// Name of the file with the figures of an empty benchmark.
pub(crate) fn calibration(part: usize) -> String {
    format!("calibration.{part:03}")
}

impl Invocation<'_> {
    /// Out-file of perf.
    pub(super) fn output(&self, directory: &Path) -> PathBuf {
        let part = self.part;
        let name = match self.purpose {
            Purpose::Count | Purpose::Sample(_) => format!("{}{part:03}", ToolFile::Out.prefix()),
            Purpose::Calibrate(_) => calibration(part),
            Purpose::Check => format!("check.{part:03}"),
            Purpose::Record => format!("{}{part:03}", ToolFile::Data.prefix()),
        };
        directory.join(name)
    }

    /// Log of the run: command and process id, output of the measured process, and perf's messages.
    pub(super) fn log(&self, directory: &Path) -> PathBuf {
        let prefix = match self.purpose {
            Purpose::Count | Purpose::Sample(_) => ToolFile::Log.prefix(),
            Purpose::Calibrate(_) | Purpose::Check => "other.",
            Purpose::Record => ToolFile::RecordLog.prefix(),
        };
        directory.join(format!("{prefix}{:03}", self.part))
    }

    /// Time in which perf repeats the command. `None`: it does not.
    pub(super) fn repeats(&self) -> Option<Duration> {
        match self.purpose {
            Purpose::Sample(duration) | Purpose::Calibrate(duration) => Some(duration),
            Purpose::Count | Purpose::Check | Purpose::Record => None,
        }
    }

    /// The arguments of perf, up to the program.
    pub(super) fn arguments(&self, job: &Job, directory: &Path) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        let [control, answer] = PERF_OWN_CONTROL;
        let record = self.purpose == Purpose::Record;
        words.push(if record { "record" } else { "stat" }.into());
        // Without the pipes, also if unused, perf may lose the exit code of a command that ends
        // early.
        words.push(format!("--control=fd:{control},{answer}").into());
        if self.perf.begin != CountBegin::AtStart {
            // The counters begin switched off, and the process switches them on.
            words.push("--delay=-1".into());
        }
        words.push(format!("--event={}", self.events).into());
        let of_record = self.perf.record.as_deref().unwrap_or_default();
        let user = if record { of_record } else { &job.args.words };
        words.extend(user.iter().map(OsString::from));
        if !record {
            words.extend(["--no-big-num", "-j"].map(OsString::from));
            if self.repeats().is_some() {
                words.extend(["-r", "0"].map(OsString::from));
            }
        }
        let mut output = OsString::from("--output=");
        output.push(self.output(directory));
        words.push(output);
        words
    }
}
