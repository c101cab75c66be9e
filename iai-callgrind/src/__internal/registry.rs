//! Every annotated function of the executable, collected by the linker.
//!
//! `#[library_benchmark]` and `#[binary_benchmark]` put a pointer to its table into a section of
//! its own; the linker lays the sections of all object files side by side and knows where they
//! begin and end. Where there is a Valgrind, nothing of this runs: no code before `main`, no list
//! to build, no effect on counts. The crates for this purpose either run code before `main` or
//! bring a second version of `syn`.
//!
//! The section has the version of the library in its name: tables of another version, which an
//! executable may hold as well, have another layout. Names of sections have at most 16 bytes on
//! Apple's systems.

use super::table::Function;

/// One entry. The linker may leave space between entries, which is `None`.
pub type Entry = Option<&'static Function>;

/// Puts the table of an annotated function into the section.
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($table:expr) => {
        $crate::__register_entry!(
            $crate::__internal::Entry,
            ::core::option::Option::Some(&$table),
            "iai_cg_0_17_0",
            "__DATA,iai_cg_0_17_0",
            $crate::__internal::register
        );
        $crate::__at_end!();
    };
}

/// Puts an entry into the section with these names, on systems with ELF files and on Apple's. On
/// Windows the function gets it.
#[doc(hidden)]
#[macro_export]
macro_rules! __register_entry {
    ($entry:ty, $value:expr, $elf:literal, $apple:literal, $register:path) => {
        #[cfg(not(windows))]
        #[used]
        #[cfg_attr(
                                                                    any(
                                                                        target_os = "linux",
                                                                        target_os = "android",
                                                                        target_os = "freebsd",
                                                                        target_os = "netbsd",
                                                                        target_os = "openbsd",
                                                                        target_os = "dragonfly",
                                                                        target_os = "illumos",
                                                                        target_os = "solaris"
                                                                    ),
                                                                    unsafe(link_section = $elf)
                                                                )]
        #[cfg_attr(target_vendor = "apple", unsafe(link_section = $apple))]
        static __IAI_CALLGRIND_REGISTERED: $entry = $value;

        // Linkers for Windows drop sections of such names. There is no Valgrind, so nothing is
        // measured, and functions may run before `main`.
        #[cfg(windows)]
        #[used]
        #[unsafe(link_section = ".CRT$XCU")]
        static __IAI_CALLGRIND_REGISTERED: extern "C" fn() = {
            extern "C" fn __iai_callgrind_register() {
                $register($value);
            }
            __iai_callgrind_register
        };
    };
}

/// Defines a module `section` whose `entries` are those of the section with these names: the first
/// three are for ELF files, the last three for Apple's systems. The type of an entry is an
/// `Option`, since the linker may leave space between them.
#[doc(hidden)]
#[macro_export]
macro_rules! __section {
    (
        $entry:ident,
        $elf:literal, $elf_start:literal, $elf_stop:literal,
        $apple:literal, $apple_start:literal, $apple_stop:literal
    ) => {
        #[cfg(any(
            target_os = "linux",
            target_os = "android",
            target_os = "freebsd",
            target_os = "netbsd",
            target_os = "openbsd",
            target_os = "dragonfly",
            target_os = "illumos",
            target_os = "solaris",
            target_vendor = "apple"
        ))]
        mod section {
            use super::$entry as Entry;

            // The linker defines the two symbols only if the section exists.
            #[used]
            #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = $elf))]
            #[cfg_attr(target_vendor = "apple", unsafe(link_section = $apple))]
            static EMPTY: [Entry; 0] = [];

            // SAFETY: nothing is read of these but their addresses.
            unsafe extern "C" {
                #[cfg_attr(not(target_vendor = "apple"), link_name = $elf_start)]
                #[cfg_attr(target_vendor = "apple", link_name = $apple_start)]
                static START: [usize; 0];
                #[cfg_attr(not(target_vendor = "apple"), link_name = $elf_stop)]
                #[cfg_attr(target_vendor = "apple", link_name = $apple_stop)]
                static STOP: [usize; 0];
            }

            pub(super) fn entries() -> &'static [Entry] {
                let start = (&raw const START).cast::<Entry>();
                let stop = (&raw const STOP).cast::<Entry>();
                // SAFETY: both point to the ends of the section, which holds nothing but entries.
                unsafe { std::slice::from_raw_parts(start, stop.offset_from(start) as usize) }
            }
        }

        #[cfg(windows)]
        mod section {
            use std::sync::{Mutex, OnceLock, PoisonError};

            use super::$entry as Entry;

            static REGISTERED: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

            /// Called before `main`.
            pub fn register(entry: Entry) {
                let registered = REGISTERED.lock();
                let mut registered = registered.unwrap_or_else(PoisonError::into_inner);
                registered.push(entry);
            }

            pub(super) fn entries() -> &'static [Entry] {
                static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
                ENTRIES.get_or_init(|| {
                    let registered = REGISTERED.lock();
                    registered.unwrap_or_else(PoisonError::into_inner).clone()
                })
            }
        }

        #[cfg(not(any(
            target_os = "linux",
            target_os = "android",
            target_os = "freebsd",
            target_os = "netbsd",
            target_os = "openbsd",
            target_os = "dragonfly",
            target_os = "illumos",
            target_os = "solaris",
            target_vendor = "apple",
            windows
        )))]
        mod section {
            use super::$entry as Entry;

            /// There is no such section here.
            pub(super) fn entries() -> &'static [Entry] {
                &[]
            }
        }
    };
}

crate::__section!(
    Entry,
    "iai_cg_0_17_0",
    "__start_iai_cg_0_17_0",
    "__stop_iai_cg_0_17_0",
    "__DATA,iai_cg_0_17_0",
    "\x01section$start$__DATA$iai_cg_0_17_0",
    "\x01section$end$__DATA$iai_cg_0_17_0"
);

#[cfg(windows)]
pub use section::register;

/// All entries, in the order of the linker.
pub(super) fn entries() -> &'static [Entry] {
    section::entries()
}

/// The entry with this index.
#[cfg(unix)]
pub(super) fn get(index: usize) -> Entry {
    entries().get(index).copied().flatten()
}

#[cfg(test)]
mod tests {
    /// Attributes take literals only, so a release has to change them.
    #[test]
    fn the_section_has_the_version_in_its_name() {
        let version = env!("CARGO_PKG_VERSION").replace('.', "_");
        let source = include_str!("registry.rs");
        let mut names = 0;
        for rest in source.split("iai_cg_").skip(1) {
            if rest.starts_with(|first: char| first.is_ascii_digit()) {
                assert_eq!(rest.split('"').next(), Some(version.as_str()));
                names += 1;
            }
        }
        assert!(names >= 7, "{names}");
        assert!("iai_cg_".len() + version.len() <= 16);
    }
}
