//! The `serve` role: the process in which library benchmarks are measured.
//!
//! In: a socket, inherited from the runner, and commands on it. For each command the process forks,
//! and the fork leaves the loop with the function that the command named; the server itself runs
//! no benchmark. With the flag `DIRECT` it does not fork but leaves the loop itself.
//!
//! This code runs before the benchmark in the same process, under the same simulated caches and on
//! the same heap. So it uses the C library only: no allocation, no formatting, no locks, no
//! `std::env`. All buffers lie in frames that are gone when the benchmark runs. And the loop must
//! execute the same instructions on the same addresses for every command, whatever its content:
//! Callgrind simulates caches and branches also while it does not count, and only a constant loop
//! brings them to a fixed point that does not depend on how many benchmarks ran before.
//! `docs/design/fork-server.md` says what follows from that.

use std::ffi::{c_char, c_int, c_void, CStr};
use std::hint::black_box;
use std::mem::{size_of, zeroed};

#[cfg(feature = "registration")]
use super::registration;
use super::table::{Element, Groups, Suite};
use super::{
    benchmarks, features, fork, frames, heap_marks, instrumentation, perf, quick_end, registry,
    rehearsal, returned, threads, timed,
};
#[cfg(target_os = "linux")]
use super::{connect, random};
#[cfg(target_os = "linux")]
use crate::protocol::wire;
use crate::protocol::wire::{
    Command, Done, Hello, Packet, Started, COUNT_THREADS, DESCRIPTORS, DIRECT, DIRECTORY_LEN,
    EMPTY, FAST_SETUP, FRAMED, MAGIC, MARKED, PERF, PERF_MARKS, QUICK_END, REHEARSAL, TIMED,
    WARM_UP,
};
use crate::protocol::{PROTOCOL, SERVER_VARIABLE};
use crate::valgrind_request::running_on_valgrind;

/// `protocol::SERVER_VARIABLE` for the C library.
const VARIABLE: &CStr = c"IAI_CALLGRIND_SERVER";

/// Reason why a server gives up; the exit status is 90 more.
#[derive(Clone, Copy)]
enum Reason {
    Send = 0,
    Receive = 1,
    Malformed = 2,
    Index = 3,
    Descriptors = 4,
    Redirect = 5,
    Directory = 6,
    Fork = 7,
    Orphan = 8,
    Wait = 9,
    #[cfg(target_os = "linux")]
    Connect = 10,
}

/// Gives up because of a packet that is none.
pub(super) fn malformed() -> ! {
    give_up(Reason::Malformed)
}

fn give_up(reason: Reason) -> ! {
    // SAFETY: ends the process; nothing of ours needs to be flushed.
    unsafe { libc::_exit(90 + reason as c_int) }
}

/// The socket's number, if this process is to serve.
///
/// The variable alone says little: it may come from outside, or from a benchmark that starts a
/// benchmark executable. Only the runner passes on such a socket as well.
///
/// # Errors
///
/// The process was started as the runner does it, but there is no socket.
pub(super) fn socket() -> Result<Option<c_int>, String> {
    // SAFETY: no other thread exists yet that could change the environment.
    let value = unsafe { libc::getenv(VARIABLE.as_ptr()) };
    let named = match value.is_null() {
        true => None,
        // SAFETY: the environment's strings are terminated.
        false => Some(unsafe { libc::atoi(value) }),
    };
    if let Some(socket) = named.filter(|socket| is_ours(*socket)) {
        return Ok(Some(socket));
    }
    #[cfg(target_os = "linux")]
    if let Some(connected) = connect::socket() {
        return Ok(Some(
            connected.unwrap_or_else(|()| give_up(Reason::Connect)),
        ));
    }
    match named {
        // No server here, so it may allocate.
        Some(socket) if std::env::args_os().len() < 2 => Err(lost(socket)),
        _ => Ok(None),
    }
}

