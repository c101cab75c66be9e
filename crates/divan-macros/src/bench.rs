//! `#[divan::bench]`.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use crate::dependency;
use crate::item::{is_reference, Function, Generic, Item};
use crate::options::{Attribute, Setting, Settings};
use crate::tokens::{in_brackets, split, Mistake, Parts};

/// Most values that `consts` can have, where they are not listed in the attribute: each of them has
/// to be compiled.
const MOST_CONSTS: usize = 20;

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let item = Item::parse(item);
    let whole = item.whole();
    let mut mistakes = Vec::new();
    let settings = Settings::parse(Attribute::Bench, attribute, &mut mistakes);
    let function = item.function();
    match &function {
        Some(function) => check(function, &settings, &mut mistakes),
        None => mistakes.push(item.other("`#[divan::bench]` is for functions")),
    }
    let (Some(function), []) = (function, mistakes.as_slice()) else {
        let errors = mistakes.iter().map(Mistake::to_error);
        return quote!(#(#errors)* #whole);
    };
    let private = private(&settings);
    let options = settings.options(&private, item.ignored);
    let plain = function.name.to_string();
    let name = name(&settings, plain.trim_start_matches("r#"));
    let instances = Instances {
        function: &function,
        settings: &settings,
        private: &private,
    };
    let instances = instances.all();
    // `caller` says the line of its span, which is to be that of the function.
    let place = quote_spanned!(function.name.span()=> ::core::panic::Location::caller());
    quote! {
        #whole
        const _: () = {
            fn __name() -> &'static str {
                #name
            }
            fn __options() -> #private::Options {
                #options
            }
            fn __offer(__benchmarks: &mut #private::Benchmarks<'_>) {
                #instances
            }
            static __ENTRY: #private::Entry = #private::Entry::Function(#private::Function {
                package: #private::iai_callgrind::__internal::__package!(#private::iai_callgrind),
                module: ::core::module_path!(),
                place: #place,
                name: __name,
                options: __options,
                offer: __offer,
            });
            #private::register!(__ENTRY);
        };
    }
}

