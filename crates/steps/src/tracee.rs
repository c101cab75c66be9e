//! One thread under `ptrace`: waits for the entry of the measured function, and executes it in
//! single steps until it returns.
//!
//! Other threads and child processes run freely. Valgrind's way of counting is known only to
//! `super::instruction`.

use std::collections::HashMap;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use libc::{c_long, c_void};
use nix::errno::Errno;
use nix::sys::ptrace::{self, Event, Options};
use nix::sys::signal::{kill, Signal};
use nix::sys::wait::{waitpid, WaitPidFlag, WaitStatus};
use nix::unistd::Pid;

use super::instruction::{self, InstructionKind, StepState};
use super::maps::MemoryMaps;
use super::{Executed, Stop, Trace};

/// A word of memory, as `ptrace` reads and writes it.
const WORD: u64 = 8;

/// `int3`
const BREAKPOINT: u8 = 0xcc;

/// A traced process. The kernel kills it when the tracing program ends.
#[derive(Debug)]
pub struct Tracee {
    pid: Pid,
    /// Addresses of breakpoints, and the bytes that they replace.
    breakpoints: Vec<(u64, u8)>,
}

/// Return address of a function, and the place of this address on the stack.
#[derive(Debug, Clone, Copy)]
struct Frame {
    return_to: u64,
    stack: u64,
}

type Registers = libc::user_regs_struct;

/// Outcome of a step.
enum StepOutcome {
    /// An instruction was executed.
    Done(Registers),
    /// No instruction was executed: a handler of a signal begins.
    Handler(Registers),
}

impl Tracee {
    /// Stops a process, a child of this one.
    ///
    /// # Errors
    ///
    /// The process is gone, or the system forbids to trace it.
    pub fn attach(pid: Pid) -> Result<Self, Errno> {
        let options =
            Options::PTRACE_O_EXITKILL | Options::PTRACE_O_TRACEEXEC | Options::PTRACE_O_TRACEEXIT;
        ptrace::seize(pid, options)?;
        ptrace::interrupt(pid)?;
        loop {
            match wait(pid)? {
                WaitStatus::PtraceEvent(_, _, event)
                    if event == Event::PTRACE_EVENT_STOP as i32 =>
                {
                    break;
                }
                WaitStatus::Stopped(_, signal) => ptrace::cont(pid, signal)?,
                // The process is gone.
                _ => return Err(Errno::ESRCH),
            }
        }
        Ok(Self {
            pid,
            breakpoints: Vec::new(),
        })
    }

    /// The files in the memory of the process.
    #[must_use]
    pub fn maps(&self) -> MemoryMaps {
        let text = std::fs::read_to_string(format!("/proc/{}/maps", self.pid));
        MemoryMaps::read(&text.unwrap_or_default())
    }

    /// Sets breakpoints at these addresses.
    ///
    /// # Errors
    ///
    /// There is no memory at an address, or the process is gone.
    pub fn break_at(&mut self, addresses: &[u64]) -> Result<(), Errno> {
        for address in addresses {
            if self.breakpoints.iter().any(|(known, _)| known == address) {
                continue;
            }
            let byte = self.exchange(*address, BREAKPOINT)?;
            self.breakpoints.push((*address, byte));
        }
        Ok(())
    }

    /// Waits for the first breakpoint, and removes all of them. The inner error: the process did
    /// not come to one.
    ///
    /// # Errors
    ///
    /// A call of `ptrace` failed.
    pub fn run(&mut self) -> Result<Result<(), Stop>, Errno> {
        loop {
            let signal = match wait(self.pid)? {
                WaitStatus::Stopped(_, Signal::SIGTRAP) => {
                    let mut registers = ptrace::getregs(self.pid)?;
                    let address = registers.rip.wrapping_sub(1);
                    if self.breakpoints.iter().any(|(known, _)| *known == address) {
                        for (address, byte) in std::mem::take(&mut self.breakpoints) {
                            self.exchange(address, byte)?;
                        }
                        registers.rip = address;
                        ptrace::setregs(self.pid, registers)?;
                        return Ok(Ok(()));
                    }
                    Some(Signal::SIGTRAP)
                }
                WaitStatus::Stopped(_, signal) => Some(signal),
                other => match self.ended(other)? {
                    Some(stop) => return Ok(Err(stop)),
                    None => None,
                },
            };
            ptrace::cont(self.pid, signal)?;
        }
    }

    /// Lets the process run to the first breakpoint, for which [`run`](Self::run) waits.
    ///
    /// # Errors
    ///
    /// A call of `ptrace` failed.
    pub fn go(&self) -> Result<(), Errno> {
        ptrace::cont(self.pid, None)
    }

