//! Functions with their signature; the body stays as it is.

use super::attribute::Attribute;
use super::cursor::{
    angles, colon, is, is_word, parts, starts, stream, trees, visible, without_attributes, Cursor,
};
use super::types::Type;
use crate::code::{code, ToTokens};
use crate::error::Result;
use crate::tokens::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// A function that a user wrote.
pub(crate) struct Function {
    pub attributes: Vec<Attribute>,
    visibility: TokenStream,
    pub signature: Signature,
    /// The braces with all statements.
    pub body: Group,
}

/// Everything between the visibility and the body of a function.
pub(crate) struct Signature {
    /// The word `async`.
    pub asyncness: Option<Ident>,
    /// The word `unsafe`.
    pub unsafety: Option<Ident>,
    /// All words before the name.
    qualifiers: TokenStream,
    pub name: Ident,
    /// The generics in their angle brackets.
    pub generics: TokenStream,
    pub generic_parameters: Vec<Generic>,
    /// What stands in the parentheses.
    pub inputs: TokenStream,
    pub parameters: Vec<Parameter>,
    /// The `...` of a C function.
    pub variadic: Option<TokenStream>,
    /// The type of the result; `None` if it is not written.
    pub output: Option<Type>,
    /// The `where` clause.
    pub conditions: TokenStream,
}

/// A generic parameter.
pub(crate) enum Generic {
    Lifetime,
    Type(Ident),
    Const(Ident),
}

/// A parameter of a function.
pub(crate) struct Parameter {
    tokens: TokenStream,
    /// `None` for `self`.
    pub ty: Option<Type>,
}

impl Function {
    /// The function of an annotated item, which can be something else.
    pub(crate) fn parse(item: TokenStream) -> Result<Self> {
        let tokens = visible(item);
        let mut cursor = Cursor::new(&tokens);
        let mut attributes = Vec::new();
        while let [pound, TokenTree::Group(brackets), ..] = cursor.rest {
            if !is(Some(pound), '#') {
                break;
            }
            attributes.push(Attribute::new(pound, brackets));
            cursor.take(2);
        }
        let start = cursor.rest;
        if cursor.skip_word("pub").is_some() {
            cursor.skip_group(Delimiter::Parenthesis);
        }
        let visibility = stream(&start[..start.len() - cursor.rest.len()]);
        let signature = Signature::next(&mut cursor)?;
        let Some(body) = cursor.skip_group(Delimiter::Brace) else {
            return Err(cursor.expected("curly braces"));
        };
        Ok(Self {
            attributes,
            visibility,
            signature,
            body: body.clone(),
        })
    }
}

impl Signature {
    fn next(cursor: &mut Cursor<'_>) -> Result<Self> {
        let start = cursor.rest;
        let (mut asyncness, mut unsafety) = (None, None);
        while cursor.skip_word("fn").is_none() {
            if let Some(word) = cursor.skip_word("async") {
                asyncness = Some(word.clone());
            } else if let Some(word) = cursor.skip_word("unsafe") {
                unsafety = Some(word.clone());
            } else if cursor.skip_word("extern").is_some() {
                if let [TokenTree::Literal(_), ..] = cursor.rest {
                    cursor.take(1);
                }
            } else if cursor.skip_word("const").is_none() {
                return Err(Cursor::new(start).expected("`fn`"));
            }
        }
        let qualifiers = stream(&start[..start.len() - cursor.rest.len()]);
        let name = cursor.word()?;
        let generics = match is(cursor.rest.first(), '<') {
            true => cursor.take(angles(cursor.rest)),
            false => &[],
        };
        let Some(parentheses) = cursor.skip_group(Delimiter::Parenthesis) else {
            return Err(cursor.expected("parentheses"));
        };
        let (parameters, variadic) = parameters(parentheses);
        let output = cursor.skip("->").then(|| Type::new(until(cursor, true)));
        let has_conditions = Cursor::new(cursor.rest).skip_word("where").is_some();
        let conditions = match has_conditions {
            true => until(cursor, false),
            false => &[],
        };
        Ok(Self {
            asyncness,
            unsafety,
            qualifiers,
            name,
            generic_parameters: generic_parameters(generics),
            generics: stream(generics),
            inputs: parentheses.stream(),
            parameters,
            variadic,
            output,
            conditions: stream(conditions),
        })
    }

