//! `main!` and the groups as tables.

use super::case::located;
use super::{at, config, door, hook, Target};
use crate::code::{code, code_at, ToTokens};
use crate::model::{Group, Hook, Kind, Main, Member};
use crate::syntax::{is, is_word, Closure, Path, Type};
use crate::tokens::{Ident, TokenStream, TokenTree};
use crate::{text, workspace};

/// The function `main` with the table of the whole suite.
pub(crate) fn main(main: &Main) -> TokenStream {
    let Main {
        library, groups, ..
    } = main;
    let target = groups
        .as_ref()
        .map_or(Target::Any, |(kind, _)| (*kind).into());
    let config = config(library, target, main.config.as_ref());
    let hooks = hooks(library, main.setup.as_ref(), main.teardown.as_ref());
    let groups = match groups {
        Some((kind, groups)) => {
            let mut tables = Vec::new();
            for group in groups {
                tables.push(listed(library, group));
            }
            let kind = match kind {
                Kind::Library => code!(Library),
                Kind::Binary => code!(Binary),
            };
            code!(kind, tables => #kind(&[#tables]))
        }
        None => code!(Registered),
    };
    let package = package(library);
    let deterministic_random = main.deterministic_random;
    let random = deterministic_random.then(|| random(library));
    code! { random, library, package, config, deterministic_random, hooks, groups =>
        #random
        const _: () = {
            #library::__has_main!();
        };
        fn main() -> ::std::process::ExitCode {
            static __IAI_CALLGRIND_SUITE: #library::__internal::Suite = #library::__internal::Suite {
                package: #package,
                config: #config,
                deterministic_random: #deterministic_random,
                hooks: #hooks,
                groups: #library::__internal::Groups::#groups,
            };
            #library::__internal::main(&__IAI_CALLGRIND_SUITE)
        }
    }
}

/// Facts of the package that is compiled.
pub(crate) fn package(library: &TokenStream) -> TokenStream {
    let workspace = match workspace::root()
        .as_deref()
        .and_then(std::path::Path::to_str)
    {
        Some(root) => root.to_tokens(),
        // Without cargo this is an error, which says so.
        None => code!(::core::env!("CARGO_MANIFEST_DIR")),
    };
    code! { library, workspace =>
        #library::__internal::Package {
            name: ::core::env!("CARGO_PKG_NAME"),
            manifest_dir: ::core::env!("CARGO_MANIFEST_DIR"),
            workspace: #workspace,
            target_tmpdir: ::core::option_env!("CARGO_TARGET_TMPDIR"),
            file: ::core::file!(),
            module: ::core::module_path!(),
            runner: ::core::option_env!("IAI_CALLGRIND_RUNNER"),
        }
    }
}