/// Is it a socket as the runner makes them? The same few instructions for every number.
fn is_ours(descriptor: c_int) -> bool {
    let mut kind: c_int = 0;
    let mut size = size_of::<c_int>() as libc::socklen_t;
    // SAFETY: the answer has the room that we say; a number that is no socket is an error.
    let asked = unsafe {
        libc::getsockopt(
            descriptor,
            libc::SOL_SOCKET,
            libc::SO_TYPE,
            (&raw mut kind).cast(),
            &mut size,
        )
    };
    asked == 0 && kind == libc::SOCK_SEQPACKET && descriptor > 2
}

fn lost(descriptor: c_int) -> String {
    format!(
        "{SERVER_VARIABLE} says that this process is to be measured, but its descriptor {descriptor} is no \
         socket of the runner\n  \
         hint: unset {SERVER_VARIABLE}, which only the runner sets; where the runner has started this, a \
         program in between closes descriptors"
    )
}

/// Greets the runner and executes commands. Returns in the process that is to run a benchmark, with
/// the function that runs it and the element that it gets.
pub(super) fn serve(suite: &'static Suite, socket: c_int) -> (fn(Element), Element) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    super::heap_begin::align();
    // Before any fork, so that every one has the answer.
    features::detect();
    let fork = fork::function();
    greet(suite, socket);
    loop {
        let mut command = Command::zeroed();
        let mut descriptors = receive(socket, &mut command);
        descriptors[2] = returned::out_of_the_way(descriptors[2]);
        if command.flags & DIRECT != 0 {
            // SAFETY: cannot fail.
            confirm(socket, &command, unsafe { libc::getpid() });
            rehearsal::take_over(command.flags);
            let (run, element) = prepare(suite, socket, &command, descriptors);
            if command.flags & TIMED != 0 {
                timed::answer(socket, run, element);
            }
            return (run, element);
        }
        // SAFETY: cannot fail.
        let server = unsafe { libc::getpid() };
        if command.flags & REHEARSAL != 0 {
            confirm(socket, &command, server);
            rehearsal::rehearse(suite, socket, command.flags, descriptors);
            // SAFETY: as in `await_end`.
            finish(socket, &command, server, 0, &unsafe { zeroed() });
            continue;
        }
        // SAFETY: this process has one thread, so the fork has a consistent copy of everything.
        match unsafe { fork() } {
            -1 => give_up(Reason::Fork),
            0 => return as_fork(suite, socket, &command, descriptors, server),
            fork => {
                // First: nobody sees the end of a stream that is open here.
                close(&descriptors);
                confirm(socket, &command, fork);
                await_end(socket, &command, fork);
            }
        }
    }
}

/// In a fork: the way from the server to its benchmark. The server goes it once itself, so no usual
/// flag makes a branch.
#[inline(never)]
pub(super) fn as_fork(
    suite: &'static Suite,
    socket: c_int,
    command: &Command,
    descriptors: [c_int; DESCRIPTORS],
    server: libc::pid_t,
) -> (fn(Element), Element) {
    separate(server);
    prepare(suite, socket, command, descriptors)
}

/// In the process that runs the benchmark: everything of the server is given up.
#[inline(never)]
fn prepare(
    suite: &'static Suite,
    socket: c_int,
    command: &Command,
    descriptors: [c_int; DESCRIPTORS],
) -> (fn(Element), Element) {
    let choice = [case(suite, command), Some(perf::empty as fn(Element))];
    let is_empty = black_box(usize::from(command.flags & EMPTY != 0));
    let Some(run) = choice[is_empty & 1] else {
        give_up(Reason::Index)
    };
    let element = Element {
        index: command.element,
        count: command.elements,
    };
    let [stdout, stderr, told] = descriptors;
    redirect([stdout, stderr]);
    // Under other tools, too: else the first mark of a benchmark would look at the environment.
    crate::perf::decide(command.flags & PERF_MARKS != 0);
    if command.flags & PERF != 0 {
        // SAFETY: nobody else in this process has it.
        unsafe { libc::close(told) };
        perf::switch_on(socket, command);
    } else if command.flags & TIMED != 0 {
        // SAFETY: as above. The socket stays: it asks for samples.
        unsafe { libc::close(told) };
    } else {
        // SAFETY: as above.
        unsafe { libc::close(socket) };
        returned::switch_on(told, command);
    }
    change_directory(&command.directory);
    if command.flags & WARM_UP != 0 {
        // SAFETY: ends this process at once, without the work at its end.
        unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
    }
    #[cfg(target_os = "linux")]
    if command.flags & wire::DETERMINISTIC_RANDOM != 0 {
        random::switch_on();
    }
    quick_end::switch(command.flags & QUICK_END != 0);
    if command.flags & FAST_SETUP != 0 {
        instrumentation::around_function();
    }
    if command.flags & COUNT_THREADS != 0 {
        threads::switch_on();
    }
    if command.flags & FRAMED != 0 {
        frames::switch_on(command.flags);
    }
    // Last, after all switches: right before the arguments are made, see `heap_marks`.
    if command.flags & MARKED != 0 {
        heap_marks::make();
    }
    (run, element)
}

