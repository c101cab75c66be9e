//! Places as containers and services for CI make them: system calls that are refused, file systems
//! that are read-only or missing, users without a name.
//!
//! Not every machine lets tests make such a place. Whether this one does is tried, and what is not
//! tested is said.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use nix::libc::{self, c_long, sock_filter, sock_fprog};

/// The kernel refuses these system calls to the command and to everything that it starts, as the
/// filters of containers do.
pub fn refuse(command: &mut Command, calls: &[c_long]) {
    // The number of the call is the first field of the data that a filter gets.
    let mut filter = vec![instruction(
        libc::BPF_LD | libc::BPF_W | libc::BPF_ABS,
        0,
        0,
    )];
    for call in calls {
        filter.push(instruction(
            libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K,
            *call as u32,
            1,
        ));
        let refused = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
        filter.push(instruction(libc::BPF_RET | libc::BPF_K, refused, 0));
    }
    filter.push(instruction(
        libc::BPF_RET | libc::BPF_K,
        libc::SECCOMP_RET_ALLOW,
        0,
    ));
    let install = move || {
        let program = sock_fprog {
            len: filter.len() as u16,
            filter: filter.as_ptr().cast_mut(),
        };
        // SAFETY: system calls; the filter lives as long as this closure.
        let outcome = unsafe {
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
            libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &program)
        };
        match outcome {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    };
    // SAFETY: system calls only.
    unsafe { command.pre_exec(install) };
}

/// Goes on with the next instruction if the value is `k`, or leaves out as many as `otherwise`.
fn instruction(code: u32, k: u32, otherwise: u8) -> sock_filter {
    sock_filter {
        code: code as u16,
        jt: 0,
        jf: otherwise,
        k,
    }
}

/// A command in namespaces of its own: first the shell script, in which `$0` and following are the
/// words, and which ends with `exec` of them. `None`: this machine does not allow it, which is
/// said.
pub fn within<W: AsRef<OsStr>>(
    script: &str,
    words: impl IntoIterator<Item = W>,
) -> Option<Command> {
    let options = namespaces()?;
    let mut command = Command::new("unshare");
    command
        .args(options)
        .args(["sh", "-c", &format!("set -e\n{script}\nexec \"$0\" \"$@\"")])
        .args(words);
    Some(command)
}

/// The words of `unshare` by which tests may mount here.
fn namespaces() -> Option<&'static [&'static str]> {
    static ALLOWED: OnceLock<Option<&[&str]>> = OnceLock::new();
    let allowed = ALLOWED.get_or_init(|| {
        let ways: [&[&str]; 2] = [&["--mount"], &["--user", "--map-root-user", "--mount"]];
        ways.into_iter().find(|options| {
            let mut command = Command::new("unshare");
            command
                .args(*options)
                .args(["mount", "-t", "tmpfs", "none", "/mnt"]);
            let status = command.stderr(Stdio::null()).status();
            status.is_ok_and(|status| status.success())
        })
    });
    if allowed.is_none() {
        not_tested("namespaces with mounts of their own are not allowed here");
    }
    *allowed
}

/// Says what is not tested, past the harness, which hides the output of tests that pass.
pub fn not_tested(reason: &str) {
    let _ = writeln!(io::stderr(), "not tested: {reason}");
}
