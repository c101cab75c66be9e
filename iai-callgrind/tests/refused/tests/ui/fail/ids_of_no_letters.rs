use iai_callgrind::library_benchmark;

// A number for `char`, and no character of an identifier for the compiler.
#[library_benchmark]
#[benches::area(args = [1], ids = ["m²"])]
fn area(side: u64) -> u64 {
    side * side
}

fn main() {}
