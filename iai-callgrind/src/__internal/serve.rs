//! The `serve` role: the process in which library benchmarks are measured.
//!
//! In: a socket, inherited from the runner, and commands on it. Out: a greeting, a note for each
//! command and the function that the command named.
//!
//! This code runs before the benchmark in the same process, under the same simulated caches and on
//! the same heap. So it uses the C library only: no allocation, no formatting, no locks, no
//! `std::env`. All buffers lie in frames that are gone when the benchmark runs.

use std::ffi::{c_char, c_int, c_void, CStr};
use std::mem::{size_of, zeroed};

use super::table::Suite;
use crate::protocol::wire::{Command, Hello, Packet, Started, DIRECT, DIRECTORY_LEN, MAGIC};
use crate::protocol::PROTOCOL;
use crate::valgrind_request::running_on_valgrind;

/// `protocol::SERVER_VARIABLE` for the C library.
const VARIABLE: &CStr = c"IAI_CALLGRIND_SERVER";

/// Why a server gives up; the exit status is 90 more.
#[derive(Clone, Copy)]
enum Reason {
    Send = 0,
    Receive = 1,
    Malformed = 2,
    Index = 3,
    Descriptors = 4,
    Redirect = 5,
    Directory = 6,
    Mode = 7,
}

fn give_up(reason: Reason) -> ! {
    // SAFETY: ends the process; nothing of ours needs to be flushed.
    unsafe { libc::_exit(90 + reason as c_int) }
}

/// The socket's number, if this process is to serve.
pub(super) fn socket() -> Option<c_int> {
    // SAFETY: no other thread exists yet that could change the environment.
    let value = unsafe { libc::getenv(VARIABLE.as_ptr()) };
    if value.is_null() {
        return None;
    }
    // SAFETY: the environment's strings are terminated.
    let socket = unsafe { libc::atoi(value) };
    (socket > 2).then_some(socket)
}

/// Greets the runner, waits for the command and returns the case that it names.
pub(super) fn serve(suite: &'static Suite, socket: c_int) -> fn() {
    greet(suite, socket);
    let mut command = Command::zeroed();
    let descriptors = receive(socket, &mut command);
    if command.flags & DIRECT == 0 {
        give_up(Reason::Mode);
    }
    let run = case(suite, &command);
    let started = Started {
        magic: MAGIC,
        sequence: command.sequence,
        // SAFETY: cannot fail.
        pid: unsafe { libc::getpid() },
    };
    send(socket, &started);
    redirect(socket, descriptors);
    change_directory(&command.directory);
    run
}

fn greet(suite: &Suite, socket: c_int) {
    let benchmarks: usize = suite
        .groups
        .iter()
        .flat_map(|group| group.functions)
        .map(|function| function.cases.len())
        .sum();
    let hello = Hello {
        magic: MAGIC,
        protocol: PROTOCOL,
        benchmarks: benchmarks as u32,
        // SAFETY: cannot fail.
        pid: unsafe { libc::getpid() },
        threads: threads(),
        on_valgrind: running_on_valgrind() as u32,
    };
    send(socket, &hello);
}

/// Threads in this process: the folders below `task` are links to it. 0 if unknown.
fn threads() -> u32 {
    // SAFETY: a zeroed `stat` is a place to write to; the path is terminated.
    unsafe {
        let mut stat: libc::stat = zeroed();
        match libc::stat(c"/proc/self/task".as_ptr(), &mut stat) {
            0 => (stat.st_nlink as u32).saturating_sub(2),
            _ => 0,
        }
    }
}

fn send<P: Packet>(socket: c_int, packet: &P) {
    let bytes = packet.bytes();
    // SAFETY: the buffer is as long as we say.
    let sent = unsafe { libc::send(socket, bytes.as_ptr().cast(), bytes.len(), 0) };
    if sent != bytes.len() as isize {
        give_up(Reason::Send);
    }
}

/// Waits for a command with its two descriptors. The end of the socket is the end of the process.
fn receive(socket: c_int, command: &mut Command) -> [c_int; 2] {
    // More room than two descriptors need, aligned for the header.
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

/// The two descriptors that came with a message.
fn descriptors(message: &libc::msghdr) -> [c_int; 2] {
    // SAFETY: the kernel wrote the control data that the message points to, and the length is
    // checked before it is read.
    unsafe {
        let header = libc::CMSG_FIRSTHDR(message);
        if header.is_null()
            || (*header).cmsg_level != libc::SOL_SOCKET
            || (*header).cmsg_type != libc::SCM_RIGHTS
            || (*header).cmsg_len as usize
                != libc::CMSG_LEN(size_of::<[c_int; 2]>() as u32) as usize
        {
            give_up(Reason::Descriptors);
        }
        libc::CMSG_DATA(header)
            .cast::<[c_int; 2]>()
            .read_unaligned()
    }
}

fn case(suite: &'static Suite, command: &Command) -> fn() {
    let group = suite.groups.get(command.group as usize);
    let function = group.and_then(|group| group.functions.get(command.function as usize));
    let case = function.and_then(|function| function.cases.get(command.case as usize));
    match case {
        Some(case) => case.run,
        None => give_up(Reason::Index),
    }
}

/// Makes the descriptors stdout and stderr and closes everything that came from the runner.
fn redirect(socket: c_int, [stdout, stderr]: [c_int; 2]) {
    // SAFETY: plain calls on descriptors that belong to this function.
    unsafe {
        if libc::dup2(stdout, 1) < 0 || libc::dup2(stderr, 2) < 0 {
            give_up(Reason::Redirect);
        }
        libc::close(stdout);
        libc::close(stderr);
        libc::close(socket);
    }
}

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
