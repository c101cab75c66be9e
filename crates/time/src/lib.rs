//! Wall time of a benchmark in a new and an old executable, measured in pairs.
//!
//! **In**: a [`Stopwatch`], which starts processes of both sides and calls the benchmark in them,
//! or runs a program. **Out**: [`PairedTimes`], and with what else is known of both sides a
//! [`TimeJudgement`]. This crate starts no process and reads no clock itself, so its schedule can
//! be tested with sides whose truth is known.
//!
//! Two things make the result worth something. Samples of both sides are taken in turn on one CPU,
//! so that what slows the machine down slows both. And the statistics are over *starts* of
//! processes, not over samples: the addresses that a process gets fix an offset of some percent
//! that no further sample of this process removes. Rules that pool the samples of one start call
//! equal executables different in 4 to 68 % of all cases, where they claim 0.1 %.
//!
//! ```text
//! calibration   calls of a sample        pairing.rs
//! starts        ABAB, then BABA, …       pairing.rs
//! interval      over the starts          sign_interval.rs
//! judgement     classes, reasons         judgement.rs
//! machine       time that others took    machine.rs
//! conditions    what its times are worth conditions.rs
//! ```

mod conditions;
mod judgement;
pub mod machine;
mod pairing;
mod sign_interval;

pub use self::conditions::TimingConditions;
pub use self::judgement::{CodeOfSides, TimeClass, TimeDoubt, TimeJudgement, SHORTEST};
pub use self::pairing::{
    measure, measure_runs, ExecutableSide, PairedTimes, ProcessTimes, SideFailure, Stopwatch,
    TimeBasis, TimeSample, TimeSettings, TimedProcess, TimedSubject, TimesOfSide, WantedCalls,
};
pub use self::sign_interval::{median, SignInterval, LEAST_STARTS, LEVEL, MOST_STARTS};
