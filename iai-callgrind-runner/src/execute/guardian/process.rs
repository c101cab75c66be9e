//! The guardian itself: the code of the fork between runner and measured process.
//!
//! It is a copy of the runner, in which other threads may have held any lock. So it only makes
//! system calls: no allocation, no formatting. It kills nothing but its own children, and the
//! kernel tells which these are; no other process can get the id of a child before the guardian has
//! waited for it.

use std::ffi::{c_int, CStr};
use std::io;
use std::mem::size_of;
use std::os::fd::{AsRawFd, RawFd};
use std::ptr::null_mut;

use libc::pid_t;
use nix::fcntl::OFlag;

use super::{Message, Note};
use base::os::children::{adopt_orphans, die_with_parent, ended, set_name, wait_for, ProcessorUse};
use base::os::descriptors::{self, close_range, NO_SIGNAL};

/// Name of the process for `ps`.
const NAME: &CStr = c"iai-guardian";

/// The children of this process, also those that it has inherited.
const CHILDREN: &CStr = c"/proc/thread-self/children";

/// Longest time, in nanoseconds, that killed processes are waited for. One in a system call of a
/// dead network file system never ends.
const PATIENCE: u64 = 10_000_000_000;

/// Descriptors that are closed where the system cannot close a range of them. The runner has a few
/// hundred.
const MOST_DESCRIPTORS: RawFd = 4096;

/// Divides this process in two. The parent becomes the guardian and never returns; the child
/// returns, to execute the program.
///
/// # Errors
///
/// There are too many processes, or the guardian is gone already.
pub(super) fn divide(socket: RawFd) -> io::Result<()> {
    // SAFETY: plain system calls; the guardian never returns to code that allocates.
    unsafe {
        // A system may forbid the call. Then only those die that stay in their group.
        let _ = adopt_orphans();
        let guardian = libc::getpid();
        let (here, there) = descriptors::pipe(OFlag::O_CLOEXEC)?;
        match libc::fork() {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                drop(there);
                // Nothing comes. It ends when the guardian has closed what it has of the runner,
                // who waits for that: the program may stop the guardian at once.
                let mut byte = 0_u8;
                while libc::read(here.as_raw_fd(), (&mut byte as *mut u8).cast(), 1) == -1 {}
                drop(here);
                lead(guardian)
            }
            leader => guard(leader, socket),
        }
    }
}

/// Makes this process the leader of a group, which the kernel kills when the guardian dies.
unsafe fn lead(guardian: pid_t) -> io::Result<()> {
    // SAFETY: plain system calls; the sets are places of this frame.
    unsafe {
        // The foreground was given to the group of the guardian, in which this process may be no
        // more: the guardian moves it as well.
        let is_foreground = libc::tcgetpgrp(libc::STDIN_FILENO) == guardian;
        libc::setpgid(0, 0);
        if is_foreground {
            let mut blocked = std::mem::zeroed();
            let mut before = std::mem::zeroed();
            libc::sigemptyset(&mut blocked);
            // Stops a process in the background that does this.
            libc::sigaddset(&mut blocked, libc::SIGTTOU);
            libc::sigprocmask(libc::SIG_BLOCK, &blocked, &mut before);
            libc::tcsetpgrp(libc::STDIN_FILENO, libc::getpgrp());
            libc::sigprocmask(libc::SIG_SETMASK, &before, null_mut());
        }
        die_with_parent()?;
        // If the guardian died before the call above, the kernel sends no signal any more.
        match libc::getppid() == guardian {
            true => Ok(()),
            false => Err(io::Error::from_raw_os_error(libc::ESRCH)),
        }
    }
}

