//! Tokens as text, spaced as a person writes them.
//!
//! In: the tokens of an expression or parameter. Out: `vec![1, 2]`. The text of the compiler has
//! the spaces of the source as long as tokens come right from it; those that were parsed have lost
//! them and would be `vec! [1, 2]`. Whether `<` opens a list of types cannot be seen in tokens
//! alone; the rules here are right for what stands in arguments, and an error is one of spacing
//! only.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Ident};

/// Longest description, in bytes.
const MAX_LEN: usize = 5000;

/// Text before and after the argument of an iterator's element.
pub(crate) struct Around {
    pub before: String,
    pub after: String,
}

/// The arguments of a case for the headline: `1, "x"`, with a setup `setup(1, "x")`, with const
/// generics `<4>(1, "x")`.
pub(crate) fn description(
    values: &[Expr],
    setup: Option<&Expr>,
    consts: &[Expr],
) -> Option<String> {
    if values.is_empty() && setup.is_none() && consts.is_empty() {
        return None;
    }
    let Around { before, after } = around(setup, consts);
    let mut text = before + &listed(values, tokens) + &after;
    let mut end = text.len().min(MAX_LEN);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    Some(text)
}

/// The setup and the const generics around the arguments.
pub(crate) fn around(setup: Option<&Expr>, consts: &[Expr]) -> Around {
    let (mut before, mut after) = match setup {
        Some(setup @ Expr::Closure(_)) => (format!("({})(", tokens(setup)), ")".to_owned()),
        Some(setup) => (format!("{}(", tokens(setup)), ")".to_owned()),
        None => (String::new(), String::new()),
    };
    if !consts.is_empty() {
        before = format!("<{}>({before}", listed(consts, tokens));
        after.push(')');
    }
    Around { before, after }
}

/// The arguments and the values of const generics alone, for the question whether they are still
/// the same: nothing in it depends on how the source is formatted, nor on setup and label.
pub(crate) fn input(values: &[Expr], consts: &[Expr]) -> String {
    of_consts(consts) + &listed(values, unformatted)
}

/// The values of const generics as they stand before the arguments in [`input`].
pub(crate) fn of_consts(consts: &[Expr]) -> String {
    match consts {
        [] => String::new(),
        consts => format!("<{}> ", listed(consts, unformatted)),
    }
}

fn listed<'a>(expressions: &'a [Expr], text: fn(&'a Expr) -> String) -> String {
    let texts: Vec<_> = expressions.iter().map(text).collect();
    texts.join(", ")
}

/// The text of an expression without commas before a closing bracket and `_` in numbers, which
/// formatters and people add and remove.
fn unformatted(expression: &Expr) -> String {
    tokens(normal(expression.to_token_stream()))
}

fn normal(stream: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = stream.into_iter().map(normal_token).collect();
    if matches!(tokens.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == ',') {
        tokens.pop();
    }
    tokens.into_iter().collect()
}

fn normal_token(token: TokenTree) -> TokenTree {
    match token {
        TokenTree::Group(group) => {
            TokenTree::Group(Group::new(group.delimiter(), normal(group.stream())))
        }
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            let is_number = text.starts_with(|c: char| c.is_ascii_digit());
            let without = text.replace('_', "").parse();
            TokenTree::Literal(without.ok().filter(|_| is_number).unwrap_or(literal))
        }
        token => token,
    }
}

/// Source-like text on one line.
pub(crate) fn tokens(tokens: impl ToTokens) -> String {
    let mut writer = Writer::default();
    writer.stream(tokens.into_token_stream());
    writer.text
}

/// Token before the next one, as far as spaces depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Before {
    /// No token: no space, and an operator is a prefix.
    #[default]
    Start,
    /// A name, literal, `)`, `]` or `?`: an operator that follows has two sides.
    Operand,
    /// Like an operand, but what follows is set apart: `}` and a label.
    Block,
    /// `if`, `mut`, `,`, `=`, `+`: a space, and an operator is a prefix.
    Operator,
    /// `.`, `::`, `&` before its operand: no space.
    Glue,
    /// `name!`: no space before `(` and `[`.
    Bang,
}

#[derive(Default)]
struct Writer {
    text: String,
    before: Before,
    /// Open `<` of generic arguments.
    angles: usize,
    /// Between the bars of a closure's parameters.
    in_bars: bool,
}

