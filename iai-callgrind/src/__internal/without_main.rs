//! A file with benchmarks and a `main` of its own: it would run nothing, and nobody would say so.
//!
//! `main!` leaves a mark in a section of the executable. At the end of a process that cargo
//! started, each annotated function looks whether there is one. So nothing happens before or while
//! something is measured, and afterwards two addresses are compared. On systems with ELF files
//! only.

/// Looks for the mark of `main!` when the process ends.
#[doc(hidden)]
#[macro_export]
macro_rules! __at_end {
    () => {
        #[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
        #[used]
        #[unsafe(link_section = ".fini_array")]
        static __IAI_CALLGRIND_AT_END: extern "C" fn() = $crate::__internal::at_end;
    };
}

/// The mark of `main!`.
#[doc(hidden)]
#[macro_export]
macro_rules! __has_main {
    () => {
        #[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
        #[used]
        #[unsafe(link_section = "iai_callgrind_main")]
        static __IAI_CALLGRIND_HAS_MAIN: u8 = 0;
    };
}

#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
mod at_end {
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, Ordering};

    use crate::__internal::benchmarks::root;
    use crate::__internal::{exit, registry, Function};

    // The linker defines the two symbols only if the section exists.
    #[used]
    #[unsafe(link_section = "iai_callgrind_main")]
    static NONE: [u8; 0] = [];

    // SAFETY: nothing is read of these but their addresses.
    unsafe extern "C" {
        #[link_name = "__start_iai_callgrind_main"]
        static START: [u8; 0];
        #[link_name = "__stop_iai_callgrind_main"]
        static STOP: [u8; 0];
    }

    /// Each annotated function asks; one answer is enough.
    static SAID: AtomicBool = AtomicBool::new(false);

    /// Runs at the end of the process.
    pub extern "C" fn at_end() {
        if &raw const START == &raw const STOP {
            without_main();
        }
    }

    #[cold]
    fn without_main() {
        if SAID.swap(true, Ordering::Relaxed) {
            return;
        }
        let mut first: Option<&Function> = None;
        for entry in registry::entries() {
            let Some(function) = entry else { continue };
            match first {
                Some(first) if first.place.line <= function.place.line => {}
                _ if is_of(function.place.module) => first = Some(function),
                _ => {}
            }
        }
        let Some(function) = first else { return };
        let (file, line) = (function.place.file, function.place.line);
        let text = format!(
            "{file}:{line}: there are benchmarks in this file, and its `main` runs none of them\n  \
             hint: write `iai_callgrind::main!();` instead of `fn main() {{ .. }}`"
        );
        // `cargo bench` asks for figures, and without any it must not look like a success.
        for word in std::env::args_os() {
            if word == "--bench" {
                exit::with_error(exit::ERROR, format_args!("{text}"));
                // SAFETY: ends the process, which is ending anyway.
                unsafe { libc::_exit(exit::ERROR.into()) };
            }
        }
        eprintln!("warning: {text}");
    }

    /// Is this executable the one that cargo made of the crate? It is then `deps/<crate>-<hash>`.
    fn is_of(module: &str) -> bool {
        let executable = std::env::current_exe().unwrap_or_default();
        let Some(hash) = hash(&executable, root(module)) else {
            return false;
        };
        for digit in hash.as_bytes() {
            if !digit.is_ascii_hexdigit() {
                return false;
            }
        }
        true
    }

    /// The suffix of the executable's name behind the name of the crate, which Cargo adds.
    fn hash<'a>(executable: &'a Path, of_crate: &str) -> Option<&'a str> {
        let name = executable.file_stem()?.to_str()?;
        match executable.parent()?.file_name()?.to_str()? {
            "deps" => name.strip_prefix(of_crate)?.strip_prefix("-"),
            _ => None,
        }
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
pub use at_end::at_end;
