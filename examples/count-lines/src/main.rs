//! Prints the number of lines of a file, or of stdin.

use std::io::{Read, Result};

fn main() -> Result<()> {
    let text = match std::env::args().nth(1) {
        Some(path) => std::fs::read_to_string(path)?,
        None => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text)?;
            text
        }
    };
    println!("{}", text.lines().count());
    Ok(())
}
