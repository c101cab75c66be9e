//! Processor only: calls, branches, arithmetic, loads and stores.

use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group};

use crate::numbers;

fn fibonacci(n: u64) -> u64 {
    match n {
        0 | 1 => n,
        _ => fibonacci(n - 1) + fibonacci(n - 2),
    }
}

#[library_benchmark]
fn recursion() -> u64 {
    fibonacci(black_box(16))
}

fn ackermann(m: u64, n: u64) -> u64 {
    match (m, n) {
        (0, _) => n + 1,
        (_, 0) => ackermann(m - 1, 1),
        _ => ackermann(m - 1, ackermann(m, n - 1)),
    }
}

#[library_benchmark]
fn nested_recursion() -> u64 {
    ackermann(black_box(2), black_box(20))
}

#[library_benchmark]
fn sort_stable() -> Vec<u64> {
    let mut all = numbers(500);
    all.sort();
    all
}

#[library_benchmark]
fn sort_unstable() -> Vec<u64> {
    let mut all = numbers(500);
    all.sort_unstable();
    all
}

#[library_benchmark]
fn sort_by_text() -> Vec<u64> {
    let mut all = numbers(60);
    all.sort_by_cached_key(u64::to_string);
    all
}

#[library_benchmark]
fn binary_search() -> usize {
    let all: Vec<u64> = (0..1000).map(|n| n * 3).collect();
    let found = numbers(200);
    let found = found
        .iter()
        .filter(|n| all.binary_search(&(*n % 3000)).is_ok());
    found.count()
}

#[library_benchmark]
fn floats() -> u32 {
    let mut rounds = 0;
    for y in 0..12 {
        for x in 0..12 {
            let (a, b) = (f64::from(x) / 6.0 - 1.5, f64::from(y) / 6.0 - 1.0);
            let (mut re, mut im) = (0.0, 0.0);
            for _ in 0..50 {
                (re, im) = (re * re - im * im + a, 2.0 * re * im + b);
                if re * re + im * im > 4.0 {
                    break;
                }
                rounds += 1;
            }
        }
    }
    rounds
}

#[library_benchmark]
fn mathematics() -> f64 {
    let value = |n| f64::from(n).sin().exp() + f64::from(n).ln_1p().powf(1.3);
    (0..100).map(value).sum()
}

#[library_benchmark]
fn simd() -> f32 {
    let all: Vec<f32> = (0..1024_u16).map(f32::from).collect();
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{
            _mm_add_ps, _mm_loadu_ps, _mm_mul_ps, _mm_setzero_ps, _mm_storeu_ps,
        };
        let mut sums = [0.0; 4];
        // SAFETY: every x86_64 has these instructions, and all pointers are to four floats.
        unsafe {
            let mut sum = _mm_setzero_ps();
            for four in all.chunks_exact(4) {
                let four = _mm_loadu_ps(four.as_ptr());
                sum = _mm_add_ps(sum, _mm_mul_ps(four, four));
            }
            _mm_storeu_ps(sums.as_mut_ptr(), sum);
        }
        sums.iter().sum()
    }
    #[cfg(not(target_arch = "x86_64"))]
    all.iter().map(|value| value * value).sum()
}

#[library_benchmark]
fn large_copy() -> u8 {
    let from = vec![7_u8; 1 << 19];
    let mut to = vec![0_u8; 1 << 19];
    to.copy_from_slice(black_box(&from));
    black_box(&to)[1234]
}

#[library_benchmark]
fn strided_access() -> u64 {
    let all = vec![1_u64; 1 << 15];
    let mut sum = 0;
    for start in 0..8 {
        for place in (start..all.len()).step_by(64) {
            sum += black_box(all[place]);
        }
    }
    sum
}

#[library_benchmark]
fn branches() -> u64 {
    let mut value = 0_u64;
    for n in numbers(1000) {
        value = match black_box(n % 7) {
            0 => value.wrapping_add(n),
            1 | 4 => value ^ n,
            2 => value.rotate_left(3),
            _ if n & 8 == 0 => value.wrapping_sub(n),
            _ => !value,
        };
    }
    value
}

trait Shape {
    fn area(&self) -> u64;
}

struct Square(u64);

struct Rectangle(u64, u64);

impl Shape for Square {
    fn area(&self) -> u64 {
        self.0 * self.0
    }
}

impl Shape for Rectangle {
    fn area(&self) -> u64 {
        self.0 * self.1
    }
}

#[library_benchmark]
fn dynamic_dispatch() -> u64 {
    let shape = |n: u64| -> Box<dyn Shape> {
        match n % 2 {
            0 => Box::new(Square(n % 100)),
            _ => Box::new(Rectangle(n % 10, n % 30)),
        }
    };
    let shapes: Vec<_> = numbers(100).into_iter().map(shape).collect();
    shapes.iter().map(|shape| shape.area()).sum()
}

#[library_benchmark]
fn sieve() -> usize {
    let mut composite = vec![false; 5000];
    for n in 2..composite.len() {
        if !composite[n] {
            for multiple in (n * n..composite.len()).step_by(n) {
                composite[multiple] = true;
            }
        }
    }
    composite.iter().skip(2).filter(|is| !**is).count()
}

library_benchmark_group!(
    name = compute,
    benchmarks = [
        recursion,
        nested_recursion,
        sort_stable,
        sort_unstable,
        sort_by_text,
        binary_search,
        floats,
        mathematics,
        simd,
        large_copy,
        strided_access,
        branches,
        dynamic_dispatch,
        sieve
    ]
);
