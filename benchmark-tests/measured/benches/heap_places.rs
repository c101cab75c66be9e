//! Blocks that are made, or grow, elsewhere than in the benchmark function.

use std::alloc::{alloc, dealloc, realloc, Layout};
use std::hint::black_box;
use std::thread;

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, measure, Dhat, LibraryBenchmarkConfig,
};

/// One block that no optimizer removes.
struct Block {
    start: *mut u8,
    size: usize,
}

// SAFETY: it is the only owner of its memory.
unsafe impl Send for Block {}

impl Block {
    #[inline(never)]
    fn new(size: usize) -> Self {
        // SAFETY: the size is not 0.
        let start = black_box(unsafe { alloc(layout(size)) });
        assert!(!start.is_null());
        Self { start, size }
    }

    #[inline(never)]
    fn grow(&mut self, size: usize) {
        // SAFETY: allocated with this layout; the new size is not 0.
        self.start = black_box(unsafe { realloc(self.start, layout(self.size), size) });
        assert!(!self.start.is_null());
        self.size = size;
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.start, layout(self.size)) };
    }
}

fn layout(size: usize) -> Layout {
    Layout::array::<u8>(size).unwrap()
}

/// Two reallocations, to 3000 bytes in all.
#[library_benchmark(setup = Block::new)]
#[bench::from_100(100)]
fn grows(mut block: Block) -> Block {
    block.grow(1000);
    block.grow(2000);
    black_box(block)
}

/// Grows before and after.
fn grown(size: usize) -> Block {
    let mut block = Block::new(size);
    block.grow(2 * size);
    block
}

fn grow_again(mut block: Block) {
    block.grow(5000);
}

#[library_benchmark(setup = grown, teardown = grow_again)]
#[bench::from_100(100)]
fn only_passes(block: Block) -> Block {
    black_box(block)
}

/// One block that grows once after its end, to 5000 bytes.
#[library_benchmark(teardown = grow_again)]
#[bench::of_100(100)]
fn grows_later(size: usize) -> Block {
    Block::new(size)
}

/// Writes each byte of a block that its setup made.
#[library_benchmark(setup = Block::new)]
#[bench::alone(100)]
#[bench::with_its_setup(
    args = (100),
    config = LibraryBenchmarkConfig::default().tool(Dhat::default().frames(["*::Block::new"]))
)]
fn fills(block: Block) -> Block {
    for offset in 0..block.size {
        // SAFETY: within the block.
        unsafe { block.start.add(offset).write_volatile(1) };
    }
    block
}

/// One block of 100 bytes in a region of the function, others in regions elsewhere.
#[library_benchmark(setup = in_region, teardown = in_region_again)]
#[bench::of_4000(4000)]
fn regions(block: Block) -> Block {
    drop(measure(|| Block::new(100)));
    let thread = thread::spawn(|| drop(measure(|| Block::new(3000))));
    thread.join().unwrap();
    block
}

fn in_region(size: usize) -> Block {
    measure(|| Block::new(size))
}

fn in_region_again(block: Block) {
    drop(measure(|| Block::new(700)));
    drop(block);
}

library_benchmark_group!(
    name = group,
    benchmarks = [fills, grows, grows_later, only_passes, regions]
);
main!(library_benchmark_groups = [group]);
