//! Totals of a Callgrind profile, and the ten functions with the highest inclusive costs.
//!
//! ```text
//! valgrind --tool=callgrind --callgrind-out-file=profile.out PROGRAM
//! cargo run --example totals -- profile.out
//! ```

use std::env;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use iai_callgrind_formats::callgrind::{CallGraph, CallGraphReader};
use iai_callgrind_formats::read_path;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("usage: totals PROFILE")?;
    let mut reader = CallGraphReader::default();
    // The message of the error has the path, its source has line and reason.
    let profile = read_path(Path::new(&path), |file| reader.add(file))
        .map_err(|error| format!("{error}: {}", error.source))?
        .ok_or("the profile is empty")?;
    for part in &profile.parts {
        for flag in &part.flags {
            eprintln!("warning: {flag}");
        }
    }
    for (event, total) in profile.totals()? {
        println!("{total:>15}  {event}");
    }
    let graph = reader.finish();
    let first = graph.events.first().ok_or("the profile has no events")?;
    println!("\nfunctions by inclusive {first}");
    for (cost, function) in most_expensive(&graph).into_iter().take(10) {
        let name = String::from_utf8_lossy(graph.name(function));
        println!("{cost:>15}  {name}");
    }
    Ok(())
}

/// Inclusive costs of all functions, the highest first: the function itself and all that it calls.
fn most_expensive(graph: &CallGraph) -> Vec<(u64, usize)> {
    let own = (0..graph.functions.len()).map(|function| (graph.own(function)[0], function));
    let mut costs: Vec<(u64, usize)> = own.collect();
    for (index, arc) in graph.arcs.iter().enumerate() {
        // A call of itself is in the costs of the function already.
        if arc.caller != arc.callee {
            costs[arc.caller as usize].0 += graph.inclusive(index)[0];
        }
    }
    costs.sort_unstable_by(|one, other| other.cmp(one));
    costs
}