/// Notifies the runner of the leader's end, and ends everything that is left when the runner asks
/// for it or ends itself.
unsafe fn guard(leader: pid_t, socket: RawFd) -> ! {
    // SAFETY: plain system calls in a process with one thread, on memory of this frame.
    unsafe {
        let while_waiting = deaf();
        // The leader does this itself as well: either may be the first.
        libc::setpgid(leader, leader);
        // The leader begins when all is closed.
        let began = nanoseconds();
        close_all_but(socket);
        // No directory is kept from being removed.
        libc::chdir(c"/".as_ptr());
        set_name(NAME);
        tell(socket, &[Note::Started as u64, leader as u64, 0, 0, 0, 0]);
        let mut has_ended = false;
        loop {
            if let (false, Some((status, used))) = (has_ended, status(leader)) {
                has_ended = true;
                let ProcessorUse {
                    micros,
                    waits,
                    switches,
                } = used;
                let wall = nanoseconds() - began;
                let note = Note::Ended as u64;
                tell(
                    socket,
                    &[
                        note,
                        status as u64,
                        wall,
                        micros,
                        waits.into(),
                        switches.into(),
                    ],
                );
            }
            // The dead leader stays until the end of the guardian, so that nobody else gets its id.
            let nothing_left = bury_orphans(leader, has_ended);
            if has_ended && nothing_left {
                libc::_exit(0);
            }
            match next_word(socket, &while_waiting) {
                Word::None => {}
                Word::Sweep => {
                    end_all_but(leader);
                    tell(socket, &[Note::Swept as u64, 0, 0, 0, 0, 0]);
                }
                Word::End => {
                    // The whole group at once: the list of children shows only the next generation.
                    libc::kill(-leader, libc::SIGKILL);
                    end_all_but(0);
                    libc::_exit(0);
                }
            }
        }
    }
}

/// Words of the runner.
enum Word {
    /// No request; a child may have ended.
    None,
    /// All but the leader are to end.
    Sweep,
    /// Everything is to end. Or the runner has ended.
    End,
}

/// Blocks all signals, for terminals and users mean the runner. Returns the signals to block while
/// waiting: all but that of a child's end.
unsafe fn deaf() -> libc::sigset_t {
    extern "C" fn nothing(_: c_int) {}
    // SAFETY: the sets and the action are places of this frame; the handler does nothing.
    unsafe {
        let mut all = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::sigprocmask(libc::SIG_SETMASK, &all, null_mut());
        // A child's end interrupts the wait only if its signal has a handler.
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = nothing as extern "C" fn(c_int) as libc::sighandler_t;
        libc::sigaction(libc::SIGCHLD, &action, null_mut());
        libc::sigdelset(&mut all, libc::SIGCHLD);
        all
    }
}

/// Closes all descriptors of the runner: as long as they are open here, readers do not see the end
/// of a stream or a socket.
unsafe fn close_all_but(socket: RawFd) {
    // SAFETY: this process uses none of them any more.
    unsafe {
        let below = close_range(0, (socket - 1) as libc::c_uint, false);
        let above = close_range(socket + 1, libc::c_uint::MAX, false);
        if below && above {
            return;
        }
        for descriptor in (0..MOST_DESCRIPTORS).filter(|descriptor| *descriptor != socket) {
            libc::close(descriptor);
        }
    }
}

/// The status of a child that has ended, as `wait` gives it, and its use of the processor. The
/// child stays.
unsafe fn status(child: pid_t) -> Option<(c_int, ProcessorUse)> {
    // SAFETY: `info` is a place of this frame; `si_status` belongs to what `waitid` writes.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let used = ended(child, &mut info)?;
        let status = match info.si_code {
            libc::CLD_EXITED => (info.si_status() & 0xff) << 8,
            libc::CLD_DUMPED => info.si_status() | 0x80,
            _ => info.si_status(),
        };
        Some((status, used))
    }
}

/// Waits for the children that have ended, but not for the leader. Returns whether no other child
/// is left.
unsafe fn bury_orphans(leader: pid_t, leader_has_ended: bool) -> bool {
    // SAFETY: plain system calls.
    unsafe {
        let mut room = [0; MOST_CHILDREN];
        while let Some(count) = children(&mut room) {
            let others = room[..count].iter().filter(|child| **child != leader);
            let (mut ended, mut living) = (0, 0);
            for child in others {
                match libc::waitpid(*child, null_mut(), libc::WNOHANG) == *child {
                    true => ended += 1,
                    false => living += 1,
                }
            }
            // The list may be cut, so it is read again until nobody on it has ended.
            if ended == 0 || living > 0 {
                return living == 0;
            }
        }
        if leader_has_ended {
            // Without the list only this tells whether there are others.
            libc::waitpid(leader, null_mut(), 0);
            return libc::waitpid(-1, null_mut(), libc::WNOHANG) == -1;
        }
        false
    }
}

