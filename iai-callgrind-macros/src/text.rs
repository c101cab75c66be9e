//! Tokens as text, spaced as a person writes them.
//!
//! In: the tokens of an expression or parameter. Out: `vec![1, 2]` instead of the compiler's
//! `vec! [1, 2]`. Whether `<` opens a list of types cannot be seen in tokens alone; the rules here
//! are right for what stands in arguments, and an error is one of spacing only.

use crate::code::ToTokens;
use crate::syntax::{is, is_keyword, operator_length, visible, Expression, Form};
use crate::tokens::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};

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
    values: &[Expression],
    setup: Option<&Expression>,
    consts: &[Expression],
) -> Option<String> {
    if values.is_empty() && setup.is_none() && consts.is_empty() {
        return None;
    }
    let Around { before, after } = around(setup, consts);
    let mut text = before + &listed(values) + &after;
    let mut end = text.len().min(MAX_LEN);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    Some(text)
}

/// The setup and the const generics around the arguments.
pub(crate) fn around(setup: Option<&Expression>, consts: &[Expression]) -> Around {
    let mut around = Around {
        before: String::new(),
        after: String::new(),
    };
    if let Some(setup) = setup {
        around.before = match setup.form {
            Form::Closure(_) => format!("({})(", tokens(setup)),
            _ => format!("{}(", tokens(setup)),
        };
        around.after = ")".to_owned();
    }
    if !consts.is_empty() {
        around.before = format!("<{}>({}", listed(consts), around.before);
        around.after.push(')');
    }
    around
}

/// The arguments and the values of const generics alone, for the question whether they are still the
/// same: nothing in it depends on how the source is formatted, nor on setup and label.
pub(crate) fn input(values: &[Expression], consts: &[Expression]) -> String {
    of_consts(consts) + &listed_unformatted(values)
}

/// The values of const generics as they stand before the arguments in [`input`].
pub(crate) fn of_consts(consts: &[Expression]) -> String {
    if consts.is_empty() {
        return String::new();
    }
    format!("<{}> ", listed_unformatted(consts))
}

fn listed(expressions: &[Expression]) -> String {
    let mut texts = Vec::new();
    for expression in expressions {
        texts.push(tokens(expression));
    }
    joined(&texts)
}

fn listed_unformatted(expressions: &[Expression]) -> String {
    let mut texts = Vec::new();
    for expression in expressions {
        texts.push(unformatted(expression));
    }
    joined(&texts)
}

/// Texts with commas between them.
pub(crate) fn joined(texts: &[String]) -> String {
    let mut joined = String::new();
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            joined.push_str(", ");
        }
        joined.push_str(text);
    }
    joined
}

/// The text of an expression without commas before a closing bracket and `_` in numbers, which
/// formatters and people add and remove.
pub(crate) fn unformatted(expression: &Expression) -> String {
    tokens(&normal(expression.to_tokens()))
}

