fn main() {
    let function: fn(u64) -> u64 = black_box(measured);
    black_box(function(black_box(19)));
}

#[inline(never)]
fn measured(n: u64) -> u64 {
    black_box(fibonacci(n))
}
