//! What is found here is what `syn` finds.

use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, FnArg, GenericParam, ItemFn, Pat, ReturnType, Token};

use super::cursor::Cursor;
use super::*;
use crate::code::ToTokens;
use crate::tokens::TokenStream;

/// Expressions of all forms, above all those with `,`, `<`, `|` and `{` on their own level.
const EXPRESSIONS: &[&str] = &[
    "1",
    "-1",
    "- 1.5e3",
    "\"x\"",
    "b'x'",
    "c\"x\"",
    "'x'",
    "true",
    "false",
    "x",
    "r#fn",
    "self",
    "Self::X",
    "crate::m::f",
    "super::f::<u8>",
    "::std::mem::size_of::<[u8; 4]>",
    "f::<A, B>",
    "f::<A<B, C>, D>()",
    "Vec::<Vec<u8>>::new()",
    "<Vec<A> as T<B, C>>::f",
    "<A as T>::f::<B, C>(1, 2)",
    "<[A]>::len",
    "<fn(A) -> B as T>::C",
    "HashMap::<A, fn(B) -> C>::new()",
    "f::<{ N }, 4>(x)",
    "()",
    "(1)",
    "(1,)",
    "(1, 2)",
    "(a < b, c > d)",
    "[]",
    "[1]",
    "[1, 2]",
    "[0; 3]",
    "[f::<A, B>(); 2]",
    "a < b",
    "a > b",
    "a < b && c > d",
    "a << 2 >> 3",
    "a <= b",
    "a >= b",
    "a - -b",
    "a & b",
    "a | b",
    "a || b",
    "a ^ !b",
    "a == b",
    "a = b",
    "a += b",
    "a >>= b",
    "x as u8",
    "x as Vec<A, B>",
    "x as *const u8",
    "x as &'a mut T",
    "x as fn(A, B) -> C",
    "x as ::std::ffi::c_int",
    "x as A<B>::C",
    "x as u8 + 1",
    "x as usize | y",
    "<A>::B as u8",
    "x as for<'a> fn(&'a A) -> B",
    "x as extern \"C\" fn(A)",
    "x as [A; 2]",
    "x as (A, B)",
    "&x",
    "&mut x",
    "&&x",
    "&raw const x",
    "*x",
    "!x",
    "&[1, 2]",
    "&mut Vec::new()",
    "x?",
    "f()?",
    "x.y",
    "x.0",
    "x.0.1",
    "x.0 .1",
    "x.await",
    "x.await?.y(1, 2)",
    "x.f::<A, B>(1)",
    "x[1][2]",
    "f(1)(2)",
    "f()()",
    "(f)(1)",
    "1..2",
    "1..=2",
    "..",
    "..2",
    "..=2",
    "1..",
    "a..b.c()",
    "(0..n).map(|x, y| x + y)",
    "|| 1",
    "|| {}",
    "|x| x",
    "|x, y| x | y",
    "|x: A<B, C>, y| x",
    "|(a, b): (A, B)| a",
    "|&x| x",
    "|x: &A| x",
    "|x: &mut A<B, C>| {}",
    "|P { x, y }| x",
    "|A(x) : A| x",
    "move || x",
    "move |x| -x",
    "async |x| x",
    "async move |x: A| x",
    "|x| -> A<B, C> { x }",
    "|x: fn(A) -> B| x",
    "|f: &dyn Fn(A, B) -> C| f",
    "|x| |y| x + y",
    "|x| x..",
    "|_| return",
    "|x: [A; 2]| x",
    "for<'a> |x: &'a A| -> &'a A { x }",
    "{}",
    "{ 1 }",
    "{ let x = 1; x }",
    "unsafe { f() }",
    "async { 1 }",
    "async move { x }",
    "const { 1 }",
    "loop {}",
    "loop { break 1 }",
    "'a: loop { break 'a }",
    "'a: { break 'a 1 }",
    "while a < b {}",
    "while let Some(x) = f() {}",
    "for x in y {}",
    "for (a, b) in c.d(|x| { x }) {}",
    "for i in 0.. {}",
    "for P { x, y } in z {}",
    "if a {}",
    "if a { 1 } else { 2 }",
    "if a {} else if b {} else {}",
    "if a < b { 1 } else { 2 }",
    "if let Some(x) = y { x } else { z }",
    "if let A | B = x {}",
    "if let 1..=2 = x && let Some(y) = z {}",
    "if x == (P { y: 1 }) {}",
    "if unsafe { f() } {}",
    "if x as u8 > 1 {}",
    "if !x.y {}",
    "if return {} {}",
    "while break {}",
    "if m!{} {}",
    "if { a } {}",
    "match x {}",
    "match x { 1 => 2, _ => { 3 } }",
    "match (a, b) { (A | B, c) if c > 1 => |x| x, _ => return }",
    "match x.f(|y| { y }) { A {} => 1 }",
    "match x {}.y",
    "if a { b } else { c }.d()",
    "unsafe { x }.y()",
    "{ x }.y",
    "P {}",
    "P { x: 1 }",
    "P { x, ..P::default() }",
    "m::P { x: 1 }.y()",
    "P::<A, B> { x }",
    "<A as T>::P { x }",
    "vec![1, 2]",
    "vec![0; 3]",
    "m::n!(a, b)",
    "m! { a, b }",
    "m!()?",
    "m![].x",
    "format!(\"{}\", 1)",
    "return",
    "return x",
    "return -x",
    "break",
    "break 'a",
    "break 'a x",
    "break x",
    "continue",
    "continue 'a",
    "return Some(1)",
    "#[a] x",
    "#[a(b, c)] f(1)",
    "x | |y| y",
    "a || || b",
    "a..|x| x",
    "f(|x, y| x)",
    "x = |y| y",
    "a as u8 as u16",
    "größe(1)",
    "_",
    "x.r#type",
    "1 .max(2)",
    "1.0.max(2.0)",
    "-x.abs()",
    "&x.y",
    "*x.y()",
    "!m!(x)",
];

