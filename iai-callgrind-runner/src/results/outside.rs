//! Processes of setups and teardowns, where every process counts (`count_threads`).
//!
//! Callgrind counts a process from its begin to its end, and its files do not say when that was.
//! Their times do: the log is made when the process begins, the profile is written when it ends,
//! and the measuring process dumps its counters right before and right after the benchmark
//! function. In: these times. Out: which processes ran outside of the benchmark function, and which
//! ran across its begin or its end.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use super::ToolFiles;
use metrics::CounterSet;

/// The time of the benchmark function.
#[derive(Debug, Clone, Copy)]
struct Window {
    begins: SystemTime,
    returned: SystemTime,
}

/// The time of a process.
#[derive(Debug, Clone, Copy)]
struct Life {
    begins: SystemTime,
    ended: SystemTime,
}

/// The overlap of the life of a process with the benchmark function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Overlap {
    Inside,
    /// The process ran before the function began, or after it returned.
    Outside,
    /// The process ran across the begin or the end of the function.
    Across,
}

impl Window {
    fn overlap(self, life: Life) -> Overlap {
        if life.ended < self.begins || life.begins > self.returned {
            Overlap::Outside
        } else if life.begins < self.begins || life.ended > self.returned {
            Overlap::Across
        } else {
            Overlap::Inside
        }
    }
}

impl ToolFiles {
    /// Leaves out the processes that ran before the benchmark function of `root`, or after it.
    ///
    /// The parts that were written at these moments tell the times, so this comes before they are
    /// left out.
    pub(super) fn keep_while_function_ran(&mut self, root: u32) {
        let Some(window) = self.window(root) else {
            return;
        };
        let logs: Vec<u32> = self.logs.iter().filter_map(|(_, log)| log.pid).collect();
        for pid in logs.into_iter().filter(|pid| *pid != root) {
            let life = self.life(pid);
            // A process whose life is not known counts: figures that are missing would not be
            // noticed.
            match life.map_or(Overlap::Inside, |life| window.overlap(life)) {
                Overlap::Inside => {}
                Overlap::Across => self.across.push(pid),
                Overlap::Outside => {
                    self.outs.retain(|out| out.pid != pid);
                    self.logs.retain(|(_, log)| log.pid != Some(pid));
                    self.others.retain(|(_, _, of)| *of != pid);
                }
            }
        }
    }

    /// Time of the benchmark function. Absent if both dumps are in one file
    /// (`--combine-dumps=yes`), which has only the time of the last.
    fn window(&self, root: u32) -> Option<Window> {
        let time_of = |is_it: fn(&CounterSet) -> bool| {
            let of_root = self.outs.iter().filter(|out| out.pid == root);
            let mut dumps = of_root.filter_map(|out| match out.sets.as_deref() {
                Ok([set]) if is_it(set) => modified(&out.path),
                _ => None,
            });
            dumps.next()
        };
        Some(Window {
            begins: time_of(|set| set.at_begin)?,
            returned: time_of(|set| set.at_return)?,
        })
    }

    /// Time of a process. Absent if it wrote no profile, or if the file system does not know when a
    /// file was made.
    fn life(&self, pid: u32) -> Option<Life> {
        let (log, _) = self.logs.iter().find(|(_, log)| log.pid == Some(pid))?;
        let outs = self.outs.iter().filter(|out| out.pid == pid);
        Some(Life {
            begins: fs::metadata(log).ok()?.created().ok()?,
            ended: outs.filter_map(|out| modified(&out.path)).max()?,
        })
    }

    /// A note on processes that ran across the begin or the end of the benchmark function.
    pub(super) fn of_across(&self) -> Option<String> {
        let commands = self.logs.iter().filter(|(_, log)| {
            let is_it = |pid| self.across.contains(&pid);
            log.pid.is_some_and(is_it)
        });
        let commands: Vec<_> = commands
            .map(|(_, log)| log.command.as_deref().unwrap_or_default())
            .map(|command| format!("`{}`", String::from_utf8_lossy(command)))
            .collect();
        text(&commands)
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

fn text(commands: &[String]) -> Option<String> {
    let (what, counts) = match commands {
        [] => return None,
        [one] => (format!("the process {one}"), "it counts"),
        [one, ..] => (
            format!("{} processes, such as {one},", commands.len()),
            "they count",
        ),
    };
    Some(format!(
        "{what} also ran before the benchmark function began or after it returned; {counts} as a whole"
    ))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn processes_count_that_begin_and_end_in_the_function() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let window = Window {
            begins: at(10),
            returned: at(20),
        };
        #[track_caller]
        fn check(window: Window, begins: SystemTime, ended: SystemTime, expected: Overlap) {
            assert_eq!(window.overlap(Life { begins, ended }), expected);
        }
        check(window, at(1), at(9), Overlap::Outside);
        check(window, at(21), at(30), Overlap::Outside);
        check(window, at(10), at(20), Overlap::Inside);
        check(window, at(9), at(11), Overlap::Across);
        check(window, at(9), at(30), Overlap::Across);
        check(window, at(11), at(21), Overlap::Across);
        // The clock was set back.
        check(window, at(30), at(1), Overlap::Outside);
    }

    #[test]
    fn processes_across_are_named() {
        assert_eq!(text(&[]), None);
        let one = "the process `serve` also ran before the benchmark function began or after it returned; it \
                   counts as a whole";
        assert_eq!(text(&["`serve`".into()]).as_deref(), Some(one));
        let two = text(&["`serve`".into(), "`x`".into()]).unwrap();
        assert!(
            two.starts_with("2 processes, such as `serve`, also ran before"),
            "{two}"
        );
        assert!(two.ends_with("they count as a whole"), "{two}");
    }
}