impl Writer {
    fn stream(&mut self, stream: TokenStream) {
        let tokens = flatten(stream);
        let mut rest = tokens.as_slice();
        while let Some((token, after)) = rest.split_first() {
            rest = after;
            match token {
                TokenTree::Ident(ident) => self.word(ident),
                TokenTree::Literal(literal) => {
                    self.put(&literal.to_string(), true, Before::Operand);
                }
                TokenTree::Group(group) => self.group(group),
                TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                    // A lifetime or a label: two tokens that are one word.
                    let name = rest.first().map(ToString::to_string).unwrap_or_default();
                    rest = rest.get(1..).unwrap_or_default();
                    self.put(&format!("'{name}"), true, Before::Block);
                }
                TokenTree::Punct(_) => {
                    let operator = operator(token, rest, self.angles > 0);
                    rest = &rest[operator.len() - 1..];
                    self.operator(&operator, rest.first());
                }
            }
        }
    }

    /// Writes a piece, with a space before it if it is set apart from what can have one behind it.
    fn put(&mut self, piece: &str, is_apart: bool, next: Before) {
        if is_apart && !matches!(self.before, Before::Start | Before::Glue) {
            self.text.push(' ');
        }
        self.text.push_str(piece);
        self.before = next;
    }

    fn word(&mut self, word: &Ident) {
        const OPERANDS: [&str; 7] = ["self", "Self", "super", "crate", "true", "false", "_"];
        // What follows a name is an operator, what follows a keyword is an operand: `a - b`,
        // `return -b`.
        let is_name = syn::parse2::<Ident>(word.to_token_stream()).is_ok();
        let is_operand =
            is_name || self.text.ends_with('.') || OPERANDS.iter().any(|operand| word == operand);
        let next = match is_operand {
            true => Before::Operand,
            false => Before::Operator,
        };
        self.put(&word.to_string(), true, next);
    }

    fn group(&mut self, group: &Group) {
        let inner = tokens(group.stream());
        let follows = matches!(self.before, Before::Operand | Before::Bang);
        match group.delimiter() {
            Delimiter::Parenthesis => self.put(&format!("({inner})"), !follows, Before::Operand),
            Delimiter::Bracket => self.put(&format!("[{inner}]"), !follows, Before::Operand),
            Delimiter::Brace if inner.is_empty() => self.put("{}", true, Before::Block),
            Delimiter::Brace => self.put(&format!("{{ {inner} }}"), true, Before::Block),
            Delimiter::None => self.put(&inner, true, Before::Operand),
        }
    }

    fn operator(&mut self, operator: &str, next: Option<&TokenTree>) {
        let is_prefix = !matches!(self.before, Before::Operand | Before::Block);
        let (is_apart, next) = match operator {
            "," | ";" | ":" => (false, Before::Operator),
            "?" => (false, Before::Operand),
            "." => (false, Before::Glue),
            "::" | ".." | "..=" => (is_prefix, Before::Glue),
            "!" if !is_prefix && matches!(next, Some(TokenTree::Group(_))) => (false, Before::Bang),
            "|" if self.in_bars => {
                self.in_bars = false;
                (false, Before::Operator)
            }
            "|" if is_prefix => {
                self.in_bars = true;
                (true, Before::Glue)
            }
            "<" if is_prefix || self.opens_types() => {
                self.angles += 1;
                (is_prefix, Before::Glue)
            }
            ">" if self.angles > 0 => {
                self.angles -= 1;
                (false, Before::Operand)
            }
            "-" | "*" | "&" | "&&" | "!" | "#" | "$" if is_prefix => (true, Before::Glue),
            _ => (true, Before::Operator),
        };
        self.put(operator, is_apart, next);
    }

    /// Does the `<` after this text begin generic arguments, as in `Vec<u8>`?
    fn opens_types(&self) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let name = self.text.rsplit(|c| !is_part(c)).next().unwrap_or_default();
        name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
    }
}

/// Resolves the invisible groups around what a `macro_rules!` macro passed on.
fn flatten(stream: TokenStream) -> Vec<TokenTree> {
    let tokens = stream.into_iter().flat_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => flatten(group.stream()),
        token => vec![token],
    });
    tokens.collect()
}

