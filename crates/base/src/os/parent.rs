//! The process that started this one.

use std::fs;
use std::path::PathBuf;

/// Words and working directory of a process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StartedProcess {
    /// The command and its arguments.
    pub words: Vec<String>,
    /// The working directory.
    pub directory: PathBuf,
}

/// The process that started this one, if the system provides it.
pub fn parent() -> Option<StartedProcess> {
    process(std::os::unix::process::parent_id())
}

fn process(id: u32) -> Option<StartedProcess> {
    let line = fs::read(format!("/proc/{id}/cmdline")).ok()?;
    let line = String::from_utf8(line).ok()?;
    let words = line.split_terminator('\0').map(str::to_owned);
    Some(StartedProcess {
        words: words.collect(),
        directory: fs::read_link(format!("/proc/{id}/cwd")).ok()?,
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn words_and_directory_are_those_of_the_process() {
        let found = process(std::process::id()).unwrap();
        assert_eq!(found.words, std::env::args().collect::<Vec<_>>());
        assert_eq!(found.directory, std::env::current_dir().unwrap());
    }
}
