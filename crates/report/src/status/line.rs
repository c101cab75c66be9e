//! A line at the end of a terminal: drawn again while time goes on, and away while anything else is
//! printed.
//!
//! A thread draws it at intervals, and each change of its content draws it as well. After other
//! output it is drawn with the next of these, so that it does not flicker while much is printed.

#![expect(clippy::disallowed_methods, reason = "is the line on stderr")]

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::remaining::rough;
use crate::room::{at_left, columns, cut};
use crate::text::columns_of_stderr;

/// Time between two updates of the line.
const TICK: Duration = Duration::from_millis(200);

/// Erases the line and everything on it.
const ERASE: &str = "\r\x1b[2K";

/// A line on stderr.
#[derive(Debug)]
pub struct StatusLine(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    line: Mutex<Line>,
    /// For the thread: the line is gone for good.
    ended: Condvar,
}

#[derive(Debug)]
struct Line {
    status: LineStatus,
    /// Is it on the terminal?
    is_there: bool,
    has_ended: bool,
}

/// Content of the status line.
#[derive(Debug)]
pub struct LineStatus {
    /// Benchmarks that are done.
    pub done: usize,
    /// All of them.
    pub of: usize,
    /// Name of the benchmark that runs.
    pub name: String,
    /// Start of the run.
    pub since: Instant,
    /// The time at which the run may end, if something is known.
    pub end: Option<Instant>,
}

impl StatusLine {
    /// A line that nothing was drawn of.
    pub fn new(of: usize) -> Self {
        let status = LineStatus {
            done: 0,
            of,
            name: String::new(),
            since: Instant::now(),
            end: None,
        };
        let shared = Arc::new(Shared {
            line: Mutex::new(Line {
                status,
                is_there: false,
                has_ended: false,
            }),
            ended: Condvar::new(),
        });
        let ticking = Arc::clone(&shared);
        // Without the thread the line changes with each benchmark.
        let _ = thread::Builder::new()
            .name("status".into())
            .spawn(move || ticking.tick());
        Self(shared)
    }

    /// Changes the content of the line.
    pub fn say(&self, change: impl FnOnce(&mut LineStatus)) {
        let mut line = self.0.lock();
        change(&mut line.status);
        line.draw();
    }

    /// Does something while the line is away. It comes again with the next change, or after a
    /// moment.
    pub fn without<T>(&self, print: impl FnOnce() -> T) -> T {
        // Locked until all is printed, so that the thread draws nothing in between.
        let mut line = self.0.lock();
        line.erase();
        print()
    }

    /// Erases the line for good.
    pub fn end(&self) {
        let mut line = self.0.lock();
        line.erase();
        line.has_ended = true;
        self.0.ended.notify_one();
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.end();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tick(&self) {
        let mut line = self.lock();
        while !line.has_ended {
            let waited = self.ended.wait_timeout(line, TICK);
            line = waited.unwrap_or_else(PoisonError::into_inner).0;
            // Before the first benchmark there is nothing to say.
            if !line.status.name.is_empty() {
                line.draw();
            }
        }
    }
}

impl Line {
    fn draw(&mut self) {
        if self.has_ended {
            return;
        }
        let text = self.status.text(columns_of_stderr(), Instant::now());
        write(&format!("{ERASE}{text}"));
        self.is_there = true;
    }

    fn erase(&mut self) {
        if std::mem::take(&mut self.is_there) {
            write(ERASE);
        }
    }
}

impl LineStatus {
    /// `[3/12] bench::group::function        5 s, about 12 s left`, of one column less than there
    /// are: a full line would be two on some terminals.
    fn text(&self, columns_of_terminal: usize, now: Instant) -> String {
        let time = rough(now.saturating_duration_since(self.since));
        let left = self.end.and_then(|end| end.checked_duration_since(now));
        let left = left.and_then(rough);
        let left = left.map_or(String::new(), |left| format!(", about {left} left"));
        let begin = format!("[{}/{}] ", self.done, self.of);
        let end = format!(" {}{left}", time.as_deref().unwrap_or("0 s"));
        let taken = 1 + columns(&begin) + columns(&end);
        let room = columns_of_terminal.saturating_sub(taken);
        let line = format!("{begin}{}{end}", at_left(&cut(&self.name, room), room));
        // Where there is no room at all, the numbers are what is left.
        match room {
            0 => cut(&line, columns_of_terminal.saturating_sub(1)),
            _ => line,
        }
    }
}

/// A terminal that is gone shows nothing.
fn write(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_take_the_room_that_is_left() {
        let since = Instant::now();
        let after = |seconds| since + Duration::from_secs(seconds);
        let status = |name: &str, end: Option<u64>| LineStatus {
            done: 3,
            of: 12,
            name: name.to_owned(),
            since,
            end: end.map(after),
        };
        for (name, end, now, room, expected) in [
            ("b::g::f", None, 0, 30, "[3/12] b::g::f            0 s"),
            ("b::g::f", None, 130, 30, "[3/12] b::g::f          2 min"),
            (
                "b::g::f",
                Some(17),
                5,
                44,
                "[3/12] b::g::f         5 s, about 12 s left",
            ),
            // Nothing is left to be said of an end that is over.
            ("b::g::f", Some(5), 5, 30, "[3/12] b::g::f            5 s"),
            (
                "bench::group::function",
                None,
                5,
                30,
                "[3/12] bench::...function 5 s",
            ),
            ("漢字漢字漢字", None, 5, 22, "[3/12] 漢...漢字  5 s"),
            ("b::g::f", None, 5, 12, "[3/12]  5 s"),
            ("b::g::f", None, 5, 8, "[3... s"),
            ("b::g::f", None, 5, 0, ""),
        ] {
            let text = status(name, end).text(room, after(now));
            assert!(columns(&text) < room.max(1), "{text}");
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn one_that_has_ended_is_not_drawn_again() {
        let line = StatusLine::new(1);
        line.end();
        line.say(|status| status.done = 1);
        let line = line.0.lock();
        assert_eq!((line.is_there, line.status.done), (false, 1));
    }
}
