//! Processes that were forked and started no other program.
//!
//! Such a process starts with the counters of its parent, so costs before the fork are in the
//! results of both, and twice in the sum. Callgrind's files do not show how much that is.

use super::super::ToolFiles;
use crate::plan::Job;
use crate::results::tool_files::ProcessCounters;
use base::tool::Tool;
use metrics::CounterSet;

impl ToolFiles {
    /// `root`: the process that was started.
    pub(super) fn of_forks(
        &self,
        job: &Job,
        root: Option<u32>,
        processes: &[ProcessCounters<'_>],
    ) -> Option<String> {
        if job.tool != Tool::Callgrind {
            return None;
        }
        let forks = processes.iter().filter(|(pid, sets)| {
            let is_silent = sets.iter().all(CounterSet::is_zero);
            *pid != root && !is_silent && self.is_fork(*pid)
        });
        text(forks.count())
    }
}

fn text(forks: usize) -> Option<String> {
    let what = match forks {
        0 => return None,
        1 => "1 process was forked".to_owned(),
        _ => format!("{forks} processes were forked"),
    };
    Some(format!(
        "{what}: what was counted before the fork counts in both processes; `--show-intermediate` shows \
         each"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forks_are_said_if_there_are_some() {
        assert_eq!(text(0), None);
        assert!(text(1).unwrap().starts_with("1 process was forked: what"));
        assert!(text(2)
            .unwrap()
            .starts_with("2 processes were forked: what"));
    }
}
