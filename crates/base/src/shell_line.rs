//! Commands as lines that can be pasted into a shell, for the log.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

/// Environment variable that pads the environment of a measured process (`execute/padding.rs`). The
/// benchmark can see it.
pub const PADDING: &str = "IAI_CALLGRIND_PADDING";

/// Part of the runner's environment that a process inherits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inherits {
    /// All variables.
    All,
    /// No variable.
    Nothing,
}

/// `(cd DIRECTORY && env NAME=VALUE PROGRAM ARGUMENTS)`, as far as these are set.
pub fn shell_line(command: &Command, inherits: Inherits) -> String {
    let mut words = Vec::new();
    if inherits == Inherits::Nothing {
        words.extend(["env".to_owned(), "-i".to_owned()]);
    } else if command.get_envs().next().is_some() {
        words.push("env".to_owned());
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => words.push(variable(name, value)),
            None => words.extend(["-u".to_owned(), quoted(name)]),
        }
    }
    words.push(words_of(command.get_program(), command.get_args()));
    let line = words.join(" ");
    match command.get_current_dir().map(Path::as_os_str) {
        Some(directory) => format!("(cd {} && {line})", quoted(directory)),
        None => line,
    }
}

/// The quoted words of a program and its arguments.
pub fn words_of<'a>(program: &'a OsStr, arguments: impl IntoIterator<Item = &'a OsStr>) -> String {
    let words = std::iter::once(program).chain(arguments);
    words.map(quoted).collect::<Vec<_>>().join(" ")
}

fn variable(name: &OsStr, value: &OsStr) -> String {
    let name = quoted(name);
    match value.len() {
        0 => format!("{name}="),
        // Only the length of the padding matters.
        length if name == PADDING => format!("{name}=$(printf %0{length}d)"),
        _ => format!("{name}={}", quoted(value)),
    }
}

/// The word, quoted for every shell if it is UTF-8, and else for bash and zsh.
fn quoted(word: &OsStr) -> String {
    let quoted = word.to_str().map(shlex::try_quote);
    if let Some(Ok(quoted)) = quoted {
        return quoted.into_owned();
    }
    let escaped = word.as_bytes().iter().map(|byte| match byte {
        b'\\' | b'\'' => format!("\\{}", char::from(*byte)),
        b' '..=b'~' => char::from(*byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    });
    format!("$'{}'", escaped.collect::<String>())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a shell says what it reads")]
mod tests {
    use super::*;

    fn command() -> Command {
        let mut command = Command::new("/bin/prog ram");
        command.args(["a", "", "it's", "$HOME", "a*b"]);
        command
    }

    #[test]
    fn words_are_quoted_where_needed() {
        let line = shell_line(&command(), Inherits::All);
        assert_eq!(line, "'/bin/prog ram' a '' \"it's\" '$HOME' 'a*b'");
    }

    #[test]
    fn the_environment_and_the_directory() {
        let mut command = command();
        command.env("A", "b c").env("PADDED", "").env_remove("GONE");
        command
            .env(PADDING, "x".repeat(12))
            .current_dir("/some where");
        let line = shell_line(&command, Inherits::All);
        let expected =
            "(cd '/some where' && env A='b c' -u GONE IAI_CALLGRIND_PADDING=$(printf %012d) \
                        PADDED= '/bin/prog ram'";
        assert!(line.starts_with(expected), "{line}");
        let line = shell_line(&Command::new("a"), Inherits::Nothing);
        assert_eq!(line, "env -i a");
    }

    #[test]
    fn a_shell_reads_what_was_meant() {
        let words = [&b"odd \xff\n"[..], b"'\\", b"\"", b"", b"`a` $b !c"].map(OsStr::from_bytes);
        let mut printf = Command::new("printf");
        printf.arg("%s|").args(words);
        let line = shell_line(&printf, Inherits::All);
        let read = Command::new("bash").args(["-c", &line]).output().unwrap();
        let expected: Vec<u8> = words
            .iter()
            .flat_map(|word| [word.as_bytes(), b"|"].concat())
            .collect();
        assert_eq!(read.stdout, expected, "{line}");
    }
}
