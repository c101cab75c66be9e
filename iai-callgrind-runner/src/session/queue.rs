//! Work side by side, results in order.

use std::sync::mpsc::{channel, Receiver, Sender};
use std::{io, thread};

use crate::error::cannot_start;
use crate::execute::Turns;

/// Does one item after the other.
pub(crate) trait Worker<T, R> {
    /// The index of an item that nobody else does. `None`: there is none left.
    fn turn(&self) -> Option<usize>;

    /// Does the item whose turn it is.
    fn work(&self, item: &T) -> R;
}

/// Sees the items of a queue in their order.
pub(crate) trait Handler<T, R, E> {
    /// The turn of this item comes; its work may be done already.
    fn begin(&mut self, item: &T) -> Result<(), E>;

    /// The item is done, and everything before it was handled.
    fn done(&mut self, item: &T, result: R) -> Result<(), E>;
}

/// Does the work for all items, by this many workers at most. The handler sees the items one after
/// the other in their order. Its first error ends the queue: work that has begun is waited for, and
/// its result dropped.
pub(crate) fn in_order<T: Sync, R: Send, E, W: Worker<T, R>>(
    items: &[T],
    turns: &Turns,
    workers: usize,
    worker: impl Fn() -> W + Sync,
    handler: &mut impl Handler<T, R, E>,
) -> Result<(), E> {
    in_order_with(items, turns, workers, worker, handler, |scope, worker| {
        thread::Builder::new().spawn_scoped(scope, worker).map(drop)
    })
}

/// The same as [`in_order`], with a function that starts threads: tests let it fail.
fn in_order_with<T: Sync, R: Send, E, W: Worker<T, R>>(
    items: &[T],
    turns: &Turns,
    workers: usize,
    worker: impl Fn() -> W + Sync,
    handler: &mut impl Handler<T, R, E>,
    spawn: impl for<'scope> Fn(
        &'scope thread::Scope<'scope, '_>,
        Box<dyn FnOnce() + Send + 'scope>,
    ) -> io::Result<()>,
) -> Result<(), E> {
    // A single worker in a thread would start the next benchmark, whose output is shown at once,
    // while the handler still reports this one.
    if workers <= 1 {
        return one_by_one(items, &worker(), handler);
    }
    let (sender, results) = channel();
    // A thread without an item would only start and end.
    let wanted = workers.min(items.len());
    let worker = &worker;
    thread::scope(|scope| {
        for started in 0..wanted {
            let sender = sender.clone();
            let work = move || work_off(items, &worker(), &sender);
            if let Err(error) = spawn(scope, Box::new(work)) {
                let error = cannot_start(error);
                let most = started.max(1);
                log::warn!("of {wanted} benchmarks {most} run at the same time: {error}");
                if started == 0 {
                    return one_by_one(items, &worker(), handler);
                }
                break;
            }
        }
        // The last worker that ends closes the channel.
        drop(sender);
        let outcome = handle(items, &results, handler);
        if outcome.is_err() {
            // Before the scope waits for the workers: each ends after the items that it has taken.
            turns.end();
        }
        outcome
    })
}

/// Does the items that no other worker does, and hands over their results.
fn work_off<T, R>(items: &[T], worker: &impl Worker<T, R>, results: &Sender<(usize, R)>) {
    while let Some(index) = worker.turn() {
        let result = worker.work(&items[index]);
        // Once the queue has ended there is no receiver.
        let _ = results.send((index, result));
    }
}

/// Does the work in this thread. The handler reports each item before the next one begins, so the
/// output of the next one comes after the report.
fn one_by_one<T, R, E>(
    items: &[T],
    worker: &impl Worker<T, R>,
    handler: &mut impl Handler<T, R, E>,
) -> Result<(), E> {
    while let Some(item) = worker.turn().map(|index| &items[index]) {
        handler.begin(item)?;
        handler.done(item, worker.work(item))?;
    }
    Ok(())
}

