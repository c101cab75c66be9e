//! The socket of a measuring process that inherits nothing from the runner, as in a container: a
//! file in the directory where the tool writes, which the command line names.
//!
//! For the same reasons as in `serve` this uses the C library only.

use std::ffi::{c_int, CStr};
use std::mem::zeroed;

/// Room for the paths of the executable and of the socket.
const LINE_LEN: usize = 3 * 4096;

/// Words of the role, behind the executable on the command line.
const ROLE: [&[u8]; 2] = [b"--iai-callgrind", b"serve"];

/// Message for a socket that cannot be reached. The runner shows it.
const UNREACHABLE: &[u8] = b"the socket of the runner cannot be reached\n  \
    hint: does the program of `--tool-runner` show Valgrind the directory \
    IAI_CALLGRIND_TR_DEST_DIR, in the place that `--tool-runner-dest` names?\n";

/// Connects to the socket that the command line names. `None`: it names none. `Some(Err(()))`: it
/// cannot be reached, which was said.
pub(super) fn socket() -> Option<Result<c_int, ()>> {
    let mut line = [0_u8; LINE_LEN];
    let length = read_line(&mut line);
    let mut start = 0;
    // In front of the role stands the executable, which may have any name.
    for expected in &[None, Some(ROLE[0]), Some(ROLE[1])] {
        let word = word(&line[start..length])?;
        if expected.is_some_and(|expected| expected != word) {
            return None;
        }
        start += word.len() + 1;
    }
    let path_length = word(&line[start..length])?.len();
    // With its final NUL, which was read as well.
    let connected = connect(&mut line[start..=start + path_length]);
    Some(connected.ok_or_else(|| {
        // SAFETY: the text is as long as we say. Nothing can be done if it cannot be written.
        unsafe { libc::write(2, UNREACHABLE.as_ptr().cast(), UNREACHABLE.len()) };
    }))
}

/// The command line, words that end with NUL. Returns its length.
fn read_line(line: &mut [u8]) -> usize {
    let mut length = 0;
    // SAFETY: plain system calls; the buffer is as long as we say.
    unsafe {
        let file = libc::open(
            c"/proc/self/cmdline".as_ptr(),
            libc::O_RDONLY | libc::O_CLOEXEC,
        );
        if file < 0 {
            return 0;
        }
        while length < line.len() {
            let rest = &mut line[length..];
            let read = libc::read(file, rest.as_mut_ptr().cast(), rest.len());
            if read <= 0 {
                break;
            }
            length += read as usize;
        }
        libc::close(file);
    }
    length
}

/// The first word, without its NUL.
fn word(line: &[u8]) -> Option<&[u8]> {
    let word = CStr::from_bytes_until_nul(line).ok()?;
    Some(word.to_bytes())
}

/// Connects to the socket with this path, which ends with NUL. Addresses of sockets are short, so
/// this goes to its directory and back.
fn connect(path: &mut [u8]) -> Option<c_int> {
    let mut length = path.len();
    while *path.get(length.checked_sub(1)?)? != b'/' {
        length -= 1;
    }
    // In place of the slash, so that the path of the directory ends with NUL as well.
    path[length - 1] = 0;
    let (directory, name) = path.split_at(length);
    // SAFETY: all strings end with NUL, the address is as long as we say, and every descriptor is
    // our own.
    unsafe {
        let mut address: libc::sockaddr_un = zeroed();
        address.sun_family = libc::AF_UNIX as libc::sa_family_t;
        if name.len() > address.sun_path.len() {
            return None;
        }
        let room = address.sun_path.as_mut_ptr().cast::<u8>();
        room.copy_from_nonoverlapping(name.as_ptr(), name.len());
        let here = libc::open(c".".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        if here < 0 || libc::chdir(directory.as_ptr().cast()) != 0 {
            return None;
        }
        let socket = libc::socket(libc::AF_UNIX, libc::SOCK_SEQPACKET, 0);
        let size = size_of::<libc::sockaddr_un>() as libc::socklen_t;
        let connected = libc::connect(socket, (&raw const address).cast(), size) == 0;
        let back = libc::fchdir(here) == 0;
        libc::close(here);
        (connected && back).then_some(socket)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_with_nul() {
        assert_eq!(word(b"a b\0c\0"), Some(&b"a b"[..]));
        assert_eq!(word(b"\0"), Some(&b""[..]));
        assert_eq!(word(b"cut off"), None);
        assert_eq!(word(b""), None);
    }

    #[test]
    fn other_command_lines_name_no_socket() {
        // That of the test harness.
        assert_eq!(socket(), None);
    }

    #[test]
    fn what_is_no_path_is_not_connected() {
        assert_eq!(connect(&mut b"socket\0".to_vec()), None);
        assert_eq!(connect(&mut b"/there is/nothing\0".to_vec()), None);
    }
}
