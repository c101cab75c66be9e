//! The end of an expression.
//!
//! In: tokens. Out: how many of them belong to the expression at the beginning. Only what decides about that is
//! looked at: whether an operand or an operator comes next, and where `<` and `|` are brackets.

use super::cursor::{angles, is, is_word, starts, Cursor};
use super::types::skip_type;
use crate::tokens::{Delimiter, TokenTree};

/// What was found out about an expression on the way to its end.
pub(crate) struct Scanned<'a> {
    /// The number of its tokens.
    pub length: usize,
    /// The name of the method, if the expression is a call of one.
    pub method: Option<&'a TokenTree>,
    /// Does it end with the braces of `if`, `match`, a loop or a block, so that no `;` follows?
    pub is_block: bool,
}

/// The expression at the beginning.
pub(crate) fn scan(tokens: &[TokenTree]) -> Scanned<'_> {
    let mut scanner = Scanner {
        cursor: Cursor::new(tokens),
        may_be_struct: true,
        last: Last::Nothing,
    };
    let is_single = scanner.expression();
    let length = tokens.len() - scanner.cursor.rest.len();
    Scanned {
        length,
        method: match scanner.last {
            Last::Call(method) if is_single => Some(method),
            _ => None,
        },
        is_block: is_single && matches!(scanner.last, Last::Block),
    }
}

/// The same for an expression at the beginning of a statement, which ends with the braces of a block.
pub(crate) fn scan_statement(tokens: &[TokenTree]) -> Scanned<'_> {
    let mut scanner = Scanner {
        cursor: Cursor::new(tokens),
        may_be_struct: true,
        last: Last::Nothing,
    };
    let has_prefix = scanner.prefixes() != Prefix::None;
    let is_operand = scanner.operand();
    let length = tokens.len() - scanner.cursor.rest.len();
    let next = scanner.cursor.rest.first();
    let goes_on = is(next, '.') && !starts(scanner.cursor.rest, "..") || is(next, '?');
    let is_keyword = has_prefix && matches!(tokens.first(), Some(TokenTree::Ident(_)));
    let is_block = is_operand
        && matches!(scanner.last, Last::Block)
        && !goes_on
        && (!has_prefix || is_keyword || is(tokens.first(), '\''));
    match is_block {
        true => Scanned {
            length,
            method: None,
            is_block,
        },
        false => scan(tokens),
    }
}

struct Scanner<'a> {
    cursor: Cursor<'a>,
    /// Can `{` behind a path begin its fields? Not in the condition of an `if`.
    may_be_struct: bool,
    last: Last<'a>,
}

/// What was read last.
#[derive(Clone, Copy)]
enum Last<'a> {
    Nothing,
    /// Something that `!` and `{` can follow.
    Path,
    /// `.name`, and perhaps generics.
    Method(&'a TokenTree),
    /// `.name(..)`
    Call(&'a TokenTree),
    /// Braces that are no part of a path or operator.
    Block,
}

/// What stands before an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefix {
    None,
    /// An operand follows.
    Operator,
    /// An operand can follow, and braces are none in a condition: `..`, `break`.
    Optional,
}

impl<'a> Scanner<'a> {
    /// Is there one operand with what belongs to it, and no operator?
    fn expression(&mut self) -> bool {
        let mut is_single = true;
        let mut before = Prefix::None;
        loop {
            let prefix = self.prefixes();
            is_single &= prefix == Prefix::None;
            if prefix != Prefix::None {
                before = prefix;
            }
            let is_body = !self.may_be_struct
                && before == Prefix::Optional
                && matches!(self.cursor.rest.first(), Some(token) if is_braces(token));
            if is_body || !self.operand() {
                return false;
            }
            self.suffixes();
            before = self.operator();
            if before == Prefix::None {
                return is_single;
            }
            is_single = false;
        }
    }

    /// Everything before an operand, the parameters of closures included.
    fn prefixes(&mut self) -> Prefix {
        let mut found = Prefix::None;
        while let Some(prefix) = self.prefix() {
            found = prefix;
        }
        found
    }

    fn prefix(&mut self) -> Option<Prefix> {
        let cursor = &mut self.cursor;
        match cursor.rest {
            [TokenTree::Punct(punct), ..] => match punct.as_char() {
                '#' => {
                    cursor.take(2);
                }
                '\'' => {
                    cursor.take(2);
                    cursor.skip(":");
                }
                '-' | '!' | '*' | '&' => {
                    cursor.take(1);
                    match cursor.rest {
                        [TokenTree::Ident(raw), TokenTree::Ident(kind), ..]
                            if is_word(raw, "raw")
                                && (is_word(kind, "const") || is_word(kind, "mut")) =>
                        {
                            cursor.take(2);
                        }
                        _ => {
                            cursor.skip_word("mut");
                        }
                    }
                }
                '.' if starts(cursor.rest, "..") => {
                    cursor.take(2);
                    cursor.skip("=");
                    return Some(Prefix::Optional);
                }
                '|' => self.parameters(),
                _ => return None,
            },
            [TokenTree::Ident(word), next, ..] => match word.to_string().as_str() {
                "let" => self.pattern(),
                "for" if is(Some(next), '<') => {
                    cursor.take(1);
                    cursor.take(angles(cursor.rest));
                }
                "async" | "const" | "loop" | "move" | "return" | "static" | "try" | "unsafe"
                | "yield" => {
                    cursor.take(1);
                }
                "break" => {
                    cursor.take(1);
                    self.cursor.skip_lifetime();
                    return Some(Prefix::Optional);
                }
                _ => return None,
            },
            _ => return None,
        }
        Some(Prefix::Operator)
    }

