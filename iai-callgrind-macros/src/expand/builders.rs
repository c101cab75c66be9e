//! Functions of binary benchmarks that return the reference of a builder's method.

use crate::code::code;
use crate::syntax::{is, is_word, scan, scan_statement, starts, Cursor, Function, Type};
use crate::tokens::{Delimiter, Group, TokenStream, TokenTree};

/// Methods of the builder `Command`, which return a reference to it.
const BUILDERS: [&str; 15] = [
    "arg",
    "args",
    "current_dir",
    "delay",
    "env",
    "env_clear",
    "envs",
    "exit_with",
    "pass_through_env",
    "pass_through_envs",
    "sandbox",
    "setup_parallel",
    "stderr",
    "stdin",
    "stdout",
];

/// Lets a function return the reference that such a method returns, where `.build()` was forgotten.
pub(super) fn accept_references(library: &TokenStream, function: &mut Function) {
    let output = function.signature.output.as_ref();
    if output.is_some_and(Type::is_path) {
        if let Some(body) = in_block(library, &function.body) {
            function.body = body;
        }
    }
}

/// The block with the changed value; `None` if there is nothing to change.
fn in_block(library: &TokenStream, block: &Group) -> Option<Group> {
    let tokens: Vec<_> = block.stream().into_iter().collect();
    let mut cursor = Cursor::new(&tokens);
    loop {
        let (length, is_value) = statement(cursor.rest);
        if is_value && length == cursor.rest.len() {
            break;
        }
        if cursor.take(length).is_empty() {
            return None;
        }
    }
    let value = in_value(library, cursor.rest)?;
    let before = tokens[..tokens.len() - cursor.rest.len()].iter().cloned();
    Some(regrouped(block, before.chain(value).collect()))
}

/// The number of tokens of the statement at the beginning, and whether it can be the value of its block.
fn statement(tokens: &[TokenTree]) -> (usize, bool) {
    if let [pound, TokenTree::Group(_), ..] = tokens {
        if is(Some(pound), '#') {
            return (2, false);
        }
    }
    if is(tokens.first(), ';') {
        return (1, false);
    }
    let end = match item(tokens) {
        Ends::WithSemicolon => tokens.iter().position(is_semicolon),
        Ends::WithBraces => {
            let is_end = |token: &TokenTree| is_semicolon(token) || is_braces(token);
            tokens.iter().position(is_end)
        }
        Ends::AsExpression => return (scan_statement(tokens).length, true),
    };
    (end.map_or(tokens.len(), |end| end + 1), false)
}

/// The end of a statement.
enum Ends {
    /// `let` and some items.
    WithSemicolon,
    /// Items that can also end with a `;`.
    WithBraces,
    /// No item.
    AsExpression,
}

fn item(tokens: &[TokenTree]) -> Ends {
    let word = |token: Option<&TokenTree>| match token {
        Some(TokenTree::Ident(word)) => word.to_string(),
        _ => String::new(),
    };
    let next = word(tokens.get(1));
    match word(tokens.first()).as_str() {
        "let" | "use" => Ends::WithSemicolon,
        // Behind these words an expression has no name.
        "static" | "type" if !next.is_empty() && next != "move" => Ends::WithSemicolon,
        "async" | "const" | "unsafe" => match next.as_str() {
            "" | "move" | "async" => Ends::AsExpression,
            "extern" | "fn" | "impl" | "trait" | "unsafe" => Ends::WithBraces,
            _ => Ends::WithSemicolon,
        },
        "pub" => match item(&tokens[1..]) {
            Ends::AsExpression => Ends::WithBraces,
            ends => ends,
        },
        "enum" | "extern" | "fn" | "impl" | "mod" | "struct" | "trait" => Ends::WithBraces,
        "union" if !next.is_empty() => Ends::WithBraces,
        "macro_rules" if is(tokens.get(1), '!') => Ends::WithBraces,
        _ => Ends::AsExpression,
    }
}

fn is_semicolon(token: &TokenTree) -> bool {
    is(Some(token), ';')
}

