//! `main!` and `library_benchmark_group!` as tables.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Path;

use super::{at, config, door, hook};
use crate::model::{Group, Hook, Main};
use crate::text;

/// The function `main` with the table of the whole suite.
pub(crate) fn main(main: &Main) -> TokenStream {
    let Main {
        library, groups, ..
    } = main;
    let config = config(library, main.config.as_ref());
    let hooks = hooks(library, main.setup.as_ref(), main.teardown.as_ref());
    let groups = match groups {
        Some(groups) => {
            let groups = groups.iter().map(|group| entry(group, "__GROUP"));
            quote!(Listed(&[#(&#groups),*]))
        }
        None => quote!(Registered),
    };
    let deterministic_random = main.deterministic_random;
    let random = deterministic_random.then(|| random(library));
    quote! {
        #random
        fn main() -> ::std::process::ExitCode {
            static __IAI_CALLGRIND_SUITE: #library::__internal::Suite = #library::__internal::Suite {
                package: #library::__internal::Package {
                    name: ::core::env!("CARGO_PKG_NAME"),
                    manifest_dir: ::core::env!("CARGO_MANIFEST_DIR"),
                    target_tmpdir: ::core::option_env!("CARGO_TARGET_TMPDIR"),
                    file: ::core::file!(),
                    module: ::core::module_path!(),
                    runner: ::core::option_env!("IAI_CALLGRIND_RUNNER"),
                },
                config: #config,
                deterministic_random: #deterministic_random,
                hooks: #hooks,
                groups: #library::__internal::Groups::#groups,
            };
            #library::__internal::main(&__IAI_CALLGRIND_SUITE)
        }
    }
}

/// The C function from which the standard library takes random numbers on Linux. The executable's
/// own comes before the one of the C library.
fn random(library: &TokenStream) -> TokenStream {
    quote! {
        const _: () = {
            #[cfg(target_os = "linux")]
            #[unsafe(no_mangle)]
            extern "C" fn getrandom(
                buffer: *mut ::core::ffi::c_void,
                length: usize,
                flags: ::core::ffi::c_uint,
            ) -> isize {
                // SAFETY: called as the C library's function is called.
                unsafe { #library::__internal::getrandom(buffer, length, flags) }
            }
        };
    }
}

/// The static of a group and the module that leads to it. `None` if it has no name.
pub(crate) fn group(group: &Group) -> Option<TokenStream> {
    let Group { library, name, .. } = group;
    let name = name.as_ref()?;
    let text = text::plain(name);
    let table = Ident::new(&format!("__iai_callgrind_group_{text}"), name.span());
    let config = config(library, group.config.as_ref());
    let hooks = hooks(library, group.setup.as_ref(), group.teardown.as_ref());
    let compare_by_id = match &group.compare_by_id {
        Some(value) => quote!(#value),
        None => quote!(false),
    };
    let max_parallel = match &group.max_parallel {
        Some(value) => quote!(#value),
        None => quote!(0),
    };
    let functions = group
        .benchmarks
        .iter()
        .map(|path| entry(path, "__FUNCTION"));
    let door = door(name, &table, "__GROUP");
    Some(quote! {
        #[doc(hidden)]
        #[allow(non_upper_case_globals)]
        pub(crate) static #table: #library::__internal::Group = #library::__internal::Group {
            name: #text,
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
            hooks: #hooks,
            functions: &[#(&#functions),*],
        };
        #door
    })
}

fn hooks(library: &TokenStream, setup: Option<&Hook>, teardown: Option<&Hook>) -> TokenStream {
    let setup = hook(setup);
    let teardown = hook(teardown);
    quote!(#library::__internal::Hooks { setup: #setup, teardown: #teardown })
}

/// The table behind the name of a function or group.
fn entry(path: &Path, entry: &str) -> TokenStream {
    let entry = format_ident!("{entry}", span = at(path));
    quote_spanned!(at(path)=> #path::#entry)
}
