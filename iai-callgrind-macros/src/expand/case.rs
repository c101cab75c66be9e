//! One row of a function's table: a case and the function that runs it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::spanned::Spanned;
use syn::{Expr, FnArg, GenericParam, Pat, ReturnType, Type};

use super::{at, binary, config, optional_text, quiet, scaling, throughput};
use crate::cases::{Case, Input};
use crate::input::bare_type;
use crate::model::{Benchmark, Hook, Kind, Lines};
use crate::text;

/// Functions with more parameters are no `Framed` of the library.
const MOST_FRAMED: usize = 12;

pub(super) fn row(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let library = &benchmark.library;
    let id = optional_text(case.id.as_deref());
    let config = config(library, benchmark.kind.into(), case.config);
    let args = args(benchmark, case);
    let elements = elements(benchmark, case);
    let input = input_text(case);
    let scaling = scaling::scaling(benchmark, case);
    let throughput = throughput::throughput(benchmark, case);
    let positional = case.positional;
    let has_teardown = case.teardown.is_some();
    let run = match benchmark.kind {
        Kind::Library => function(benchmark, case),
        Kind::Binary => binary::run(benchmark, case),
    };
    quote! {
        #library::__internal::Case {
            id: #id,
            args: #args,
            input: #input,
            positional: #positional,
            has_teardown: #has_teardown,
            config: #config,
            elements: #elements,
            scaling: #scaling,
            throughput: #throughput,
            run: #library::__internal::Run::#run,
        }
    }
}

/// The function that runs a case.
fn function(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let library = &benchmark.library;
    let run = match &case.id {
        Some(id) => Ident::new(&format!("__iai_callgrind_case_{id}"), at(case.id_place)),
        None => format_ident!("__iai_callgrind_case"),
    };
    let parameter = parameter(case);
    let before = evaluated(case.setup);
    let call = call(benchmark, case);
    let after = evaluated(case.teardown);
    quote! {
        Function({
            fn #run(#parameter: #library::__internal::Element) {
                #before
                #call
                #after
            }
            #run
        })
    }
}

/// The name of the parameter of generated functions and closures.
pub(super) fn element() -> Ident {
    Ident::new("__iai_callgrind_element", Span::mixed_site())
}

/// The parameter, if arguments depend on it.
pub(super) fn parameter(case: &Case<'_>) -> TokenStream {
    match case.input {
        Input::Values(_) => quote!(_),
        Input::Iter(_) | Input::Lines(_) => element().to_token_stream(),
    }
}

/// The setup that makes the arguments; that of a binary benchmark makes none.
fn maker<'a>(benchmark: &Benchmark, case: &Case<'a>) -> Option<&'a Expr> {
    called(case.setup).filter(|_| benchmark.kind == Kind::Library)
}

/// The text for the arguments, if they are no elements.
fn args(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let Input::Values(values) = case.input else {
        return optional_text(None);
    };
    let consts = case.consts.map_or(&[][..], |consts| &consts.values);
    let text = text::description(values, maker(benchmark, case), consts);
    optional_text(case.label.or(text.as_deref()))
}

/// The library's `Around`: texts around that of an element.
pub(super) fn around(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let library = &benchmark.library;
    let consts = case.consts.map_or(&[][..], |consts| &consts.values);
    let text::Around { before, after } = text::around(maker(benchmark, case), consts);
    let of_consts = text::of_consts(consts);
    quote!(#library::__internal::Around {
        before: #before,
        after: #after,
        consts: #of_consts,
    })
}

