//! The packets between the runner and the measuring process.
//!
//! One message is one packet of fixed size in native byte order: both ends run on one machine and
//! have the same version. Nothing here allocates, since the measuring process must not allocate
//! before the benchmark does.

use std::ffi::CStr;

/// First field of every packet: `iai1`.
pub const MAGIC: u32 = u32::from_be_bytes(*b"iai1");

/// Room for the working directory and its final NUL.
pub const DIRECTORY_LEN: usize = 4096;

/// Run the benchmark in the receiving process instead of in a fork of it.
pub const DIRECT: u32 = 1;

/// Go all the way to the benchmark, but end there.
pub const WARM_UP: u32 = 2;

/// Let the executable's own `getrandom` give the same numbers in every run.
pub const DETERMINISTIC_RANDOM: u32 = 4;

/// Count every thread: the measuring thread is switched off until the benchmark begins.
pub const COUNT_THREADS: u32 = 8;

/// The process runs under perf: it keeps the socket and says when the benchmark has returned. perf
/// itself would not tell of a process among many.
pub const PERF: u32 = 16;

/// Switch perf's counters on right before the benchmark function and off right after it.
pub const PERF_BRACKETS: u32 = 32;

/// `perf_enable!` and `perf_disable!` of the benchmark act.
pub const PERF_MARKS: u32 = 64;

/// Run an empty benchmark instead: what is measured is the measurement.
pub const EMPTY: u32 = 128;

/// Call the benchmark function by another one, which stays on the stack until it has returned.
pub const FRAMED: u32 = 256;

/// Make [`HEAP_MARKS`] blocks that show whether the tool sees the heap.
pub const MARKED: u32 = 512;

/// End right before a benchmark function that is [`FRAMED`], as if it had returned.
pub const ENDS_BEFORE: u32 = 1024;

/// End right after a benchmark function that is [`FRAMED`], as if it had returned.
pub const ENDS_AFTER: u32 = 2048;

/// Do in the server itself, once and without an effect, what forks do before and after their
/// benchmarks. With [`QUICK_END`] if they end so.
pub const REHEARSAL: u32 = 4096;

/// End without exit handlers when the benchmark has returned: streams are flushed.
pub const QUICK_END: u32 = 8192;

/// Callgrind was started with its instrumentation off; switch it on right before the benchmark
/// function, and off right after it.
pub const FAST_SETUP: u32 = 16384;

/// Ask Massif for a snapshot when the process ends, written to where the return is told. Massif's
/// own last snapshot may lie long before it.
pub const END_SNAPSHOT: u32 = 32768;

/// Measure time: the process calls the benchmark as often as each [`Sampling`] says and answers
/// each with a [`Sample`], until the socket is closed. With [`DIRECT`].
pub const TIMED: u32 = 65536;

/// Number of blocks by [`MARKED`].
pub const HEAP_MARKS: u32 = 3;

/// Piece of the name of the function that makes the blocks of [`MARKED`], in all manglings.
pub const HEAP_MARK: &str = "__iai_callgrind_mark_mod";

/// The descriptors on which a process tells perf to switch its counters, and reads the answer.
pub const PERF_CONTROL: [i32; 2] = [102, 103];

/// perf's ends of [`PERF_CONTROL`]: commands are read from the first, answers are written to the
/// second.
pub const PERF_OWN_CONTROL: [i32; 2] = [100, 101];

/// Descriptors that come with a command: stdout, stderr, and where to say that the benchmark
/// returned.
pub const DESCRIPTORS: usize = 3;

/// Number of warm-ups that bring a server to its fixed point: simulated caches need one, simulated
/// branch predictors three.
pub const WARM_UPS: u32 = 4;

/// The command to Callgrind by which a process with [`COUNT_THREADS`] writes the counters of all
/// threads when the benchmark has returned.
pub const DUMP: &CStr = c"dump iai-callgrind-returned";

/// Hint by which Callgrind's files of a [`DUMP`] are known.
pub const DUMP_HINT: &str = "iai-callgrind-returned";

