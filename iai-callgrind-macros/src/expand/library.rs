//! The function that a library benchmark measures.
//!
//! The tools find it by its symbol, which ends in `__iai_callgrind_wrapper_mod::NAME`, or with the `v0`
//! mangling of newer compilers in `__iai_callgrind_wrapper_mod>::NAME`.

use super::{at, case};
use crate::code::{code, code_at, ToTokens};
use crate::model::Benchmark;
use crate::syntax::Generic;
use crate::text;
use crate::tokens::{Ident, Span, TokenStream};

/// The function that is measured. Being a method gives it its symbol without hiding names, as a
/// module would.
///
/// It repeats the user's function instead of calling it. Even if such a call is inlined, the
/// optimizer comes to other instructions than for the function alone, and a call from another
/// benchmark must not enter the measured function, where it would switch the count off.
pub(super) fn wrapper(benchmark: &Benchmark) -> TokenStream {
    let signature = &benchmark.function.signature;
    let name = &signature.name;
    let (generics, conditions) = (&signature.generics, &signature.conditions);
    let output = signature.arrow();
    let (future, inputs, body) = if benchmark.is_async() {
        let (inputs, body) = blocking(benchmark);
        (Some(future(benchmark)), inputs, body)
    } else {
        let body = benchmark.function.body.to_tokens();
        (None, signature.inputs.clone(), body)
    };
    // LLVM replaces a function by another one with equal instructions, and then the symbol would be
    // gone. It leaves functions in different sections alone.
    let ascii = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let section: String = text::plain(name).chars().map(ascii).collect();
    let section = format!(".text.iai_callgrind.{section}");
    code! { future, section, name, generics, inputs, output, conditions, body =>
        #future
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

/// The copy of an `async fn`, whose future the measured function runs. A struct of its own: only what is
/// measured is a method of the other one.
fn future(benchmark: &Benchmark) -> TokenStream {
    let (signature, body) = (&benchmark.function.signature, &benchmark.function.body);
    code! { signature, body =>
        struct __iai_callgrind_future_mod;
        impl __iai_callgrind_future_mod {
            #[allow(warnings)]
            #signature #body
        }
    }
}

/// Parameters and body of the measured function that runs the future of an `async fn`.
fn blocking(benchmark: &Benchmark) -> (TokenStream, TokenStream) {
    let signature = &benchmark.function.signature;
    let name = &signature.name;
    let (mut names, mut inputs) = (Vec::new(), Vec::new());
    for (index, input) in signature.parameters.iter().enumerate() {
        let name = format!("__iai_callgrind_argument_{index}");
        let name = Ident::new(&name, Span::call_site());
        if let Some(ty) = &input.ty {
            inputs.push(code!(name, ty => #name: #ty));
        }
        names.push(name.to_tokens());
    }
    let mut generics = Vec::new();
    for parameter in &signature.generic_parameters {
        match parameter {
            Generic::Lifetime => {}
            Generic::Type(name) | Generic::Const(name) => generics.push(name.to_tokens()),
        }
    }
    let generics = (!generics.is_empty()).then(|| code!(generics => ::<#generics>));
    let made = code!(name, generics, names => __iai_callgrind_future_mod::#name #generics (#names));
    let ran = match &benchmark.executor {
        Some(executor) => {
            let executor_call = case::callee(executor);
            code_at!(at(executor), executor_call, made => #executor_call(#made))
        }
        None => {
            let library = &benchmark.library;
            code!(library, made => #library::__internal::block_on(#made))
        }
    };
    (inputs.to_tokens(), code!(ran => { #ran }))
}
