//! A benchmark executable that no macro wrote: it describes the suite in the file that `SUITE`
//! names, and its hooks are the shell scripts in the variables `SETUP` and `TEARDOWN`. So each test
//! says in one place what it runs, and whatever the runner may be told can be said.

use std::os::unix::process::CommandExt;
use std::process::Command;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--iai-callgrind", "describe", file, ..] => {
            let suite = std::env::var_os("SUITE").expect("SUITE names a file");
            std::fs::copy(suite, file).unwrap();
        }
        ["--iai-callgrind", "assist", level, hook] => {
            let script = std::env::var(hook.to_uppercase()).expect("the hook has a script");
            let error = Command::new("sh").args(["-c", &script, level]).exec();
            panic!("{error}");
        }
        other => panic!("what is {other:?}?"),
    }
}
