//! Processes that a benchmark left behind, read from `/proc`.
//!
//! They are read for messages only: to kill them, the guardian asks the kernel for its children
//! itself.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use nix::unistd::Pid;

/// Longest name of a process in a message.
const LONGEST: usize = 80;

/// Bytes of the list of children that are read at once, more than most lists have.
const PIECE: usize = 1024;

/// Bytes of the longest process id, with the blank after it.
const LONGEST_NUMBER: usize = 12;

/// Most processes that a message names.
const MOST: usize = 3;

/// Processes below a guardian besides the one that the runner started.
#[derive(Debug, Default)]
pub struct LeftBehind(Vec<i32>);

impl LeftBehind {
    /// Reads the list of a guardian's children.
    ///
    /// # Errors
    ///
    /// The list cannot be read.
    pub fn in_list(list: &File, leader: i32) -> io::Result<Self> {
        let mut bytes = Vec::new();
        let mut piece = [0; PIECE];
        loop {
            let read = list.read_at(&mut piece, bytes.len() as u64)?;
            bytes.extend_from_slice(&piece[..read]);
            // The kernel gives as many whole numbers as there is room for.
            if read + LONGEST_NUMBER < PIECE {
                break;
            }
        }
        let mut pids = pids(&bytes);
        pids.retain(|pid| *pid != leader);
        Ok(Self(pids))
    }

    /// Is there no other process?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Running processes that have left this process group, for a message. Processes that stay in
    /// the group are expected to end with it.
    #[must_use]
    pub fn outside_of(self, group: Pid) -> Option<Daemons> {
        let all = self.with_descendants();
        let daemons = all.iter().filter_map(|pid| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            is_daemon(&stat, group.as_raw()).then(|| (*pid, name(*pid)))
        });
        let daemons: Vec<_> = daemons.collect();
        (!daemons.is_empty()).then_some(Daemons(daemons))
    }

    /// These processes and all below them: the parent of one that has left the group may live in
    /// it.
    fn with_descendants(self) -> BTreeSet<i32> {
        let mut all = BTreeSet::new();
        let mut next = self.0;
        while let Some(pid) = next.pop() {
            if all.insert(pid) {
                next.extend(children(pid));
            }
        }
        all
    }
}

/// The children of all threads of a process; none if it has ended.
fn children(pid: i32) -> Vec<i32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task"))
        .into_iter()
        .flatten();
    let lists = threads.filter_map(|thread| fs::read(thread.ok()?.path().join("children")).ok());
    lists.flat_map(|list| pids(&list)).collect()
}

fn pids(list: &[u8]) -> Vec<i32> {
    let words = list.split(u8::is_ascii_whitespace);
    let pids = words.filter_map(|pid| std::str::from_utf8(pid).ok()?.parse().ok());
    pids.collect()
}

/// Is this the line of a process that runs, in another group?
fn is_daemon(stat: &str, group: i32) -> bool {
    // The name of the program, before the parenthesis, may contain anything.
    let fields = stat.rsplit_once(')').map(|(_, fields)| fields);
    let mut fields = fields.unwrap_or_default().split_whitespace();
    let (state, _parent, own) = (fields.next(), fields.next(), fields.next());
    let has_ended = matches!(state, None | Some("Z" | "X"));
    !has_ended && own.is_some_and(|own| own.parse() != Ok(group))
}

/// Processes that have left the group of their benchmark; `Display` names them.
#[derive(Debug)]
pub struct Daemons(Vec<(i32, String)>);

impl fmt::Display for Daemons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (pid, name)) in self.0.iter().take(MOST).enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}`{name}` (process {pid})")?;
        }
        match self.0.len().saturating_sub(MOST) {
            0 => Ok(()),
            rest => write!(f, " and {rest} more"),
        }
    }
}

fn name(pid: i32) -> String {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = line.split(|byte| *byte == 0);
    let words: Vec<_> = words.map(String::from_utf8_lossy).collect();
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    short(&without_valgrind(&words).join(" "))
}

/// The words of the program that runs under Valgrind.
fn without_valgrind<'a>(words: &'a [&'a str]) -> &'a [&'a str] {
    let Some((program, rest)) = words.split_first() else {
        return words;
    };
    let file = Path::new(program).file_name().unwrap_or_default();
    let file = file.to_string_lossy();
    // Valgrind's launcher becomes a program such as `callgrind-amd64-linux`.
    if !file.starts_with("valgrind") && !program.contains("/valgrind/") {
        return words;
    }
    let options = rest.iter().take_while(|word| word.starts_with('-')).count();
    &rest[options..]
}

fn short(line: &str) -> String {
    let line = line.trim();
    let mut name: String = line.escape_debug().take(LONGEST).collect();
    if name.len() < line.len() {
        name.push('…');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn daemons_run_in_another_group() {
        for (stat, expected) in [
            ("12 (sleep) S 1 12 12 0", true),
            ("12 (a) b) 7 S 1) R 1 12 12 0", true),
            ("12 (sleep) Z 1 12 12 0", false),
            ("12 (sleep) S 1 7 7 0", false),
            ("", false),
        ] {
            assert_eq!(is_daemon(stat, 7), expected, "{stat}");
        }
    }

    #[test]
    fn the_program_is_named_and_not_its_valgrind() {
        let check = |words: &[&str], expected: &[&str]| {
            assert_eq!(without_valgrind(words), expected);
        };
        check(&["sleep", "97"], &["sleep", "97"]);
        let valgrind = ["/usr/bin/valgrind.bin", "--tool=none", "-q", "sleep", "-x"];
        check(&valgrind, &["sleep", "-x"]);
        let tool = ["/usr/libexec/valgrind/dhat-amd64-linux", "--a=b", "sleep"];
        check(&tool, &["sleep"]);
        check(&[], &[]);
    }

    #[test]
    fn names_are_short_and_plain() {
        assert_eq!(short("a\u{1b}[1m "), "a\\u{1b}[1m");
        let long = "x".repeat(100);
        assert_eq!(short(&long), format!("{}…", "x".repeat(80)));
    }

    #[test]
    fn some_are_named_and_the_others_counted() {
        let daemons = |count| Daemons((1..=count).map(|pid| (pid, "a".to_owned())).collect());
        assert_eq!(daemons(1).to_string(), "`a` (process 1)");
        let expected = "`a` (process 1), `a` (process 2), `a` (process 3) and 2 more";
        assert_eq!(daemons(5).to_string(), expected);
    }
}
