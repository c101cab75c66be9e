//! Processes, threads and parts in version 6, which has one also where there are no others.

use serde::Serialize;

use super::metrics::ToolMetricsV6;
use super::profile::directory;
use super::{old_baseline, EitherSide};
use crate::layout::{FileName, Slot, BASE};
use crate::summary::{Metric, PartName, Profile, Summary, ToolErrors};
use base::tool::Tool;

#[derive(Serialize)]
pub(super) struct PartV6<'a> {
    details: EitherSide<PartDetailsV6>,
    metrics_summary: ToolMetricsV6<'a>,
}

/// Name of a part, and its file.
#[derive(Debug, PartialEq, Serialize)]
struct PartDetailsV6 {
    command: String,
    /// The lines of the log about errors.
    details: Option<String>,
    parent_pid: Option<u32>,
    part: Option<u64>,
    path: String,
    pid: u32,
    thread: Option<u64>,
}

impl<'a> PartV6<'a> {
    pub(super) fn all(tool: Tool, profile: &'a Profile, summary: &Summary) -> Vec<Self> {
        let files = PartFiles::of(tool, profile, summary);
        let one = |new: Option<&PartName>, old: Option<&PartName>, metrics: &'a [Metric]| {
            let new = new.and_then(|part| files.details_of_new(part, profile));
            let old = old.and_then(|part| files.details_of_old(part));
            Some(Self {
                details: EitherSide::new(new, old)?,
                metrics_summary: ToolMetricsV6::of(tool, metrics),
            })
        };
        if let (true, Some(only)) = (profile.parts.is_empty(), &profile.only_part) {
            let part = one(Some(&only.new), only.old.as_ref(), &profile.metrics);
            return part.into_iter().collect();
        }
        let parts = profile.parts.iter();
        parts
            .filter_map(|part| one(part.new.as_ref(), part.old.as_ref(), &part.metrics))
            .collect()
    }
}

/// Files and names that the parts of a result have in common.
struct PartFiles<'a> {
    summary: &'a Summary,
    directory: String,
    /// The beginning of the names of all files.
    stem: String,
    names: &'a [String],
}

impl<'a> PartFiles<'a> {
    fn of(tool: Tool, profile: &'a Profile, summary: &'a Summary) -> Self {
        let benchmark = &summary.benchmark;
        let id = benchmark.id.iter().map(|id| format!("{id}."));
        Self {
            summary,
            directory: directory(summary),
            stem: format!("{tool}.{}.{}", benchmark.function, id.collect::<String>()),
            names: match profile.out_files.is_empty() {
                true => &profile.log_files,
                false => &profile.out_files,
            },
        }
    }

    fn details_of_new(&self, part: &PartName, profile: &Profile) -> Option<PartDetailsV6> {
        let log = file(part, &profile.log_files, &self.stem);
        let of_log = |errors: &&ToolErrors| log.is_some_and(|log| errors.log.ends_with(log));
        let errors = profile.errors.iter().filter(of_log);
        let lines: Vec<String> = errors.map(|errors| errors.lines.join("\n")).collect();
        Some(PartDetailsV6 {
            details: (!lines.is_empty()).then(|| lines.join("\n")),
            ..self.details(part, file(part, self.names, &self.stem)?)?
        })
    }

    /// The old file has the name that the new one has, in its own slot.
    fn details_of_old(&self, part: &PartName) -> Option<PartDetailsV6> {
        let name = file(part, self.names, &self.stem)?;
        let name = name.split_once(BASE).map_or(name, |(name, _)| name);
        let name = match old_baseline(self.summary) {
            Some(baseline) => Slot::Named(baseline.to_owned()).file(name),
            None => FileName::old(name),
        };
        self.details(part, &name)
    }

    /// `None`: the process is not known.
    fn details(&self, part: &PartName, file: &str) -> Option<PartDetailsV6> {
        let summary = self.summary;
        let command = part.command.as_ref().or(summary.benchmark.command.as_ref());
        Some(PartDetailsV6 {
            command: command.unwrap_or(&summary.files.executable).clone(),
            details: None,
            parent_pid: part.parent_pid,
            part: part.part,
            path: format!("{}/{file}", self.directory),
            pid: part.pid?,
            thread: part.thread,
        })
    }
}

/// Numbers in the name of a file, behind the name of its benchmark.
#[derive(Debug, Default, PartialEq)]
struct FileNumbers {
    pid: Option<u64>,
    thread: Option<u64>,
    dump: Option<u64>,
}

impl FileNumbers {
    /// `stem`: the beginning of the names of all files of the tool.
    fn of(name: &str, stem: &str) -> Self {
        let mut numbers = Self::default();
        for piece in name.strip_prefix(stem).unwrap_or_default().split('.') {
            let place = match piece.as_bytes().first() {
                Some(b't') => &mut numbers.thread,
                Some(b'p') => &mut numbers.dump,
                _ => &mut numbers.pid,
            };
            let number = piece.trim_start_matches(['t', 'p']).parse().ok();
            *place = (*place).or(number);
        }
        numbers
    }

    /// Can the file be that of this part of any process? Names have numbers only where there are
    /// several.
    fn fits(&self, part: &PartName) -> bool {
        (self.thread.is_none() || self.thread == part.thread)
            && (self.dump.is_none() || self.dump == part.part)
    }
}

/// The name of the file of a part: among those that fit, that of its process. The process of an old
/// part has another number than all new ones, so it gets the first.
fn file<'a>(part: &PartName, names: &'a [String], stem: &str) -> Option<&'a str> {
    let fitting = || {
        let numbers = names.iter().map(|name| (name, FileNumbers::of(name, stem)));
        numbers.filter(|(_, numbers)| numbers.fits(part))
    };
    let own = fitting().find(|(_, numbers)| numbers.pid == part.pid.map(u64::from));
    let found = own.or_else(|| fitting().next());
    found.map(|(name, _)| name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_has_its_file() {
        let part = |pid, thread| PartName {
            pid: Some(pid),
            thread: Some(thread),
            part: Some(1),
            ..PartName::default()
        };
        #[track_caller]
        fn check(part: PartName, names: &[&str], expected: Option<&str>) {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(file(&part, &names, "callgrind.t1.7."), expected);
        }
        check(
            part(7, 1),
            &["callgrind.t1.7.out"],
            Some("callgrind.t1.7.out"),
        );
        let threads = ["callgrind.t1.7.t1.p1.out", "callgrind.t1.7.t2.p1.out"];
        check(part(7, 2), &threads, Some(threads[1]));
        check(part(7, 3), &threads, None);
        let processes = ["callgrind.t1.7.10.out", "callgrind.t1.7.11.out.base@main"];
        check(part(11, 1), &processes, Some(processes[1]));
        check(part(8, 1), &processes, Some(processes[0]));
        check(part(8, 1), &[], None);
    }
}
