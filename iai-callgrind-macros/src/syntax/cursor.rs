//! Tokens one after the other.

use crate::error::{Error, Result};
use crate::tokens::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};

/// What is left of some tokens.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    pub rest: &'a [TokenTree],
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(rest: &'a [TokenTree]) -> Self {
        Self { rest }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.rest.is_empty()
    }

    /// Takes that many tokens.
    pub(crate) fn take(&mut self, count: usize) -> &'a [TokenTree] {
        let (taken, rest) = self.rest.split_at(count.min(self.rest.len()));
        self.rest = rest;
        taken
    }

    /// Takes the operator if it is there.
    pub(crate) fn skip(&mut self, operator: &str) -> bool {
        let is_there = starts(self.rest, operator);
        if is_there {
            self.take(operator.len());
        }
        is_there
    }

    /// Takes the word if it is there.
    pub(crate) fn skip_word(&mut self, expected: &str) -> Option<&'a Ident> {
        match self.rest {
            [TokenTree::Ident(word), ..] if is_word(word, expected) => {
                self.take(1);
                Some(word)
            }
            _ => None,
        }
    }

    /// Takes a lifetime or label if it is there.
    pub(crate) fn skip_lifetime(&mut self) {
        if is(self.rest.first(), '\'') {
            self.take(2);
        }
    }

    /// Takes the group with these delimiters if it is there.
    pub(crate) fn skip_group(&mut self, delimiter: Delimiter) -> Option<&'a Group> {
        match self.rest {
            [TokenTree::Group(group), ..] if group.delimiter() == delimiter => {
                self.take(1);
                Some(group)
            }
            _ => None,
        }
    }

    /// Takes a word, which may be a keyword.
    pub(crate) fn word(&mut self) -> Result<Ident> {
        match self.rest {
            [TokenTree::Ident(word), ..] => {
                self.take(1);
                Ok(word.clone())
            }
            _ => Err(self.expected("an identifier")),
        }
    }

    /// Takes the operator.
    pub(crate) fn operator(&mut self, operator: &str) -> Result<()> {
        match self.skip(operator) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{operator}`"))),
        }
    }

    /// The error that something else should stand here.
    pub(crate) fn expected(self, what: &str) -> Error {
        self.error(&format!("expected {what}"))
    }

    /// An error about the next token.
    pub(crate) fn error(self, text: &str) -> Error {
        match self.rest.first() {
            Some(TokenTree::Group(group)) => Error::new(group.span_open(), text),
            Some(token) => Error::new(token.span(), text),
            None => Error::new(
                Span::call_site(),
                format!("unexpected end of input, {text}"),
            ),
        }
    }
}

/// Is it this operator of one character, or the beginning of a longer one?
pub(crate) fn is(token: Option<&TokenTree>, expected: char) -> bool {
    matches!(token, Some(TokenTree::Punct(found)) if found.as_char() == expected)
}

/// Do the tokens start with this operator, be it alone or the beginning of a longer one?
pub(crate) fn starts(tokens: &[TokenTree], operator: &str) -> bool {
    let mut tokens = tokens.iter();
    let mut is_joint = true;
    operator.chars().all(|expected| match tokens.next() {
        Some(TokenTree::Punct(found)) if is_joint => {
            is_joint = found.spacing() == Spacing::Joint;
            found.as_char() == expected
        }
        _ => false,
    })
}

/// The number of tokens from a `<` to its `>`.
pub(crate) fn angles(tokens: &[TokenTree]) -> usize {
    let mut depth = 0_usize;
    let mut index = 0;
    while index < tokens.len() {
        if starts(&tokens[index..], "->") {
            index += 2;
            continue;
        }
        if is(tokens.get(index), '<') {
            depth += 1;
        } else if is(tokens.get(index), '>') {
            depth = depth.saturating_sub(1);
        }
        index += 1;
        if depth == 0 {
            break;
        }
    }
    index
}

/// The parts of a list of parameters or types between commas.
pub(crate) fn parts(mut tokens: &[TokenTree]) -> Vec<&[TokenTree]> {
    let mut parts = Vec::new();
    while !tokens.is_empty() {
        let mut end = 0;
        while end < tokens.len() && !is(tokens.get(end), ',') {
            end += match is(tokens.get(end), '<') {
                true => angles(&tokens[end..]),
                false => 1,
            };
        }
        parts.push(&tokens[..end]);
        tokens = tokens.get(end + 1..).unwrap_or_default();
    }
    parts
}

/// Where the `:` stands that no path has.
pub(crate) fn colon(tokens: &[TokenTree]) -> Option<usize> {
    let mut index = 0;
    while index < tokens.len() {
        if starts(&tokens[index..], "::") {
            index += 2;
        } else if is(tokens.get(index), ':') {
            return Some(index);
        } else {
            index += 1;
        }
    }
    None
}

/// The tokens without the attributes in front.
pub(crate) fn without_attributes(mut tokens: &[TokenTree]) -> &[TokenTree] {
    while let [pound, TokenTree::Group(_), rest @ ..] = tokens {
        if !is(Some(pound), '#') {
            break;
        }
        tokens = rest;
    }
    tokens
}

pub(crate) fn stream(tokens: &[TokenTree]) -> TokenStream {
    tokens.iter().cloned().collect()
}

pub(crate) fn trees(tokens: TokenStream) -> Vec<TokenTree> {
    tokens.into_iter().collect()
}

/// The tokens without the invisible groups that a `macro_rules!` macro puts around its parts. Those within other
/// groups stay.
pub(crate) fn visible(tokens: TokenStream) -> Vec<TokenTree> {
    let mut visible = Vec::new();
    add_visible(tokens, &mut visible);
    visible
}

fn add_visible(tokens: TokenStream, visible: &mut Vec<TokenTree>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                add_visible(group.stream(), visible);
            }
            token => visible.push(token),
        }
    }
}

/// Is the identifier this word?
pub(crate) fn is_word(word: &Ident, expected: &str) -> bool {
    word.to_string().as_str() == expected
}
