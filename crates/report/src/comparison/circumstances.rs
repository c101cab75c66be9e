//! The environment of one side's results: compiler, C library, target and Valgrind.

use verdict::sides::ReportSide;

/// `rustc 1.95.0`, `glibc 2.36`, `x86_64-unknown-linux-gnu`, `Valgrind 3.19.0`: each once.
pub(super) fn words(side: &ReportSide) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut add = |word: String| {
        if !words.contains(&word) {
            words.push(word);
        }
    };
    for system in &side.systems {
        // Without the commit of the compiler.
        let rustc = system.rustc.as_deref();
        let version =
            rustc.map(|rustc| rustc.split_once(" (").map_or(rustc, |(version, _)| version));
        version
            .map(|version| format!("rustc {version}"))
            .map(&mut add);
        system.libc.clone().map(&mut add);
        system.target.clone().map(&mut add);
    }
    for version in &side.valgrinds {
        add(format!("Valgrind {version}"));
    }
    words
}
