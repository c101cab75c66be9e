//! Files to figures: the files of a tool, for this run and for the one with which it is compared,
//! as metrics of each process, thread and part. `metrics::readers` reads each file; here are the
//! files of a job, and the checks of what is in them.
//!
//! `read` takes a run that has ended and hands over everything that is known about it, as one value
//! (`new.rs`): figures, the digest (`digest_pair.rs`), marks of the code (`marks.rs`). `previous`
//! does the same for the result that it is compared with. Both say why where there is nothing.
//! Nothing is written here before `ToolFiles::kept`, which comes last.
//!
//! The checks of a new result, in their order: how the process ended (`ending.rs`), whether the
//! files are whole (`whole.rs`), whether the figures are those of the function (`proof.rs`),
//! whether there are any (`nothing_counted.rs`), whether the heap was seen (`heap_seen.rs`).

mod digest_pair;
mod ending;
mod family;
mod heap_seen;
mod inputs;
mod kept_files;
mod marks;
mod measured_objects;
mod moments;
mod new;
mod notes;
mod nothing_counted;
mod outside;
mod perf;
mod previous;
mod proof;
mod realloc;
mod selection;
mod slots;
mod slow_setup;
mod tool_files;
mod unknown_roots;
mod unread_debug_info;
mod whole;

pub(crate) use self::digest_pair::DigestPair;
pub(crate) use self::new::{failed_at_handler, read, read_again, FunctionBlocks, NewResults};
pub(crate) use self::previous::{previous, OldResults};
pub(crate) use self::slots::{BenchmarkSlots, Code};
pub(crate) use self::slow_setup::choose as choose_fast_setups;
pub(crate) use self::tool_files::ToolFiles;

/// The thread that runs the benchmark, by the number that Valgrind and Callgrind give it.
const MEASURING: u64 = 1;
