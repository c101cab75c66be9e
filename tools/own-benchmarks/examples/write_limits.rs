//! Writes the limits anew: reads the JSON output of all benchmarks from the file that it is given.

use std::process::ExitCode;

use own_benchmarks::limits;

fn main() -> ExitCode {
    let path = std::env::args_os().nth(1).unwrap_or_default();
    let output = std::fs::read_to_string(path).map_err(|error| error.to_string());
    let file = output.and_then(|output| limits::file(&output));
    let written =
        file.and_then(|file| std::fs::write(limits::PATH, file).map_err(|error| error.to_string()));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