/// Makes the fork die with the server, and puts it with all its descendants into a group of its
/// own.
#[inline(never)]
fn separate(server: libc::pid_t) {
    // SAFETY: plain system calls.
    unsafe {
        #[cfg(target_os = "linux")]
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() != server {
            give_up(Reason::Orphan);
        }
        // The rehearsal fails here, since it leads its group. So the way after a success is that of
        // `quick_end`.
        #[cfg(target_os = "linux")]
        libc::syscall(libc::SYS_setsid);
        #[cfg(not(target_os = "linux"))]
        libc::setsid();
    }
}

/// Tells the runner which process is about to run the benchmark.
fn confirm(socket: c_int, command: &Command, pid: libc::pid_t) {
    let started = Started {
        magic: MAGIC,
        sequence: command.sequence,
        pid,
    };
    send(socket, &started);
}

/// Waits for the end of a fork and tells the runner.
fn await_end(socket: c_int, command: &Command, pid: libc::pid_t) {
    let mut status = 0;
    // SAFETY: integers only, for which all zero is a value.
    let mut usage: libc::rusage = unsafe { zeroed() };
    // SAFETY: both are places to write to. No handler of ours interrupts the call.
    if unsafe { libc::wait4(pid, &mut status, 0, &mut usage) } != pid {
        give_up(Reason::Wait);
    }
    finish(socket, command, pid, status, &usage);
}

/// Tells the runner that a command was executed.
fn finish(socket: c_int, command: &Command, pid: libc::pid_t, status: c_int, usage: &libc::rusage) {
    let milliseconds = |time: libc::timeval| {
        (time.tv_sec as u32)
            .wrapping_mul(1000)
            .wrapping_add(time.tv_usec as u32 / 1000)
    };
    let done = Done {
        magic: MAGIC,
        sequence: command.sequence,
        pid,
        status,
        cpu: milliseconds(usage.ru_utime).wrapping_add(milliseconds(usage.ru_stime)),
    };
    send(socket, &done);
}

fn greet(suite: &Suite, socket: c_int) {
    let hello = Hello {
        magic: MAGIC,
        protocol: PROTOCOL,
        benchmarks: benchmarks::entries(suite) as u32,
        // SAFETY: cannot fail.
        pid: unsafe { libc::getpid() },
        threads: threads(),
        on_valgrind: running_on_valgrind() as u32,
    };
    send(socket, &hello);
}

/// Threads in this process: the folders below `task` are links to it. 0 if unknown.
#[inline(never)]
pub(super) fn threads() -> u32 {
    // SAFETY: a zeroed `stat` is a place to write to; the path is terminated.
    unsafe {
        let mut stat: libc::stat = zeroed();
        match libc::stat(c"/proc/self/task".as_ptr(), &mut stat) {
            0 => (stat.st_nlink as u32).saturating_sub(2),
            _ => 0,
        }
    }
}