/// Command to Callgrind for a dump right before the benchmark: files that were written until then
/// are no part of its count.
pub const DUMP_AT_BEGIN: &CStr = c"dump iai-callgrind-begins";

/// Hint by which Callgrind's files of a [`DUMP_AT_BEGIN`] are known.
pub const BEGIN_HINT: &str = "iai-callgrind-begins";

/// Exit code of a measuring process whose benchmark returned. Not 0: a benchmark that calls
/// `exit(0)` has not returned, and its count is not complete. Only with [`Returned`] it is a proof.
pub const RETURNED: i32 = 86;

/// Exit code instead of [`RETURNED`] when the benchmark measured regions of itself: only they
/// count.
pub const RETURNED_WITH_REGIONS: i32 = 87;

/// Exit code of a harness that does not let a benchmark be counted, after it has said why. The same
/// benchmark may run without a tool, which is no hint at the tool then.
pub const REFUSED: i32 = 88;

/// A packet of fixed size.
///
/// # Safety
///
/// The type has no padding, and every pattern of bytes is a value of it.
pub unsafe trait Packet: Copy {
    /// All fields zero.
    #[must_use]
    fn zeroed() -> Self {
        // SAFETY: every pattern of bytes is a value.
        unsafe { std::mem::zeroed() }
    }

    /// The packet as it is sent.
    #[must_use]
    fn bytes(&self) -> &[u8] {
        // SAFETY: without padding all bytes are initialized.
        unsafe { std::slice::from_raw_parts((&raw const *self).cast(), size_of::<Self>()) }
    }

    /// The place into which a packet is received.
    #[must_use]
    fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: every pattern of bytes is a value.
        unsafe { std::slice::from_raw_parts_mut((&raw mut *self).cast(), size_of::<Self>()) }
    }
}

/// Server to runner, once: the process is ready for commands.
#[derive(Clone, Copy)]
#[cfg_attr(any(test, feature = "serde"), derive(Debug, PartialEq, Eq))]
#[repr(C)]
pub struct Hello {
    /// [`MAGIC`].
    pub magic: u32,
    /// [`PROTOCOL`](super::PROTOCOL).
    pub protocol: u32,
    /// Number of entries in the executable's table.
    pub benchmarks: u32,
    /// Process id of the server.
    pub pid: i32,
    /// Threads in the server.
    pub threads: u32,
    /// Depth of Valgrinds around the server.
    pub on_valgrind: u32,
}

/// Runner to server: run one benchmark. [`DESCRIPTORS`] come with it.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Command {
    /// [`MAGIC`].
    pub magic: u32,
    /// Number of the command, repeated in the answers.
    pub sequence: u32,
    /// Index of the group in the suite. Of no meaning when `main!` has no list of groups.
    pub group: u32,
    /// `Function::index`.
    pub function: u32,
    /// `Case::index`.
    pub case: u32,
    /// `Case::element`.
    pub element: u32,
    /// `Case::elements`.
    pub elements: u32,
    /// [`DIRECT`], [`WARM_UP`] and the other constants of one bit each.
    pub flags: u32,
    /// Working directory, ended by NUL; empty: leave it as it is.
    pub directory: [u8; DIRECTORY_LEN],
}

/// Server to runner: the benchmark is about to run.
#[derive(Clone, Copy)]
#[cfg_attr(any(test, feature = "serde"), derive(Debug, PartialEq, Eq))]
#[repr(C)]
pub struct Started {
    /// [`MAGIC`].
    pub magic: u32,
    /// [`Command::sequence`] of the command.
    pub sequence: u32,
    /// The process that runs the benchmark.
    pub pid: i32,
}

/// Server to runner: the fork that ran the benchmark has ended; under perf: the benchmark has
/// returned.
#[derive(Clone, Copy)]
#[cfg_attr(any(test, feature = "serde"), derive(Debug, PartialEq, Eq))]
#[repr(C)]
pub struct Done {
    /// [`MAGIC`].
    pub magic: u32,
    /// [`Command::sequence`] of the command.
    pub sequence: u32,
    /// The process that ran the benchmark.
    pub pid: i32,
    /// Status as `wait4` gives it; under perf the exit code that is to come.
    pub status: i32,
    /// Processor time of the process in milliseconds; 0 under perf.
    pub cpu: u32,
}

