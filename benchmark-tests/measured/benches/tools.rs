//! Benchmarks whose figures under each tool follow from their text.

use std::alloc::{alloc, dealloc, Layout};
use std::hint::black_box;

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, measure, Bbv, Cachegrind, Callgrind, Dhat,
    DhatMetric, EntryPoint, ErrorMetric, EventKind, LibraryBenchmarkConfig, Massif, MassifMetric,
    Memcheck, Tool,
};
use inside_benchmarks::rounds;

/// One block, byte by byte, that no optimizer removes.
struct Block {
    start: *mut u8,
    layout: Layout,
}

impl Block {
    #[inline(never)]
    fn new(size: usize) -> Self {
        let layout = Layout::array::<u8>(size).unwrap();
        // SAFETY: the size is not 0.
        let start = black_box(unsafe { alloc(layout) });
        assert!(!start.is_null());
        Self { start, layout }
    }

    fn write(&mut self, index: usize) {
        assert!(index < self.layout.size());
        // SAFETY: inside of the block.
        unsafe { self.start.add(index).write_volatile(1) };
    }

    fn read(&self, index: usize) -> u8 {
        assert!(index < self.layout.size());
        // SAFETY: inside of the block; bytes may have any value here.
        unsafe { self.start.add(index).read_volatile() }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.start, self.layout) };
    }
}

/// Ten blocks of 64 bytes, one after the other, each with three writes and two reads of a byte.
#[library_benchmark(setup = much)]
fn ten_blocks(of_setup: Vec<u8>) -> Vec<u8> {
    for _ in 0..10 {
        let mut block = Block::new(64);
        (0..3).for_each(|index| block.write(index));
        for index in 0..2 {
            black_box(block.read(index));
        }
    }
    of_setup
}

/// Is not part of what a benchmark allocates.
fn much() -> Vec<u8> {
    black_box(vec![7; 5000])
}

/// Four blocks of 1000 bytes that are never freed.
#[library_benchmark]
fn kept_blocks() {
    for _ in 0..4 {
        std::mem::forget(Block::new(1000));
    }
}

/// Two blocks of a million bytes at the same time, and one of them again.
#[library_benchmark]
fn two_million() {
    let one = Block::new(1_000_000);
    let two = Block::new(1_000_000);
    drop(black_box(two));
    let two = Block::new(1_000_000);
    drop(black_box((one, two)));
}

/// A list that grows from room for 4 numbers to that for 128: one block, of which the C library
/// makes a larger one five times. A second one has its room from the beginning, and is full of
/// zeros.
#[library_benchmark]
fn growing() {
    let mut numbers = Vec::new();
    (0..100_u64).for_each(|number| numbers.push(black_box(number)));
    drop(black_box(numbers));
    drop(black_box(vec![0_u64; 100]));
}

/// Keeps a block that is smaller than the interval of Massif's snapshots, after many others.
#[library_benchmark]
#[bench::nothing(0)]
#[bench::small(20_000)]
#[bench::large(80_000)]
fn leak(size: usize) {
    drop(Block::new(200_000));
    (0..50_000).for_each(|_| drop(Block::new(100)));
    if size > 0 {
        std::mem::forget(Block::new(size));
    }
}

#[library_benchmark]
fn nothing() {
    rounds(10);
}

/// Its last act is a call, of which the compiler makes a jump.
#[library_benchmark(setup = length_of_much)]
fn jumps(size: usize) -> Block {
    of_size(size)
}

/// So is that of its region.
#[library_benchmark(setup = length_of_much)]
fn region_jumps(size: usize) {
    drop(measure(|| of_size(size)));
}

fn length_of_much() -> usize {
    much().len()
}

#[inline(never)]
fn of_size(size: usize) -> Block {
    Block::new(size)
}

/// Allocates below this function, wherever it is called.
#[inline(never)]
fn helper() -> Block {
    black_box(Block::new(black_box(300)))
}

#[library_benchmark]
fn with_helper() {
    drop(helper());
    drop(Block::new(50));
}

/// Measures one of its two allocations.
#[library_benchmark]
fn in_a_region() {
    measure(|| drop(black_box(Block::new(200))));
    drop(black_box(Block::new(70)));
}