pub(super) fn send<P: Packet>(socket: c_int, packet: &P) {
    let bytes = packet.bytes();
    // SAFETY: the buffer is as long as we say.
    let sent = unsafe { libc::send(socket, bytes.as_ptr().cast(), bytes.len(), 0) };
    if sent != bytes.len() as isize {
        give_up(Reason::Send);
    }
}

/// Waits for a command with its descriptors. The end of the socket is the end of the process.
fn receive(socket: c_int, command: &mut Command) -> [c_int; DESCRIPTORS] {
    // More room than the descriptors need, aligned for the header.
    let mut control = [0_u64; 8];
    let bytes = command.bytes_mut();
    let mut part = libc::iovec {
        iov_base: bytes.as_mut_ptr().cast(),
        iov_len: bytes.len(),
    };
    // SAFETY: all pointers are to places of this frame and as long as the message says.
    let (received, message) = unsafe {
        let mut message: libc::msghdr = zeroed();
        message.msg_iov = &mut part;
        message.msg_iovlen = 1;
        message.msg_control = control.as_mut_ptr().cast::<c_void>();
        message.msg_controllen = size_of::<[u64; 8]>() as _;
        (libc::recvmsg(socket, &mut message, 0), message)
    };
    match received {
        // SAFETY: ends the process; the runner has closed its end.
        0 => unsafe { libc::_exit(0) },
        length if length < 0 => give_up(Reason::Receive),
        length if length != size_of::<Command>() as isize || command.magic != MAGIC => {
            give_up(Reason::Malformed)
        }
        _ => descriptors(&message),
    }
}

/// The descriptors that came with a message.
#[allow(
    clippy::unnecessary_cast,
    reason = "lengths have other types elsewhere"
)]
fn descriptors(message: &libc::msghdr) -> [c_int; DESCRIPTORS] {
    // SAFETY: the kernel wrote the control data that the message points to, and the length is
    // checked before it is read.
    unsafe {
        let header = libc::CMSG_FIRSTHDR(message);
        if header.is_null()
            || (*header).cmsg_level != libc::SOL_SOCKET
            || (*header).cmsg_type != libc::SCM_RIGHTS
            || (*header).cmsg_len as usize
                != libc::CMSG_LEN(size_of::<[c_int; DESCRIPTORS]>() as u32) as usize
        {
            give_up(Reason::Descriptors);
        }
        libc::CMSG_DATA(header)
            .cast::<[c_int; DESCRIPTORS]>()
            .read_unaligned()
    }
}

#[inline(never)]
fn case(suite: &'static Suite, command: &Command) -> Option<fn(Element)> {
    let index = command.function as usize;
    let function = match suite.groups {
        Groups::Library(groups) => {
            let group = groups
                .get(command.group as usize)
                .map(|listed| listed.group);
            group.and_then(|group| group.functions.get(index).copied())
        }
        Groups::Registered => registry::get(index),
        Groups::Binary(_) => None,
        #[cfg(feature = "registration")]
        Groups::AtRunTime => return Some(registration::run),
    };
    let case = function?.cases.get(command.case as usize)?;
    case.run.function()
}

/// Makes the descriptors stdout and stderr.
#[inline(never)]
fn redirect(descriptors: [c_int; 2]) {
    // SAFETY: plain calls on descriptors that belong to this function.
    unsafe {
        if libc::dup2(descriptors[0], 1) < 0 || libc::dup2(descriptors[1], 2) < 0 {
            give_up(Reason::Redirect);
        }
    }
    close(&descriptors);
}

#[inline(never)]
pub(super) fn close(descriptors: &[c_int]) {
    for descriptor in descriptors {
        // SAFETY: nobody else in this process has it.
        unsafe { libc::close(*descriptor) };
    }
}

#[inline(never)]
fn change_directory(directory: &[u8; DIRECTORY_LEN]) {
    if directory[0] == 0 {
        return;
    }
    if directory[DIRECTORY_LEN - 1] != 0 {
        give_up(Reason::Malformed);
    }
    // SAFETY: terminated, as just seen.
    if unsafe { libc::chdir(directory.as_ptr().cast::<c_char>()) } != 0 {
        give_up(Reason::Directory);
    }
}
