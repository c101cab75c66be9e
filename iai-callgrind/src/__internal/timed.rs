//! The `serve` role while time is measured: benchmarks run natively, as often as the runner says.
//!
//! The marks around the benchmark function, which every case passes, read the clock. So setups,
//! teardowns and drops are outside, and no code is generated for it. A pair of readings costs some
//! 25 ns, which the runner finds out with the empty benchmark and subtracts. Regions of `measure`
//! have marks of their own and count instead of the function around them.
//!
//! Nothing here allocates: the benchmark is to find the heap that its own calls leave.

use std::ffi::c_int;
use std::hint::black_box;
use std::mem::{size_of, zeroed};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use super::table::Element;
use super::{call, perf, serve};
use crate::measure;
use crate::protocol::wire::{Packet, Sample, Sampling, EMPTY, MAGIC};

/// Do the marks read the clock?
static ON: AtomicBool = AtomicBool::new(false);
/// Do they read the clock of the thread as well? A system call, so only where one call is a sample.
static WITH_CPU: AtomicBool = AtomicBool::new(false);

static FUNCTION: Watch = Watch::new();
static REGION: Watch = Watch::new();

/// The time between pairs of marks, in nanoseconds.
struct Watch {
    began: AtomicU64,
    wall: AtomicU64,
    cpu_began: AtomicU64,
    cpu: AtomicU64,
    /// Number of pairs.
    pairs: AtomicU32,
}

impl Watch {
    const fn new() -> Self {
        Self {
            began: AtomicU64::new(0),
            wall: AtomicU64::new(0),
            cpu_began: AtomicU64::new(0),
            cpu: AtomicU64::new(0),
            pairs: AtomicU32::new(0),
        }
    }

    fn reset(&self) {
        self.wall.store(0, Ordering::Relaxed);
        self.cpu.store(0, Ordering::Relaxed);
        self.pairs.store(0, Ordering::Relaxed);
    }

    // The wall clock is the inner one: the other costs half a microsecond.
    fn begin(&self) {
        if WITH_CPU.load(Ordering::Relaxed) {
            let now = now(libc::CLOCK_THREAD_CPUTIME_ID);
            self.cpu_began.store(now, Ordering::Relaxed);
        }
        let now = now(libc::CLOCK_MONOTONIC);
        self.began.store(now, Ordering::Relaxed);
    }

    fn end(&self) {
        let wall = now(libc::CLOCK_MONOTONIC);
        add(&self.wall, wall, &self.began);
        if WITH_CPU.load(Ordering::Relaxed) {
            let cpu = now(libc::CLOCK_THREAD_CPUTIME_ID);
            add(&self.cpu, cpu, &self.cpu_began);
        }
        let pairs = self.pairs.load(Ordering::Relaxed);
        self.pairs.store(pairs.wrapping_add(1), Ordering::Relaxed);
    }
}

fn add(sum: &AtomicU64, now: u64, began: &AtomicU64) {
    let time = now.saturating_sub(began.load(Ordering::Relaxed));
    let sum_now = sum.load(Ordering::Relaxed).wrapping_add(time);
    sum.store(sum_now, Ordering::Relaxed);
}

/// Called right before the benchmark function.
#[inline]
pub(super) fn begin() {
    if ON.load(Ordering::Relaxed) {
        FUNCTION.begin();
    }
}

/// Called right after the benchmark function.
#[inline]
pub(super) fn end() {
    if ON.load(Ordering::Relaxed) {
        FUNCTION.end();
    }
}

/// Is time measured?
#[inline]
pub(crate) fn wanted() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Calls a region of `measure` between its marks.
#[inline(never)]
pub(crate) fn region<R>(region: impl FnOnce() -> R) -> R {
    REGION.begin();
    let result = black_box(region());
    REGION.end();
    result
}