/// The C functions from which programs take random numbers on Linux. The executable's own come before
/// those of the C library.
pub(crate) fn random(library: &TokenStream) -> TokenStream {
    code! { library =>
        #[cfg(target_os = "linux")]
        mod __iai_callgrind_random {
            #[unsafe(no_mangle)]
            extern "C" fn getrandom(
                buffer: *mut ::core::ffi::c_void,
                length: usize,
                flags: ::core::ffi::c_uint,
            ) -> isize {
                // SAFETY: called as the C library's function is called.
                unsafe { #library::__internal::getrandom(buffer, length, flags) }
            }
            #[unsafe(no_mangle)]
            extern "C" fn getentropy(buffer: *mut ::core::ffi::c_void, length: usize) -> i32 {
                // SAFETY: called as the C library's function is called.
                unsafe { #library::__internal::getentropy(buffer, length) }
            }
            #library::__deterministic_syscall!();
        }
    }
}

/// The static of a group and the module that leads to it. `None` if it has no name.
pub(crate) fn group(group: &Group) -> Option<TokenStream> {
    let Group { library, name, .. } = group;
    let name = name.as_ref()?;
    let text = text::plain(name);
    let table = Ident::new(&format!("__iai_callgrind_group_{text}"), name.span());
    let config = config(library, group.kind.into(), group.config.as_ref());
    let hooks = hooks(library, group.setup.as_ref(), group.teardown.as_ref());
    let compare_by_id = match &group.compare_by_id {
        Some(value) => value.to_tokens(),
        None => code!(false),
    };
    let equal_counts = group.equal_counts;
    let max_parallel = match &group.max_parallel {
        Some(value) => value.to_tokens(),
        None => code!(0),
    };
    let mut members = Vec::new();
    for member in &group.benchmarks {
        match (group.kind, member) {
            (Kind::Library, Member::Path(path)) => members.push(library_member(library, path)),
            (Kind::Library, Member::Closure(_)) => {}
            (Kind::Binary, member) => members.push(binary_member(library, member)),
        }
    }
    let (ty, functions) = match group.kind {
        Kind::Library => (code!(Group), code!(members => &[#members])),
        Kind::Binary => {
            let members = code!(library, members => {
                fn __iai_callgrind_members() -> #library::__internal::Members {
                    ::std::vec::Vec::from([#members])
                }
                __iai_callgrind_members
            });
            (code!(BinaryGroup), members)
        }
    };
    let door = door(name, &table, "__GROUP", &TokenStream::new());
    let code = code! { table, library, ty, config, compare_by_id, max_parallel, equal_counts, hooks, functions, door =>
        #[doc(hidden)]
        #[allow(non_upper_case_globals)]
        pub(crate) static #table: #library::__internal::#ty = #library::__internal::Group {
            config: #config,
            compare_by_id: {
                fn __iai_callgrind_compare_by_id() -> bool {
                    #compare_by_id
                }
                __iai_callgrind_compare_by_id
            },
            max_parallel: {
                fn __iai_callgrind_max_parallel() -> usize {
                    #max_parallel
                }
                __iai_callgrind_max_parallel
            },
            equal_counts: #equal_counts,
            hooks: #hooks,
            functions: #functions,
        };
        #door
    };
    Some(code)
}

/// A group under the name that it has here: its own, or that of its import.
fn listed(library: &TokenStream, path: &Path) -> TokenStream {
    let name = path.names.last().map(text::plain);
    let group = entry(path, "__GROUP");
    code!(library, name, group => #library::__internal::ListedGroup { name: #name, group: #group })
}

fn hooks(library: &TokenStream, setup: Option<&Hook>, teardown: Option<&Hook>) -> TokenStream {
    let setup = hook(setup);
    let teardown = hook(teardown);
    code!(library, setup, teardown => #library::__internal::Hooks { setup: #setup, teardown: #teardown })
}

/// The table behind the name of a function or group.
fn entry(path: &Path, entry: &str) -> TokenStream {
    let place = at(path);
    let entry = Ident::new(entry, place);
    code_at!(place, path, entry => &#path::#entry)
}

/// One of `benchmarks`: the table of an annotated function. Any other function is refused by a bound that
/// says what is missing.
fn library_member(library: &TokenStream, path: &Path) -> TokenStream {
    let place = at(path);
    let here = located(library, place);
    let function = Ident::new("__iai_callgrind_function", place);
    let table = code_at! { place, function, here =>
        <#function as #here::__internal::LibraryFunction>::TABLE
    };
    looked_up(library, path, "__LIBRARY", &table)
}

/// An expression in which the names of the module `kind` of an annotated function are known, and the function
/// itself as `__iai_callgrind_entry`.
///
/// An annotated function has a module of its name. Any other function has none; then the one of the library is
/// found in its place.
fn looked_up(
    library: &TokenStream,
    path: &Path,
    kind: &str,
    expression: &TokenStream,
) -> TokenStream {
    let place = at(path);
    let name = Ident::new("__iai_callgrind_entry", place);
    let kind = Ident::new(kind, place);
    // A name alone could also be that of an attribute of the compiler, such as `bench`.
    let import = match path.name() {
        Some(ident) => code_at!(place, ident, name => self::{#ident as #name}),
        None => code_at!(place, path, name => #path as #name),
    };
    code!(library, import, name, kind, expression => {
        #[allow(unused_imports)]
        use #library::__internal::plain_function::*;
        {
            #[allow(deprecated, unused_imports)]
            use #import;
            {
                #[allow(unused_imports)]
                use #name::#kind::*;
                #expression
            }
        }
    })
}

/// One of `benchmarks`: an annotated function, any other function, or a closure.
fn binary_member(library: &TokenStream, member: &Member) -> TokenStream {
    match member {
        Member::Path(path) => {
            let place = at(path);
            let name = Ident::new("__iai_callgrind_entry", place);
            let here = located(library, place);
            // With its type named, rustc reports a value that is no member at the path alone.
            let member = code_at!(place, here, name => <_ as #here::__internal::IntoMember<_>>::member(&#name));
            // The table has the name that is looked up in the end. Where there is none, the name means the
            // function.
            looked_up(library, path, "__BINARY", &member)
        }
        Member::Closure(closure) => {
            let closure = low_level(library, closure);
            code!(library, closure => #library::__internal::IntoMember::member(#closure))
        }
    }
}

/// The closure of a low-level group. Its value is dropped, and the type of its parameter can be left
/// out or need not be imported.
fn low_level(library: &TokenStream, closure: &Closure) -> TokenStream {
    let group = code!(library => &mut #library::BinaryBenchmarkGroup);
    let mut parameters = Vec::new();
    for input in &closure.parameters {
        let pattern = &input.pattern;
        parameters.push(match &input.ty {
            Some(ty) if !is_short_name(ty) => input.to_tokens(),
            _ => code!(pattern, group => #pattern: #group),
        });
    }
    let body = &closure.body;
    code! { parameters, body =>
        |#parameters| {
            let _ = #body;
        }
    }
}

/// Is it `&mut BinaryBenchmarkGroup`?
fn is_short_name(ty: &Type) -> bool {
    let words: Vec<_> = ty.to_tokens().into_iter().collect();
    ty.is_reference()
        && matches!(words.as_slice(), [.., before, TokenTree::Ident(last)]
            if is_word(last, "BinaryBenchmarkGroup") && !is(Some(before), ':'))
}
