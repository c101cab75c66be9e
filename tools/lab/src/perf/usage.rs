//! Usage of a process: a command in, its wall time, CPU time or memory out.

use std::fs;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{bail, Context, Result};
use nix::errno::Errno;
use nix::sys::resource::{getrusage, UsageWho};
use nix::sys::wait::{waitid, Id, WaitPidFlag};
use nix::time::ClockId;
use nix::unistd::Pid;

/// The costs of one process.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Usage {
    /// From start to end.
    pub(super) wall: Duration,
    /// User and system time, with all children that were waited for.
    pub(super) cpu: Duration,
    /// User and system time of the process alone, with all its threads.
    pub(super) own: Duration,
}

/// Runs the command to its end, silently.
///
/// Both CPU times are exact. A process that has ended, but was not waited for yet, still has its
/// own clock; and what its children added to it is added to us when we wait for it.
pub(super) fn measure(command: &mut Command) -> Result<Usage> {
    let before = cpu_of_children()?;
    let start = Instant::now();
    let mut child = spawn(command)?;
    let pid = Pid::from_raw(child.id() as i32);
    let ended = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
    while let Err(error) = waitid(Id::Pid(pid), ended) {
        if error != Errno::EINTR {
            return Err(error).context("cannot wait for a process");
        }
    }
    let wall = start.elapsed();
    let clock = ClockId::pid_cpu_clock_id(pid).and_then(ClockId::now);
    let own = clock.context("cannot read the CPU time of a process")?;
    check(command, child.wait()?)?;
    Ok(Usage {
        wall,
        cpu: cpu_of_children()? - before,
        own: own.into(),
    })
}

/// Runs the command to its end, silently, and returns the most memory that the process (not its
/// children) had resident at any time, in bytes.
///
/// The kernel's own figure for a process that has ended is the greatest of the process and its
/// children, so this one is read while it runs. It can only grow, hence the last one counts.
pub(super) fn peak_memory(command: &mut Command) -> Result<u64> {
    let mut child = spawn(command)?;
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let text = fs::read_to_string(&status_file).unwrap_or_default();
        // Absent once the process has ended.
        if let Some(line) = text.lines().find_map(|line| line.strip_prefix("VmHWM:")) {
            let kilobytes: u64 = line.trim_end_matches("kB").trim().parse()?;
            peak = kilobytes * 1024;
        }
        if let Some(status) = child.try_wait()? {
            check(command, status)?;
            return Ok(peak);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

fn spawn(command: &mut Command) -> Result<Child> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("could not start `{:?}`", command.get_program()))
}

fn check(command: &Command, status: ExitStatus) -> Result<()> {
    if status.success() {
        return Ok(());
    }
    bail!("`{command:?}` ended with {status}")
}

fn cpu_of_children() -> Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let microseconds = |time: nix::sys::time::TimeVal| {
        Duration::from_secs(time.tv_sec() as u64) + Duration::from_micros(time.tv_usec() as u64)
    };
    Ok(microseconds(usage.user_time()) + microseconds(usage.system_time()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_time_is_told_from_that_of_children() {
        let busy = "n=0; while [ $n -lt 200000 ]; do n=$((n + 1)); done";
        let usage = measure(Command::new("sh").args(["-c", &format!("sh -c '{busy}'; true")]));
        let usage = usage.unwrap();
        assert!(usage.cpu > 2 * usage.own, "{usage:?}");
        let usage = measure(Command::new("sh").args(["-c", busy])).unwrap();
        assert!(usage.own > usage.cpu / 2, "{usage:?}");
    }

    #[test]
    fn memory_of_children_does_not_count() {
        let own = peak_memory(Command::new("sh").args(["-c", "sleep 0.1; true"])).unwrap();
        assert!((100 << 10..64 << 20).contains(&own), "{own}");
    }

    #[test]
    fn a_command_that_fails_has_no_costs() {
        measure(&mut Command::new("false")).unwrap_err();
        peak_memory(&mut Command::new("false")).unwrap_err();
    }
}
