//! Inlined frames of an address of an executable, the innermost first, as `addr2line -fi` prints
//! them.
//!
//! ```text
//! cargo run --example frames -- PROGRAM 0x1234
//! ```

use std::env;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use iai_callgrind_symbols::CodeObject;

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
    let mut words = env::args().skip(1);
    let (Some(path), Some(address)) = (words.next(), words.next()) else {
        return Err("usage: frames PROGRAM ADDRESS".into());
    };
    let digits = address.trim_start_matches("0x");
    let address = u64::from_str_radix(digits, 16)
        .map_err(|error| format!("`{address}` is not a hexadecimal address: {error}"))?;

    let object = CodeObject::open(Path::new(&path))?;
    let Some(mut frames) = object.frames() else {
        let reason = object.debug_facts().unread.as_ref();
        let reason = reason.map_or("there is none".to_owned(), ToString::to_string);
        return Err(format!("`{path}` has no debug information to read: {reason}").into());
    };
    let stack = frames.at(address).to_vec();
    if stack.is_empty() {
        return Err(format!("the debug information does not know {address:#x}").into());
    }
    for frame in stack.iter().rev() {
        let name = &frames.function(frame.function).name;
        let file = frame.file.map_or("??", |file| frames.file(file));
        let line = frame.line.map_or("?".to_owned(), |line| line.to_string());
        println!("{name}\n    {file}:{line}");
    }
    Ok(())
}
