//! Expands the benchmarks of a file without the compiler: parses it, gives every annotated function
//! to the code of the macros, and prints how long the result is.

#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    reason = "the modules are those of the macros, which have other callers there"
)]

#[path = "../../../../iai-callgrind-macros/src/cases.rs"]
mod cases;
#[path = "../../../../iai-callgrind-macros/src/check.rs"]
mod check;
#[path = "../../../../iai-callgrind-macros/src/compiler.rs"]
mod compiler;
#[path = "../../../../iai-callgrind-macros/src/errors.rs"]
mod errors;
#[path = "../../../../iai-callgrind-macros/src/expand/mod.rs"]
mod expand;
#[path = "../../../../iai-callgrind-macros/src/expansion.rs"]
mod expansion;
#[path = "../../../../iai-callgrind-macros/src/input/mod.rs"]
mod input;
#[path = "../../../../iai-callgrind-macros/src/model.rs"]
mod model;
#[path = "../../../../iai-callgrind-macros/src/text.rs"]
mod text;
#[path = "../../../../iai-callgrind-macros/src/workspace.rs"]
mod workspace;

use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use syn::{Item, Meta};

use crate::model::Kind;

/// A file with many annotations, which changes only on purpose.
const FILE: &str = include_str!("../../data/expanded.rs");

fn main() {
    let file = syn::parse_file(FILE).expect("it is Rust");
    let library = quote!([::iai_callgrind]);
    let mut length = 0;
    for item in file.items {
        let code = match item {
            Item::Fn(mut function) if !function.attrs.is_empty() => {
                let attribute = function.attrs.remove(0);
                let arguments = match attribute.meta {
                    Meta::List(list) => list.tokens,
                    _ => TokenStream::new(),
                };
                expansion::benchmark(Kind::Library, arguments, function.into_token_stream())
            }
            Item::Macro(call) => {
                let name = call.mac.path.to_token_stream().to_string();
                let tokens = call.mac.tokens;
                let input = quote!(#library #tokens);
                match name.as_str() {
                    "library_benchmark_group" => expansion::group(Kind::Library, input),
                    _ => expansion::main(input),
                }
            }
            _ => continue,
        };
        let code = code.to_string();
        assert!(!code.contains("compile_error"), "{code}");
        length += code.len();
    }
    println!("{length}");
}
