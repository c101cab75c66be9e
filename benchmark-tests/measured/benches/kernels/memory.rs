//! The heap and the stack: what was allocated before decides what these find.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList};
use std::hash::BuildHasherDefault;
use std::hint::black_box;
use std::rc::Rc;

use iai_callgrind::{library_benchmark, library_benchmark_group};

use crate::numbers;

/// With keys that are the same in every run.
type Fixed = BuildHasherDefault<DefaultHasher>;

#[library_benchmark]
fn small_allocations() -> Vec<Box<u64>> {
    let mut kept = Vec::new();
    for n in numbers(200) {
        let value = Box::new(n);
        if n % 3 == 0 {
            kept.push(value);
        }
    }
    kept
}

#[library_benchmark]
fn allocations_of_many_sizes() -> usize {
    let sizes = numbers(200).into_iter().map(|n| n as usize % 3000);
    let all: Vec<Vec<u8>> = sizes.map(Vec::with_capacity).collect();
    let half = all.into_iter().enumerate().filter(|(n, _)| n % 2 == 0);
    let half: Vec<_> = half.map(|(_, vec)| vec).collect();
    half.iter().map(Vec::capacity).sum()
}

/// So large that the kernel is asked for each of them.
#[library_benchmark]
fn large_allocations() -> usize {
    let all: Vec<Vec<u8>> = (1..5).map(|n| vec![n; 300_000]).collect();
    all.iter()
        .map(|vec| usize::from(black_box(vec)[299_999]))
        .sum()
}

#[library_benchmark]
fn growth() -> Vec<u64> {
    let mut all = Vec::new();
    for n in 0..5000 {
        all.push(black_box(n));
    }
    all.shrink_to_fit();
    all
}

/// References into chunks.
struct Arena {
    chunks: Vec<Vec<u64>>,
}

impl Arena {
    fn add(&mut self, value: u64) -> (usize, usize) {
        if self
            .chunks
            .last()
            .is_none_or(|chunk| chunk.len() == chunk.capacity())
        {
            self.chunks.push(Vec::with_capacity(64));
        }
        let chunk = self.chunks.len() - 1;
        self.chunks[chunk].push(value);
        (chunk, self.chunks[chunk].len() - 1)
    }
}

#[library_benchmark]
fn arena() -> u64 {
    let mut arena = Arena { chunks: Vec::new() };
    let places: Vec<_> = numbers(500).into_iter().map(|n| arena.add(n)).collect();
    let values = places
        .iter()
        .map(|(chunk, place)| arena.chunks[*chunk][*place]);
    values.fold(0, |a, b| a ^ b)
}

#[library_benchmark]
fn linked_list() -> u64 {
    let mut list: LinkedList<u64> = numbers(100).into_iter().collect();
    let mut tail = list.split_off(40);
    tail.append(&mut list);
    tail.iter().fold(0, |a, b| a ^ b)
}

#[library_benchmark]
fn tree_map() -> usize {
    let map: BTreeMap<u64, u64> = numbers(300).into_iter().zip(0..).collect();
    map.range(1 << 62..).count()
}

#[library_benchmark]
fn hash_map() -> u64 {
    let mut map: HashMap<u64, u64, Fixed> = HashMap::default();
    for n in numbers(400) {
        *map.entry(n % 64).or_default() += 1;
    }
    map.iter()
        .fold(0, |sum, (key, value)| sum * 3 + key ^ value)
}

#[library_benchmark]
fn hash_set_of_texts() -> usize {
    let texts = numbers(80).into_iter().map(|n| format!("{:x}", n % 50));
    let set: HashSet<String, Fixed> = texts.collect();
    set.iter().map(String::len).sum()
}

#[library_benchmark]
fn reference_counts() -> usize {
    let shared = Rc::new(numbers(3));
    let clones: Vec<_> = (0..50).map(|_| Rc::clone(&shared)).collect();
    drop(clones.into_iter().nth(20));
    Rc::strong_count(&shared)
}

/// The order is that of the addresses.
#[library_benchmark]
fn order_by_pointer() -> u64 {
    let mut all: Vec<Box<u64>> = numbers(100).into_iter().map(Box::new).collect();
    for place in (0..all.len()).step_by(3) {
        all[place] = Box::new(place as u64);
    }
    let ordered: BTreeSet<*const u64> = all.iter().map(|value| &raw const **value).collect();
    // SAFETY: all of them are still there.
    let values = ordered.into_iter().map(|value| unsafe { *value });
    values.fold(0, |sum, value| sum.wrapping_mul(3) ^ value)
}

/// The order is that of the hashes of addresses.
#[library_benchmark]
fn hash_by_pointer() -> usize {
    let all: Vec<Box<u64>> = numbers(100).into_iter().map(Box::new).collect();
    let places = all.iter().map(|value| &raw const **value as usize);
    let set: HashSet<usize, Fixed> = places.collect();
    set.into_iter()
        .fold(0, |sum, place| sum.rotate_left(5) ^ place)
}

/// Counts that depend on the bits of a variable's address.
#[library_benchmark]
fn branch_on_the_stack_address() -> usize {
    let variable = 0_u8;
    let address = black_box(&raw const variable) as usize;
    let mut sum = 0;
    for bit in 0..47 {
        if black_box(address >> bit) & 1 == 1 {
            sum += bit;
        }
    }
    for n in 0..black_box(address >> 4 & 0xfff) {
        sum += black_box(n);
    }
    sum
}

/// The same with the address of an allocation.
#[library_benchmark]
fn branch_on_a_heap_address() -> usize {
    let address = &raw const *black_box(Box::new(0_u64)) as usize;
    (0..black_box(address >> 4 & 0xfff)).map(black_box).sum()
}

#[inline(never)]
fn deep(depth: usize) -> usize {
    let frame = black_box([depth; 32]);
    match depth {
        0 => frame[0],
        _ => deep(depth - 1) + black_box(frame[31]),
    }
}

#[library_benchmark]
fn deep_stack() -> usize {
    deep(black_box(1000))
}

library_benchmark_group!(
    name = memory,
    benchmarks = [
        small_allocations,
        allocations_of_many_sizes,
        large_allocations,
        growth,
        arena,
        linked_list,
        tree_map,
        hash_map,
        hash_set_of_texts,
        reference_counts,
        order_by_pointer,
        hash_by_pointer,
        branch_on_the_stack_address,
        branch_on_a_heap_address,
        deep_stack
    ]
);