/// The function that makes the texts of elements or lines. For programs the one that makes commands
/// does so.
fn elements(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let library = &benchmark.library;
    let texts = match (benchmark.kind, case.input) {
        (Kind::Binary, _) | (_, Input::Values(_)) => return optional_text(None),
        (Kind::Library, Input::Iter(iter)) => {
            let list = text::tokens(iter);
            let text = text_of_element(library);
            let typed = typed(benchmark, case);
            let around = around(benchmark, case);
            let values = quiet(iter);
            quote!(described(#values, #typed, #text, #list, #around))
        }
        (Kind::Library, Input::Lines(lines)) => {
            let content = content(lines);
            let around = around(benchmark, case);
            quote!(lines(#content, #around))
        }
    };
    quote! {
        ::core::option::Option::Some({
            fn __iai_callgrind_elements() -> #library::__internal::Texts {
                #library::__internal::#texts
            }
            __iai_callgrind_elements
        })
    }
}

/// The closure that makes the text of an element, whose type decides whether there is one.
pub(super) fn text_of_element(library: &TokenStream) -> TokenStream {
    quote!(|element| {
        use #library::__internal::Unprintable as _;
        (&#library::__internal::Printed(element)).text()
    })
}

/// The arguments for the question whether they are still the same; those of elements are made at
/// run time.
fn input_text(case: &Case<'_>) -> TokenStream {
    let consts = case.consts.map_or(&[][..], |consts| &consts.values);
    match case.input {
        Input::Values(values) if case.id.is_some() => {
            optional_text(Some(&text::input(values, consts)))
        }
        Input::Values(_) | Input::Iter(_) | Input::Lines(_) => optional_text(None),
    }
}

/// The statement that builds the arguments, calls the benchmark and drops the result. Arguments are
/// built where they are passed, so that they may borrow from temporary values.
fn call(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let library = &benchmark.library;
    let signature = &benchmark.function.sig;
    let teardown = called(case.teardown);
    let place = teardown.map_or_else(Span::mixed_site, at);
    let measured = Ident::new("__iai_callgrind_measured", Span::mixed_site());

    // From the inside to the outside: arguments, setup, benchmark, teardown. Each wraps what is
    // there, so that all is one expression, to whose end temporary values of the arguments live.
    let (mut import, mut input) = passed(benchmark, case, input(library, case));
    // The last thing before the call is the library's.
    let ready = |value: TokenStream| {
        let span = at(&value);
        let library = located(library, span);
        quote_spanned!(span=> #library::__internal::ready(#value))
    };
    let mut callee = Ident::new("__iai_callgrind_measured", place).to_token_stream();
    match input.pop() {
        Some(last) => {
            input = input.iter().map(opaque).collect();
            input.push(ready(last));
        }
        None => callee = ready(callee),
    }

    let mut result = quote_spanned!(place=> #callee(#(#input),*));
    let never_returns = never_returns(&signature.output);
    if !never_returns {
        let library = located(library, place);
        result = quote_spanned!(place=> #library::__internal::done(#result));
        if let Some(teardown) = teardown {
            let function = self::callee(teardown);
            // So does a closure that says so; what a path takes cannot be seen here.
            if takes_reference(teardown) {
                import = Some(quote!(use #library::__internal::Borrowed as _;));
                result = quote_spanned!(place=> #library::__internal::Made::new(#result).pass());
            }
            result = quote_spanned!(place=> #function(#result));
        }
        result = quote!(#library::__internal::discard(#result));
    }
    let wrapper = wrapper(benchmark, case);
    let placeholders = signature.inputs.iter().map(|_| quote!(_));
    let output = if never_returns { quote!(!) } else { quote!(_) };
    let framed = (signature.inputs.len() <= MOST_FRAMED).then(|| {
        quote! {
            // SAFETY: a process runs one case.
            let #measured = ::core::hint::black_box(unsafe {
                #library::__internal::Framed::framed(#measured)
            });
        }
    });
    quote! {
        #import
        // An opaque pointer: the optimizer knows neither callee nor arguments.
        let #measured = ::core::hint::black_box::<fn(#(#placeholders),*) -> #output>(#wrapper);
        #framed
        #result;
    }
}

/// Arguments of the benchmark function: those of the case, or the result of its setup, together
/// with the import that the call of the setup needs.
fn passed(
    benchmark: &Benchmark,
    case: &Case<'_>,
    input: Vec<TokenStream>,
) -> (Option<TokenStream>, Vec<TokenStream>) {
    let library = &benchmark.library;
    let Some(setup) = called(case.setup) else {
        return (None, input);
    };
    let arguments = input.iter().map(opaque);
    let function = callee(setup);
    let made = quote_spanned!(at(setup)=> #function(#(#arguments),*));
    let parameter = benchmark.function.sig.inputs.first();
    if !parameter.is_some_and(is_reference) {
        return (None, vec![made]);
    }
    // A benchmark with a reference for a parameter borrows what the setup made.
    let import = quote!(use #library::__internal::Borrowed as _;);
    let library = located(library, at(setup));
    let made = quote_spanned!(at(setup)=> #library::__internal::Made::new(#made).pass());
    (Some(import), vec![made])
}

/// Closure that is never called. It passes an element on as the benchmark does, so that the type of
/// the elements is the same wherever the expression stands.
pub(super) fn typed(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let element = element();
    let input = vec![element.to_token_stream()];
    let (import, function, input) = match benchmark.kind {
        Kind::Library => {
            let (import, input) = passed(benchmark, case, input);
            (import, wrapper(benchmark, case), input)
        }
        Kind::Binary => (None, binary::function(benchmark, case), input),
    };
    quote! {
        |#element| {
            #import
            let _ = #function(#(#input),*);
        }
    }
}

/// The arguments of a case.
pub(super) fn input(library: &TokenStream, case: &Case<'_>) -> Vec<TokenStream> {
    let element = element();
    match case.input {
        Input::Values(values) => values.iter().map(quiet).collect(),
        Input::Iter(iter) => {
            let library = located(library, at(iter));
            let values = quiet(iter);
            vec![quote_spanned!(at(iter)=> #library::__internal::nth(#values, #element))]
        }
        Input::Lines(lines) => {
            let content = content(lines);
            let span = lines.literal.span();
            vec![quote_spanned!(span=> #library::__internal::nth_line(#content, #element))]
        }
    }
}

/// The measured function, with the values of its const generics. What cannot be inferred is
/// reported at the id.
fn wrapper(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let signature = &benchmark.function.sig;
    let name = &signature.ident;
    let wrapper = Ident::new("__iai_callgrind_wrapper_mod", at(case.id_place));
    let wrapper = quote_spanned!(at(case.id_place)=> #wrapper::#name);
    match const_generics(benchmark, case) {
        Some(generics) => quote_spanned!(at(case.id_place)=> #wrapper::#generics),
        None => wrapper,
    }
}

/// `<values of the const generics>`, where they are given.
pub(super) fn const_generics(benchmark: &Benchmark, case: &Case<'_>) -> Option<TokenStream> {
    let signature = &benchmark.function.sig;
    let mut values = case.consts?.values.iter();
    let generics = signature.generics.params.iter().filter_map(|parameter| {
        Some(match parameter {
            GenericParam::Lifetime(_) => return None,
            GenericParam::Type(_) => quote!(_),
            GenericParam::Const(_) => {
                let value = values.next()?;
                let number = quiet(value);
                quote_spanned!(at(value)=> { #number })
            }
        })
    });
    Some(quote_spanned!(at(case.id_place)=> <#(#generics),*>))
}

/// The path or closure, if the hook is one.
fn called(hook: Option<&Hook>) -> Option<&Expr> {
    match hook {
        Some(Hook::Call(function)) => Some(function),
        Some(Hook::Evaluate(_)) | None => None,
    }
}

/// The statement of a hook that is evaluated as it stands.
fn evaluated(hook: Option<&Hook>) -> Option<TokenStream> {
    match hook {
        Some(Hook::Evaluate(expression)) => {
            let value = quiet(expression);
            Some(quote!(let _ = #value;))
        }
        Some(Hook::Call(_)) | None => None,
    }
}

/// The path of the library, for errors that point elsewhere.
pub(super) fn located(library: &TokenStream, place: Span) -> TokenStream {
    let tokens = library.clone().into_iter().map(|mut token| {
        token.set_span(token.span().located_at(place));
        token
    });
    tokens.collect()
}

/// A closure needs parentheses to be called.
pub(super) fn callee(function: &Expr) -> TokenStream {
    match function {
        Expr::Closure(_) => quote_spanned!(at(function)=> (#function)),
        path => path.to_token_stream(),
    }
}

/// Hides a value from the optimizer.
fn opaque(value: impl ToTokens + Spanned) -> TokenStream {
    quote_spanned!(at(&value)=> ::core::hint::black_box(#value))
}

/// Including the file makes cargo build the benchmark anew when it changes.
pub(super) fn content(lines: &Lines) -> TokenStream {
    let path = &lines.path;
    quote!(::core::include_str!(#path))
}

/// Is it a closure like `|result: &Vec<u8>| ..`?
fn takes_reference(function: &Expr) -> bool {
    let Expr::Closure(closure) = function else {
        return false;
    };
    let parameter = closure.inputs.first();
    matches!(parameter, Some(Pat::Type(parameter)) if is_reference_type(&parameter.ty))
}

fn is_reference(parameter: &FnArg) -> bool {
    matches!(parameter, FnArg::Typed(parameter) if is_reference_type(&parameter.ty))
}

fn is_reference_type(ty: &Type) -> bool {
    matches!(bare_type(ty), Type::Reference(_))
}

fn never_returns(output: &ReturnType) -> bool {
    matches!(output, ReturnType::Type(_, ty) if matches!(bare_type(ty), Type::Never(_)))
}
