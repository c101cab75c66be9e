//! `main!` and the groups as tables.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::ext::IdentExt;
use syn::{ExprClosure, Pat, Path, Type};

use super::case::located;
use super::{at, config, door, hook, optional_text, Target};
use crate::input::bare_type;
use crate::model::{Group, Hook, Kind, Main, Member, OwnRandom, Ratio, RatioSide};
use crate::workspace;

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
            let groups = groups.iter().map(|group| listed(library, group));
            let kind = match kind {
                Kind::Library => quote!(Library),
                Kind::Binary => quote!(Binary),
            };
            quote!(#kind(&[#(#groups),*]))
        }
        None => quote!(Registered),
    };
    let package = package(library);
    let has_random = main.random != OwnRandom::No;
    let random = has_random.then(|| random(library, main.random));
    quote! {
        #random
        const _: () = {
            #library::__has_main!();
        };
        fn main() -> ::std::process::ExitCode {
            static __IAI_CALLGRIND_SUITE: #library::__internal::Suite = #library::__internal::Suite {
                package: #package,
                config: #config,
                deterministic_random: #has_random && ::core::cfg!(target_os = "linux"),
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
        Some(root) => root.to_token_stream(),
        // Without cargo this is an error, which says so.
        None => quote!(::core::env!("CARGO_MANIFEST_DIR")),
    };
    quote! {
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

/// The C functions from which programs take random numbers on Linux. The executable's own come
/// before those of the C library.
pub(crate) fn random(library: &TokenStream, functions: OwnRandom) -> TokenStream {
    let syscall = (functions == OwnRandom::WithSystemCalls)
        .then(|| quote!(#library::__deterministic_syscall!();));
    quote! {
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
            #syscall
        }
    }
}

/// The static of a group and the module that leads to it. `None` if it has no name.
pub(crate) fn group(group: &Group) -> Option<TokenStream> {
    let Group { library, name, .. } = group;
    let name = name.as_ref()?;
    let table = format_ident!("__iai_callgrind_group_{}", name.unraw(), span = name.span());
    let config = config(library, group.kind.into(), group.config.as_ref());
    let hooks = hooks(library, group.setup.as_ref(), group.teardown.as_ref());
    let compare_by_id = match &group.compare_by_id {
        Some(value) => value.to_token_stream(),
        None => quote!(false),
    };
    let equal_counts = group.equal_counts;
    let ratios = group.ratios.iter().map(|ratio| self::ratio(library, ratio));
    let max_parallel = match &group.max_parallel {
        Some(value) => value.to_token_stream(),
        None => quote!(0),
    };
    let members = group.benchmarks.iter();
    let (ty, functions) = match group.kind {
        Kind::Library => {
            let functions = members.filter_map(|member| match member {
                Member::Path(path) => Some(library_member(library, path)),
                Member::Closure(_) => None,
            });
            (quote!(Group), quote!(&[#(#functions),*]))
        }
        Kind::Binary => {
            let members = members.map(|member| binary_member(library, member));
            let members = quote!({
                fn __iai_callgrind_members() -> #library::__internal::Members {
                    ::std::vec::Vec::from([#(#members),*])
                }
                __iai_callgrind_members
            });
            (quote!(BinaryGroup), members)
        }
    };
    let door = door(name, &table, "__GROUP", &TokenStream::new());
    Some(quote! {
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
            ratios: &[#(#ratios),*],
            hooks: #hooks,
            functions: #functions,
        };
        #door
    })
}

fn ratio(library: &TokenStream, ratio: &Ratio) -> TokenStream {
    let side = |side: &RatioSide| {
        let function = side.function.unraw().to_string();
        let id = optional_text(side.id.as_deref());
        quote!(#library::__internal::RatioSide { function: #function, id: #id })
    };
    let (limited, of) = (side(&ratio.limited), side(&ratio.of));
    let number = &ratio.number;
    quote!(#library::__internal::Ratio { limited: #limited, number: #number, of: #of })
}

/// A group under the name that it has here: its own, or that of its import.
fn listed(library: &TokenStream, path: &Path) -> TokenStream {
    let name = path.segments.last();
    let name = name.map(|segment| segment.ident.unraw().to_string());
    let group = entry(path, "__GROUP");
    quote!(#library::__internal::ListedGroup { name: #name, group: #group })
}

fn hooks(library: &TokenStream, setup: Option<&Hook>, teardown: Option<&Hook>) -> TokenStream {
    let setup = hook(setup);
    let teardown = hook(teardown);
    quote!(#library::__internal::Hooks { setup: #setup, teardown: #teardown })
}

/// The table behind the name of a function or group.
fn entry(path: &Path, entry: &str) -> TokenStream {
    let place = at(path);
    let entry = Ident::new(entry, place);
    quote_spanned!(place=> &#path::#entry)
}

/// One of `benchmarks`: the table of an annotated function. Any other function is refused by a
/// bound that says what is missing.
fn library_member(library: &TokenStream, path: &Path) -> TokenStream {
    let place = at(path);
    let here = located(library, place);
    let function = Ident::new("__iai_callgrind_function", place);
    let table = quote_spanned! {place=>
        <#function as #here::__internal::LibraryFunction>::TABLE
    };
    looked_up(library, path, "__LIBRARY", &table)
}

/// An expression in which the names of the module `kind` of an annotated function are known, and
/// the function itself as `__iai_callgrind_entry`.
///
/// An annotated function has a module of its name. Any other function has none; then the one of the
/// library is found in its place.
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
    let import = match path.get_ident() {
        Some(ident) => quote_spanned!(place=> self::{#ident as #name}),
        None => quote_spanned!(place=> #path as #name),
    };
    quote!({
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
            let member =
                quote_spanned!(place=> <_ as #here::__internal::IntoMember<_>>::member(&#name));
            // The table has the name that is looked up in the end. Where there is none, the name
            // means the function.
            looked_up(library, path, "__BINARY", &member)
        }
        Member::Closure(closure) => {
            let closure = low_level(library, closure);
            quote!(#library::__internal::IntoMember::member(#closure))
        }
    }
}

/// The closure of a low-level group. Its value is dropped, and the type of its parameter can be
/// left out or need not be imported.
fn low_level(library: &TokenStream, closure: &ExprClosure) -> TokenStream {
    let group = quote!(&mut #library::BinaryBenchmarkGroup);
    let parameters = closure.inputs.iter().map(|input| match input {
        Pat::Type(typed) if !is_short_name(&typed.ty) => quote!(#typed),
        Pat::Type(typed) => {
            let pattern = &typed.pat;
            quote!(#pattern: #group)
        }
        pattern => quote!(#pattern: #group),
    });
    let body = &closure.body;
    quote! {
        |#(#parameters),*| {
            let _ = #body;
        }
    }
}

/// Is it `&mut BinaryBenchmarkGroup`?
fn is_short_name(ty: &Type) -> bool {
    let Type::Reference(reference) = bare_type(ty) else {
        return false;
    };
    matches!(&*reference.elem, Type::Path(ty) if ty.path.is_ident("BinaryBenchmarkGroup"))
}