/// The path of what the library has for generated code.
pub(crate) fn private(settings: &Settings) -> TokenStream {
    let library = match settings.get("crate") {
        Some(path) => path.expression(),
        None => dependency::library(),
    };
    quote!(#library::__private)
}

/// The name of a function or group, as an expression.
pub(crate) fn name(settings: &Settings, plain: &str) -> TokenStream {
    match settings.get("name") {
        Some(name) => name.expression(),
        None => quote!(#plain),
    }
}

/// Reports mistakes that the compiler would report in generated code, which the user does not see.
fn check(function: &Function, settings: &Settings, mistakes: &mut Vec<Mistake>) {
    let count = |is_const: bool| {
        let generics = function.generics.iter();
        generics
            .filter(|generic| matches!(generic, Generic::Const(_)) == is_const)
            .count()
    };
    for (option, count, what) in [
        ("types", count(false), "type"),
        ("consts", count(true), "constant"),
    ] {
        let mistake = match (settings.get(option), count) {
            (None, 0) | (Some(_), 1) => continue,
            (Some(setting), _) => Mistake::new(
                setting.name.span(),
                format!("`{option}` needs a function with one generic {what}, and this one has {count}"),
            ),
            (None, _) => Mistake::new(
                function.name.span(),
                format!("which {what}s is it to be compiled for? Write `#[divan::bench({option} = [..])]`"),
            ),
        };
        mistakes.push(mistake);
    }
    if let Some(types) = settings.get("types") {
        if types.value.as_deref().and_then(in_brackets).is_none() {
            mistakes.push(Mistake::new(
                types.name.span(),
                "`types` is a list in brackets: `types = [u8, String]`",
            ));
        }
    }
    let parameters = function.parameters.len();
    match settings.get("args") {
        Some(args) if parameters == 0 => mistakes.push(Mistake::new(
            args.name.span(),
            "`args` needs a parameter that gets the argument",
        )),
        None if parameters > 1 => mistakes.push(Mistake::new(
            function.name.span(),
            "where does the second parameter come from? Write `#[divan::bench(args = [..])]`",
        )),
        Some(_) if parameters > 2 => mistakes.push(Mistake::new(
            function.name.span(),
            "a benchmark has a `Bencher` and an argument, or one of them; make a tuple of several arguments",
        )),
        _ => {}
    }
}

/// The function with each type and constant.
struct Instances<'a> {
    function: &'a Function,
    settings: &'a Settings,
    private: &'a TokenStream,
}

impl Instances<'_> {
    fn all(&self) -> TokenStream {
        let private = self.private;
        let Some(types) = self.settings.get("types") else {
            return self.of_type(None);
        };
        let list = types.value.as_deref().and_then(in_brackets);
        let instances = split(list.unwrap_or_default(), Parts::Types)
            .into_iter()
            .map(|ty| {
                let ty: TokenStream = ty.into_iter().collect();
                let instance = self.of_type(Some(&ty));
                quote! {
                    __benchmarks.with(#private::type_name::<#ty>(), |__benchmarks| { #instance });
                }
            });
        quote!(#(#instances)*)
    }

    fn of_type(&self, ty: Option<&TokenStream>) -> TokenStream {
        let Some(consts) = self.settings.get("consts") else {
            return self.call(ty);
        };
        let value_type = self
            .function
            .generics
            .iter()
            .find_map(|generic| match generic {
                Generic::Const(ty) => Some(ty),
                Generic::Type => None,
            });
        match consts.value.as_deref().and_then(in_brackets) {
            Some(list) => {
                let values = split(list, Parts::Expressions).into_iter().map(|value| {
                    let value: TokenStream = value.into_iter().collect();
                    let instance = self.of_value(ty);
                    quote!({ const __VALUE: #value_type = #value; #instance })
                });
                quote!(#(#values)*)
            }
            None => self.of_list(ty, consts, value_type),
        }
    }

    /// How many values a list has that stands elsewhere, no macro knows. Where there are less, the
    /// first one stands for the others, which costs the compiler nothing.
    fn of_list(
        &self,
        ty: Option<&TokenStream>,
        consts: &Setting,
        value_type: Option<&TokenStream>,
    ) -> TokenStream {
        let list = consts.expression();
        let span = consts.name.span();
        let values = (0..MOST_CONSTS).map(|index| {
            let instance = self.of_value(ty);
            quote! {
                if __COUNT > #index {
                    const __VALUE: #value_type = (#list)[if __COUNT > #index { #index } else { 0 }];
                    #instance
                }
            }
        });
        let text = format!(
            "a list of `consts` that stands outside of the attribute has at least one value and at most {MOST_CONSTS}"
        );
        let check = quote_spanned! {span=>
            const _: () = ::core::assert!(__COUNT > 0 && __COUNT <= #MOST_CONSTS, #text);
        };
        quote! {
            const __COUNT: usize = (#list).len();
            #check
            #(#values)*
        }
    }

    fn of_value(&self, ty: Option<&TokenStream>) -> TokenStream {
        let private = self.private;
        let call = self.call(ty);
        quote!(__benchmarks.with(#private::text(&__VALUE), |__benchmarks| { #call });)
    }

    /// Offers the function with everything that is generic filled in.
    fn call(&self, ty: Option<&TokenStream>) -> TokenStream {
        let Self {
            function, private, ..
        } = self;
        let name = &function.name;
        let generics = function.generics.iter().map(|generic| match generic {
            Generic::Type => quote!(#ty),
            Generic::Const(_) => quote!(__VALUE),
        });
        let path = match function.generics.is_empty() {
            true => quote!(#name),
            false => quote!(#name::<#(#generics),*>),
        };
        let args = self.settings.get("args");
        // Where an element does not fit the parameter.
        let span = args.map_or_else(Span::call_site, |args| args.name.span());
        let span = span.resolved_at(Span::call_site());
        let args = args.map(Setting::expression);
        let text = quote!(|__argument| {
            use #private::Debugged as _;
            (&#private::Label(__argument)).text()
        });
        let is_reference = |index: usize| {
            let parameter: Option<&Vec<TokenTree>> = function.parameters.get(index);
            parameter.is_some_and(|ty| is_reference(ty))
        };
        match (args, function.parameters.len()) {
            (None, 0) => quote!(__benchmarks.plain(|| #path());),
            (None, _) => quote! {
                __benchmarks.contextual(|__bencher| { let _ = #path(__bencher); });
            },
            (Some(args), 1) => {
                let method = match is_reference(0) {
                    true => quote!(references),
                    false => quote!(values),
                };
                quote_spanned!(span=> __benchmarks.#method(#args, #text, |__argument| #path(__argument));)
            }
            (Some(args), _) => {
                let method = match is_reference(1) {
                    true => quote!(contextual_references),
                    false => quote!(contextual_values),
                };
                quote_spanned! {span=>
                    __benchmarks.#method(#args, #text, |__bencher, __argument| {
                        let _ = #path(__bencher, __argument);
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(attribute: TokenStream, item: TokenStream, expected: &str) {
        let expanded = expand(attribute, item.clone()).to_string();
        let text = format!(":: core :: compile_error ! (\"{expected}");
        assert!(expanded.contains(&text), "{expanded}");
        assert!(expanded.ends_with(&item.to_string()), "{expanded}");
    }

    #[test]
    fn what_does_not_fit_the_function_is_refused() {
        refused(
            quote!(),
            quote!(
                struct S;
            ),
            "`#[divan::bench]` is for functions",
        );
        refused(
            quote!(types = [u8]),
            quote!(
                fn f() {}
            ),
            "`types` needs a function with one generic type, and this one has 0",
        );
        refused(
            quote!(),
            quote!(
                fn f<const N: u8>() {}
            ),
            "which constants is it to be compiled for?",
        );
        refused(
            quote!(types = TYPES),
            quote!(
                fn f<T>() {}
            ),
            "`types` is a list in brackets",
        );
        refused(
            quote!(args = [1]),
            quote!(
                fn f() {}
            ),
            "`args` needs a parameter",
        );
        refused(
            quote!(),
            quote!(
                fn f(b: Bencher, n: u8) {}
            ),
            "where does the second parameter come from?",
        );
        refused(
            quote!(args = [1]),
            quote!(
                fn f(b: B, n: u8, m: u8) {}
            ),
            "a benchmark has a `Bencher`",
        );
    }
}
