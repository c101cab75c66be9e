//! The time that Valgrind takes to start, most of all for debug symbols of the C library, if
//! installed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::Finding;
use symbols::debug_file;

/// A finding about the start that took this time.
pub fn examine(took: Duration) -> Finding {
    let symbols = c_library().and_then(|library| debug_file::find(&library));
    finding(took, symbols.as_deref())
}

fn finding(took: Duration, symbols: Option<&Path>) -> Finding {
    let took = took.as_secs_f64();
    Finding::fine(match symbols {
        Some(symbols) => format!(
            "Valgrind starts in {took:.2} s, usually once for each bench file; about 40 % of that is spent reading the \
             debug symbols of the C library, `{}`",
            symbols.display()
        ),
        None => format!(
            "Valgrind starts in {took:.2} s, usually once for each bench file; it need not read debug symbols of the C \
             library"
        ),
    })
}

/// The C library of this process.
fn c_library() -> Option<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    // The path is the last column, and no other one has a slash.
    let mut paths = maps.lines().filter_map(|line| line.split_once('/'));
    paths.find_map(|(_, path)| {
        let path = Path::new("/").join(path);
        let name = path.file_name()?.to_str()?;
        // Before glibc 2.34 the file was called `libc-2.31.so`.
        (name.starts_with("libc.so") || name.starts_with("libc-")).then_some(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_and_the_file_are_named() {
        let took = Duration::from_millis(274);
        let with = finding(took, Some(Path::new("/usr/lib/debug/x.debug"))).text;
        assert!(with.starts_with("Valgrind starts in 0.27 s"), "{with}");
        assert!(
            with.ends_with("of the C library, `/usr/lib/debug/x.debug`"),
            "{with}"
        );
        let without = finding(took, None).text;
        assert!(
            without.ends_with("need not read debug symbols of the C library"),
            "{without}"
        );
    }

    #[test]
    #[cfg(target_env = "gnu")]
    fn this_process_has_a_c_library() {
        assert!(c_library().is_some_and(|path| path.is_file()));
    }
}
