//! An executable for tests, far smaller than that of the tests themselves.

use std::fs;
use std::process::Command;

use symbols::CodeObject;

/// A program of a source file `src/program.rs` in the workspace, with a function that is inlined into
/// another one.
#[expect(clippy::disallowed_methods, reason = "the compiler, no benchmark")]
pub(crate) fn compiled_program() -> CodeObject {
    let source = "#[inline(always)] fn innermost() -> u64 { std::hint::black_box(3) }\n\
                  #[inline(never)] fn with_inlined() -> u64 { innermost() + 1 }\n\
                  fn main() { assert_eq!(with_inlined(), 4); }\n";
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/program.rs"), source).unwrap();
    let place = format!("{}={}", folder.path().display(), env!("CARGO_MANIFEST_DIR"));
    let mut rustc = Command::new("rustc");
    rustc.args([
        "-Cdebuginfo=1",
        "--remap-path-prefix",
        &place,
        "src/program.rs",
    ]);
    assert!(rustc.current_dir(folder.path()).status().unwrap().success());
    CodeObject::open(&folder.path().join("program")).unwrap()
}
