//! `cargo xtask client-requests`: are the library's client requests those of Valgrind's headers,
//! and are they as cheap?
//!
//! Two commands in one. Without `--costs`: the numbers of the table in
//! `iai-callgrind/src/client_requests/numbers.rs` against the headers of this machine and of every
//! directory that is given. With it: what requests cost, in instructions, beside the macros of C.

#[cfg(feature = "bindgen")]
mod bindings;
mod check;
mod costs;
mod headers;
mod left_out;
mod scan;

use std::path::PathBuf;

use anyhow::{bail, Result};
use iai_callgrind::client_requests::numbers::REQUESTS;

use self::check::dotted;
use self::headers::Headers;

/// The usage of this command.
pub const USAGE: &str = "\
cargo xtask client-requests [--bindgen] [DIRECTORY]...
cargo xtask client-requests --costs

  DIRECTORY   further headers to compare with: a directory above `valgrind/`
  --bindgen   let Clang read the headers as well; needs libclang
  --costs     count instructions of our requests and of the macros of C instead";

/// Does what the words say.
pub fn run(words: &[String]) -> Result<()> {
    let mut directories = Vec::new();
    let mut with_bindgen = false;
    for word in words {
        match word.as_str() {
            "--costs" if words.len() == 1 => return costs::run_and_check(),
            "--bindgen" => with_bindgen = true,
            option if option.starts_with('-') => bail!("`{option}` is not known here\n\n{USAGE}"),
            directory => directories.push(PathBuf::from(directory)),
        }
    }
    if with_bindgen && cfg!(not(feature = "bindgen")) {
        return crate::with_feature("bindgen", "client-requests", words);
    }
    directories.insert(0, headers::directory()?);
    check(&directories, with_bindgen)
}

fn check(directories: &[PathBuf], with_bindgen: bool) -> Result<()> {
    let mut differences = Vec::new();
    for directory in directories {
        let headers = Headers::read(directory)?;
        let count: usize = headers.requests.iter().map(|(_, list)| list.len()).sum();
        println!(
            "{}: Valgrind {}, {count} requests in {} headers",
            headers.directory.display(),
            dotted(headers.version),
            headers.requests.len()
        );
        differences.extend(check::differences(
            REQUESTS,
            headers.version,
            &headers.requests,
        ));
        if with_bindgen {
            differences.extend(compare_with_clang(&headers)?);
        }
    }
    if !differences.is_empty() {
        bail!(
            "the table of requests is not that of the headers\n{}",
            differences.join("\n")
        );
    }
    println!(
        "the {} requests of the table are as the headers say",
        REQUESTS.len()
    );
    Ok(())
}

#[cfg(feature = "bindgen")]
fn compare_with_clang(headers: &Headers) -> Result<Vec<String>> {
    let files = headers.requests.iter().map(|(file, _)| *file);
    let compiled = bindings::requests(&headers.directory, files)?;
    println!("  Clang sees {} names", compiled.len());
    Ok(check::between_methods(
        &headers.directory,
        &headers.requests,
        &compiled,
    ))
}

#[cfg(not(feature = "bindgen"))]
fn compare_with_clang(_headers: &Headers) -> Result<Vec<String>> {
    unreachable!("`run` starts a program with the feature")
}
