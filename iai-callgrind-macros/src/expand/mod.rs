//! Writes the code.
//!
//! In: a checked model. Out: short code that calls the library's `__internal` and nothing else of
//! it. Generated names begin with `__iai_callgrind`, so that they hide no name of the user.

mod binary;
mod case;
pub(crate) mod groups;
mod library;
mod scaling;
mod table;
mod throughput;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, ItemFn};

use crate::cases::Case;
use crate::check;
use crate::errors::Errors;
use crate::model::{Benchmark, Hook, Kind};

/// The code beside one annotated function. With errors it has no cases, so that no other errors
/// follow.
pub(crate) fn beside(benchmark: &Benchmark, cases: &[Case<'_>], errors: &Errors) -> TokenStream {
    if errors.is_empty() {
        return table::table(benchmark, cases);
    }
    match benchmark.function.sig.receiver() {
        None => table::table(benchmark, &[]),
        Some(_) => TokenStream::new(),
    }
}

/// The annotated function, with the errors that were found.
pub(crate) fn function(benchmark: Benchmark, errors: &mut Errors) -> TokenStream {
    let mut function = benchmark.function;
    if benchmark.kind == Kind::Binary {
        binary::accept_references(&benchmark.library, &mut function);
    }
    let compile_errors = errors.to_compile_errors();
    if !errors.is_empty() {
        // A second attribute of ours would define everything again.
        function
            .attrs
            .retain(|attribute| !check::is_ours(attribute));
        return quote!(#compile_errors #function);
    }
    if table::is_named(&function.sig) {
        return function.into_token_stream();
    }
    may_be_unused(&function)
}

/// Keeps rustc from calling a function unused: it is silent about items whose first and last token
/// are those of a macro.
fn may_be_unused(function: &ItemFn) -> TokenStream {
    let ItemFn {
        attrs,
        vis,
        sig,
        block,
        ..
    } = function;
    let mut tokens: Vec<TokenTree> = quote!(#vis #sig #block).into_iter().collect();
    for index in [0, tokens.len() - 1] {
        let place = at(&tokens[index]);
        tokens[index].set_span(place);
    }
    quote!(#(#attrs)* #(#tokens)*)
}

/// The module through which groups and `main!` find a table by the name that the user gave it.
/// Functions and modules of one name can exist side by side. The module is public, since `use` of a
/// private function from a parent module has to bring it along. What is in it is not, so that rustc
/// can tell which functions are in no group.
fn door(name: &Ident, table: &Ident, entry: &str, more: &TokenStream) -> TokenStream {
    let entry = format_ident!("{entry}");
    quote! {
        #[doc(hidden)]
        pub mod #name {
            pub(crate) use super::#table as #entry;
            #more
        }
    }
}

/// Benchmarks that a configuration is for.
#[derive(Clone, Copy)]
enum Target {
    Library,
    Binary,
    /// `main!` without a list of groups: both types are accepted.
    Any,
}

impl From<Kind> for Target {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Library => Self::Library,
            Kind::Binary => Self::Binary,
        }
    }
}

/// `Some(fn pointer)` to the configuration.
fn config(library: &TokenStream, target: Target, config: Option<&Expr>) -> TokenStream {
    let Some(config) = config else {
        return quote!(::core::option::Option::None);
    };
    // Errors of types have to point at the value.
    let value = quiet(config);
    let expected = Ident::new(
        match target {
            Target::Library => "IntoLibraryConfig",
            Target::Binary => "IntoBinaryConfig",
            Target::Any => "IntoAnyConfig",
        },
        at(config),
    );
    let here = case::located(library, at(config));
    let convert = quote_spanned!(at(config)=> <_ as #here::__internal::#expected>::config);
    quote! {
        ::core::option::Option::Some({
            fn __iai_callgrind_config() -> #library::__internal::SharedConfig {
                ::std::rc::Rc::new(#convert(#value))
            }
            __iai_callgrind_config
        })
    }
}

/// `Some(fn pointer)` to a setup or teardown without arguments.
fn hook(hook: Option<&Hook>) -> TokenStream {
    let statement = match hook {
        Some(Hook::Call(function)) => quote_spanned!(at(function)=> (#function)()),
        Some(Hook::Evaluate(expression)) => quiet(expression),
        None => return quote!(::core::option::Option::None),
    };
    quote! {
        ::core::option::Option::Some({
            fn __iai_callgrind_hook() {
                let _ = #statement;
            }
            __iai_callgrind_hook
        })
    }
}

fn optional_text(text: Option<&str>) -> TokenStream {
    match text {
        Some(text) => quote!(::core::option::Option::Some(#text)),
        None => quote!(::core::option::Option::None),
    }
}

/// Shows errors at the user's tokens, with names of our own.
///
/// Lints are silent about tokens of a macro, and that is how generated code keeps them silent: an
/// `allow` is an error in a crate that forbids the lint.
fn at(tokens: impl Spanned) -> Span {
    Span::mixed_site().located_at(tokens.span())
}

/// A value of the user's whose outer parentheses or braces are not called unnecessary in the place
/// where generated code has it.
fn quiet(value: impl ToTokens) -> TokenStream {
    let mut tokens = value.to_token_stream().into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() != Delimiter::Bracket => {
            let mut quiet = Group::new(group.delimiter(), self::quiet(group.stream()));
            quiet.set_span(at(&group));
            quiet.to_token_stream()
        }
        _ => value.to_token_stream(),
    }
}

/// `__iai_callgrind_function_NAME`.
fn generated(name: &Ident) -> Ident {
    format_ident!("__iai_callgrind_function_{}", name.unraw(), span = at(name))
}
