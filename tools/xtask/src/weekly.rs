//! `cargo xtask weekly`: what is slow and seldom depends on a change, so that `.ci/run` leaves it
//! out.
//!
//! Each step is a command of its own and runs whatever happened to those before it. The suite and
//! the fuzzer get inputs that no run had before; the suite prints its seed.

use std::process::Command;
use std::time::{Instant, SystemTime};

use anyhow::{ensure, Context, Result};
use lab::{process, step};

const SECONDS_OF_A_DAY: u64 = 24 * 60 * 60;

/// The commands, in order.
fn steps(seed: u64) -> Vec<String> {
    vec![
        // Firefox as well.
        format!("suite --full --seed={seed}"),
        "packages".to_owned(),
        "examples --criterion".to_owned(),
        "platforms".to_owned(),
        "ours".to_owned(),
        "client-requests --bindgen".to_owned(),
        "client-requests --costs".to_owned(),
        "c-library".to_owned(),
        "machines --install".to_owned(),
        "fuzz --jobs=2 --seconds=60".to_owned(),
    ]
}

/// Runs all steps, and fails if one of them failed.
pub fn run_steps() -> Result<()> {
    let xtask = std::env::current_exe().context("our own path is unknown")?;
    let today = SystemTime::UNIX_EPOCH.elapsed()?.as_secs() / SECONDS_OF_A_DAY;
    let steps = steps(today);
    let mut failed = Vec::new();
    let mut times = Vec::new();
    for words in &steps {
        step(&format!("cargo xtask {words}"));
        let start = Instant::now();
        if let Err(error) = process::run(Command::new(&xtask).args(words.split(' '))) {
            eprintln!("error: {error:#}");
            failed.push(words.as_str());
        }
        times.push(start.elapsed().as_secs());
    }
    println!();
    for (words, seconds) in steps.iter().zip(times) {
        println!("{:>3} min {:02} s  {words}", seconds / 60, seconds % 60);
    }
    ensure!(failed.is_empty(), "these failed: {}", failed.join(", "));
    Ok(())
}
