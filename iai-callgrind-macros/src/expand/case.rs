//! One row of a function's table: a case and the function that runs it.

use super::{at, binary, config, optional_text, scaling, throughput};
use crate::cases::{Case, Input};
use crate::code::{code, code_at, ToTokens};
use crate::error::place;
use crate::model::{Benchmark, Hook, Kind, Lines};
use crate::syntax::{tokens_of, trees, Expression, Form, Generic, Parameter, Signature, Type};
use crate::text;
use crate::tokens::{Ident, Span, TokenStream};

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
    code! { library, id, args, input, positional, has_teardown, config, elements, scaling, throughput, run =>
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
        Some(id) => Ident::new(&format!("__iai_callgrind_case_{id}"), case.id_place.span()),
        None => Ident::new("__iai_callgrind_case", Span::call_site()),
    };
    let parameter = parameter(case);
    let before = evaluated(case.setup);
    let call = call(benchmark, case);
    let after = evaluated(case.teardown);
    code! { run, parameter, library, before, call, after =>
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
        Input::Values(_) => code!(_),
        Input::Iter(_) | Input::Lines(_) => element().to_tokens(),
    }
}

/// The setup that makes the arguments; that of a binary benchmark makes none.
fn maker<'a>(benchmark: &Benchmark, case: &Case<'a>) -> Option<&'a Expression> {
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
    code!(library, before, after, of_consts => #library::__internal::Around {
        before: #before,
        after: #after,
        consts: #of_consts,
    })
}