#[test]
fn expressions_end_where_they_end() {
    for first in EXPRESSIONS {
        for second in EXPRESSIONS.iter().step_by(9) {
            let text = format!("{first}, {second}");
            let tokens: TokenStream = text.parse().unwrap();
            let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
            let expected = parser.parse2(tokens.clone());
            let expected = expected.unwrap_or_else(|error| panic!("{text}: {error}"));
            let expected: Vec<_> = expected.iter().map(printed_by_syn).collect();
            let tokens: Vec<_> = tokens.into_iter().collect();
            let mut cursor = Cursor::new(&tokens);
            let mut found = Vec::new();
            while !cursor.is_empty() {
                let next = Expression::next(&mut cursor);
                found.push(printed(
                    &next.unwrap_or_else(|error| panic!("{text}: {error}")),
                ));
                assert!(cursor.is_empty() || cursor.skip(","), "{text}: {found:?}");
            }
            assert_eq!(found, expected, "{text}");
        }
    }
}

/// The tokens of ours as text.
fn printed(tokens: &impl ToTokens) -> String {
    without_spaces(tokens.to_tokens())
}

/// The tokens of `syn` as text.
fn printed_by_syn(tokens: &impl quote::ToTokens) -> String {
    without_spaces(tokens.to_token_stream())
}

fn without_spaces(tokens: TokenStream) -> String {
    // `syn` sets operators apart that it read one by one.
    tokens.to_string().replace(' ', "")
}