/// Kills the children except for `kept`, then those that are inherited when their parents die, and
/// so on.
unsafe fn end_all_but(kept: pid_t) {
    // SAFETY: plain system calls.
    unsafe {
        let begin = nanoseconds();
        let mut room = [0; MOST_CHILDREN];
        while let Some(count) = children(&mut room) {
            let others = room[..count].iter().filter(|child| **child != kept);
            if others.clone().next().is_none() || nanoseconds() - begin > PATIENCE {
                return;
            }
            for child in others {
                end(*child);
            }
        }
        // There is no list of them, but the leader is known.
        if kept == 0 {
            while nanoseconds() - begin <= PATIENCE
                && libc::waitpid(-1, null_mut(), libc::WNOHANG) != -1
            {
                nap();
            }
        }
    }
}

/// Kills a child and waits for a moment.
unsafe fn end(child: pid_t) {
    // SAFETY: plain system calls.
    unsafe {
        // A number of another namespace, which is no child of this process, is an error here.
        if libc::waitpid(child, null_mut(), libc::WNOHANG) != 0 {
            return;
        }
        libc::kill(child, libc::SIGKILL);
        for _ in 0..20 {
            if libc::waitpid(child, null_mut(), libc::WNOHANG) != 0 {
                return;
            }
            nap();
        }
    }
}

/// Most children that are looked at together.
const MOST_CHILDREN: usize = 128;

/// Lists children of this process, and returns their number. `None`: there is no list, as without
/// `/proc`.
unsafe fn children(room: &mut [pid_t; MOST_CHILDREN]) -> Option<usize> {
    let mut text = [0_u8; 1024];
    // SAFETY: the path is terminated, and the buffer as long as we say.
    let length = unsafe {
        let file = libc::open(CHILDREN.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        if file < 0 {
            return None;
        }
        let length = libc::read(file, text.as_mut_ptr().cast(), text.len());
        libc::close(file);
        usize::try_from(length).ok()?
    };
    Some(numbers(&text[..length], room))
}

/// Reads numbers that end with a blank; the last one may be cut.
fn numbers(text: &[u8], room: &mut [pid_t]) -> usize {
    let mut count = 0;
    let mut number: pid_t = 0;
    for byte in text {
        match byte {
            b'0'..=b'9' => number = number.wrapping_mul(10) + pid_t::from(byte - b'0'),
            _ if count < room.len() && number > 0 => {
                room[count] = number;
                count += 1;
                number = 0;
            }
            _ => number = 0,
        }
    }
    count
}

/// Waits for a word of the runner, or for the end of a child.
unsafe fn next_word(socket: RawFd, blocked: &libc::sigset_t) -> Word {
    // SAFETY: all pointers are to places of this frame.
    unsafe {
        if !wait_for(socket, blocked) {
            return Word::None;
        }
        let mut word = [0_u8; 1];
        match libc::recv(socket, word.as_mut_ptr().cast(), 1, libc::MSG_DONTWAIT) {
            1 => Word::Sweep,
            -1 if io::Error::last_os_error().kind() == io::ErrorKind::WouldBlock => Word::None,
            _ => Word::End,
        }
    }
}

/// Tells the runner something. If the runner is gone, the next word is the end.
unsafe fn tell(socket: RawFd, message: &Message) {
    // SAFETY: the buffer is as long as we say.
    unsafe {
        let length = size_of::<Message>();
        libc::send(socket, message.as_ptr().cast(), length, NO_SIGNAL);
    }
}

unsafe fn nanoseconds() -> u64 {
    // SAFETY: `time` is a place of this frame.
    unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time);
        time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
    }
}

/// Sleeps for 0.1 milliseconds.
unsafe fn nap() {
    let time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 100_000,
    };
    // SAFETY: `time` is a place of this frame.
    unsafe { libc::nanosleep(&time, null_mut()) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_with_a_blank() {
        #[track_caller]
        fn check(text: &str, expected: &[pid_t]) {
            let mut room = [0; 3];
            let count = numbers(text.as_bytes(), &mut room);
            assert_eq!(&room[..count], expected, "{text:?}");
        }
        check("", &[]);
        check("12 ", &[12]);
        check("12 345 6", &[12, 345]);
        check("1 2 3 4 ", &[1, 2, 3]);
        check(" x7y 8 ", &[7, 8]);
    }
}