/// The function that makes the texts of elements or lines. For programs the one that makes commands does so.
fn elements(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let library = &benchmark.library;
    let texts = match (benchmark.kind, case.input) {
        (Kind::Binary, _) | (_, Input::Values(_)) => return optional_text(None),
        (Kind::Library, Input::Iter(iter)) => {
            let list = text::tokens(iter);
            let text = text_of_element(library);
            let typed = typed(benchmark, case);
            let around = around(benchmark, case);
            code!(iter, typed, text, list, around => described(#iter, #typed, #text, #list, #around))
        }
        (Kind::Library, Input::Lines(lines)) => {
            let content = content(lines);
            let around = around(benchmark, case);
            code!(content, around => lines(#content, #around))
        }
    };
    code! { library, texts =>
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
    code!(library => |element| {
        use #library::__internal::Unprintable as _;
        (&#library::__internal::Printed(element)).text()
    })
}

/// The arguments for the question whether they are still the same; those of elements are made at run time.
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
    let signature = &benchmark.function.signature;
    let teardown = called(case.teardown);
    let place = teardown.map_or_else(Span::mixed_site, at);
    let measured = Ident::new("__iai_callgrind_measured", Span::mixed_site());

    // From the inside to the outside: arguments, setup, benchmark, teardown. Each wraps what is there, so
    // that all is one expression, to whose end temporary values of the arguments live.
    let (mut import, mut input) = passed(benchmark, case, input(library, case));
    // The last thing before the call is the library's.
    let ready = |value: TokenStream| {
        let span = at(&value);
        let library = located(library, span);
        code_at!(span, library, value => #library::__internal::ready(#value))
    };
    let mut callee = Ident::new("__iai_callgrind_measured", place).to_tokens();
    match input.pop() {
        Some(last) => {
            input = opaque(&input);
            input.push(ready(last));
        }
        None => callee = ready(callee),
    }

    let mut result = code_at!(place, callee, input => #callee(#input));
    let never_returns = never_returns(signature);
    if !never_returns {
        let library = located(library, place);
        result = code_at!(place, library, result => #library::__internal::done(#result));
        if let Some(teardown) = teardown {
            let function = self::callee(teardown);
            // So does a closure that says so; what a path takes cannot be seen here.
            if takes_reference(teardown) {
                import = Some(code!(library => use #library::__internal::Borrowed as _;));
                result = code_at!(place, library, result => #library::__internal::Made::new(#result).pass());
            }
            result = code_at!(place, function, result => #function(#result));
        }
        result = code!(library, result => #library::__internal::discard(#result));
    }
    let wrapper = wrapper(benchmark, case);
    let placeholders = vec![code!(_); signature.parameters.len()];
    let output = if never_returns { code!(!) } else { code!(_) };
    let framed = (signature.parameters.len() <= MOST_FRAMED).then(|| {
        code! { measured, library =>
            // SAFETY: a process runs one case.
            let #measured = ::core::hint::black_box(unsafe {
                #library::__internal::Framed::framed(#measured)
            });
        }
    });
    code! { import, measured, placeholders, output, wrapper, framed, result =>
        #import
        // An opaque pointer: the optimizer knows neither callee nor arguments.
        let #measured = ::core::hint::black_box::<fn(#placeholders) -> #output>(#wrapper);
        #framed
        #result;
    }
}

/// What the benchmark function gets: the arguments, or what the setup makes of them. With the import that
/// this needs.
fn passed(
    benchmark: &Benchmark,
    case: &Case<'_>,
    input: Vec<TokenStream>,
) -> (Option<TokenStream>, Vec<TokenStream>) {
    let library = &benchmark.library;
    let Some(setup) = called(case.setup) else {
        return (None, input);
    };
    let arguments = opaque(&input);
    let function = callee(setup);
    let made = code_at!(at(setup), function, arguments => #function(#arguments));
    let parameter = benchmark.function.signature.parameters.first();
    if !parameter.is_some_and(is_reference) {
        return (None, vec![made]);
    }
    // A benchmark with a reference for a parameter borrows what the setup made.
    let import = code!(library => use #library::__internal::Borrowed as _;);
    let library = located(library, at(setup));
    let made = code_at!(at(setup), library, made => #library::__internal::Made::new(#made).pass());
    (Some(import), vec![made])
}

/// Closure that is never called. It passes an element on as the benchmark does, so that the type of the
/// elements is the same wherever the expression stands.
pub(super) fn typed(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let element = element();
    let input = vec![element.to_tokens()];
    let (import, function, input) = match benchmark.kind {
        Kind::Library => {
            let (import, input) = passed(benchmark, case, input);
            (import, wrapper(benchmark, case), input)
        }
        Kind::Binary => (None, binary::function(benchmark, case), input),
    };
    code! { element, import, function, input =>
        |#element| {
            #import
            let _ = #function(#input);
        }
    }
}

/// The arguments of a case.
pub(super) fn input(library: &TokenStream, case: &Case<'_>) -> Vec<TokenStream> {
    let element = element();
    match case.input {
        Input::Values(values) => tokens_of(values),
        Input::Iter(iter) => {
            let library = located(library, at(iter));
            vec![
                code_at!(at(iter), library, iter, element => #library::__internal::nth(#iter, #element)),
            ]
        }
        Input::Lines(lines) => {
            let content = content(lines);
            let span = place(&lines.literal);
            vec![
                code_at!(span, library, content, element => #library::__internal::nth_line(#content, #element)),
            ]
        }
    }
}

/// The measured function, with the values of its const generics. What cannot be inferred is reported
/// at the id.
fn wrapper(benchmark: &Benchmark, case: &Case<'_>) -> TokenStream {
    let signature = &benchmark.function.signature;
    let name = &signature.name;
    let wrapper = Ident::new("__iai_callgrind_wrapper_mod", at(case.id_place));
    let wrapper = code_at!(at(case.id_place), wrapper, name => #wrapper::#name);
    match const_generics(benchmark, case) {
        Some(generics) => code_at!(at(case.id_place), wrapper, generics => #wrapper::#generics),
        None => wrapper,
    }
}

/// `<values of the const generics>`, where they are given.
pub(super) fn const_generics(benchmark: &Benchmark, case: &Case<'_>) -> Option<TokenStream> {
    let signature = &benchmark.function.signature;
    let mut values = case.consts?.values.iter();
    let mut generics = Vec::new();
    for parameter in &signature.generic_parameters {
        match parameter {
            Generic::Lifetime => {}
            Generic::Type(_) => generics.push(code!(_)),
            Generic::Const(_) => {
                if let Some(value) = values.next() {
                    generics.push(code_at!(at(value), value => { #value }));
                }
            }
        }
    }
    Some(code_at!(at(case.id_place), generics => <#generics>))
}

/// The path or closure, if the hook is one.
fn called(hook: Option<&Hook>) -> Option<&Expression> {
    match hook {
        Some(Hook::Call(function)) => Some(function),
        Some(Hook::Evaluate(_)) | None => None,
    }
}

/// The statement of a hook that is evaluated as it stands.
fn evaluated(hook: Option<&Hook>) -> Option<TokenStream> {
    match hook {
        Some(Hook::Evaluate(expression)) => Some(code!(expression => let _ = #expression;)),
        Some(Hook::Call(_)) | None => None,
    }
}

/// The path of the library, for errors that point elsewhere.
pub(super) fn located(library: &TokenStream, place: Span) -> TokenStream {
    let mut tokens = trees(library.clone());
    for token in &mut tokens {
        token.set_span(token.span().located_at(place));
    }
    tokens.into_iter().collect()
}

/// A closure needs parentheses to be called.
pub(super) fn callee(function: &Expression) -> TokenStream {
    match function.form {
        Form::Closure(_) => code_at!(at(function), function => (#function)),
        _ => function.to_tokens(),
    }
}

/// Hides values from the optimizer.
fn opaque(values: &[TokenStream]) -> Vec<TokenStream> {
    let mut opaque = Vec::new();
    for value in values {
        opaque.push(code_at!(at(value), value => ::core::hint::black_box(#value)));
    }
    opaque
}

/// Including the file makes cargo build the benchmark anew when it changes.
pub(super) fn content(lines: &Lines) -> TokenStream {
    let path = &lines.path;
    code!(path => ::core::include_str!(#path))
}

/// Is it a closure like `|result: &Vec<u8>| ..`?
fn takes_reference(function: &Expression) -> bool {
    let Form::Closure(closure) = &function.form else {
        return false;
    };
    let ty = closure
        .parameters
        .first()
        .and_then(|first| first.ty.as_ref());
    ty.is_some_and(Type::is_reference)
}

fn is_reference(parameter: &Parameter) -> bool {
    parameter.ty.as_ref().is_some_and(Type::is_reference)
}

fn never_returns(signature: &Signature) -> bool {
    signature.output.as_ref().is_some_and(Type::is_never)
}
