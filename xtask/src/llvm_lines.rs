//! The size of what LLVM compiles of the library for each of its users, in lines of LLVM's language.
//!
//! Two thirds of the time in which a user's crate is built for the first time go into them, and seconds depend on
//! the machine. The lines do not: they follow from the source and the compiler.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{ensure, Context, Result};

use crate::process::{cargo, run};

/// The most lines, a few percent above those of Rust 1.95. Compilers differ in what they inline before LLVM.
const MOST: usize = 48_000;

/// Compiles the library as users do and counts; fails if there are more lines than we promise.
pub(crate) fn check(root: &Path) -> Result<usize> {
    let lines = lines(root)?;
    ensure!(
        lines <= MOST,
        "of the library {lines} lines of LLVM are compiled, {MOST} are the most\n  \
         hint: `iai-callgrind/src/shared/text.rs` and `protocol/over.rs` say what costs many, and how to do without"
    );
    Ok(lines)
}

fn lines(root: &Path) -> Result<usize> {
    let folder = root.join("target").join("llvm-lines");
    fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the directory `{}`", folder.display()))?;
    let path = folder.join("iai-callgrind.ll");
    let mut compile = cargo();
    compile
        // With the bench profile itself it would be compiled with its tests.
        .args(["rustc", "--package=iai-callgrind", "--release"])
        .args(["--lib", "--quiet", "--"])
        // One unit, so that nothing is in it twice, before any work of LLVM.
        .args(["-Ccodegen-units=1", "-Cno-prepopulate-passes"])
        .arg("-Cdebuginfo=0")
        .arg(format!("--emit=llvm-ir={}", path.display()))
        .current_dir(root);
    run(&mut compile)?;
    let file = File::open(&path).with_context(|| {
        format!(
            "cannot read `{}`\n  hint: it comes back after `cargo clean --release --package=iai-callgrind`",
            path.display()
        )
    })?;
    count(BufReader::new(file))
}

/// The lines in bodies of functions.
fn count(text: impl BufRead) -> Result<usize> {
    let mut lines = 0;
    let mut is_in_body = false;
    for line in text.lines() {
        let line = line?;
        match line.as_str() {
            "}" => is_in_body = false,
            _ if line.starts_with("define ") => is_in_body = true,
            _ => lines += usize::from(is_in_body),
        }
    }
    ensure!(lines > 0, "the library has no function");
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_functions_are_counted() {
        let text = "%T = type { i8 }\n\n\
                    define void @f(ptr %0) {\nstart:\n  ret void\n}\n\n\
                    declare void @g()\n\
                    define void @h() {\n  ret void\n}\n";
        assert_eq!(count(text.as_bytes()).unwrap(), 3);
        count(&b"declare void @g()\n"[..]).unwrap_err();
    }
}
