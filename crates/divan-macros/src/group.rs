//! `#[divan::bench_group]`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::bench::{name, private};
use crate::item::Item;
use crate::options::{Attribute, Settings};

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let item = Item::parse(item);
    let whole = item.whole();
    let mut mistakes = Vec::new();
    let settings = Settings::parse(Attribute::Group, attribute, &mut mistakes);
    let module = item.module();
    if module.is_none() {
        mistakes.push(item.other("`#[divan::bench_group]` is for modules"));
    }
    let (Some(module), []) = (module, mistakes.as_slice()) else {
        let errors = mistakes.iter().map(crate::tokens::Mistake::to_error);
        return quote!(#(#errors)* #whole);
    };
    let private = private(&settings);
    let options = settings.options(&private, item.ignored);
    let plain = module.to_string();
    let plain = plain.trim_start_matches("r#");
    let name = name(&settings, plain);
    // The spelling of `module_path!`.
    let module = format_ident!("{module}").to_string();
    quote! {
        #whole
        const _: () = {
            fn __name() -> &'static str {
                #name
            }
            fn __options() -> #private::Options {
                #options
            }
            static __ENTRY: #private::Entry = #private::Entry::Group(#private::Group {
                module: ::core::concat!(::core::module_path!(), "::", #module),
                name: __name,
                options: __options,
            });
            #private::register!(__ENTRY);
        };
    }
}
