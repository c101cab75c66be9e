//! Notes about a result that its figures do not show.

mod forks;
mod handlers;
mod heaps;
mod replaced_program;
mod unknown_calls;

pub(super) use unknown_calls::note as note_on_unknown_call;

use super::kept_files::log_name;
use super::ToolFiles;
use crate::execute::FoundErrors;
use crate::plan::Job;
use crate::results::tool_files::ProcessCounters;
use base::counted::counted;
use base::tool::Tool;
use findings::{removed_work, several_entries};
use formats::log::{Amount, Log};
use metrics::CounterSet;
use records::layout::{BenchmarkEntry, Slot};

impl ToolFiles {
    /// Notes about parts that the figures contain or lack without showing it.
    pub(super) fn notes(&self, job: &Job) -> Vec<String> {
        let root = self.root().and_then(|log| log.pid);
        let processes = self.of_processes(job.tool);
        let mut notes = Vec::new();
        if job.tool == Tool::Callgrind && !job.args.entry.is_everything() {
            notes.extend(self.of_entry(job, root, &processes));
        }
        notes.extend(self.of_heaps(job, root, &processes));
        notes.extend(self.of_forks(job, root, &processes));
        notes.extend(self.of_across());
        for note in processes
            .iter()
            .flat_map(|(_, sets)| sets.iter())
            .flat_map(|set| &set.notes)
        {
            // These are about the program, however many of its sets have them: no number follows,
            // unlike below.
            if !notes.contains(note) {
                notes.push(note.clone());
            }
        }
        notes.extend(self.replaced(job));
        notes.extend(self.logs.iter().filter_map(|(_, log)| lost_silently(log)));
        notes.extend(self.of_lost_processes(job, root, &processes));
        once_each(notes)
    }