/// Shows the handler all results in the order of the items, in whatever order they come.
fn handle<T, R, E>(
    items: &[T],
    results: &Receiver<(usize, R)>,
    handler: &mut impl Handler<T, R, E>,
) -> Result<(), E> {
    let mut early = Vec::new();
    let mut take = |wanted: usize| loop {
        if let Some(found) = early.iter().position(|(index, _)| *index == wanted) {
            return Some(early.swap_remove(found).1);
        }
        early.push(results.recv().ok()?);
    };
    for (index, item) in items.iter().enumerate() {
        handler.begin(item)?;
        // Without a result a worker panicked; the scope passes that on.
        if let Some(result) = take(index) {
            handler.done(item, result)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    /// Writes down what it sees, and fails at an item.
    struct Log {
        lines: Vec<String>,
        fail_at: Option<u64>,
    }

    impl Handler<u64, u64, String> for Log {
        fn begin(&mut self, item: &u64) -> Result<(), String> {
            self.lines.push(format!("begin {item}"));
            Ok(())
        }

        fn done(&mut self, item: &u64, result: u64) -> Result<(), String> {
            self.lines.push(format!("done {item} {result}"));
            match self.fail_at {
                Some(at) if at == *item => Err(format!("failed at {at}")),
                _ => Ok(()),
            }
        }
    }

    /// Takes the next item when it is done with one.
    struct Simple<'a, F> {
        turns: &'a Turns,
        work: F,
    }

    impl<F: Fn(&u64) -> u64> Worker<u64, u64> for Simple<'_, F> {
        fn turn(&self) -> Option<usize> {
            self.turns.take()
        }

        fn work(&self, item: &u64) -> u64 {
            (self.work)(item)
        }
    }

    fn run(workers: usize, fail_at: Option<u64>) -> (Vec<String>, Result<(), String>) {
        let mut log = Log {
            lines: Vec::new(),
            fail_at,
        };
        // The first items take longest, so that they are done last if they can.
        let work = |item: &u64| {
            thread::sleep(Duration::from_millis(5 * (4 - item)));
            10 * item
        };
        let turns = &Turns::new(3);
        let worker = || Simple { turns, work };
        let outcome = in_order(&[1, 2, 3], turns, workers, worker, &mut log);
        (log.lines, outcome)
    }

    #[test]
    fn results_come_in_order_whatever_the_number_of_workers() {
        for workers in [0, 1, 2, 3, 100] {
            let (lines, outcome) = run(workers, None);
            let expected = [
                "begin 1",
                "done 1 10",
                "begin 2",
                "done 2 20",
                "begin 3",
                "done 3 30",
            ];
            assert_eq!(lines, expected, "{workers}");
            assert_eq!(outcome, Ok(()));
        }
    }

    #[test]
    fn threads_that_cannot_be_started_are_not_needed() {
        for most in 0..3 {
            let mut log = Log {
                lines: Vec::new(),
                fail_at: None,
            };
            let started = AtomicUsize::new(0);
            let turns = &Turns::new(3);
            let work = |item: &u64| 10 * item;
            let outcome = in_order_with(
                &[1, 2, 3],
                turns,
                3,
                || Simple { turns, work },
                &mut log,
                |scope, worker| {
                    if started.fetch_add(1, Ordering::Relaxed) == most {
                        return Err(io::Error::from_raw_os_error(libc::EAGAIN));
                    }
                    scope.spawn(worker);
                    Ok(())
                },
            );
            assert_eq!(outcome, Ok(()));
            assert_eq!(log.lines.len(), 6, "{most}: {:?}", log.lines);
            assert_eq!(log.lines[5], "done 3 30");
        }
    }

    #[test]
    fn the_first_error_ends_the_queue() {
        for workers in [1, 3] {
            let (lines, outcome) = run(workers, Some(2));
            assert_eq!(lines.last().unwrap(), "done 2 20");
            assert_eq!(outcome, Err("failed at 2".to_owned()));
        }
    }

    #[test]
    fn an_empty_queue_is_done() {
        let mut log = Log {
            lines: Vec::new(),
            fail_at: None,
        };
        let turns = &Turns::new(0);
        let work = |item: &u64| *item;
        let worker = || Simple { turns, work };
        assert_eq!(in_order(&[], turns, 2, worker, &mut log), Ok(()));
        assert!(log.lines.is_empty());
    }
}
