//! The processes of a run, made of the counters of all threads and parts and of Valgrind's logs.

use std::collections::VecDeque;

use crate::{CounterSet, MeasuredProcess};
use formats::log::Log;

/// Puts the counters of each process together, in the order in which the processes were started:
/// parents before their children, and these by their numbers.
pub fn of_run<'a>(
    sets: impl IntoIterator<Item = (Option<u32>, CounterSet)>,
    logs: impl Iterator<Item = &'a Log>,
) -> Vec<MeasuredProcess> {
    let mut processes: Vec<MeasuredProcess> = Vec::new();
    for (pid, set) in sets {
        match processes.iter_mut().find(|process| process.pid == pid) {
            Some(process) => process.sets.push(set),
            None => processes.push(MeasuredProcess {
                pid,
                sets: vec![set],
                ..MeasuredProcess::default()
            }),
        }
    }
    for log in logs {
        if let Some(process) = processes.iter_mut().find(|process| process.pid == log.pid) {
            process.parent_pid = log.parent_pid;
            let command = log.command.as_deref().unwrap_or_default();
            process.command = String::from_utf8_lossy(command).into_owned();
        }
    }
    // By number, since names of files sort as text, where part 10 comes before part 2.
    for process in &mut processes {
        process.sets.sort_by_key(|set| (set.thread, set.part));
    }
    in_order_of_start(processes)
}

fn in_order_of_start(mut processes: Vec<MeasuredProcess>) -> Vec<MeasuredProcess> {
    let is_child = |process: &MeasuredProcess, parent: Option<u32>| {
        process.parent_pid.is_some() && process.parent_pid == parent
    };
    let known: Vec<Option<u32>> = processes.iter().map(|process| process.pid).collect();
    let mut waiting: VecDeque<Option<u32>> = processes
        .iter()
        .filter(|process| !known.iter().any(|pid| is_child(process, *pid)))
        .map(|process| process.pid)
        .collect();
    let mut order = Vec::new();
    while let Some(pid) = waiting.pop_front() {
        // A process is its own ancestor only in a log that is wrong.
        if order.contains(&pid) {
            continue;
        }
        order.push(pid);
        let mut children: Vec<Option<u32>> = processes
            .iter()
            .filter(|process| is_child(process, pid))
            .map(|process| process.pid)
            .collect();
        // Process ids below the parent's come after those above it: the kernel has started again at
        // the lowest.
        children.sort_unstable_by_key(|child| (child < &pid, *child));
        waiting.extend(children);
    }
    processes.sort_by_key(|process| order.iter().position(|pid| *pid == process.pid));
    processes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_first_and_numbers_may_start_again() {
        let log = |pid, parent_pid| Log {
            pid: Some(pid),
            parent_pid: Some(parent_pid),
            command: Some(b"x".to_vec()),
            ..Log::default()
        };
        let set = |pid| (Some(pid), CounterSet::default());
        let logs = [log(3, 900), log(900, 1), log(901, 900), log(5, 901)];
        let processes = of_run([3, 5, 900, 901].map(set), logs.iter());
        let pids: Vec<u32> = processes.iter().filter_map(|process| process.pid).collect();
        assert_eq!(pids, [900, 901, 3, 5]);
        assert_eq!(processes[1].parent_pid, Some(900));
    }

    #[test]
    fn sets_of_a_process_stand_together() {
        let set = |thread, part| CounterSet {
            thread: Some(thread),
            part: Some(part),
            ..CounterSet::default()
        };
        let sets = [
            (Some(1), set(2, 1)),
            (Some(1), set(1, 2)),
            (Some(1), set(1, 1)),
        ];
        let processes = of_run(sets, std::iter::empty());
        let sets: Vec<_> = processes[0]
            .sets
            .iter()
            .map(|set| (set.thread, set.part))
            .collect();
        assert_eq!(
            sets,
            [(Some(1), Some(1)), (Some(1), Some(2)), (Some(2), Some(1))]
        );
    }

    #[test]
    fn a_circle_of_processes_ends() {
        let log = |pid, parent_pid| Log {
            pid: Some(pid),
            parent_pid: Some(parent_pid),
            ..Log::default()
        };
        let logs = [log(1, 2), log(2, 1)];
        let sets = [1, 2].map(|pid| (Some(pid), CounterSet::default()));
        assert_eq!(of_run(sets, logs.iter()).len(), 2);
    }
}