    /// Executes the function that is about to begin, in at most `most` single steps. `regions`:
    /// addresses of the function that `measure` calls. Returns the reason if it did not come to the
    /// return of the function.
    ///
    /// # Errors
    ///
    /// A call of `ptrace` failed.
    pub fn walk(
        &self,
        regions: &[u64],
        most: u64,
        trace: &mut Trace,
    ) -> Result<Option<Stop>, Errno> {
        // An instruction is recorded before its step and counted after it, since the count depends
        // on the registers on both sides; a region begins before the step of its first instruction,
        // so this counts.
        let mut places: HashMap<u64, (usize, InstructionKind)> = HashMap::new();
        let mut registers = ptrace::getregs(self.pid)?;
        let frame = self.frame(&registers)?;
        let mut region: Option<Frame> = None;
        let mut from = None;
        loop {
            if trace.steps >= most {
                return Ok(Some(Stop::TooLong));
            }
            let address = registers.rip;
            let (index, kind) = match places.get(&address) {
                Some(known) => *known,
                None => {
                    let known = (trace.executed.len(), self.kind(address));
                    trace.executed.push(Executed {
                        address,
                        from,
                        count: 0,
                    });
                    places.insert(address, known);
                    known
                }
            };
            if region.is_none() && regions.contains(&address) {
                region = Some(self.frame(&registers)?);
                trace.regions += 1;
            }
            let after = match self.step()? {
                Err(stop) => return Ok(Some(stop)),
                Ok(StepOutcome::Handler(registers_there)) => {
                    trace.handlers += 1;
                    registers = registers_there;
                    continue;
                }
                Ok(StepOutcome::Done(after)) => after,
            };
            let more = kind.more(state(&registers), state(&after));
            let count = 1 + more;
            trace.steps += 1;
            trace.executed[index].count += count;
            trace.function += count;
            match kind {
                InstructionKind::Plain => {}
                InstructionKind::Request => trace.of_requests += more,
                InstructionKind::Repeat | InstructionKind::RepeatWhile { .. } => {
                    trace.of_repeats += more
                }
            }
            if let Some(frame) = region {
                trace.in_regions += count;
                if frame.is_left(&after) {
                    region = None;
                }
            }
            if frame.is_left(&after) {
                return Ok(None);
            }
            from = Some(address);
            registers = after;
        }
    }

    fn step(&self) -> Result<Result<StepOutcome, Stop>, Errno> {
        let mut signal = None;
        loop {
            ptrace::step(self.pid, signal)?;
            match wait(self.pid)? {
                WaitStatus::Stopped(_, Signal::SIGTRAP) => {
                    let registers = ptrace::getregs(self.pid)?;
                    let begins = signal.is_some() && self.is_at_handler()?;
                    return Ok(Ok(match begins {
                        true => StepOutcome::Handler(registers),
                        false => StepOutcome::Done(registers),
                    }));
                }
                // The signal is delivered by the next step, before the instruction is executed.
                WaitStatus::Stopped(_, other) => signal = Some(other),
                other => match self.ended(other)? {
                    Some(stop) => return Ok(Err(stop)),
                    None => signal = None,
                },
            }
        }
    }

    /// Is this the stop at the first instruction of a signal handler? The kernel marks it by its
    /// own code.
    fn is_at_handler(&self) -> Result<bool, Errno> {
        Ok(ptrace::getsiginfo(self.pid)?.si_code == libc::SIGTRAP)
    }

    /// Meaning of a stop without a signal. `None`: the process goes on.
    fn ended(&self, status: WaitStatus) -> Result<Option<Stop>, Errno> {
        Ok(match status {
            WaitStatus::PtraceEvent(_, _, event) if event == Event::PTRACE_EVENT_EXIT as i32 => {
                let status = ptrace::getevent(self.pid)?;
                Some(Stop::Ended(ExitStatus::from_raw(status as i32)))
            }
            WaitStatus::PtraceEvent(_, _, event) if event == Event::PTRACE_EVENT_EXEC as i32 => {
                Some(Stop::Exec)
            }
            WaitStatus::Exited(_, code) => {
                Some(Stop::Reaped(ExitStatus::from_raw((code & 0xff) << 8)))
            }
            WaitStatus::Signaled(_, signal, _) => {
                Some(Stop::Reaped(ExitStatus::from_raw(signal as i32)))
            }
            _ => None,
        })
    }

    /// Frame of a function whose first instruction is the next one.
    fn frame(&self, registers: &Registers) -> Result<Frame, Errno> {
        Ok(Frame {
            return_to: self.word(registers.rsp)?,
            stack: registers.rsp,
        })
    }

    fn kind(&self, address: u64) -> InstructionKind {
        let mut bytes = Vec::with_capacity(instruction::LENGTH);
        let mut next = address;
        while bytes.len() < instruction::LENGTH {
            // The memory behind an instruction may be unreadable.
            let Ok(word) = self.word(next) else { break };
            bytes.extend(word.to_le_bytes());
            next += WORD;
        }
        if bytes.is_empty() {
            // Less than a word before the end of the readable memory: the word that ends with it.
            let aligned = address & !(WORD - 1);
            if let Ok(word) = self.word(aligned) {
                bytes.extend(&word.to_le_bytes()[(address - aligned) as usize..]);
            }
        }
        instruction::kind(&bytes)
    }

