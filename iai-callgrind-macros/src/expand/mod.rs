//! Writes the code.
//!
//! In: a checked model. Out: short code that calls the library's `__internal` and nothing else of
//! it. Generated names begin with `__iai_callgrind`, so that they hide no name of the user.

mod binary;
mod builders;
mod case;
pub(crate) mod groups;
mod library;
mod scaling;
mod table;
mod throughput;

use crate::cases::Case;
use crate::check;
use crate::code::{code, code_at, ToTokens};
use crate::error::place;
use crate::model::{Benchmark, Hook, Kind};
use crate::recover::Errors;
use crate::syntax::Expression;
use crate::text;
use crate::tokens::{Ident, Span, TokenStream};

/// The code beside one annotated function. With errors it has no cases, so that no other errors follow.
pub(crate) fn beside(benchmark: &Benchmark, cases: &[Case<'_>], errors: &Errors) -> TokenStream {
    if errors.is_empty() {
        return table::table(benchmark, cases);
    }
    match benchmark.function.signature.receiver() {
        None => table::table(benchmark, &[]),
        Some(_) => TokenStream::new(),
    }
}

/// The annotated function, with the errors that were found.
pub(crate) fn function(benchmark: Benchmark, errors: &mut Errors) -> TokenStream {
    let mut function = benchmark.function;
    if benchmark.kind == Kind::Binary {
        builders::accept_references(&benchmark.library, &mut function);
    }
    let compile_errors = errors.to_compile_errors();
    if !errors.is_empty() {
        // A second attribute of ours would define everything again.
        function
            .attributes
            .retain(|attribute| !check::is_ours(attribute));
        return code!(compile_errors, function => #compile_errors #[allow(dead_code)] #function);
    }
    // The measured function repeats its body; this one is there to be called by the user's code.
    let lint = (!table::is_named(&function.signature)).then(|| code!(#[allow(dead_code)]));
    code!(lint, function => #lint #function)
}

/// The module through which groups and `main!` find a table by the name that the user gave it.
/// Functions and modules of one name can exist side by side. The module is public, since `use` of a
/// private function from a parent module has to bring it along. What is in it is not, so that rustc
/// can tell which functions are in no group.
fn door(name: &Ident, table: &Ident, entry: &str, more: &TokenStream) -> TokenStream {
    let entry = Ident::new(entry, Span::call_site());
    code! { name, table, entry, more =>
        #[doc(hidden)]
        pub mod #name {
            #[allow(unused_imports)]
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
fn config(library: &TokenStream, target: Target, config: Option<&Expression>) -> TokenStream {
    let Some(config) = config else {
        return code!(::core::option::Option::None);
    };
    // Errors of types have to point at the value.
    let expected = Ident::new(
        match target {
            Target::Library => "IntoLibraryConfig",
            Target::Binary => "IntoBinaryConfig",
            Target::Any => "IntoAnyConfig",
        },
        at(config),
    );
    let here = case::located(library, at(config));
    let convert =
        code_at!(at(config), here, expected => <_ as #here::__internal::#expected>::config);
    code! { library, convert, config =>
        ::core::option::Option::Some({
            fn __iai_callgrind_config() -> #library::__internal::SharedConfig {
                ::std::rc::Rc::new(#convert(#config))
            }
            __iai_callgrind_config
        })
    }
}

/// `Some(fn pointer)` to a setup or teardown without arguments.
fn hook(hook: Option<&Hook>) -> TokenStream {
    let statement = match hook {
        Some(Hook::Call(function)) => code_at!(at(function), function => (#function)()),
        Some(Hook::Evaluate(expression)) => code!(expression => #expression),
        None => return code!(::core::option::Option::None),
    };
    code! { statement =>
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
        Some(text) => code!(text => ::core::option::Option::Some(#text)),
        None => code!(::core::option::Option::None),
    }
}

/// Shows errors at the user's tokens, with names of our own.
fn at(tokens: impl ToTokens) -> Span {
    Span::mixed_site().located_at(place(&tokens))
}

/// `__iai_callgrind_function_NAME`.
fn generated(name: &Ident) -> Ident {
    Ident::new(
        &format!("__iai_callgrind_function_{}", text::plain(name)),
        name.span(),
    )
}
