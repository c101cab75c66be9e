//! Notes about the heaps of several processes.
//!
//! DHAT and Massif write a file for each process. Their figures are added up, which needs a note:
//! on processes that do not count, on those that count some blocks twice, and on maxima at
//! different times.

use super::super::ToolFiles;
use crate::plan::Job;
use crate::results::tool_files::ProcessCounters;
use base::tool::Tool;
use formats::log::Log;

impl ToolFiles {
    /// `root`: the process that was started.
    pub(super) fn of_heaps(
        &self,
        job: &Job,
        root: Option<u32>,
        processes: &[ProcessCounters<'_>],
    ) -> Vec<String> {
        let others: Vec<_> = processes.iter().filter(|(pid, _)| *pid != root).collect();
        match job.tool {
            Tool::Dhat => {
                let mut notes: Vec<String> = others
                    .iter()
                    .filter_map(|(pid, sets)| {
                        let left_out = sets.iter().find_map(|set| set.left_out)?;
                        Some(not_counted(self.log(*pid), left_out))
                    })
                    .collect();
                let counts_twice = others.iter().filter(|(pid, sets)| {
                    let is_silent = sets.iter().all(|set| set.left_out.is_some());
                    !is_silent && self.is_fork(*pid)
                });
                notes.extend(counted_twice(counts_twice.count()));
                notes
            }
            Tool::Massif if !others.is_empty() => vec![format!(
                "the figures are sums over {} processes, whose heaps need not have been largest at the \
                 same time; `--show-intermediate` shows each",
                processes.len()
            )],
            _ => Vec::new(),
        }
    }

    fn log(&self, pid: Option<u32>) -> Option<&Log> {
        let mut logs = self.logs.iter().map(|(_, log)| log);
        logs.find(|log| log.pid == pid)
    }

    /// Does a log of this process exist?
    pub(super) fn is_known(&self, pid: Option<u32>) -> bool {
        self.log(pid).is_some()
    }

    /// Is the process a fork that started no other program?
    pub(super) fn is_fork(&self, pid: Option<u32>) -> bool {
        let Some(log) = self.log(pid) else {
            return false;
        };
        // A program that was started has a command of its own, and the log of a fork names that of
        // its parent.
        let parent = log.parent_pid.and_then(|parent| self.log(Some(parent)));
        parent.is_some_and(|parent| parent.command == log.command)
    }
}

fn not_counted(log: Option<&Log>, (bytes, blocks): (u64, u64)) -> String {
    let command = log.and_then(|log| log.command.as_deref());
    format!(
        "the process `{}` allocated {bytes} bytes in {blocks} blocks, which are not counted; \
         `Dhat::frames([\"<function of the process>\"])` counts what is below a function",
        String::from_utf8_lossy(command.unwrap_or_default())
    )
}

fn counted_twice(forks: usize) -> Option<String> {
    let what = match forks {
        0 => return None,
        1 => "1 process was".to_owned(),
        _ => format!("{forks} processes were"),
    };
    Some(format!(
        "{what} forked: the blocks that were allocated before the fork count in both processes; \
         `--show-intermediate` shows each"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_sentences() {
        let log = Log {
            command: Some(b"/bin/sh -c x".to_vec()),
            ..Log::default()
        };
        assert!(not_counted(Some(&log), (636, 14)).starts_with(
            "the process `/bin/sh -c x` allocated 636 bytes in 14 blocks, which are not counted;"
        ));
        assert_eq!(counted_twice(0), None);
        assert!(counted_twice(1)
            .unwrap()
            .starts_with("1 process was forked: the blocks"));
        assert!(counted_twice(2)
            .unwrap()
            .starts_with("2 processes were forked: the blocks"));
    }
}
