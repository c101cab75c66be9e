//! The browser of the user: the program that shows a file.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// Stands for the address in the words of `BROWSER`.
const PLACE: &str = "%s";

/// A program that shows files, with its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Browser(Vec<OsString>);

/// The browser: that of the variable `BROWSER`, else the one of the desktop, if there is a screen.
/// `None`: there is none.
pub(crate) fn find(variable: impl Fn(&str) -> Option<OsString>) -> Option<Browser> {
    if let Some(words) = variable("BROWSER") {
        // A list of alternatives, of which the first one is taken.
        let words = words.to_str().unwrap_or_default();
        let first = words.split(':').find(|words| !words.trim().is_empty())?;
        let words = shlex::split(first)?;
        return Some(Browser(words.into_iter().map(OsString::from).collect()));
    }
    if cfg!(target_os = "macos") {
        return Some(Browser(vec!["open".into()]));
    }
    let has_screen = variable("DISPLAY").or_else(|| variable("WAYLAND_DISPLAY"));
    has_screen.map(|_| Browser(vec!["xdg-open".into()]))
}

impl Browser {
    /// The program.
    pub(crate) fn name(&self) -> String {
        let program = self.0.first();
        program.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    /// Shows a file. Nobody waits for the browser, which may run as long as its window is there.
    ///
    /// # Errors
    ///
    /// The program cannot be started.
    #[expect(
        clippy::disallowed_methods,
        reason = "shows a page; benchmarks start in `execute`"
    )]
    pub(crate) fn open(&self, file: &Path) -> io::Result<()> {
        let words = self.words(&std::path::absolute(file)?);
        let (program, words) = words
            .split_first()
            .ok_or_else(|| io::Error::other("`BROWSER` names no program"))?;
        let mut command = Command::new(program);
        command.args(words);
        // It may tell on the terminal what nobody asked for, long after this program has ended.
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::null()).spawn().map(|_| ())
    }

    fn words(&self, file: &Path) -> Vec<OsString> {
        let file = file.as_os_str();
        let mut words: Vec<OsString> = Vec::new();
        let mut is_placed = false;
        for word in &self.0 {
            let is_place = word == OsStr::new(PLACE);
            is_placed |= is_place;
            words.push(if is_place {
                file.to_owned()
            } else {
                word.clone()
            });
        }
        if !is_placed && !words.is_empty() {
            words.push(file.to_owned());
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn browser(variables: &[(&str, &str)]) -> Option<Browser> {
        find(|name| {
            let mut known = variables.iter();
            let found = known.find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn the_variable_names_the_browser() {
        let words = |value: &str| {
            let browser = browser(&[("BROWSER", value), ("DISPLAY", ":0")]).unwrap();
            let words = browser.words(Path::new("/a b/r.html")).into_iter();
            let words = words.map(|word| word.into_string().unwrap());
            words.collect::<Vec<_>>().join("|")
        };
        assert_eq!(words("firefox"), "firefox|/a b/r.html");
        assert_eq!(words("firefox:w3m"), "firefox|/a b/r.html");
        assert_eq!(
            words("'my browser' -w %s -x"),
            "my browser|-w|/a b/r.html|-x"
        );
        assert_eq!(browser(&[("BROWSER", ":")]), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn without_a_screen_there_is_no_browser() {
        assert_eq!(browser(&[]), None);
        for screen in ["DISPLAY", "WAYLAND_DISPLAY"] {
            assert_eq!(browser(&[(screen, ":0")]).unwrap().name(), "xdg-open");
        }
    }

    #[test]
    fn programs_that_are_missing_are_errors() {
        let missing = Browser(vec!["/no/such/browser".into()]);
        assert!(missing.open(Path::new("/r.html")).is_err());
        assert!(Browser(Vec::new()).open(Path::new("/r.html")).is_err());
    }
}
