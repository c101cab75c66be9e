//! Generic benchmark functions: with v0 mangling their symbols hold types and values of every kind,
//! and characters that stand for others in patterns.

use std::fmt::Debug;
use std::hint::black_box;

use iai_callgrind::library_benchmark;
use inside_benchmarks::rounds;

use super::apply;

/// Two types and nothing else.
pub(crate) struct Pair<A, B>(A, B);

fn round<T>(n: u64, value: T) -> T {
    apply(
        |n| {
            rounds(n);
            n
        },
        n,
    );
    black_box(value)
}

macro_rules! types {
    ($($name:ident: $value:expr;)+) => {$(
        #[library_benchmark]
        #[benches::n(args = [(1, $value), (1_000_001, $value)])]
        pub(crate) fn $name(n: u64, value: impl Sized) -> impl Sized {
            round(n, value)
        }
    )+};
}

types! {
    pointer: std::ptr::null::<*const u8>();
    mutable_pointer: std::ptr::null_mut::<u8>();
    reference: &&"text";
    slice: &[1_u8, 2][..];
    array: [0_u16; 3];
    tuple: ((), (1_u8,), (1_i64, 'c'));
    function_pointer: usize::count_ones as fn(usize) -> u32;
    function_with_lifetimes: first as for<'a, 'b> fn(&'a u8, &'b u8) -> &'a u8;
    extern_function: c_function as unsafe extern "C" fn(*mut u8);
    function_item: first;
    trait_object: Box::new(1_u8) as Box<dyn Debug + Send>;
    trait_object_with_lifetime: Box::new(|_: &u8| ()) as Box<dyn Fn(&u8)>;
    associated_type: Some(vec![1_u8].into_iter().map(|n| n + 1));
    pair: Pair(Pair('a', 1_i128), Pair(1.5_f32, true));
    größe: Größe(1);
}

fn first<'a>(one: &'a u8, _: &u8) -> &'a u8 {
    one
}

unsafe extern "C" fn c_function(_: *mut u8) {}

struct Größe(#[allow(dead_code)] u8);

#[library_benchmark]
#[bench::n_0(consts = (true, 'x', -3, 255), args = (1))]
#[bench::n_1(consts = (true, 'x', -3, 255), args = (1_000_001))]
pub(crate) fn constants<const A: bool, const B: char, const C: i32, const D: u8>(n: u64) {
    round(n, (A, B, C, D));
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
pub(crate) fn r#struct(n: u64) {
    round(n, ());
}
