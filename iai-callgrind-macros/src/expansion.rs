//! The way of every macro, from its tokens to the code that takes their place.
//!
//! Nothing here needs the compiler: these functions run in any program that has the tokens.

use crate::code::code;
use crate::error::Error;
use crate::model::Kind;
use crate::recover::{self, Errors};
use crate::syntax::Function;
use crate::tokens::{Span, TokenStream};
use crate::{attr, cases, check, compiler, expand, groups};

/// An attribute on a function.
pub(crate) fn benchmark(kind: Kind, attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(function) = errors.keep(Function::parse(item.clone())) else {
        let compile_errors = errors.to_compile_errors();
        let item = recover::without_bench_attributes(item);
        return code!(compile_errors, item => #compile_errors #item);
    };
    let benchmark = attr::parse(kind, attribute, function, &mut errors);
    let cases = cases::cases(&benchmark);
    check::check(&benchmark, &cases, &mut errors);
    let beside = expand::beside(&benchmark, &cases, &errors);
    let function = expand::function(benchmark, &mut errors);
    code!(function, beside => #function #beside)
}

/// `library_benchmark_group!` or `binary_benchmark_group!`.
pub(crate) fn group(kind: Kind, input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let group = groups::group(kind, input, &mut errors);
    let compile_errors = errors.to_compile_errors();
    let group = group.and_then(|group| expand::groups::group(&group));
    code!(compile_errors, group => #compile_errors #group)
}

/// `main!`.
pub(crate) fn main(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    if let Some(text) = compiler::harness() {
        errors.add(Error::new(Span::call_site(), text));
    }
    match groups::main(input, &mut errors) {
        Some(main) if errors.is_empty() => expand::groups::main(&main),
        _ => {
            let compile_errors = errors.to_compile_errors();
            code!(compile_errors => #compile_errors fn main() {})
        }
    }
}