    /// The parameters of a closure and the type of its result.
    fn parameters(&mut self) {
        self.cursor.take(1);
        while !self.cursor.is_empty() && !self.cursor.skip("|") {
            let count = match is(self.cursor.rest.first(), '<') {
                true => angles(self.cursor.rest),
                false => 1,
            };
            self.cursor.take(count);
        }
        if self.cursor.skip("->") {
            skip_type(&mut self.cursor);
        }
    }

    /// `let` with its pattern and the `=`.
    fn pattern(&mut self) {
        while !self.cursor.is_empty() {
            if self.cursor.skip("..=") {
                continue;
            }
            if self.cursor.skip("=") {
                return;
            }
            self.cursor.take(1);
        }
    }

    fn operand(&mut self) -> bool {
        let cursor = &mut self.cursor;
        self.last = Last::Path;
        match cursor.rest {
            [TokenTree::Literal(_), ..] => {
                self.last = Last::Nothing;
                cursor.take(1);
            }
            [token @ TokenTree::Group(group), ..] => {
                if is_braces(token) {
                    self.last = Last::Block;
                } else if group.delimiter() != Delimiter::None {
                    self.last = Last::Nothing;
                }
                cursor.take(1);
            }
            [TokenTree::Ident(word), ..] => {
                let word = word.to_string();
                cursor.take(1);
                self.word(&word);
            }
            rest if is(rest.first(), '<') => {
                cursor.take(angles(rest));
            }
            rest if starts(rest, "::") => {
                cursor.take(3);
            }
            _ => return false,
        }
        true
    }

    /// What follows the first word of an operand.
    fn word(&mut self, word: &str) {
        match word {
            "if" => loop {
                self.condition();
                if self.cursor.skip_word("else").is_none() {
                    break;
                }
                if self.cursor.skip_word("if").is_none() {
                    self.cursor.skip_group(Delimiter::Brace);
                    break;
                }
            },
            "while" | "match" => self.condition(),
            "for" => {
                while !self.cursor.is_empty() && self.cursor.skip_word("in").is_none() {
                    self.cursor.take(1);
                }
                self.condition();
            }
            "continue" => {
                self.cursor.skip_lifetime();
                self.last = Last::Nothing;
                return;
            }
            _ => return,
        }
        self.last = Last::Block;
    }

    /// An expression with the braces behind it.
    fn condition(&mut self) {
        let outside = std::mem::replace(&mut self.may_be_struct, false);
        self.expression();
        self.may_be_struct = outside;
        self.cursor.skip_group(Delimiter::Brace);
    }

    /// Fields, calls, the rest of a path and all else that belongs to the operand before it.
    fn suffixes(&mut self) {
        loop {
            let cursor = &mut self.cursor;
            self.last = match cursor.rest {
                [dot, name, ..] if is(Some(dot), '.') && !starts(cursor.rest, "..") => {
                    cursor.take(2);
                    Last::Method(name)
                }
                [mark, ..] if is(Some(mark), '?') => {
                    cursor.take(1);
                    Last::Nothing
                }
                rest if starts(rest, "::") => {
                    cursor.take(2);
                    let count = match is(cursor.rest.first(), '<') {
                        true => angles(cursor.rest),
                        false => 1,
                    };
                    cursor.take(count);
                    match self.last {
                        Last::Method(name) => Last::Method(name),
                        _ => Last::Path,
                    }
                }
                [bang, token @ TokenTree::Group(_), ..]
                    if is(Some(bang), '!') && matches!(self.last, Last::Path) =>
                {
                    cursor.take(2);
                    match is_braces(token) {
                        true => Last::Block,
                        false => Last::Nothing,
                    }
                }
                [token @ TokenTree::Group(group), ..] => match (group.delimiter(), self.last) {
                    (Delimiter::Parenthesis, Last::Method(name)) => {
                        cursor.take(1);
                        Last::Call(name)
                    }
                    (Delimiter::Parenthesis | Delimiter::Bracket, _) => {
                        cursor.take(1);
                        Last::Nothing
                    }
                    (_, Last::Path) if is_braces(token) && self.may_be_struct => {
                        cursor.take(1);
                        Last::Nothing
                    }
                    _ => return,
                },
                [TokenTree::Ident(word), ..] if is_word(word, "as") => {
                    cursor.take(1);
                    skip_type(cursor);
                    Last::Nothing
                }
                _ => return,
            };
        }
    }

    /// An operator between two operands.
    fn operator(&mut self) -> Prefix {
        const OPERATORS: [&str; 30] = [
            "<<=", ">>=", "..=", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+=", "-=", "*=",
            "/=", "%=", "^=", "&=", "|=", "+", "-", "*", "/", "%", "^", "&", "|", "<", ">", "=",
        ];
        let cursor = &mut self.cursor;
        if starts(cursor.rest, "=>") || starts(cursor.rest, "->") {
            return Prefix::None;
        }
        if cursor.skip("..=") || cursor.skip("..") {
            return Prefix::Optional;
        }
        match OPERATORS.iter().any(|operator| cursor.skip(operator)) {
            true => Prefix::Operator,
            false => Prefix::None,
        }
    }
}

fn is_braces(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}
