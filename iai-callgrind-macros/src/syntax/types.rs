//! Types, of which only the end and the outermost form matter.

use super::cursor::{angles, is, is_word, parts, starts, stream, Cursor};
use crate::code::ToTokens;
use crate::tokens::{Delimiter, TokenStream, TokenTree};

/// The type of a parameter or a result.
pub(crate) struct Type {
    tokens: TokenStream,
    form: Form,
}

#[derive(PartialEq, Eq)]
enum Form {
    Reference,
    Never,
    Tuple,
    Path,
    Other,
}

impl Type {
    pub(crate) fn new(tokens: &[TokenTree]) -> Self {
        Self {
            tokens: stream(tokens),
            form: form(tokens),
        }
    }

    pub(crate) fn is_reference(&self) -> bool {
        self.form == Form::Reference
    }

    pub(crate) fn is_never(&self) -> bool {
        self.form == Form::Never
    }

    pub(crate) fn is_tuple(&self) -> bool {
        self.form == Form::Tuple
    }

    pub(crate) fn is_path(&self) -> bool {
        self.form == Form::Path
    }
}

impl ToTokens for Type {
    fn to_tokens(&self) -> TokenStream {
        self.tokens.clone()
    }
}

fn form(tokens: &[TokenTree]) -> Form {
    const NO_PATHS: [&str; 6] = ["dyn", "extern", "fn", "for", "impl", "unsafe"];
    match tokens {
        [first, ..] if is(Some(first), '&') => Form::Reference,
        [one] if is(Some(one), '!') => Form::Never,
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => {
            let inner: Vec<_> = group.stream().into_iter().collect();
            // A comma makes a tuple of one type.
            match parts(&inner).as_slice() {
                [one] if one.len() == inner.len() => Form::Other,
                _ => Form::Tuple,
            }
        }
        [.., bang, TokenTree::Group(_)] if is(Some(bang), '!') => Form::Other,
        [TokenTree::Ident(first), ..] if NO_PATHS.iter().any(|word| is_word(first, word)) => {
            Form::Other
        }
        [TokenTree::Ident(first)] if is_word(first, "_") => Form::Other,
        [TokenTree::Ident(_), ..] => Form::Path,
        [first, ..] if is(Some(first), ':') || is(Some(first), '<') => Form::Path,
        _ => Form::Other,
    }
}

/// Takes a type, as it stands behind `as` or `->`.
pub(super) fn skip_type(cursor: &mut Cursor<'_>) {
    while goes_on(cursor) {}
}

/// Takes the next part of a type. Does a further one follow?
fn goes_on(cursor: &mut Cursor<'_>) -> bool {
    match cursor.rest {
        rest if starts(rest, "::") => {
            cursor.take(2);
            true
        }
        [TokenTree::Punct(punct), ..] => match punct.as_char() {
            '&' | '*' => {
                cursor.take(1);
                cursor.skip_lifetime();
                true
            }
            '<' => {
                cursor.take(angles(cursor.rest));
                rest_of_path(cursor);
                false
            }
            '!' => {
                cursor.take(1);
                false
            }
            _ => false,
        },
        [TokenTree::Ident(word), ..] => {
            cursor.take(1);
            after_word(cursor, &word.to_string())
        }
        // A tuple, an array, or a type in an invisible group.
        _ => {
            cursor.take(1);
            false
        }
    }
}

fn after_word(cursor: &mut Cursor<'_>, word: &str) -> bool {
    match word {
        "const" | "dyn" | "impl" | "mut" | "unsafe" => true,
        "extern" => {
            if let [TokenTree::Literal(_), ..] = cursor.rest {
                cursor.take(1);
            }
            true
        }
        "for" => {
            cursor.take(angles(cursor.rest));
            true
        }
        "fn" | "Fn" | "FnMut" | "FnOnce" => {
            cursor.skip_group(Delimiter::Parenthesis);
            cursor.skip("->")
        }
        _ => {
            rest_of_path(cursor);
            false
        }
    }
}

/// Takes what follows the first name of a path.
fn rest_of_path(cursor: &mut Cursor<'_>) {
    loop {
        if is(cursor.rest.first(), '<') {
            cursor.take(angles(cursor.rest));
        } else if cursor.skip("::") {
            if !is(cursor.rest.first(), '<') {
                cursor.take(1);
            }
        } else {
            break;
        }
    }
    // Macros can stand for types.
    if let [bang, TokenTree::Group(_), ..] = cursor.rest {
        if is(Some(bang), '!') {
            cursor.take(2);
        }
    }
}