fn is_braces(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Looks for the call where the value of the function comes from. Only calls that are known are
/// touched: rustc might need the type of the function for others, such as `into`.
fn in_value(library: &TokenStream, value: &[TokenTree]) -> Option<Vec<TokenTree>> {
    match value {
        [TokenTree::Group(group)] => match group.delimiter() {
            Delimiter::Brace => Some(vec![in_block(library, group)?.into()]),
            Delimiter::Parenthesis => {
                let inside: Vec<_> = group.stream().into_iter().collect();
                let inside = in_value(library, &inside)?;
                Some(vec![regrouped(group, inside.into_iter().collect()).into()])
            }
            Delimiter::Bracket | Delimiter::None => None,
        },
        [word @ TokenTree::Ident(first), rest @ ..] if is_block(value) => {
            let rest = match (first.to_string().as_str(), rest) {
                ("unsafe", block) => in_value(library, block)?,
                ("if", _) => branches(library, rest),
                ("match", [before @ .., TokenTree::Group(arms)]) => {
                    let arms = in_arms(library, arms).into();
                    before.iter().cloned().chain([arms]).collect()
                }
                _ => return None,
            };
            Some([word.clone()].into_iter().chain(rest).collect())
        }
        _ => call(library, value),
    }
}

fn call(library: &TokenStream, value: &[TokenTree]) -> Option<Vec<TokenTree>> {
    let scanned = scan(value);
    let method = scanned.method?.to_string();
    if scanned.length != value.len() || !BUILDERS.contains(&method.as_str()) {
        return None;
    }
    let call: TokenStream = value.iter().cloned().collect();
    let built = code!(library, call => #library::__internal::built(#call));
    Some(built.into_iter().collect())
}

/// Is it nothing but the `if` or `match` that it begins with?
fn is_block(value: &[TokenTree]) -> bool {
    let scanned = scan_statement(value);
    scanned.is_block && scanned.length == value.len()
}

/// The blocks of `if .. {} else if .. {} else {}`. Before the block of a condition stands no other block on this
/// level but those within the condition, which are left alone.
fn branches(library: &TokenStream, value: &[TokenTree]) -> Vec<TokenTree> {
    let is_else =
        |token: &TokenTree| matches!(token, TokenTree::Ident(word) if is_word(word, "else"));
    let mut tokens = Vec::new();
    for (index, token) in value.iter().enumerate() {
        let ends = value.get(index + 1).is_none_or(is_else);
        let changed = match token {
            TokenTree::Group(block) if ends => in_block(library, block),
            _ => None,
        };
        tokens.push(changed.map_or_else(|| token.clone(), TokenTree::from));
    }
    tokens
}

fn in_arms(library: &TokenStream, arms: &Group) -> Group {
    let content: Vec<_> = arms.stream().into_iter().collect();
    let mut cursor = Cursor::new(&content);
    let mut tokens = Vec::new();
    while !cursor.is_empty() {
        let rest = cursor.rest;
        let arrow = (0..rest.len()).find(|index| starts(&rest[*index..], "=>"));
        tokens.extend_from_slice(cursor.take(arrow.map_or(rest.len(), |arrow| arrow + 2)));
        let value = cursor.take(scan_statement(cursor.rest).length);
        tokens.extend(in_value(library, value).unwrap_or_else(|| value.to_vec()));
        if is(cursor.rest.first(), ',') {
            tokens.extend_from_slice(cursor.take(1));
        }
    }
    regrouped(arms, tokens.into_iter().collect())
}

/// Other tokens between the same brackets.
fn regrouped(group: &Group, content: TokenStream) -> Group {
    let mut regrouped = Group::new(group.delimiter(), content);
    regrouped.set_span(group.span());
    regrouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, expected: &str) {
        let item = format!("fn f() -> Command {{ {body} }}");
        let mut function = Function::parse(item.parse().unwrap()).unwrap();
        accept_references(&code!(l), &mut function);
        let expected: TokenStream = format!("{{ {expected} }}").parse().unwrap();
        assert_eq!(function.body.to_string(), expected.to_string(), "{body}");
    }

    #[track_caller]
    fn stays(body: &str) {
        check(body, body);
    }

    #[test]
    fn references_to_builders_are_accepted() {
        let built = "l::__internal::built(c.arg(1))";
        for (before, after) in [
            ("", ""),
            ("let mut c = Command::new(\"x\"); ", ""),
            (
                "let c = P { x: 1 }; let P { x } = c else { return d }; ",
                "",
            ),
            ("if a { c.arg(2); } ", ""),
            (
                "if a < b { 1 } else if let Some(P { x }) = y { 2 } else { 3 } ",
                "",
            ),
            ("for P { x } in 0..n { c.arg(x); } ", ""),
            ("while x != (P {}) {} 'a: loop { break 'a } ", ""),
            ("match x { _ => {} } unsafe { g() } { h() } ", ""),
            ("match x { _ => {} }.y(); return z; ", ""),
            (
                "use a::{b, c}; const X: P = P { x: 1 }; static Y: [u8; 2] = [1; 2]; ",
                "",
            ),
            (
                "fn g() {} unsafe fn h() {} async fn i() {} struct P; struct Q { x: u8 } ",
                "",
            ),
            (
                "const fn g() {} impl P {} mod m {} extern \"C\" {} pub type T = u8; ",
                "",
            ),
            (
                "println!(\"{}\", 1); m! { x } macro_rules! n { () => {} } ",
                "",
            ),
            ("#[allow(unused)] let x = |y| { y }; x(1); ; ", ""),
            ("a = b; async { 1 }; const { 2 } unsafe { x }.y(); ", ""),
            ("(", ")"),
            ("{ ", " }"),
            ("unsafe { x; ", " }"),
            ("if unsafe { x } { y } else { ", " }"),
            ("if a { ", " } else { d }"),
            ("if a { d } else if m! {} { ", " } else { e }"),
            ("match x { A => ", ", B => d }"),
            ("match x { A => d, B if y => { ", " } C => e }"),
            ("match (P { x: 1 }).y { A | B { .. } => (", "), _ => d }"),
        ] {
            check(
                &format!("{before}c.arg(1){after}"),
                &format!("{before}{built}{after}"),
            );
        }
        check(
            "Command::new(x).args::<Vec<_>, _>(y).env(\"a\", \"b\")",
            "l::__internal::built(Command::new(x).args::<Vec<_>, _>(y).env(\"a\", \"b\"))",
        );
        check(
            "if a { c.arg(1) } else { c.stdin(P { x }) }",
            "if a { l::__internal::built(c.arg(1)) } else { l::__internal::built(c.stdin(P { x })) }",
        );
        check(
            "x.f::<A, B>(1).args::<Vec<_>, _>(y)",
            "l::__internal::built(x.f::<A, B>(1).args::<Vec<_>, _>(y))",
        );
    }

    #[test]
    fn all_other_values_stay() {
        for body in [
            "",
            "c",
            "c.arg",
            "c.arg(1).build()",
            "c.arg(1).into()",
            "c.arg(1);",
            "arg(1)",
            "&mut *c.arg(1)",
            "c.arg(1)?",
            "a + c.arg(1)",
            "c.arg(1) as u8",
            "c.arg(1)[0]",
            "return c.arg(1)",
            "|x| c.arg(1)",
            "move || c.arg(1)",
            "loop { break c.arg(1) }",
            "x = c.arg(1)",
            "fn g() -> Command { c.arg(1) }",
            "let x = c.arg(1);",
            "m! { c.arg(1) }",
        ] {
            stays(body);
        }
    }

    #[test]
    fn only_functions_that_return_a_type_by_its_name_are_changed() {
        let item = "fn f() -> &Command { c.arg(1) }";
        let mut function = Function::parse(item.parse().unwrap()).unwrap();
        accept_references(&code!(l), &mut function);
        assert_eq!(function.body.to_string(), "{ c . arg (1) }");
    }
}