/// The longest operator that starts with `first`.
fn operator(first: &TokenTree, rest: &[TokenTree], in_types: bool) -> String {
    const LONG: [&str; 24] = [
        "<<=", ">>=", "...", "..=", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=",
        "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<<", ">>", "..",
    ];
    let mut operator = String::new();
    for token in std::iter::once(first).chain(rest).take(3) {
        let TokenTree::Punct(punct) = token else {
            break;
        };
        operator.push(punct.as_char());
        if punct.spacing() == Spacing::Alone {
            break;
        }
    }
    // Of `Vec<Vec<u8>>` the end are two closing brackets, and no shift.
    let closes_types = in_types && operator.starts_with('>');
    while operator.len() > 1 && (closes_types || !LONG.contains(&operator.as_str())) {
        operator.pop();
    }
    operator
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str) {
        let stream: TokenStream = text.parse().unwrap();
        assert_eq!(tokens(stream), text);
    }

    #[test]
    fn text_comes_out_as_it_is_usually_written() {
        for text in [
            "1",
            "-1",
            "1 - 1",
            "-x",
            "!x",
            "a - -b",
            "\"x y\"",
            "b'a'",
            "'a'",
            "1.5f32",
            "vec![1, 2]",
            "vec![0; 3]",
            "&[1, 2]",
            "&mut [1]",
            "&mut Vec::new()",
            "&&x",
            "a && b",
            "a & b",
            "a::<u8>(3)",
            "Vec::<Vec<u8>>::new()",
            "Vec::<Option<Vec<u8>>>::with_capacity(1 << 4)",
            "<Vec<u8> as Default>::default()",
            "f(<u8>::MAX)",
            "::std::mem::size_of::<u8>()",
            "x as Vec<u8>",
            "x as *const u8",
            "x as ::std::ffi::c_int",
            "1..=3",
            "..",
            "a..",
            "..3",
            "(0..10)",
            "(0..n).rev().map(|x| x + 1).collect::<Vec<_>>()",
            "|x| x + 1",
            "|a, b| a | b",
            "|&x| x",
            "|(a, _): (u8, u8)| a",
            "|| 1",
            "|| {}",
            "move || x",
            "move |x| -x",
            "a || b",
            "{ N + 1 }",
            "{ let x = 1; x }",
            "if a { 1 } else { 2 }",
            "match x { 1 => 2, _ => return -1 }",
            "P { x: 1, ..P::default() }",
            "p.0.await?.x",
            "f()?",
            "!matches!(x, Some(_))",
            "a != b",
            "a < b",
            "N < 3",
            "a >= b",
            "a << 2",
            "x[1][2]",
            "&'a x",
            "'a: loop { break 'a }",
            "format!(\"{}\", 1)",
            "m::n!(1)",
            "return &x",
            "in *x",
            "*x * *y",
            "x += 1",
            "r#fn(1)",
            "x: &mut u8",
            "x: impl Fn(u8) -> u8",
            "mut v: Vec<u32>",
            "&x: &u8",
            "[a, ..]: [u8; 4]",
            "x @ 1..=2",
            "größe(1)",
        ] {
            check(text);
        }
    }

    #[track_caller]
    fn describe(values: &[&str], setup: Option<&str>) -> Option<String> {
        let values: Vec<Expr> = values.iter().map(|v| syn::parse_str(v).unwrap()).collect();
        let setup: Option<Expr> = setup.map(|s| syn::parse_str(s).unwrap());
        description(&values, setup.as_ref(), &[])
    }

    #[test]
    fn descriptions() {
        let check = |values: &[_], setup, expected: Option<&str>| {
            assert_eq!(describe(values, setup).as_deref(), expected);
        };
        check(&[], None, None);
        check(&["10"], None, Some("10"));
        check(&["1", "\"x\""], None, Some("1, \"x\""));
        check(&["10"], Some("worst_case"), Some("worst_case(10)"));
        check(&[], Some("m::f::<u8>"), Some("m::f::<u8>()"));
        check(&["1"], Some("|n| n + 1"), Some("(|n| n + 1)(1)"));
    }

    #[test]
    fn inputs_do_not_depend_on_the_format_of_the_source() {
        #[track_caller]
        fn check(values: &[&str], expected: &str) {
            let values: Vec<Expr> = values.iter().map(|v| syn::parse_str(v).unwrap()).collect();
            assert_eq!(input(&values, &[]), expected);
        }
        check(&[], "");
        check(&["vec![1,2 ,\n]", "f(  3, )"], "vec![1, 2], f(3)");
        check(&["vec![1, 2]", "f(3)"], "vec![1, 2], f(3)");
        check(
            &["1_000_u64", "0xf_f", "\"1_0\"", "a_1"],
            "1000u64, 0xff, \"1_0\", a_1",
        );
        check(&["P { x: [1, 2,], }"], "P { x: [1, 2] }");
        let consts: [Expr; 2] = ["1_6", "true"].map(|value| syn::parse_str(value).unwrap());
        assert_eq!(input(&[], &consts), "<16, true> ");
    }

    #[test]
    fn const_generics_stand_before_the_arguments() {
        let consts: [Expr; 2] = ["4", "{ N + 1 }"].map(|value| syn::parse_str(value).unwrap());
        let setup: Expr = syn::parse_str("f").unwrap();
        let text = |setup| description(&[], setup, &consts).unwrap();
        assert_eq!(text(None), "<4, { N + 1 }>()");
        assert_eq!(text(Some(&setup)), "<4, { N + 1 }>(f())");
    }

    #[test]
    fn long_descriptions_are_cut_between_characters() {
        let value = format!("\"{}\"", "ä".repeat(MAX_LEN));
        let text = describe(&[&value], None).unwrap();
        // The quote has one byte and each `ä` two, so the limit lies inside of a character.
        assert_eq!(text.len(), MAX_LEN - 1);
    }
}
