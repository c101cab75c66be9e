//! The files of the crate: the examples, and what a user has beside them.

use std::fs;
use std::path::Path;

use super::example::{Example, Kind};

/// The user's own library, of which examples show a part only.
const LIBRARY: &str = "
pub mod my_lib {
    pub fn bubble_sort(mut values: Vec<i32>) -> Vec<i32> {
        values.sort();
        values
    }
    pub fn some_function(value: u64) -> u64 {
        value
    }
    pub fn string_to_u64(line: String) -> Result<u64, String> {
        line.parse().map_err(|_| line)
    }
}
pub fn fibonacci(n: u64) -> u64 {
    if n < 2 { 1 } else { fibonacci(n - 1) + fibonacci(n - 2) }
}
pub fn setup_worst_case_array(start: i32) -> Vec<i32> {
    (0..start).rev().collect()
}
";

/// The user's own program. Without arguments it reads its input and fails where there is none.
const PROGRAM: &str = "
fn main() {
    let has_input = || !std::io::read_to_string(std::io::stdin()).unwrap().is_empty();
    if std::env::args().len() == 1 && !has_input() {
        std::process::exit(2);
    }
}
";

/// Writes the files of the crate.
pub(crate) fn write(directory: &Path, examples: &[Example]) {
    let write = |file: &Path, text: &str| {
        let path = directory.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let mut targets = fs::read_to_string(directory.join("Cargo.toml")).unwrap();
    for example in examples {
        write(&example.file(), &example.code);
        if example.kind == Kind::Benchmark {
            let name = &example.name;
            targets += &format!("\n[[bench]]\nname = \"{name}\"\nharness = false\n");
        }
    }
    write(Path::new("Cargo.toml"), &targets);
    write(Path::new("src/lib.rs"), LIBRARY);
    for name in ["my-foo", "my-exe"] {
        write(
            &Path::new("src/bin").join(name).with_extension("rs"),
            PROGRAM,
        );
    }
    write(Path::new("benches/inputs"), "1\n11\n111\n");
    write(Path::new("benches/foo.txt"), "some content");
}
