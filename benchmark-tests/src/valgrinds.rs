//! The Valgrinds that tests of the fork server run with: the one in `PATH`, and those that the
//! variable `VALGRINDS` names, separated by `:`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Runs a test with every Valgrind. It is printed which one is at work, for the case of a failure.
pub fn with_each(test: impl Fn(&Path)) {
    for valgrind in all() {
        let start = Instant::now();
        println!("{}: {}", valgrind.display(), version(&valgrind));
        test(&valgrind);
        println!("ok, {:.1} s", start.elapsed().as_secs_f64());
    }
}

/// All Valgrinds.
pub fn all() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").expect("PATH is set");
    let mut folders = std::env::split_paths(&path).map(|folder| folder.join("valgrind"));
    let installed = folders.find(|path| path.is_file());
    let mut all = vec![installed.expect("Valgrind is installed")];
    let further = std::env::var_os("VALGRINDS").unwrap_or_default();
    all.extend(std::env::split_paths(&further).filter(|path| !path.as_os_str().is_empty()));
    all
}

/// Major and minor number.
pub fn number(valgrind: &Path) -> (u32, u32) {
    let version = version(valgrind);
    let mut numbers = version.split(['-', '.']).skip(1);
    let mut next = || numbers.next()?.parse().ok();
    let number = next().zip(next());
    number.unwrap_or_else(|| panic!("a version is like `valgrind-3.19.0`, not `{version}`"))
}

fn version(valgrind: &Path) -> String {
    let output = Command::new(valgrind).arg("--version").output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", valgrind.display()));
    assert!(output.status.success(), "{}", valgrind.display());
    String::from_utf8_lossy(&output.stdout)
        .trim_end()
        .to_owned()
}