#[test]
fn expressions_have_their_form() {
    for text in EXPRESSIONS {
        let expected = match syn::parse_str(text).unwrap() {
            Expr::Array(array) => format!("array {}", array.elems.len()),
            Expr::Closure(closure) => {
                let parameters = closure.inputs.iter().map(|input| match input {
                    Pat::Type(input) => format!(
                        "{}:{}",
                        printed_by_syn(&input.pat),
                        printed_by_syn(&input.ty)
                    ),
                    input => printed_by_syn(input),
                });
                let parameters: Vec<_> = parameters.collect();
                format!("closure {parameters:?} {}", printed_by_syn(&closure.body))
            }
            Expr::Lit(literal) if literal.attrs.is_empty() => "literal".to_owned(),
            Expr::Paren(_) => "paren".to_owned(),
            Expr::Path(path) if path.attrs.is_empty() => {
                let names = path.path.segments.iter().map(|s| s.ident.to_string());
                let skipped = path.qself.as_ref().map_or(0, |qself| qself.position);
                format!("path {:?}", names.skip(skipped).collect::<Vec<_>>())
            }
            Expr::Tuple(tuple) => format!("tuple {}", tuple.elems.len()),
            _ => "other".to_owned(),
        };
        let found = Expression::all(text.parse().unwrap());
        let found = found.unwrap_or_else(|error| panic!("{text}: {error}"));
        let found = match &found.form {
            Form::Array(elements) => format!("array {}", elements.len()),
            Form::Closure(closure) => {
                let parameters: Vec<_> = closure.parameters.iter().map(printed).collect();
                format!("closure {parameters:?} {}", printed(&closure.body))
            }
            Form::Literal(_) => "literal".to_owned(),
            Form::Paren(_) => "paren".to_owned(),
            Form::Path(path) => {
                let names = path.names.iter().map(ToString::to_string);
                format!("path {:?}", names.collect::<Vec<_>>())
            }
            Form::Tuple(elements) => format!("tuple {}", elements.len()),
            Form::Group(_) | Form::Negative(_) | Form::Reference(_) | Form::Other => {
                "other".to_owned()
            }
        };
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn functions_are_what_they_are() {
    for item in [
        quote!(
            fn f() {}
        ),
        quote!(
            #[a]
            #[b::c(d)]
            pub(crate) async fn f(x: u8, mut y: Vec<A<B, C>>) -> u8 {
                x
            }
        ),
        quote!(
            pub const unsafe extern "C" fn r#fn<'a, T: Into<A<B, C>> + 'a, const N: usize>(
                x: &'a T,
            ) -> [T; N]
            where
                T: Fn(A) -> B,
                A:,
            {
                x
            }
        ),
        quote!(
            fn f((a, b): (A, B), P { x, y }: P, #[c] _: impl Fn(A, B) -> C) -> ! {
                loop {}
            }
        ),
        quote!(
            fn f(&mut self, x: fn(A) -> B) -> impl Fn(A) -> B {
                x
            }
        ),
        quote!(
            fn f(self: Box<Self>) -> A<{ N }> {
                x
            }
        ),
        quote!(
            fn f<T>(x: A<{ N }, T>) -> (A,)
            where
                [T; { N }]: B,
            {
                x
            }
        ),
        quote!(
            extern "C" fn f() -> <A as B<C>>::D {}
        ),
    ] {
        let expected: ItemFn = syn::parse2(item.clone()).unwrap();
        let found = Function::parse(item).unwrap();
        let signature = &found.signature;
        let of = &expected.sig;
        assert_eq!(printed(&found), printed_by_syn(&expected));
        assert_eq!(signature.name, of.ident);
        assert_eq!(signature.asyncness.is_some(), of.asyncness.is_some());
        assert_eq!(signature.receiver().is_some(), of.receiver().is_some());
        let attributes = expected.attrs.iter().map(|a| printed_by_syn(a.path()));
        let names = found.attributes.iter().map(|a| printed(&a.path));
        assert!(names.eq(attributes));
        let parameters = of.inputs.iter().map(|input| match input {
            FnArg::Typed(input) => (printed_by_syn(input), Some(printed_by_syn(&input.ty))),
            FnArg::Receiver(receiver) => (printed_by_syn(receiver), None),
        });
        let typed = |found: &Parameter| (printed(found), found.ty.as_ref().map(printed));
        assert!(signature.parameters.iter().map(typed).eq(parameters));
        let generics = of.generics.params.iter().map(|parameter| match parameter {
            GenericParam::Lifetime(_) => "lifetime".to_owned(),
            GenericParam::Type(parameter) => format!("type {}", parameter.ident),
            GenericParam::Const(parameter) => format!("const {}", parameter.ident),
        });
        let kinds = signature.generic_parameters.iter().map(|kind| match kind {
            Generic::Lifetime => "lifetime".to_owned(),
            Generic::Type(name) => format!("type {name}"),
            Generic::Const(name) => format!("const {name}"),
        });
        assert!(kinds.eq(generics));
        let output = match &of.output {
            ReturnType::Type(_, ty) => Some(printed_by_syn(ty)),
            ReturnType::Default => None,
        };
        assert_eq!(signature.output.as_ref().map(printed), output);
    }
}

#[test]
fn items_that_are_no_functions_are_refused() {
    for (item, expected) in [
        ("struct S;", "expected `fn`"),
        ("pub mod m {}", "expected `fn`"),
        ("const X: u8 = 1;", "expected `fn`"),
        ("fn f", "unexpected end of input, expected parentheses"),
        ("fn f(); {}", "expected curly braces"),
        ("fn ()", "expected an identifier"),
        ("", "unexpected end of input, expected `fn`"),
    ] {
        let error = Function::parse(item.parse().unwrap()).err().unwrap();
        assert_eq!(error.to_string(), expected, "{item}");
    }
}

#[test]
fn types_have_their_form() {
    let form = |text: &str| {
        let tokens: Vec<_> = text.parse::<TokenStream>().unwrap().into_iter().collect();
        let ty = Type::new(&tokens);
        (
            ty.is_reference(),
            ty.is_tuple(),
            ty.is_never(),
            ty.is_path(),
        )
    };
    for text in [
        "&A",
        "&'a mut [A]",
        "()",
        "(A,)",
        "(A, B)",
        "(A)",
        "(A<B, C>)",
        "!",
        "A",
        "a::B<C, D>",
        "::a::B",
        "<A as B>::C",
        "impl A",
        "dyn A",
        "fn(A) -> B",
        "unsafe fn()",
        "extern \"C\" fn()",
        "for<'a> fn(&'a A)",
        "[A]",
        "*const A",
        "m!(A)",
        "_",
        "Self",
    ] {
        let expected = syn::parse_str::<syn::Type>(text).unwrap();
        let expected = (
            matches!(expected, syn::Type::Reference(_)),
            matches!(expected, syn::Type::Tuple(_)),
            matches!(expected, syn::Type::Never(_)),
            matches!(expected, syn::Type::Path(_)),
        );
        assert_eq!(form(text), expected, "{text}");
    }
}

/// Half-written code gives an error or less, and never a panic or an endless loop.
#[test]
fn what_is_cut_off_is_read_to_its_end() {
    let function = "#[a] pub unsafe extern \"C\" fn f<'a, const N: usize>(x: &'a A<B>, ...) -> A<B> where A: B {}";
    for text in EXPRESSIONS.iter().chain([&function]) {
        let tokens: Vec<_> = text.parse::<TokenStream>().unwrap().into_iter().collect();
        let count = tokens.len();
        for end in 0..=count {
            let tokens = &tokens[..end];
            let scanned = [scan(tokens).length, scan_statement(tokens).length];
            assert!(scanned.into_iter().all(|length| length <= end), "{text}");
            let item: TokenStream = tokens.iter().cloned().collect();
            let is_whole = *text == function && end == count;
            assert_eq!(Function::parse(item).is_ok(), is_whole, "{text}");
        }
    }
}
