//! A program whose `main` ends with a call, of which the compiler makes a jump. It allocates 5000
//! bytes.

use std::hint::black_box;

fn main() {
    allocate();
}

#[inline(never)]
fn allocate() {
    drop(black_box(vec![1_u8; 5000]));
}
