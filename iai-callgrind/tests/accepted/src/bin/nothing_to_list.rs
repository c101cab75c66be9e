//! The shortest benchmark file.

#[iai_callgrind::library_benchmark]
fn only() -> u64 {
    iai_callgrind::measure(|| 1)
}

iai_callgrind::main!();
