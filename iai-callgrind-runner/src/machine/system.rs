//! Facts that figures depend on, apart from program and tool: compiler, C library, processor.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use iai_callgrind::protocol::{Suite, VERSION};
use object::read::elf::{ElfFile32, ElfFile64};
use object::{Endianness, FileKind, Object, ObjectSection, ReadCache};

use crate::settings::Settings;
use project::built;
use records::summary::System;

/// Facts that are known without a benchmark executable.
pub(crate) fn of_runner() -> System {
    let (cpu, cpu_features) = cpu();
    System {
        runner: VERSION.to_owned(),
        cpu,
        cpu_features,
        ..System::default()
    }
}

/// All facts. Unknown ones are absent.
pub(crate) fn of_benchmarks(suite: &Suite, settings: &Settings) -> System {
    let executable = &settings.executable;
    System {
        build: built::of_benchmarks(
            &suite.platform,
            &suite.package,
            executable,
            &settings.workspace(&suite.package),
            &settings.environment,
        ),
        library: Some(suite.version.clone()),
        target: Some(suite.platform.target.clone()),
        rustc: rustc(executable),
        libc: suite.platform.libc.clone(),
        ..of_runner()
    }
}

/// The version of the compiler, which leaves it in the executable. Only the headers and a few bytes
/// of the file are read.
fn rustc(executable: &Path) -> Option<String> {
    let cache = ReadCache::new(File::open(executable).ok()?);
    let comment = match FileKind::parse(&cache).ok()? {
        FileKind::Elf32 => comment(&ElfFile32::<Endianness, _>::parse(&cache).ok()?),
        FileKind::Elf64 => comment(&ElfFile64::<Endianness, _>::parse(&cache).ok()?),
        _ => None,
    }?;
    let mut texts = comment.split(|byte| *byte == 0);
    let version = texts.find_map(|text| text.strip_prefix(b"rustc version "))?;
    Some(String::from_utf8_lossy(version).into_owned())
}

fn comment<'data>(file: &impl Object<'data>) -> Option<&'data [u8]> {
    file.section_by_name(".comment")?.data().ok()
}

/// Features of x86-64 processors that Valgrind 3.19 to 3.27 passes on to programs, by their names
/// in `/proc/cpuinfo`.
const PRESENTED: [&str; 17] = [
    "cx16",
    "lahf_lm",
    "pni",
    "ssse3",
    "sse4_1",
    "sse4_2",
    "popcnt",
    "aes",
    "pclmulqdq",
    "avx",
    "avx2",
    "bmi1",
    "bmi2",
    "f16c",
    "fma",
    "abm",
    "rdtscp",
];

/// The name of the first processor, and its features.
fn cpu() -> (Option<String>, Vec<String>) {
    let Ok(file) = File::open("/proc/cpuinfo") else {
        return Default::default();
    };
    cpu_of(BufReader::new(file))
}

fn cpu_of(info: impl BufRead) -> (Option<String>, Vec<String>) {
    let mut name = None;
    let mut features = Vec::new();
    // An empty line ends the first processor.
    let lines = info.lines().map_while(Result::ok);
    for line in lines.take_while(|line| !line.is_empty()) {
        let Some((key, value)) = line.split_once(':') else {
            continue;
        };
        match key.trim() {
            "model name" => name = Some(value.trim().to_owned()),
            "flags" => {
                let has = |feature: &&&str| value.split(' ').any(|flag| flag == **feature);
                features.extend(PRESENTED.iter().filter(has).map(|name| (*name).to_owned()));
            }
            _ => {}
        }
    }
    (name, features)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors() {
        let info =
            "processor\t: 0\nmodel name\t: AMD EPYC 7763\nflags\t\t: fpu avx avx512f fma\n\n\
                    processor\t: 1\nmodel name\t: other\n";
        let (name, features) = cpu_of(info.as_bytes());
        assert_eq!(name.as_deref(), Some("AMD EPYC 7763"));
        assert_eq!(features, ["avx", "fma"]);
        assert_eq!(cpu_of("".as_bytes()), (None, vec![]));
    }

    #[test]
    fn the_compiler_of_this_executable_is_known() {
        let rustc = rustc(&std::env::current_exe().unwrap()).unwrap();
        assert!(rustc.starts_with("1."), "{rustc}");
        assert_eq!(super::rustc(Path::new("/etc/passwd")), None);
        assert_eq!(super::rustc(Path::new("/no/such/file")), None);
    }
}
