//! Attributes of the annotated function.

use super::cursor::{is_word, stream, trees, Cursor};
use crate::code::ToTokens;
use crate::tokens::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// An attribute above a function.
pub(crate) struct Attribute {
    /// The names of its path.
    pub names: Vec<Ident>,
    /// The path.
    pub path: TokenStream,
    /// What stands in parentheses, if there are some and nothing else.
    pub arguments: Option<TokenStream>,
    tokens: [TokenTree; 2],
}

impl Attribute {
    /// The attribute of `#` and the brackets behind it.
    pub(crate) fn new(pound: &TokenTree, brackets: &Group) -> Self {
        let content = trees(brackets.stream());
        let mut cursor = Cursor::new(&content);
        let mut names = Vec::new();
        cursor.skip("::");
        while let [TokenTree::Ident(name), ..] = cursor.rest {
            names.push(name.clone());
            cursor.take(1);
            if !cursor.skip("::") {
                break;
            }
        }
        let length = content.len() - cursor.rest.len();
        let arguments = cursor.skip_group(Delimiter::Parenthesis);
        Self {
            names,
            path: stream(&content[..length]),
            arguments: arguments.filter(|_| cursor.is_empty()).map(Group::stream),
            tokens: [pound.clone(), TokenTree::Group(brackets.clone())],
        }
    }

    /// Is its path this name?
    pub(crate) fn is(&self, name: &str) -> bool {
        matches!(self.names.as_slice(), [found] if is_word(found, name))
    }
}

impl ToTokens for Attribute {
    fn to_tokens(&self) -> TokenStream {
        stream(&self.tokens)
    }
}
