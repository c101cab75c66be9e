//! Small programs of many kinds, to compare what is counted for each of them in different
//! conditions.
//!
//! All but those of the group `noise` do exactly the same in every run: same addresses, same system
//! calls, same branches. Several depend on purpose on what lies in memory before them.

mod compute;
mod memory;
mod noise;
mod state;
mod system;
mod text;

use iai_callgrind::{main, LibraryBenchmarkConfig};

/// Pseudo-random numbers, the same in every run.
pub(crate) fn numbers(count: usize) -> Vec<u64> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..count).map(next).collect()
}

main!(
    config = LibraryBenchmarkConfig::default().pass_through_envs(["KERNELS"]),
    library_benchmark_groups = [
        compute::compute,
        memory::memory,
        text::text,
        system::system,
        state::state,
        noise::noise
    ]
);
