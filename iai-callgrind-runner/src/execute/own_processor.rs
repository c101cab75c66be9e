//! A processor of its own for each server that runs a benchmark, where they are as many as processors.
//!
//! A server, its fork and the runner wake each other some times for each benchmark, and each time the system chooses a
//! processor anew. With a server for each processor it often puts two of them on one, while another one has nothing to
//! do: a tenth of the time of small benchmarks. Where processors are left over it finds one of these.
//!
//! The server alone stays there. Its forks are let go before their benchmark (in the library:
//! `__internal/processors.rs`). The thread of the runner that waits for a fork waits there as well, where it runs at once, since the
//! server has nothing to do then: elsewhere it would stand in line behind the other benchmarks, and its own
//! processor would be idle. It stays for as many forks as end one after the other.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::os::processors;
use crate::plan::Plan;

/// The processors of servers. None at all where the system finds the way.
#[derive(Debug, Default)]
pub(super) struct OwnProcessors {
    /// Those that no server has.
    free: Mutex<Vec<usize>>,
    /// All that the runner may use.
    allowed: Arc<[usize]>,
}

/// Where this thread waits for forks. It may run where it could before when this is dropped, and starts nothing until
/// then, which would have to stay there.
#[derive(Debug, Default)]
pub struct WaitingPlace(Option<BoundThread>);

/// A thread that runs on one processor only.
#[derive(Debug)]
struct BoundThread {
    number: usize,
    allowed: Arc<[usize]>,
}

/// A processor that a server has while it runs a benchmark.
#[derive(Debug)]
pub(super) struct OwnProcessor<'a> {
    number: usize,
    all: &'a OwnProcessors,
}

impl OwnProcessors {
    /// For as many servers as this plan lets run at a time.
    pub(super) fn of(plan: &Plan) -> Self {
        let servers = plan.groups.iter().map(|group| group.parallel).max();
        let Some(servers) = servers.filter(|servers| *servers > 1) else {
            return Self::default();
        };
        let allowed = processors::allowed().unwrap_or_else(|error| {
            log::debug!("the processors are not known: {error}");
            Vec::new()
        });
        Self::shared_by(servers, allowed)
    }

    fn shared_by(servers: usize, allowed: Vec<usize>) -> Self {
        let is_needed = allowed.len() > 1 && servers >= allowed.len();
        let servers = if is_needed { servers } else { 0 };
        let free = allowed.iter().copied().cycle().take(servers).collect();
        Self {
            free: Mutex::new(free),
            allowed: allowed.into(),
        }
    }

    /// Takes a processor, this one if it is free.
    pub(super) fn take(&self, preferred: Option<usize>) -> Option<OwnProcessor<'_>> {
        let mut free = self.lock();
        let index = free.iter().position(|number| Some(*number) == preferred);
        let number = match index {
            Some(index) => free.swap_remove(index),
            None => free.pop()?,
        };
        Some(OwnProcessor { number, all: self })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<usize>> {
        // Each change is complete in itself.
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OwnProcessor<'_> {
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// Has this thread wait where the server runs, from now on.
    pub(super) fn wait_there(&self, place: &mut WaitingPlace) {
        let is_there = |bound: &BoundThread| bound.number == self.number;
        if place.0.as_ref().is_some_and(is_there) {
            return;
        }
        match processors::move_thread(&[self.number]) {
            Ok(()) => {
                let bound = place.0.get_or_insert_with(|| BoundThread {
                    number: self.number,
                    allowed: Arc::clone(&self.all.allowed),
                });
                bound.number = self.number;
            }
            Err(error) => log::debug!("nobody waits at processor {}: {error}", self.number),
        }
    }
}

impl Drop for BoundThread {
    fn drop(&mut self) {
        if let Err(error) = processors::move_thread(&self.allowed) {
            log::debug!("a thread stays at processor {}: {error}", self.number);
        }
    }
}

impl Drop for OwnProcessor<'_> {
    fn drop(&mut self) {
        self.all.lock().push(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_have_processors_of_their_own_while_they_run() {
        let all = OwnProcessors::shared_by(2, vec![3, 5]);
        let first = all.take(None).unwrap();
        let second = all.take(Some(first.number())).unwrap();
        assert_ne!(first.number(), second.number());
        assert!(all.take(None).is_none());
        let (number, other) = (first.number(), second.number());
        drop((first, second));
        for preferred in [number, other] {
            assert_eq!(all.take(Some(preferred)).unwrap().number(), preferred);
        }
    }

    #[test]
    fn more_servers_than_processors_share_them_evenly() {
        let all = OwnProcessors::shared_by(5, vec![0, 1]);
        let taken: Vec<_> = std::iter::from_fn(|| all.take(None)).collect();
        let on_first = taken.iter().filter(|it| it.number() == 0).count();
        assert_eq!((taken.len(), on_first), (5, 3));
    }

    /// What it starts later may use all processors, as it may itself.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_waits_where_the_server_runs_and_nowhere_else_afterwards() {
        let before = processors::allowed().unwrap();
        let all = OwnProcessors::shared_by(before.len(), before.clone());
        // There is none on a machine with one processor.
        for number in &before {
            let Some(own) = all.take(Some(*number)) else {
                continue;
            };
            let mut place = WaitingPlace::default();
            assert_eq!(processors::allowed().unwrap(), before);
            for _ in 0..2 {
                own.wait_there(&mut place);
                assert_eq!(processors::allowed().unwrap(), [*number]);
            }
            if let Some(other) = all.take(None) {
                other.wait_there(&mut place);
                assert_eq!(processors::allowed().unwrap(), [other.number()]);
            }
            drop(place);
            assert_eq!(processors::allowed().unwrap(), before);
        }
    }

    #[test]
    fn the_system_chooses_where_processors_are_left_over() {
        for (servers, allowed) in [
            (2, vec![0, 1, 2]),
            (1, vec![0]),
            (1, vec![0, 1]),
            (2, vec![]),
        ] {
            let all = OwnProcessors::shared_by(servers, allowed.clone());
            assert!(all.take(None).is_none(), "{servers} {allowed:?}");
        }
    }
}
