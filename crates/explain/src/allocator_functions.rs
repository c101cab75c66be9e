//! The functions of allocators, by their names.

use super::names;

/// Functions of the C library that allocate.
const C_ALLOCATE: [&str; 7] = [
    "malloc",
    "calloc",
    "aligned_alloc",
    "posix_memalign",
    "memalign",
    "valloc",
    "pvalloc",
];
/// Functions of the C library that allocate again.
const C_REALLOCATE: [&str; 2] = ["realloc", "reallocarray"];
/// Functions of the C library that free.
const C_FREE: [&str; 2] = ["free", "cfree"];

/// Beginnings of the functions that Rust puts before an allocator, and their owners.
const RUST: [(&str, AllocatorOwner); 3] = [
    ("__rust_", AllocatorOwner::Rust),
    ("__rdl_", AllocatorOwner::Default),
    ("__rg_", AllocatorOwner::Program),
];
/// The trait of allocators, before the name of a method that a type implements.
const TRAIT: &str = "GlobalAlloc>::";
/// The same before a method that the trait itself has.
const DEFAULT_METHOD: &str = "alloc::global::GlobalAlloc::";
/// The function that the standard library calls before it allocates.
const SHIM: &str = "__rust_no_alloc_shim_is_unstable";

/// Function of an allocator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AllocatorFunction {
    pub(super) owner: AllocatorOwner,
    pub(super) action: AllocatorAction,
}

/// Owner of a function of an allocator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AllocatorOwner {
    /// The C library, or its replacement.
    CLibrary,
    /// Rust's interface, in front of any allocator of the program.
    Rust,
    /// The allocator of the standard library, which calls that of the C library.
    Default,
    /// Another allocator of the program.
    Program,
}

/// Action of a function of an allocator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AllocatorAction {
    Allocate,
    Reallocate,
    Free,
}

/// Role of a function in an allocator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AllocatorRole {
    /// Allocates or reallocates a block.
    Allocates,
    /// Frees a block.
    Frees,
    /// Is called besides functions that allocate.
    Helps,
}

impl AllocatorRole {
    /// The role of the function with this name.
    pub(super) fn of(name: &str) -> Option<Self> {
        if is_shim(name) {
            return Some(Self::Helps);
        }
        Some(match AllocatorFunction::named(name)?.frees() {
            true => Self::Frees,
            false => Self::Allocates,
        })
    }
}

/// Is this a function of Rust, or of an allocator of the program, that allocates?
pub(crate) fn is_rust_allocator(name: &str) -> bool {
    let rust = AllocatorFunction::named(name).filter(|function| !function.is_of_c());
    name.contains(TRAIT) || rust.is_some_and(|function| !function.frees())
}

/// Is this the function that the standard library calls before it allocates?
pub(super) fn is_shim(name: &str) -> bool {
    names::last(name, 1).starts_with(SHIM)
}

impl AllocatorFunction {
    pub(super) fn named(name: &str) -> Option<Self> {
        let last = names::last(name, 1);
        let of_rust = RUST.iter().find_map(|(start, owner)| {
            let action = method(last.strip_prefix(start)?)?;
            Some(Self {
                owner: *owner,
                action,
            })
        });
        match of_rust {
            // A name with a path is not one of C: `lab::pool::free` frees no block.
            None if last.len() < name.len() => Self::of_program(name),
            None => Self::of_c(name),
            found => found,
        }
    }

    pub(super) fn frees(self) -> bool {
        self.action == AllocatorAction::Free
    }

    pub(super) fn is_of_c(self) -> bool {
        self.owner == AllocatorOwner::CLibrary
    }

    fn of_program(name: &str) -> Option<Self> {
        let implemented = name.split_once(TRAIT).filter(|(allocator, _)| {
            // That of the standard library, `System`, calls the C library.
            !allocator.starts_with("<std::")
        });
        let function = match implemented {
            Some((_, function)) => function,
            // `realloc` and `alloc_zeroed` that a type does not define have the trait's own path.
            None => name.split_once(DEFAULT_METHOD)?.1,
        };
        Some(Self {
            owner: AllocatorOwner::Program,
            action: method(function)?,
        })
    }

    fn of_c(name: &str) -> Option<Self> {
        // glibc exports `__libc_malloc` as a second name for the code of `malloc`.
        let plain = name.strip_prefix("__libc_").unwrap_or(name);
        let action = match plain {
            _ if C_ALLOCATE.contains(&plain) => AllocatorAction::Allocate,
            _ if C_REALLOCATE.contains(&plain) => AllocatorAction::Reallocate,
            _ if C_FREE.contains(&plain) => AllocatorAction::Free,
            _ => return None,
        };
        Some(Self {
            owner: AllocatorOwner::CLibrary,
            action,
        })
    }
}

/// The action of a method of the trait of allocators.
fn method(name: &str) -> Option<AllocatorAction> {
    match name {
        "alloc" | "alloc_zeroed" => Some(AllocatorAction::Allocate),
        "realloc" => Some(AllocatorAction::Reallocate),
        "dealloc" => Some(AllocatorAction::Free),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::AllocatorAction::{Allocate, Free, Reallocate};
    use super::AllocatorOwner::{CLibrary, Default, Program, Rust};
    use super::*;

    #[track_caller]
    fn check(name: &str, owner: AllocatorOwner, action: AllocatorAction) {
        let expected = AllocatorFunction { owner, action };
        assert_eq!(AllocatorFunction::named(name), Some(expected), "{name}");
    }

    #[test]
    fn functions_of_allocators_have_an_owner_and_an_action() {
        check("malloc", CLibrary, Allocate);
        check("__libc_calloc", CLibrary, Allocate);
        check("reallocarray", CLibrary, Reallocate);
        check("cfree", CLibrary, Free);
        check("__rustc::__rust_alloc_zeroed", Rust, Allocate);
        check("__rustc::__rdl_realloc", Default, Reallocate);
        check("__rg_dealloc", Program, Free);
        let of_trait = "<lab::Arena as std::alloc::global::GlobalAlloc>::dealloc";
        check(of_trait, Program, Free);
        // Provided methods of the trait, which all allocators share.
        check(
            "std::alloc::global::GlobalAlloc::alloc_zeroed",
            Program,
            Allocate,
        );
        check(
            "std::alloc::global::GlobalAlloc::realloc",
            Program,
            Reallocate,
        );
    }

    #[test]
    fn other_functions_are_none_of_an_allocator() {
        for name in [
            "lab::Pool::malloc",
            "mallopt",
            "__rustc::__rust_alloc_error_handler",
            "__rustc::__rust_no_alloc_shim_is_unstable_v2",
            "<std::sys::alloc::System as std::alloc::global::GlobalAlloc>::alloc",
            "lab::GlobalAlloc::alloc",
            "<lab::Arena as lab::GlobalAllocator>::alloc",
        ] {
            assert_eq!(AllocatorFunction::named(name), None, "{name}");
        }
        assert!(is_shim("__rustc::__rust_no_alloc_shim_is_unstable_v2"));
        assert!(is_shim("__rust_no_alloc_shim_is_unstable"));
        assert!(!is_shim("__rust_alloc"));
    }
}