/// The process that runs the benchmark to the runner, on a pipe of its own: the benchmark has
/// returned. With [`END_SNAPSHOT`] a file of Massif with one snapshot follows.
#[derive(Clone, Copy)]
#[cfg_attr(any(test, feature = "serde"), derive(Debug, PartialEq, Eq))]
#[repr(C)]
pub struct Returned {
    /// [`MAGIC`].
    pub magic: u32,
    /// [`Command::sequence`] of the command.
    pub sequence: u32,
    /// The exit code that is to come: [`RETURNED`] or [`RETURNED_WITH_REGIONS`].
    pub code: i32,
    /// Not 0: the benchmark function switched instrumentation off, so Callgrind has forgotten that
    /// it is in the function.
    pub stopped: u32,
}

/// Runner to a process with [`TIMED`]: call the benchmark.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Sampling {
    /// [`MAGIC`].
    pub magic: u32,
    /// Number of the sample, repeated in the answer.
    pub sequence: u32,
    /// Calls on the clock.
    pub calls: u32,
    /// Calls before them, off the clock.
    pub warm_up: u32,
    /// [`EMPTY`] or nothing.
    pub flags: u32,
}

/// A process with [`TIMED`] to the runner: the calls of a [`Sampling`] have returned.
#[derive(Clone, Copy)]
#[cfg_attr(any(test, feature = "serde"), derive(Debug, PartialEq, Eq))]
#[repr(C)]
pub struct Sample {
    /// [`MAGIC`].
    pub magic: u32,
    /// [`Sampling::sequence`] of the question.
    pub sequence: u32,
    /// Wall time between all pairs of marks, in nanoseconds.
    pub wall: u64,
    /// Processor time of the thread between them, in nanoseconds; 0 unless one call was asked for.
    pub cpu: u64,
    /// Pairs of marks: one for each call, or one for each region.
    pub pairs: u32,
    /// Number of times that the thread lost its processor.
    pub switches: u32,
    /// Threads of the process after the calls; 0 if that is not known.
    pub threads: u32,
    /// 0.
    pub reserved: u32,
}

// SAFETY: only 32-bit integers.
unsafe impl Packet for Sampling {}
// SAFETY: integers that need no padding: the number of those with 32 bits is even.
unsafe impl Packet for Sample {}
// SAFETY: only 32-bit integers.
unsafe impl Packet for Done {}
// SAFETY: only 32-bit integers.
unsafe impl Packet for Returned {}
// SAFETY: only 32-bit integers.
unsafe impl Packet for Hello {}
// SAFETY: 32-bit integers and bytes, a multiple of four in all.
unsafe impl Packet for Command {}
// SAFETY: only 32-bit integers.
unsafe impl Packet for Started {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_as_long_as_their_fields() {
        assert_eq!(Hello::zeroed().bytes().len(), 24);
        assert_eq!(Command::zeroed().bytes().len(), 32 + DIRECTORY_LEN);
        assert_eq!(Started::zeroed().bytes().len(), 12);
        assert_eq!(Done::zeroed().bytes().len(), 20);
        assert_eq!(Returned::zeroed().bytes().len(), 16);
        assert_eq!(Sampling::zeroed().bytes().len(), 20);
        assert_eq!(Sample::zeroed().bytes().len(), 40);
    }

    #[test]
    fn the_dump_has_its_hint() {
        assert_eq!(DUMP.to_str(), Ok(format!("dump {DUMP_HINT}").as_str()));
        let begin = format!("dump {BEGIN_HINT}");
        assert_eq!(DUMP_AT_BEGIN.to_str(), Ok(begin.as_str()));
    }

    #[test]
    fn what_is_sent_is_received() {
        let sent = Started {
            magic: MAGIC,
            sequence: 7,
            pid: -1,
        };
        let mut received = Started::zeroed();
        received.bytes_mut().copy_from_slice(sent.bytes());
        assert_eq!(sent, received);
    }
}
