//! The command line of the developer commands: a word that selects the command, then its arguments.

use std::process::ExitCode;

const USAGE: &str = "\
Developer commands of iai-callgrind

  cargo quickstart              set everything up, run the README's benchmark twice
  cargo suite [OPTIONS]         set everything up, run all tests of the workspace
  cargo xtask dependencies      check what a user of the library compiles
  cargo xtask doc-examples      check that every public item of what users see has an example
  cargo xtask licenses [--write]
                                check licences and sources of all dependencies, and (or write)
                                the file with the licences of what the runner links
  cargo xtask packages [--contents | --write | --order]
                                check what is published, and run the unit tests of each package
                                from its own file; or print the order of publishing
  cargo xtask api [--write]     compare the public items of the library with the list of them
  cargo xtask client-requests [OPTIONS]
                                compare request numbers with Valgrind's headers, or count costs
  cargo xtask ours [OPTIONS]    run the benchmarks of our own hot paths, check their limits
  cargo xtask c-library [RELEASE]
                                check that own code counts alike under another C library
  cargo xtask examples [--criterion]
                                run the workspace of examples, twice
  cargo xtask machines [OPTIONS]
                                run the recipes for many machines: SLURM, ssh
  cargo xtask sources [OPTIONS] count bench files of packages that were written for Criterion or Divan
  cargo xtask planted [OPTIONS] check that explanations name the function that was edited
  cargo xtask platforms [OPTIONS]
                                check that everything compiles for each system
  cargo xtask page [OPTIONS]    the page for browsers: samples, hashes, times, a picture
  cargo xtask fuzz [OPTIONS]    look for inputs that the parsers cannot take
  cargo xtask transcript RECORDED SVG TITLE
                                draw what a terminal showed, for the book
  cargo xtask words             look for words of ours that readers of README and book stumble over
  cargo xtask weekly            run what is slow and seldom depends on a change
  cargo xtask perf [OPTIONS]    measure time and memory, write docs/maintainers/performance.md";

fn main() -> ExitCode {
    #[cfg(all(feature = "perf", target_os = "linux"))]
    if let Some(log) = std::env::var_os(lab::perf::LOG) {
        let words: Vec<String> = std::env::args().skip(1).collect();
        return lab::perf::stand_in(&words, log.as_ref()).unwrap_or_else(failed);
    }
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next();
    let rest: Vec<String> = arguments.collect();

    let result = match (command.as_deref(), rest.as_slice()) {
        (Some("quickstart"), []) => xtask::quickstart::run(),
        (Some("suite"), options) => xtask::suite::run(options),
        (Some("dependencies"), []) => xtask::dependencies::run(),
        (Some("doc-examples"), []) => xtask::doc_examples::check(),
        (Some("licenses"), options) => xtask::licenses::run(options),
        (Some("packages"), options) => xtask::packages::run(options),
        #[cfg(feature = "api")]
        (Some("api"), options) => xtask::api::compare(options),
        #[cfg(not(feature = "api"))]
        (Some("api"), options) => xtask::with_feature("api", "api", options),
        (Some("client-requests"), options) => xtask::client_requests::run(options),
        (Some("ours"), options) => xtask::ours::run(options),
        (Some("planted"), options) => lab::planted::run(options),
        (Some("platforms"), options) => xtask::platforms::run(options),
        (Some("c-library"), options) => xtask::c_library::compare(options),
        (Some("examples"), options) => xtask::examples::run_all(options),
        (Some("sources"), options) => lab::sources::run(options),
        (Some("machines"), options) => lab::machines::run_recipes(options),
        (Some("page"), options) => lab::page::run(options),
        (Some("fuzz"), options) => xtask::fuzz::run_targets(options),
        (Some("transcript"), options) => xtask::transcript::draw(options),
        (Some("words"), []) => xtask::words::check(),
        (Some("weekly"), []) => xtask::weekly::run_steps(),
        #[cfg(all(feature = "perf", target_os = "linux"))]
        (Some("perf"), options) => lab::perf::run(options),
        #[cfg(all(not(feature = "perf"), target_os = "linux"))]
        (Some("perf"), options) => xtask::with_feature("perf", "perf", options),
        (Some("help" | "--help" | "-h"), _) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };

    result.map_or_else(failed, |()| ExitCode::SUCCESS)
}

fn failed(error: anyhow::Error) -> ExitCode {
    eprintln!("error: {error:#}");
    ExitCode::FAILURE
}