/// Answers each [`Sampling`] with a [`Sample`] until the runner closes the socket.
pub(super) fn answer(socket: c_int, run: fn(Element), element: Element) -> ! {
    // SAFETY: a plain call on a descriptor of ours: programs that the benchmark starts do not get
    // it.
    unsafe { libc::fcntl(socket, libc::F_SETFD, libc::FD_CLOEXEC) };
    call::watch();
    ON.store(true, Ordering::Relaxed);
    loop {
        let mut sampling = Sampling::zeroed();
        match is_received(socket, &mut sampling) {
            Some(true) => {}
            // SAFETY: ends the process; nothing of ours needs to be flushed.
            Some(false) => unsafe { libc::_exit(0) },
            None => serve::malformed(),
        }
        let empty: fn(Element) = perf::empty;
        let run = match sampling.flags & EMPTY {
            0 => run,
            _ => empty,
        };
        // The same pointer for both: the compiler inlines neither.
        let run = black_box(run);
        for _ in 0..sampling.warm_up {
            run(element);
        }
        WITH_CPU.store(sampling.calls == 1, Ordering::Relaxed);
        // After the warm-up, which passed the same marks.
        FUNCTION.reset();
        REGION.reset();
        let before = usage();
        for _ in 0..sampling.calls {
            run(element);
        }
        let after = usage();
        // The empty benchmark has no regions, whatever the benchmark has.
        let watch = match measure::has_regions() && sampling.flags & EMPTY == 0 {
            true => &REGION,
            false => &FUNCTION,
        };
        serve::send(
            socket,
            &Sample {
                magic: MAGIC,
                sequence: sampling.sequence,
                wall: watch.wall.load(Ordering::Relaxed),
                cpu: watch.cpu.load(Ordering::Relaxed),
                pairs: watch.pairs.load(Ordering::Relaxed),
                switches: after.wrapping_sub(before),
                threads: serve::threads(),
                reserved: 0,
            },
        );
    }
}

/// Receives a packet of the runner. `false`: the runner has closed its end. `None`: it is none.
fn is_received(socket: c_int, sampling: &mut Sampling) -> Option<bool> {
    let bytes = sampling.bytes_mut();
    // SAFETY: the buffer is as long as we say.
    match unsafe { libc::recv(socket, bytes.as_mut_ptr().cast(), bytes.len(), 0) } {
        0 => Some(false),
        length => {
            (length == size_of::<Sampling>() as isize && sampling.magic == MAGIC).then_some(true)
        }
    }
}

/// How often this thread lost its processor to another one.
fn usage() -> u32 {
    #[cfg(target_os = "linux")]
    let who = libc::RUSAGE_THREAD;
    #[cfg(not(target_os = "linux"))]
    let who = libc::RUSAGE_SELF;
    // SAFETY: integers only, for which all zero is a value; the call fills them.
    let usage = unsafe {
        let mut usage: libc::rusage = zeroed();
        libc::getrusage(who, &mut usage);
        usage
    };
    usage.ru_nivcsw as u32
}

fn now(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: a place to write to. It fails for no clock that we ask.
    unsafe { libc::clock_gettime(clock, &mut time) };
    (time.tv_sec as u64)
        .wrapping_mul(1_000_000_000)
        .wrapping_add(time.tv_nsec as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_between_marks_add_up() {
        let watch = Watch::new();
        for _ in 0..2 {
            watch.begin();
            let begin = now(libc::CLOCK_MONOTONIC);
            while now(libc::CLOCK_MONOTONIC) - begin < 200_000 {}
            watch.end();
        }
        let wall = watch.wall.load(Ordering::Relaxed);
        assert!(wall >= 400_000, "{wall}");
        assert_eq!(watch.pairs.load(Ordering::Relaxed), 2);
        assert_eq!(watch.cpu.load(Ordering::Relaxed), 0);
        watch.reset();
        assert_eq!(watch.wall.load(Ordering::Relaxed), 0);
    }
}