    /// Is the function a method?
    pub(crate) fn receiver(&self) -> Option<&Parameter> {
        self.parameters.first().filter(|first| first.ty.is_none())
    }

    /// The type of the result with the arrow before it.
    pub(crate) fn arrow(&self) -> TokenStream {
        let output = self.output.as_ref();
        output.map_or_else(TokenStream::new, |ty| code!(ty => -> #ty))
    }
}

impl ToTokens for Function {
    fn to_tokens(&self) -> TokenStream {
        let mut attributes = TokenStream::new();
        for attribute in &self.attributes {
            attributes.extend(attribute.to_tokens());
        }
        let (visibility, signature, body) = (&self.visibility, &self.signature, &self.body);
        code!(attributes, visibility, signature, body => #attributes #visibility #signature #body)
    }
}

impl ToTokens for Signature {
    fn to_tokens(&self) -> TokenStream {
        let (qualifiers, name, generics) = (&self.qualifiers, &self.name, &self.generics);
        let (inputs, output, conditions) = (&self.inputs, self.arrow(), &self.conditions);
        code! { qualifiers, name, generics, inputs, output, conditions =>
            #qualifiers #name #generics (#inputs) #output #conditions
        }
    }
}

impl ToTokens for Parameter {
    fn to_tokens(&self) -> TokenStream {
        self.tokens.clone()
    }
}

/// The tokens before the body, or before `where` as well.
fn until<'a>(cursor: &mut Cursor<'a>, before_where: bool) -> &'a [TokenTree] {
    let mut end = 0;
    while let Some(token) = cursor.rest.get(end) {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => break,
            TokenTree::Ident(word) if before_where && is_word(word, "where") => break,
            // Constants of types stand in braces.
            token if is(Some(token), '<') => end += angles(&cursor.rest[end..]),
            _ => end += 1,
        }
    }
    cursor.take(end)
}

fn parameters(parentheses: &Group) -> (Vec<Parameter>, Option<TokenStream>) {
    let content = trees(parentheses.stream());
    let mut parameters = Vec::new();
    let mut variadic = None;
    for part in parts(&content) {
        let bare = without_attributes(part);
        let colon = colon(bare);
        let ty = colon.map(|colon| &bare[colon + 1..]);
        if starts(ty.unwrap_or(bare), "...") {
            variadic = Some(stream(part));
            continue;
        }
        let is_self =
            |token: &TokenTree| matches!(token, TokenTree::Ident(word) if is_word(word, "self"));
        let is_receiver = bare[..colon.unwrap_or(bare.len())]
            .last()
            .is_some_and(is_self);
        parameters.push(Parameter {
            tokens: stream(part),
            ty: ty.filter(|_| !is_receiver).map(Type::new),
        });
    }
    (parameters, variadic)
}

fn generic_parameters(generics: &[TokenTree]) -> Vec<Generic> {
    let [_, inside @ .., _] = generics else {
        return Vec::new();
    };
    let mut parameters = Vec::new();
    for part in parts(inside) {
        parameters.push(match without_attributes(part) {
            [first, ..] if is(Some(first), '\'') => Generic::Lifetime,
            [TokenTree::Ident(first), TokenTree::Ident(name), ..] if is_word(first, "const") => {
                Generic::Const(name.clone())
            }
            [TokenTree::Ident(name), ..] => Generic::Type(name.clone()),
            _ => continue,
        });
    }
    parameters
}
