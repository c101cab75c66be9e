//! The runner's executable. Everything is in the library, where tests reach it.

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    iai_callgrind_runner::main(std::env::args_os()).into()
}

#[cfg(not(unix))]
fn main() {
    compile_error!(
        "iai-callgrind-runner measures with Valgrind, which does not exist on this system\n\
         hint: `cargo test --benches` runs each benchmark once, without the runner\n\
         hint: one command runs `cargo bench` in a Linux container, see \
         https://iai-callgrind.github.io/iai-callgrind/where-it-runs.html"
    );
}
