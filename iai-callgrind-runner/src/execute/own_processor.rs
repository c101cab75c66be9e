//! A processor of its own for each server that runs a benchmark, where they are as many as processors.
//!
//! A server, its fork and the runner wake each other some times for each benchmark, and each time the system chooses a
//! processor anew. With a server for each processor it often puts two of them on one, while another one has nothing to
//! do: a tenth of the time of small benchmarks. Where processors are left over it finds one of these.
//!
//! The server alone stays there. Its forks are let go before their benchmark (in the library:
//! `__internal/processors.rs`).

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::os::processors;
use crate::plan::Plan;

/// The processors that no server has. None at all where the system finds the way.
#[derive(Debug, Default)]
pub(super) struct OwnProcessors(Mutex<Vec<usize>>);

/// A processor that a server has while it runs a benchmark.
#[derive(Debug)]
pub(super) struct OwnProcessor<'a> {
    number: usize,
    free: &'a OwnProcessors,
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
        Self::shared_by(servers, &allowed)
    }

    fn shared_by(servers: usize, allowed: &[usize]) -> Self {
        let is_needed = allowed.len() > 1 && servers >= allowed.len();
        let servers = if is_needed { servers } else { 0 };
        Self(Mutex::new(
            allowed.iter().copied().cycle().take(servers).collect(),
        ))
    }

    /// Takes a processor, this one if it is free.
    pub(super) fn take(&self, preferred: Option<usize>) -> Option<OwnProcessor<'_>> {
        let mut free = self.lock();
        let index = free.iter().position(|number| Some(*number) == preferred);
        let number = match index {
            Some(index) => free.swap_remove(index),
            None => free.pop()?,
        };
        Some(OwnProcessor { number, free: self })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<usize>> {
        // Each change is complete in itself.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OwnProcessor<'_> {
    pub(super) fn number(&self) -> usize {
        self.number
    }
}

impl Drop for OwnProcessor<'_> {
    fn drop(&mut self) {
        self.free.lock().push(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_have_processors_of_their_own_while_they_run() {
        let all = OwnProcessors::shared_by(2, &[3, 5]);
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
        let all = OwnProcessors::shared_by(5, &[0, 1]);
        let taken: Vec<_> = std::iter::from_fn(|| all.take(None)).collect();
        let on_first = taken.iter().filter(|it| it.number() == 0).count();
        assert_eq!((taken.len(), on_first), (5, 3));
    }

    #[test]
    fn the_system_chooses_where_processors_are_left_over() {
        for (servers, allowed) in [
            (2, vec![0, 1, 2]),
            (1, vec![0]),
            (1, vec![0, 1]),
            (2, vec![]),
        ] {
            let all = OwnProcessors::shared_by(servers, &allowed);
            assert!(all.take(None).is_none(), "{servers} {allowed:?}");
        }
    }
}