    /// Notes about costs that an entry point leaves out, or seems to.
    fn of_entry(
        &self,
        job: &Job,
        root: Option<u32>,
        processes: &[ProcessCounters<'_>],
    ) -> Vec<String> {
        // Where every thread counts, one without costs ran before or after the benchmark.
        let of_threads = (!job.args.count_threads).then_some(job.counting_threads);
        let mut notes = not_counted(root, processes, of_threads);
        let sets = processes.iter().flat_map(|(_, sets)| sets.iter());
        let counters = sets.flat_map(|set| &set.counters);
        let instructions = counters
            .filter(|(event, _)| event == "Ir")
            .map(|(_, count)| *count);
        let instructions = instructions.fold(0, u64::saturating_add);
        notes.extend(removed_work::note(
            instructions,
            &job.args.entry,
            self.outs(),
        ));
        let patterns = &job.args.entry.patterns;
        notes.extend(several_entries::note(
            patterns,
            &job.target.program,
            self.outs(),
        ));
        notes
    }

    /// Notes about processes whose counts are missing.
    fn of_lost_processes(
        &self,
        job: &Job,
        root: Option<u32>,
        processes: &[ProcessCounters<'_>],
    ) -> Vec<String> {
        // With `--trace-children=no` processes are lost where they start another program.
        let traced = job.args.traces_children();
        let note = |log: &Log| {
            let mut spoiled = self.spoiled.iter();
            let spoiled = spoiled.find(|(pid, _)| log.pid == Some(*pid));
            let is_missing = || !processes.iter().any(|(pid, _)| *pid == log.pid);
            let reason = match spoiled {
                Some((_, reason)) => format!("has a result that cannot be read ({reason})"),
                None if traced && log.pid != root && is_missing() => "was killed".to_owned(),
                None => return None,
            };
            let command = String::from_utf8_lossy(log.command.as_deref().unwrap_or_default());
            Some(format!(
                "the process `{command}` {reason}, its counts are missing"
            ))
        };
        self.logs.iter().filter_map(|(_, log)| note(log)).collect()
    }

    /// The errors that an error tool found, one for each log with errors in it.
    pub(super) fn errors(
        &self,
        job: &Job,
        entry: &BenchmarkEntry,
        slot: &Slot,
    ) -> Vec<FoundErrors> {
        let several = self.several_processes();
        let mut found = Vec::new();
        for (_, log) in &self.logs {
            let Some(errors) = log.errors.filter(|errors| errors.errors > 0) else {
                continue;
            };
            let name = log_name(job, log, several);
            found.push(FoundErrors {
                errors: errors.errors,
                contexts: errors.contexts,
                log: entry.directory().join(slot.file(&name)),
                lost: lost(log),
                records: log.records.clone(),
            });
        }
        found
    }
}

/// Merges equal notes, such as those about fifty processes with one command, into one with their
/// number.
fn once_each(notes: Vec<String>) -> Vec<String> {
    let mut counted: Vec<(String, usize)> = Vec::new();
    for note in notes {
        match counted.iter_mut().find(|(other, _)| *other == note) {
            Some((_, count)) => *count += 1,
            None => counted.push((note, 1)),
        }
    }
    let text = |(note, count)| match count {
        1 => note,
        _ => format!("{note} ({count} times)"),
    };
    counted.into_iter().map(text).collect()
}

/// Lost memory of a process, by the kinds of the leak check.
fn lost(log: &Log) -> Vec<(String, Amount)> {
    let leaks = log.heap.leaks.iter();
    let lost = leaks.filter(|(kind, amount)| kind.ends_with(" lost") && amount.blocks > 0);
    lost.cloned().collect()
}

/// Note on lost memory, which is no error unless Memcheck is to search for it.
fn lost_silently(log: &Log) -> Option<String> {
    let is_error = log.errors.is_some_and(|errors| errors.errors > 0);
    let (_, amount) = lost(log)
        .into_iter()
        .find(|(kind, _)| kind == "definitely lost" && !is_error)?;
    Some(format!(
        "{} bytes in {} blocks are definitely lost; `--memcheck-args=--leak-check=full` says where \
         they were allocated",
        amount.bytes, amount.blocks
    ))
}

/// Note on threads and processes that counted nothing, with the setting that makes them count. The
/// files do not tell when they ran: those of a setup are among them. They do not tell how many
/// threads there were either, since Valgrind uses the number of a thread again that has ended.
fn not_counted(
    root: Option<u32>,
    processes: &[ProcessCounters<'_>],
    of_threads: Option<&str>,
) -> Vec<String> {
    let silent = |sets: &[CounterSet]| sets.iter().filter(|set| set.is_zero()).count();
    let silent_threads = |sets: &[CounterSet]| {
        let threads = sets.iter().filter(|set| set.thread > Some(1));
        threads.filter(|set| set.is_zero()).count()
    };
    let all = processes.iter();
    let threads: usize = all.map(|(_, sets)| silent_threads(sets)).sum();
    let others = processes.iter().filter(|(pid, _)| *pid != root);
    let children: usize = others.map(|(_, sets)| silent(sets)).sum();
    let mut notes = Vec::new();
    if let Some(how) = of_threads.filter(|_| threads > 0) {
        notes.push(format!(
            "further threads ran in its process and were not counted; {how}"
        ));
    }
    if children > 0 {
        notes.push(format!(
            "{} ran below its process and {} not counted; `--toggle-collect=<function>` with a \
             function of the process counts it",
            counted(children as u64, "process"),
            if children == 1 { "was" } else { "were" },
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_notes_are_one_with_their_number() {
        let notes = ["a", "b", "a", "a"].map(str::to_owned).to_vec();
        assert_eq!(once_each(notes), ["a (3 times)", "b"]);
        assert_eq!(once_each(Vec::new()), [] as [&str; 0]);
    }

    /// Numbers of threads are used again, and a setup has threads and processes as well.
    #[test]
    fn nothing_is_said_to_have_run_inside_the_benchmark() {
        let set = |thread| CounterSet {
            thread: Some(thread),
            ..CounterSet::default()
        };
        let main = [set(1), set(2), set(3)];
        let child = [set(1)];
        let processes = [
            (Some(1), std::borrow::Cow::Borrowed(&main[..])),
            (Some(2), std::borrow::Cow::Borrowed(&child[..])),
        ];
        assert_eq!(
            not_counted(Some(1), &processes, Some("how")),
            [
                "further threads ran in its process and were not counted; how",
                "1 process ran below its process and was not counted; \
                 `--toggle-collect=<function>` with a function of the process counts it",
            ]
        );
    }
}
