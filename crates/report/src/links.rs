//! Files that results name: paths, which terminals that open files get as hyperlinks.
//!
//! A hyperlink is a sequence that every other program would have to leave out, so only terminals
//! that are known to have them get any. The path that is read is the same in both cases.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use nix::unistd::gethostname;

use base::variables::EnvironmentVariables;

/// Form of the files that results name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileLinks {
    /// Directory at which paths below it begin; `None`: all paths are absolute.
    pub here: Option<PathBuf>,
    /// Name of this machine in hyperlinks, so that a terminal elsewhere does not look for the file;
    /// `None`: there are no hyperlinks.
    pub host: Option<String>,
}

impl FileLinks {
    /// Absolute paths without hyperlinks.
    pub const PLAIN: Self = Self {
        here: None,
        host: None,
    };

    /// Links for stdout of this process, which is a terminal that shows colors or not.
    pub fn detect(is_colored_terminal: bool, environment: &EnvironmentVariables) -> Self {
        let opens = is_colored_terminal && opens_files(environment);
        let host = || gethostname().ok()?.into_string().ok();
        Self {
            here: std::env::current_dir().ok(),
            host: opens.then(host).flatten(),
        }
    }

    /// The path as it is read.
    pub fn path(&self, file: &Path) -> String {
        let here = self.here.as_deref();
        let below = here.and_then(|here| file.strip_prefix(here).ok());
        below.unwrap_or(file).display().to_string()
    }

    /// The address of a hyperlink: ASCII without blanks and controls.
    pub fn address(&self, file: &Path) -> Option<String> {
        let host = self.host.as_deref()?;
        // With the host: a terminal that shows another machine, as over SSH, must not open a file
        // of its own that has the same path.
        let mut address = "file://".to_owned();
        escape(host.as_bytes(), &mut address);
        escape(file.as_os_str().as_bytes(), &mut address);
        Some(address)
    }
}

fn escape(bytes: &[u8], address: &mut String) {
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                address.push(char::from(*byte));
            }
            byte => {
                // Writing to a text cannot fail.
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
}

/// Is the terminal known to open files that text links to?
fn opens_files(environment: &EnvironmentVariables) -> bool {
    const NAMES: [&str; 5] = [
        "xterm-kitty",
        "foot",
        "alacritty",
        "xterm-ghostty",
        "wezterm",
    ];
    const PROGRAMS: [&str; 4] = ["iTerm.app", "WezTerm", "vscode", "ghostty"];
    let text = |name: &str| environment.get(name).and_then(OsStr::to_str).unwrap_or("");
    let version = |name: &str| text(name).parse::<u32>().unwrap_or(0);
    let name = text("TERM");
    // These stand between, and the variables of the terminal around them are still set.
    if name.starts_with("screen") || name.starts_with("tmux") {
        return false;
    }
    // Terminfo has variants of a terminal, such as `foot-extra` and `alacritty-direct`.
    NAMES.iter().any(|known| name.starts_with(known))
        || PROGRAMS.contains(&text("TERM_PROGRAM"))
        // Terminals of GNOME and others. The first version that had links, 0.50.0, crashed with
        // them.
        || version("VTE_VERSION") > 5000
        || version("KONSOLE_VERSION") >= 201_200
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_that_open_files_are_known() {
        #[track_caller]
        fn check(variables: &[(&str, &str)], expected: bool) {
            let environment: EnvironmentVariables = variables.iter().copied().collect();
            assert_eq!(opens_files(&environment), expected, "{variables:?}");
        }
        check(&[], false);
        check(&[("TERM", "xterm-256color")], false);
        check(&[("TERM", "linux")], false);
        check(&[("TERM", "xterm-kitty")], true);
        check(&[("TERM", "foot-extra")], true);
        check(&[("TERM", "xterm-256color"), ("VTE_VERSION", "7006")], true);
        check(&[("VTE_VERSION", "5000")], false);
        check(&[("VTE_VERSION", "new")], false);
        check(&[("KONSOLE_VERSION", "220401")], true);
        check(&[("KONSOLE_VERSION", "190801")], false);
        check(&[("TERM_PROGRAM", "vscode")], true);
        check(&[("TERM_PROGRAM", "Apple_Terminal")], false);
        check(&[("TERM", "tmux-256color"), ("VTE_VERSION", "7006")], false);
        check(&[("TERM", "screen"), ("TERM_PROGRAM", "iTerm.app")], false);
    }

    #[test]
    fn nothing_but_a_terminal_with_colors_gets_hyperlinks() {
        let environment: EnvironmentVariables = [("TERM", "xterm-kitty")].into_iter().collect();
        let links = |is_colored_terminal| FileLinks::detect(is_colored_terminal, &environment);
        assert!(links(true).host.is_some());
        assert_eq!(links(false).host, None);
    }

    #[test]
    fn addresses_have_no_blanks_and_no_sequences() {
        let links = FileLinks {
            here: Some("/home/me".into()),
            host: Some("ho st".into()),
        };
        let odd = Path::new("/home/me/a b;\u{1b}\\é%.svg");
        assert_eq!(
            links.address(odd).as_deref(),
            Some("file://ho%20st/home/me/a%20b%3B%1B%5C%C3%A9%25.svg")
        );
        assert_eq!(links.path(odd), "a b;\u{1b}\\é%.svg");
        assert_eq!(links.path(Path::new("/home/mean/x")), "/home/mean/x");
        assert_eq!(FileLinks::PLAIN.address(odd), None);
        assert_eq!(FileLinks::PLAIN.path(Path::new("/home/me/x")), "/home/me/x");
    }
}
