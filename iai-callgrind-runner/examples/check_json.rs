//! Reads what `cargo bench -- --output-format=json` printed from stdin, or the content of several
//! `summary.json`, checks it against the schema, and prints one line for each object.
//!
//! ```text
//! cargo bench -- --output-format=json | cargo run --example check_json
//! ```

use std::error::Error;
use std::io::Read;

use iai_callgrind_runner::summary::{self, Record};
use serde_json::Value;

const SCHEMA: &str = include_str!("../../schemas/summary.v1.schema.json");

#[expect(clippy::print_stdout, reason = "a program of its own")]
fn main() -> Result<(), Box<dyn Error>> {
    let schema = jsonschema::validator_for(&serde_json::from_str(SCHEMA)?)?;
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    for value in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
        let value = value?;
        let errors: Vec<String> = schema
            .iter_errors(&value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        if !errors.is_empty() {
            return Err(format!("{value:#}\n{}", errors.join("\n")).into());
        }
    }
    for record in summary::read(&text) {
        match record? {
            Record::Benchmark(summary) => {
                println!("{} {:?}", summary.benchmark.path, summary.status);
            }
            Record::Run(run) => println!("{:?} {:?}", run.ending, run.counts),
        }
    }
    Ok(())
}