    fn word(&self, address: u64) -> Result<u64, Errno> {
        ptrace::read(self.pid, address as *mut c_void).map(|word| word as u64)
    }

    /// Replaces a byte and returns the old one.
    fn exchange(&self, address: u64, byte: u8) -> Result<u8, Errno> {
        let aligned = address & !(WORD - 1);
        let place = (address - aligned) as usize;
        let mut bytes = self.word(aligned)?.to_le_bytes();
        let before = std::mem::replace(&mut bytes[place], byte);
        let word = c_long::from_le_bytes(bytes);
        ptrace::write(self.pid, aligned as *mut c_void, word)?;
        Ok(before)
    }
}

impl Drop for Tracee {
    /// Kills the process. While it is traced, it would stop once more on its way out, and wait for
    /// this thread alone.
    fn drop(&mut self) {
        while ptrace::detach(self.pid, Signal::SIGKILL).is_err() {
            // It is no longer where it was stopped, since a signal for the runner has killed it
            // meanwhile: it comes to that last stop, or is gone.
            let _ = kill(self.pid, Signal::SIGKILL);
            match wait(self.pid) {
                Ok(WaitStatus::Exited(..) | WaitStatus::Signaled(..)) | Err(_) => return,
                Ok(_) => {}
            }
        }
    }
}

impl Frame {
    /// Did the function return? A recursive call deeper in the stack may have the same return
    /// address.
    fn is_left(self, registers: &Registers) -> bool {
        registers.rip == self.return_to && registers.rsp > self.stack
    }
}

fn state(registers: &Registers) -> StepState {
    StepState {
        address: registers.rip,
        counter: registers.rcx,
        flags: registers.eflags,
    }
}

/// Waits for this thread only.
fn wait(pid: Pid) -> Result<WaitStatus, Errno> {
    loop {
        match waitpid(pid, Some(WaitPidFlag::__WALL)) {
            Err(Errno::EINTR) => {}
            outcome => return outcome,
        }
    }
}

#[cfg(test)]
#[expect(
    clippy::disallowed_methods,
    reason = "the test starts a process to trace"
)]
mod tests {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use super::*;

    /// The signal may come between two calls of `ptrace`, so this is tried often.
    #[test]
    fn a_process_that_is_killed_while_it_is_traced_ends() {
        for _ in 0..200 {
            let mut command = Command::new("cat");
            command.stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().unwrap();
            // Once it answers, it is no longer the process that is about to become it.
            child.stdin.as_ref().unwrap().write_all(b"x").unwrap();
            let answer = &mut [0];
            child.stdout.as_mut().unwrap().read_exact(answer).unwrap();
            let tracee = Tracee::attach(Pid::from_raw(child.id() as i32)).unwrap();
            child.kill().unwrap();
            drop(tracee);
            let start = Instant::now();
            while !is_over(child.id()) {
                assert!(start.elapsed() < Duration::from_secs(20), "it waits");
            }
            // Its status may have been taken with the last stop.
            let _ = child.wait();
        }
    }

    /// In each phase: stopped, on the way to a breakpoint, and between two steps. No phase waits
    /// for anything but the process itself, so its end ends the phase.
    #[test]
    fn a_kill_ends_every_phase() {
        for number in 0..120 {
            let mut command = Command::new("sh");
            command.args(["-c", "echo x; while :; do :; done"]);
            let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
            let answer = &mut [0];
            child.stdout.as_mut().unwrap().read_exact(answer).unwrap();
            let pid = Pid::from_raw(child.id() as i32);
            let mut tracee = Tracee::attach(pid).unwrap();
            // Later and later.
            let killer = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_micros(50 * number));
                kill(pid, Signal::SIGKILL).unwrap();
            });
            let start = Instant::now();
            let mut trace = Trace::default();
            // Whether the last call fails depends on the moment of the kill.
            let ended = match number % 3 {
                0 => Ok(None),
                1 => tracee
                    .go()
                    .and_then(|()| tracee.run())
                    .map(|outcome| outcome.err()),
                _ => tracee.walk(&[], u64::MAX, &mut trace),
            };
            if let Ok(Some(stop)) = ended {
                assert!(matches!(stop, Stop::Ended(_) | Stop::Reaped(_)), "{stop:?}");
            }
            killer.join().unwrap();
            drop(tracee);
            while !is_over(child.id()) {
                assert!(start.elapsed() < Duration::from_secs(20), "it waits");
            }
            let _ = child.wait();
        }
    }

    fn is_over(pid: u32) -> bool {
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat"));
        text.map_or(true, |text| text.contains(") Z "))
    }
}
