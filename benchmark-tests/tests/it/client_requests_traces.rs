//! Traces of requests in a program: none, if they are definitions only.

use std::fs;
use std::path::Path;
use std::process::Command;

use benchmark_tests::build;
use object::read::elf::ElfFile64;
use object::{Object, ObjectSection, ObjectSymbol};

/// Texts of the requests in the function.
const TEXTS: [&str; 4] = [
    "text of a line",
    "text with frames",
    "text at the end",
    "text of a dump",
];

/// The bytes by which Valgrind recognises a request.
#[cfg(target_arch = "x86_64")]
const SEQUENCE: &[u8] = &[
    0x48, 0xc1, 0xc7, 0x03, 0x48, 0xc1, 0xc7, 0x0d, 0x48, 0xc1, 0xc7, 0x3d, 0x48, 0xc1, 0xc7, 0x33,
    0x48, 0x87, 0xdb,
];
#[cfg(target_arch = "aarch64")]
const SEQUENCE: &[u8] = &[
    0x8c, 0x0d, 0xcc, 0x93, 0x8c, 0x35, 0xcc, 0x93, 0x8c, 0xcd, 0xcc, 0x93, 0x8c, 0xf5, 0xcc, 0x93,
    0x4a, 0x01, 0x0a, 0xaa,
];

/// A program with the functions `plain` and `annotated`.
struct Program {
    bytes: Vec<u8>,
}

impl Program {
    fn read(path: &Path) -> Self {
        let bytes = fs::read(path).unwrap();
        // The functions do the same, or it is not worth comparing them.
        assert!(Command::new(path).output().unwrap().status.success());
        Self { bytes }
    }

    /// The code of a function.
    fn function(&self, name: &str) -> &[u8] {
        let file = ElfFile64::<object::Endianness>::parse(&*self.bytes).unwrap();
        let mut symbols = file.symbols().filter(|symbol| symbol.name() == Ok(name));
        let symbol = symbols.next().expect("the function has a symbol");
        let section = symbol.section_index().expect("it is code");
        let section = file.section_by_index(section).unwrap();
        let start = usize::try_from(symbol.address() - section.address()).unwrap();
        let length = usize::try_from(symbol.size()).unwrap();
        assert!(length > 0, "`{name}` has no size");
        let (offset, _) = section.file_range().unwrap();
        let start = usize::try_from(offset).unwrap() + start;
        &self.bytes[start..start + length]
    }

    fn contains(&self, text: &[u8]) -> bool {
        contains(&self.bytes, text)
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[test]
fn definitions_leave_no_byte() {
    let program = Program::read(&build::request_definitions("traces"));
    let plain = program.function("plain");
    assert_eq!(program.function("annotated"), plain);
    for text in TEXTS {
        assert!(
            !program.contains(text.as_bytes()),
            "`{text}` is in the program"
        );
    }
    assert!(!program.contains(SEQUENCE));
}

#[test]
fn active_requests_are_in_the_code() {
    let program = Program::read(&build::requests("traces"));
    let (plain, annotated) = (program.function("plain"), program.function("annotated"));
    assert!(!contains(plain, SEQUENCE) && contains(annotated, SEQUENCE));
    for text in TEXTS {
        assert!(
            program.contains(text.as_bytes()),
            "`{text}` is not in the program"
        );
    }
}
