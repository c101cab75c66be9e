//! The function that a library benchmark measures.
//!
//! The tools find it by its symbol, which ends in `__iai_callgrind_wrapper_mod::NAME`, or with the `v0`
//! mangling of newer compilers in `__iai_callgrind_wrapper_mod>::NAME`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::Benchmark;
use crate::text;

/// The function that is measured. Being a method gives it its symbol without hiding names, as a
/// module would.
///
/// It repeats the user's function instead of calling it. Even if such a call is inlined, the
/// optimizer comes to other instructions than for the function alone, and a call from another
/// benchmark must not enter the measured function, where it would switch the count off.
pub(super) fn wrapper(benchmark: &Benchmark) -> TokenStream {
    let signature = &benchmark.function.sig;
    let name = &signature.ident;
    let (generics, _, conditions) = signature.generics.split_for_impl();
    let (inputs, output, body) = (
        &signature.inputs,
        &signature.output,
        &benchmark.function.block,
    );
    // LLVM replaces a function by another one with equal instructions, and then the symbol would be
    // gone. It leaves functions in different sections alone.
    let ascii = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let section: String = text::plain(name).chars().map(ascii).collect();
    let section = format!(".text.iai_callgrind.{section}");
    quote! {
        struct __iai_callgrind_wrapper_mod;
        impl __iai_callgrind_wrapper_mod {
            // Lints speak about the user's function already.
            #[allow(warnings)]
            #[inline(never)]
            #[cfg_attr(
                any(target_os = "linux", target_os = "android", target_os = "freebsd"),
                unsafe(link_section = #section)
            )]
            fn #name #generics (#inputs) #output #conditions #body
        }
    }
}
