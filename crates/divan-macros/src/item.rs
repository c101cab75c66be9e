//! The head of an annotated item: attributes, name, generics and parameters. All the rest stays
//! tokens.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use crate::tokens::{angles, group, is, is_word, split, Mistake, Parts};

/// An item without the `#[ignore]` above it, which the compiler knows for tests only.
pub(crate) struct Item {
    pub(crate) ignored: bool,
    pub(crate) tokens: Vec<TokenTree>,
    /// Number of tokens that are attributes.
    attributes: usize,
}

/// Parts of a function's head that the expansion needs.
pub(crate) struct Function {
    pub(crate) name: Ident,
    pub(crate) generics: Vec<Generic>,
    /// The types of its parameters.
    pub(crate) parameters: Vec<Vec<TokenTree>>,
}

/// A generic parameter that is no lifetime.
pub(crate) enum Generic {
    Type,
    /// With its type.
    Const(TokenStream),
}

impl Item {
    pub(crate) fn parse(item: TokenStream) -> Self {
        let mut tokens = Vec::new();
        let mut ignored = false;
        let mut rest: Vec<TokenTree> = item.into_iter().collect();
        let mut rest_of = rest.drain(..).peekable();
        let mut attributes = 0;
        while let Some(token) = rest_of.next_if(|token| is(token, '#')) {
            let Some(brackets) = rest_of.next() else {
                break;
            };
            if is_ignore(&brackets) {
                ignored = true;
            } else {
                tokens.extend([token, brackets]);
                attributes += 2;
            }
        }
        tokens.extend(rest_of);
        Self {
            ignored,
            tokens,
            attributes,
        }
    }

    /// The item as the user wrote it.
    pub(crate) fn whole(&self) -> TokenStream {
        self.tokens.iter().cloned().collect()
    }

    fn head(&self) -> &[TokenTree] {
        &self.tokens[self.attributes..]
    }

    pub(crate) fn function(&self) -> Option<Function> {
        let head = self.head();
        let start = head.iter().position(|token| is_word(token, "fn"))?;
        let [TokenTree::Ident(name), rest @ ..] = &head[start + 1..] else {
            return None;
        };
        let (list, rest) = match rest.first() {
            Some(token) if is(token, '<') => rest.split_at(angles(rest)),
            _ => (&[][..], rest),
        };
        let parentheses = group(rest, Delimiter::Parenthesis)?;
        let parameters = split(parentheses.stream(), Parts::Types);
        Some(Function {
            name: name.clone(),
            generics: generics(list),
            parameters: parameters.into_iter().map(ty).collect(),
        })
    }

    /// The name of a module.
    pub(crate) fn module(&self) -> Option<Ident> {
        let head = self.head();
        let start = head.iter().position(|token| is_word(token, "mod"))?;
        match head.get(start + 1) {
            Some(TokenTree::Ident(name)) => Some(name.clone()),
            _ => None,
        }
    }

    /// The mistake that it is another item.
    pub(crate) fn other(&self, expected: &str) -> Mistake {
        let span = self
            .head()
            .first()
            .map_or_else(proc_macro2::Span::call_site, TokenTree::span);
        Mistake::new(span, expected)
    }
}

fn is_ignore(brackets: &TokenTree) -> bool {
    let TokenTree::Group(group) = brackets else {
        return false;
    };
    let first = group.stream().into_iter().next();
    first.is_some_and(|first| is_word(&first, "ignore"))
}

fn generics(list: &[TokenTree]) -> Vec<Generic> {
    let [_, inside @ .., _] = list else {
        return Vec::new();
    };
    let mut generics = Vec::new();
    for part in split(inside.iter().cloned().collect(), Parts::Types) {
        match part.as_slice() {
            [first, ..] if is(first, '\'') => {}
            [word, _, colon, ty @ ..] if is_word(word, "const") && is(colon, ':') => {
                let end = ty.iter().position(|token| is(token, '='));
                let ty = &ty[..end.unwrap_or(ty.len())];
                generics.push(Generic::Const(ty.iter().cloned().collect()));
            }
            _ => generics.push(Generic::Type),
        }
    }
    generics
}

/// The type of a parameter: what is behind the first `:` that is no part of `::`.
fn ty(parameter: Vec<TokenTree>) -> Vec<TokenTree> {
    let mut index = 0;
    while let Some(token) = parameter.get(index) {
        let next = parameter.get(index + 1);
        match is(token, ':') {
            true if next.is_some_and(|next| is(next, ':')) => index += 2,
            true => return parameter[index + 1..].to_vec(),
            false => index += 1,
        }
    }
    parameter
}

/// Is the type a reference? Types from `macro_rules!` macros stand in invisible groups.
pub(crate) fn is_reference(ty: &[TokenTree]) -> bool {
    match ty.first() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::None => {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            is_reference(&inside)
        }
        Some(token) => is(token, '&'),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn the_head_of_a_function() {
        let item = Item::parse(quote!(
            #[doc = "fn no()"]
            #[ignore = "slow"]
            pub(crate) fn sort<'a, T: Ord<u8>, const N: usize>(
                bencher: Bencher<'_, '_>,
                &(a, b): &(std::string::String, u8),
            ) -> Vec<T>
            where
                T: Copy,
            {
            }
        ));
        assert!(item.ignored);
        assert!(!item.whole().to_string().contains("slow"));
        let function = item.function().unwrap();
        assert_eq!(function.name, "sort");
        let [Generic::Type, Generic::Const(ty)] = function.generics.as_slice() else {
            panic!("generics");
        };
        assert_eq!(ty.to_string(), "usize");
        let references: Vec<bool> = function
            .parameters
            .iter()
            .map(|ty| is_reference(ty))
            .collect();
        assert_eq!(references, [false, true]);
    }

    #[test]
    fn other_items_are_none() {
        assert!(Item::parse(quote!(
            struct S;
        ))
        .function()
        .is_none());
        assert!(Item::parse(quote!(fn)).function().is_none());
        assert_eq!(
            Item::parse(quote!(
                pub mod a {}
            ))
            .module()
            .unwrap(),
            "a"
        );
        assert!(Item::parse(quote!(
            fn a() {}
        ))
        .module()
        .is_none());
    }
}
