//! Items that are done in their order, each taken by one worker.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The indices of items that nobody has taken.
#[derive(Debug)]
pub(crate) struct Turns {
    next: AtomicUsize,
    count: usize,
    has_ended: AtomicBool,
}

impl Turns {
    /// Nobody has taken one of these items.
    pub(crate) fn new(count: usize) -> Self {
        Self {
            next: AtomicUsize::new(0),
            count,
            has_ended: AtomicBool::new(false),
        }
    }

    /// Takes the next item.
    pub(crate) fn take(&self) -> Option<usize> {
        self.take_if(|_| true)
    }

    /// Takes the next item, if it is one of these.
    pub(crate) fn take_if(&self, wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let is_next = |next| next < self.count && !self.have_ended() && wanted(next);
        let next = |next| is_next(next).then_some(next + 1);
        let taken = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        taken.ok()
    }

    /// Ends the turns: whoever took an item does not begin it any more.
    pub(crate) fn end(&self) {
        self.has_ended.store(true, Ordering::Relaxed);
    }

    pub(crate) fn have_ended(&self) -> bool {
        self.has_ended.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_taken_once_and_in_order() {
        let turns = Turns::new(4);
        assert_eq!(turns.take(), Some(0));
        assert_eq!(turns.take_if(|index| index == 2), None);
        assert_eq!(turns.take_if(|index| index == 1), Some(1));
        assert_eq!(turns.take(), Some(2));
        turns.end();
        assert_eq!(turns.take(), None);
        assert!(turns.have_ended());
    }
}