library_benchmark_group!(name = regions, benchmarks = [in_a_region]);
library_benchmark_group!(name = jumping, benchmarks = [jumps, region_jumps]);
library_benchmark_group!(
    name = plain,
    benchmarks = [ten_blocks, kept_blocks, two_million, growing, nothing]
);

fn dhat(settings: &Dhat) -> LibraryBenchmarkConfig {
    LibraryBenchmarkConfig::default()
        .default_tool(Tool::Dhat)
        .tool(settings)
        .build()
}

library_benchmark_group!(
    name = below_helper,
    config = dhat(Dhat::default().entry_point(EntryPoint::Custom("*::helper".to_owned()))),
    benchmarks = [with_helper]
);
// Calls a function on another stack, as coroutines do: no unwinder finds the way back to the
// caller.
#[cfg(target_arch = "x86_64")]
std::arch::global_asm!(
    ".globl iai_callgrind_test_call_on_stack",
    "iai_callgrind_test_call_on_stack:",
    "push r12",
    "push r13",
    "mov r12, rsp",
    "mov r13, rbp",
    "mov rsp, rdi",
    "xor ebp, ebp",
    "call rsi",
    "mov rbp, r13",
    "mov rsp, r12",
    "pop r13",
    "pop r12",
    "ret",
);

/// Ten blocks.
#[cfg(target_arch = "x86_64")]
#[library_benchmark]
fn on_another_stack() {
    extern "C" fn ten() {
        (0..10).for_each(|_| drop(Block::new(1000)));
    }
    extern "C" {
        fn iai_callgrind_test_call_on_stack(top: *mut u8, function: extern "C" fn());
    }
    static mut STACK: [u128; 1 << 12] = [0; 1 << 12];
    // SAFETY: the stack is large enough, aligned, and used by this call alone; the old one is back
    // after it.
    unsafe {
        let top = (&raw mut STACK).add(1).cast::<u8>();
        iai_callgrind_test_call_on_stack(top, ten);
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[library_benchmark]
fn on_another_stack() {}

library_benchmark_group!(name = stacks, benchmarks = [on_another_stack]);
library_benchmark_group!(
    name = below_no_function,
    config = dhat(Dhat::default().entry_point(EntryPoint::Custom("*no_such_name".to_owned()))),
    benchmarks = [with_helper]
);
library_benchmark_group!(
    name = everything,
    config = dhat(Dhat::default().entry_point(EntryPoint::None)),
    benchmarks = [with_helper]
);
library_benchmark_group!(
    name = configured,
    config = LibraryBenchmarkConfig::default()
        .tool(
            Dhat::default()
                .format([DhatMetric::TotalBytes])
                .hard_limits([(DhatMetric::TotalBlocks, 9)])
        )
        .tool(Massif::default().format([MassifMetric::PeakHeap]))
        .tool(
            Memcheck::default()
                .format([ErrorMetric::Errors])
                .enable(false)
        )
        .tool(Callgrind::default().format([EventKind::Ir])),
    benchmarks = [ten_blocks]
);
library_benchmark_group!(
    name = without_callgrind,
    config = LibraryBenchmarkConfig::default()
        .tool(Callgrind::default().enable(false))
        .tool(Bbv::default()),
    benchmarks = [nothing]
);
library_benchmark_group!(
    name = leaking,
    config = LibraryBenchmarkConfig::default().default_tool(Tool::Massif),
    benchmarks = [leak]
);
library_benchmark_group!(
    name = without_any,
    config = LibraryBenchmarkConfig::default().tool(Callgrind::default().enable(false)),
    benchmarks = [nothing]
);
library_benchmark_group!(
    name = refused,
    config = LibraryBenchmarkConfig::default().tool(Dhat::with_args(["no-such-option=1"])),
    benchmarks = [nothing]
);
library_benchmark_group!(
    name = overridden,
    config = LibraryBenchmarkConfig::default().tool_override(Cachegrind::default()),
    benchmarks = [nothing]
);
main!(
    library_benchmark_groups = [
        plain,
        leaking,
        regions,
        jumping,
        stacks,
        below_helper,
        below_no_function,
        everything,
        configured,
        without_callgrind,
        without_any,
        refused,
        overridden
    ]
);
