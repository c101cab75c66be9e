//! Signal handlers that ran, by Valgrind's `--trace-signals=yes`.
//!
//! Valgrind writes a line when it makes a frame for a handler, below it the stack at that moment,
//! and another line when the handler returns. A handler that leaves by `siglongjmp` has no such
//! line.

use super::Message;
use crate::number::Cursor;

/// Begin of the line before a handler runs: thread and signal follow.
const ENTERED: &[u8] = b"push_signal_frame (thread ";

/// Words of the line after the return of a handler, which begins in one of two ways.
const RETURNED: &str = "valid magic";

/// The most places of handlers that are kept: a place is a signal with a stack.
const MOST: usize = 100;

/// Handlers of one signal that ran at one place of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandledSignal {
    /// Number of the signal.
    pub signal: u64,
    /// Number of the thread, which begins at 1.
    pub thread: u64,
    /// Functions in which the signal arrived, the innermost first.
    pub stack: Vec<String>,
    /// Number of handlers that ran here.
    pub entered: u64,
    /// Number of them that returned. Others jumped out of the handler.
    pub returned: u64,
}

/// The reader of the lines about handlers.
#[derive(Debug, Default)]
pub(super) struct HandlerLines {
    found: Vec<HandledSignal>,
    /// Handlers that have not returned: the thread, and the place in `found`.
    open: Vec<(u64, Option<usize>)>,
    /// The handler whose stack is being read.
    current: Option<HandledSignal>,
}

impl HandlerLines {
    /// Reads a line of Valgrind's. Is it about a handler?
    pub(super) fn message(&mut self, message: &Message<'_>) -> bool {
        // Only lines of a stack are messages; the others are debug talk.
        let may_be = self.current.is_some() || message.mark == b"--";
        may_be && self.line(message.text.trim_ascii())
    }

    fn line(&mut self, text: &[u8]) -> bool {
        if let Some(current) = &mut self.current {
            if let Some(function) = function(text) {
                current.stack.push(function);
                return true;
            }
            self.end_of_stack();
        }
        if let Some(rest) = text.strip_prefix(ENTERED) {
            let mut numbers = rest.split(|byte| !byte.is_ascii_digit());
            let mut number = || {
                let digits = numbers.find(|digits| !digits.is_empty())?;
                Cursor(digits).number().ok()
            };
            if let (Some(thread), Some(signal)) = (number(), number()) {
                self.current = Some(HandledSignal {
                    signal,
                    thread,
                    stack: Vec::new(),
                    entered: 1,
                    returned: 0,
                });
            }
            return true;
        }
        let Some(thread) = thread_of_return(text) else {
            return false;
        };
        self.returned(thread);
        true
    }

    /// Did the log end where the stack of a handler was to follow? Valgrind fails there if the
    /// process has no stack that can be read.
    pub(super) fn is_cut(&self) -> bool {
        let current = self.current.as_ref();
        current.is_some_and(|current| current.stack.is_empty())
    }

    /// All handlers, when the last line was read.
    pub(super) fn finish(mut self) -> Vec<HandledSignal> {
        self.end_of_stack();
        self.found
    }

    /// The innermost handler of the thread has returned. Handlers that jumped are never closed, and
    /// lie below those that ran after them.
    fn returned(&mut self, thread: u64) {
        let Some(index) = self.open.iter().rposition(|(of, _)| *of == thread) else {
            return;
        };
        let (_, place) = self.open.remove(index);
        if let Some(found) = place.and_then(|place| self.found.get_mut(place)) {
            found.returned += 1;
        }
    }

    fn end_of_stack(&mut self) {
        let Some(current) = self.current.take() else {
            return;
        };
        let is_same = |found: &HandledSignal| {
            (found.signal, found.thread) == (current.signal, current.thread)
                && found.stack == current.stack
        };
        let thread = current.thread;
        let place = match self.found.iter().position(is_same) {
            Some(place) => {
                self.found[place].entered += 1;
                Some(place)
            }
            None if self.found.len() < MOST => {
                self.found.push(current);
                Some(self.found.len() - 1)
            }
            None => None,
        };
        self.open.push((thread, place));
    }
}

/// The thread in which a handler returned, if the line says that one did:
/// `VG_(signal_return) (thread 1): isRT=1 valid magic; RIP=0x48cfeec`.
fn thread_of_return(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?;
    let (before, _) = text.split_once(RETURNED)?;
    let (_, thread) = before.split_once(" (thread ")?;
    let (thread, _) = thread.split_once(')')?;
    thread.parse().ok()
}

/// The function of a line of a stack: `   at 0x1091C0: measured (j.c:7)`.
fn function(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text.trim_ascii_start()).ok()?;
    let rest = text
        .strip_prefix("at 0x")
        .or_else(|| text.strip_prefix("by 0x"))?;
    let (_, named) = rest.split_once(": ")?;
    let name = named.rsplit_once(" (").map_or(named, |(name, _)| name);
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handlers_return_or_jump() {
        let mut lines = HandlerLines::default();
        let log = "\
push_signal_frame (thread 1): signal 4
   at 0x1091E2: b::<impl Fn(u8)>::inner (j2.c:9)
   by 0x109261: measured (in /tmp/j)
do_setmask: tid = 1 how = 2 (SIG_SETMASK), newset = 0x10C0C8 (               0)
push_signal_frame (thread 1): signal 10
   at 0x1: ???
push_signal_frame (thread 2): signal 10
   at 0x1: ???
VG_(signal_return) (thread 2): isRT=1 valid magic; RIP=0x48cfeec
vg_pop_signal_frame (thread 1): isRT=1 valid magic
push_signal_frame (thread 1): signal 4
   at 0x1091E2: b::<impl Fn(u8)>::inner (j2.c:9)
   by 0x109261: measured (in /tmp/j)
VG_(signal_return) (thread 7): isRT=1 valid magic; RIP=0x48cfeec
";
        let known = log.lines().map(|line| lines.line(line.as_bytes()));
        assert_eq!(known.filter(|known| *known).count(), 13);
        assert!(!lines.is_cut());
        let found = lines.finish();
        let counts = found.iter().map(|found| {
            let HandledSignal {
                signal,
                thread,
                entered,
                returned,
                ..
            } = found;
            [*signal, *thread, *entered, *returned]
        });
        let counts: Vec<[u64; 4]> = counts.collect();
        assert_eq!(counts, [[4, 1, 2, 0], [10, 1, 1, 1], [10, 2, 1, 1]]);
        assert_eq!(found[0].stack, ["b::<impl Fn(u8)>::inner", "measured"]);
        let mut cut = HandlerLines::default();
        cut.line(b"push_signal_frame (thread 1): signal 11");
        assert!(cut.is_cut());
    }
}
