//! Paths, as they stand in expressions and attributes.

use super::cursor::{angles, is, is_word, stream, Cursor};
use super::word::is_keyword;
use crate::code::ToTokens;
use crate::tokens::{Ident, TokenStream, TokenTree};

/// A path such as `module::function::<u8>`.
pub(crate) struct Path {
    /// The names in it, without those of generics.
    pub names: Vec<Ident>,
    tokens: TokenStream,
    is_name: bool,
}

impl Path {
    /// `None` if it is something else.
    pub(crate) fn of(tokens: &[TokenTree]) -> Option<Self> {
        let (path, rest) = Self::start(tokens)?;
        rest.is_empty().then_some(path)
    }

    /// The path at the beginning, and what follows.
    pub(crate) fn start(tokens: &[TokenTree]) -> Option<(Self, &[TokenTree])> {
        let mut names = Vec::new();
        let mut cursor = Cursor::new(tokens);
        let mut ends = match is(tokens.first(), '<') {
            true => !cursor.take(angles(tokens)).is_empty(),
            false => {
                cursor.skip("::");
                names.extend(name(&mut cursor));
                !names.is_empty()
            }
        };
        while ends && cursor.skip("::") {
            if is(cursor.rest.first(), '<') {
                cursor.take(angles(cursor.rest));
            } else {
                let next = name(&mut cursor);
                ends = next.is_some();
                names.extend(next);
            }
        }
        let is_path = ends && !names.is_empty();
        is_path.then(|| {
            let tokens = &tokens[..tokens.len() - cursor.rest.len()];
            let path = Self {
                is_name: tokens.len() == 1,
                tokens: stream(tokens),
                names,
            };
            (path, cursor.rest)
        })
    }

    /// The name, if the path is nothing else.
    pub(crate) fn name(&self) -> Option<&Ident> {
        self.names.first().filter(|_| self.is_name)
    }

    pub(crate) fn is(&self, name: &str) -> bool {
        self.name().is_some_and(|found| is_word(found, name))
    }
}

impl ToTokens for Path {
    fn to_tokens(&self) -> TokenStream {
        self.tokens.clone()
    }
}

/// A name, and no keyword that begins something else.
fn name(cursor: &mut Cursor<'_>) -> Option<Ident> {
    const IN_PATHS: [&str; 4] = ["self", "Self", "super", "crate"];
    let [TokenTree::Ident(word), ..] = cursor.rest else {
        return None;
    };
    let text = word.to_string();
    let is_name = IN_PATHS.contains(&text.as_str()) || !is_keyword(&text);
    if is_name {
        cursor.take(1);
    }
    is_name.then(|| word.clone())
}
