//! Developer commands of this workspace, behind the aliases in `.cargo/config.toml`.
//!
//! | command | what it does |
//! | --- | --- |
//! | `cargo quickstart` | sets everything up and runs the README's benchmark twice |
//! | `cargo suite` | sets everything up and runs all tests |
//! | `cargo xtask dependencies` | checks what a user of the library has to compile |
//! | `cargo xtask doc-examples` | checks that every public item of the library, and of the crate for sources of Criterion, has an example |
//! | `cargo xtask licenses` | checks licences and sources of what we depend on, and the file with the licences of the runner |
//! | `cargo xtask packages` | checks what is published, and tests packages outside of this repository |
//! | `cargo xtask api` | compares the public items of the library with the list of them |
//! | `cargo xtask client-requests` | checks request numbers against Valgrind's headers, or counts what requests cost |
//! | `cargo xtask ours` | runs the benchmarks of our own hot paths within their limits |
//! | `cargo xtask fuzz` | looks for inputs that the parsers cannot take |
//! | `cargo xtask platforms` | type-checks for every system, and runs what can be run of others |
//! | `cargo xtask transcript` | draws what a terminal showed |
//! | `cargo xtask words` | looks for words of ours that readers of README and book stumble over |
//! | `cargo xtask weekly` | runs what is slow and seldom depends on a change |
//!
//! These check and build the repository. `machines`, `page`, `perf`, `planted` and `sources`, which
//! measure and try, are in the crate `lab`, with what both share.
//!
//! A library, so that the tests in `tests/` use the same code as the commands.

#[cfg(feature = "api")]
pub mod api;
pub mod c_library;
pub mod client_requests;
pub mod dependencies;
pub mod doc_examples;
pub mod examples;
pub mod fuzz;
mod library_docs;
pub mod licenses;
pub mod ours;
pub mod packages;
pub mod platforms;
pub mod quickstart;
pub mod suite;
pub mod transcript;
pub mod weekly;
pub mod words;
pub mod workflows;

/// Becomes the same command with a feature of this crate that only this command needs.
pub fn with_feature(feature: &str, command: &str, options: &[String]) -> anyhow::Result<()> {
    let mut cargo = lab::process::cargo();
    cargo
        .args(["run", "--quiet", "--package=xtask", "--features", feature])
        .args(["--", command])
        .args(options)
        .current_dir(lab::workspace_root());
    #[cfg(unix)]
    {
        let error = std::os::unix::process::CommandExt::exec(&mut cargo);
        Err(anyhow::Error::new(error).context("could not start cargo"))
    }
    #[cfg(not(unix))]
    lab::process::run(&mut cargo)
}