fn normal(stream: TokenStream) -> TokenStream {
    let mut tokens = Vec::new();
    for token in stream {
        tokens.push(normal_token(token));
    }
    if is(tokens.last(), ',') {
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
pub(crate) fn tokens(tokens: &dyn ToTokens) -> String {
    let mut writer = Writer::default();
    writer.stream(tokens.to_tokens());
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
    /// `if`, `mut`, `as`: a space, and an operator is a prefix.
    Keyword,
    /// `,`, `=`, `+`: a space, and an operator is a prefix.
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
        let tokens = visible(stream);
        let mut rest = tokens.as_slice();
        while let Some((token, after)) = rest.split_first() {
            rest = after;
            match token {
                TokenTree::Ident(ident) => self.word(&ident.to_string()),
                TokenTree::Literal(literal) => self.put(&literal.to_string(), Before::Operand),
                TokenTree::Group(group) => self.group(group.delimiter(), group.stream()),
                TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                    let name = rest.first().map(ToString::to_string).unwrap_or_default();
                    rest = rest.get(1..).unwrap_or_default();
                    self.put(&format!("'{name}"), Before::Block);
                }
                TokenTree::Punct(_) => {
                    let operator = operator(token, rest, self.angles > 0);
                    rest = &rest[operator.len() - 1..];
                    self.operator(&operator, rest.first());
                }
            }
        }
    }

    /// Writes a piece with the space that stands before an operand.
    fn put(&mut self, piece: &str, next: Before) {
        if !matches!(self.before, Before::Start | Before::Glue) {
            self.text.push(' ');
        }
        self.glue(piece, next);
    }

    /// Writes a piece without a space.
    fn glue(&mut self, piece: &str, next: Before) {
        self.text.push_str(piece);
        self.before = next;
    }

    fn word(&mut self, word: &str) {
        const OPERANDS: [&str; 6] = ["self", "Self", "super", "crate", "true", "false"];
        let keyword = is_keyword(word) && !OPERANDS.contains(&word);
        let after_dot = self.text.ends_with('.');
        let is_operand = !keyword || after_dot || word == "_";
        self.put(
            word,
            if is_operand {
                Before::Operand
            } else {
                Before::Keyword
            },
        );
    }

    fn group(&mut self, delimiter: Delimiter, stream: TokenStream) {
        let (open, close) = match delimiter {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::None => return self.stream(stream),
        };
        let brace = delimiter == Delimiter::Brace;
        match self.before {
            Before::Operand | Before::Bang if !brace => self.glue(open, Before::Start),
            _ => self.put(open, Before::Start),
        }
        let mut inner = Writer::default();
        inner.stream(stream);
        if brace && !inner.text.is_empty() {
            inner.text = format!(" {} ", inner.text);
        }
        self.text.push_str(&inner.text);
        self.glue(
            close,
            if brace {
                Before::Block
            } else {
                Before::Operand
            },
        );
    }

    fn operator(&mut self, operator: &str, next: Option<&TokenTree>) {
        let prefix = !matches!(self.before, Before::Operand | Before::Block);
        match operator {
            "," | ";" => self.glue(operator, Before::Operator),
            ":" => self.glue(operator, Before::Operator),
            "?" => self.glue(operator, Before::Operand),
            "." => self.glue(operator, Before::Glue),
            "::" if prefix => self.put(operator, Before::Glue),
            "::" => self.glue(operator, Before::Glue),
            ".." | "..=" if prefix => self.put(operator, Before::Glue),
            ".." | "..=" => self.glue(operator, Before::Glue),
            "!" if !prefix && matches!(next, Some(TokenTree::Group(_))) => {
                self.glue(operator, Before::Bang);
            }
            "|" if self.in_bars => {
                self.in_bars = false;
                self.glue(operator, Before::Operator);
            }
            "|" if prefix => {
                self.in_bars = true;
                self.put(operator, Before::Glue);
            }
            "||" if prefix => self.put(operator, Before::Operator),
            "<" if prefix || self.opens_types() => {
                self.angles += 1;
                if prefix {
                    self.put(operator, Before::Glue);
                } else {
                    self.glue(operator, Before::Glue);
                }
            }
            ">" if self.angles > 0 => {
                self.angles -= 1;
                self.glue(operator, Before::Operand);
            }
            "-" | "*" | "&" | "&&" | "!" | "#" | "$" if prefix => self.put(operator, Before::Glue),
            _ => self.put(operator, Before::Operator),
        }
    }

    /// Does the `<` after this text begin generic arguments, as in `Vec<u8>`?
    fn opens_types(&self) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let name = self.text.rsplit(|c| !is_part(c)).next().unwrap_or_default();
        name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
    }
}

/// The longest operator that starts with `first`.
fn operator(first: &TokenTree, rest: &[TokenTree], in_types: bool) -> String {
    let mut operator = String::new();
    let mut next = Some(first);
    while let (Some(TokenTree::Punct(punct)), 0..3) = (next, operator.len()) {
        next = match punct.spacing() {
            Spacing::Joint => rest.get(operator.len()),
            Spacing::Alone => None,
        };
        operator.push(punct.as_char());
    }
    let closes_types = in_types && operator.starts_with('>');
    let is_known = |text: &str| operator_length(text) == text.len();
    while closes_types && operator.len() > 1 || !is_known(&operator) {
        operator.pop();
    }
    operator
}

/// A name as it appears in strings and in generated names.
pub(crate) fn plain(name: &Ident) -> String {
    let text = name.to_string();
    match text.strip_prefix("r#") {
        Some(name) => name.to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str) {
        let stream: TokenStream = text.parse().unwrap();
        assert_eq!(tokens(&stream), text);
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

    fn parse(text: &str) -> Expression {
        Expression::all(text.parse().unwrap()).unwrap()
    }

    #[track_caller]
    fn describe(values: &[&str], setup: Option<&str>) -> Option<String> {
        let values: Vec<_> = values.iter().map(|value| parse(value)).collect();
        let setup = setup.map(parse);
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
            let values: Vec<_> = values.iter().map(|value| parse(value)).collect();
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
        let consts = ["1_6", "true"].map(parse);
        assert_eq!(input(&[], &consts), "<16, true> ");
    }

    #[test]
    fn const_generics_stand_before_the_arguments() {
        let consts = ["4", "{ N + 1 }"].map(parse);
        let setup = parse("f");
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
