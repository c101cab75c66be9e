//! Expressions, of which only the outermost form is known.

use super::cursor::{
    angles, colon, is, is_word, parts, starts, stream, without_attributes, Cursor,
};
use super::literal::Value;
use super::path::Path;
use super::scan::scan;
use super::types::Type;
use crate::code::{code, ToTokens};
use crate::error::Result;
use crate::tokens::{Delimiter, Group, TokenStream, TokenTree};

/// An expression that a user wrote.
pub(crate) struct Expression {
    pub form: Form,
    tokens: TokenStream,
}

/// What an expression is.
pub(crate) enum Form {
    Array(Vec<Expression>),
    Closure(Closure),
    /// The invisible group around what a `macro_rules!` macro passed on.
    Group(Box<Expression>),
    Literal(Value),
    /// `-` before something.
    Negative(Box<Expression>),
    Paren(Box<Expression>),
    Path(Path),
    /// `&` before something.
    Reference(Box<Expression>),
    Tuple(Vec<Expression>),
    Other,
}

/// A closure.
pub(crate) struct Closure {
    pub parameters: Vec<Pattern>,
    /// What it evaluates.
    pub body: TokenStream,
}

/// The parameter of a closure.
pub(crate) struct Pattern {
    pub pattern: TokenStream,
    pub ty: Option<Type>,
}

impl Expression {
    /// Takes the next expression.
    pub(crate) fn next(cursor: &mut Cursor<'_>) -> Result<Self> {
        let length = scan(cursor.rest).length;
        if length == 0 {
            return Err(cursor.expected("an expression"));
        }
        let tokens = cursor.take(length);
        Ok(Self {
            form: form(tokens)?,
            tokens: stream(tokens),
        })
    }

    /// The expression that all tokens make.
    pub(crate) fn all(tokens: TokenStream) -> Result<Self> {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut cursor = Cursor::new(&tokens);
        let expression = Self::next(&mut cursor)?;
        match cursor.is_empty() {
            true => Ok(expression),
            false => Err(cursor.error("unexpected token")),
        }
    }

    /// The expression without invisible groups around it.
    pub(crate) fn bare(self) -> Self {
        match self.form {
            Form::Group(inner) => inner.bare(),
            _ => self,
        }
    }

    /// The same of a borrowed expression.
    pub(crate) fn bare_ref(&self) -> &Self {
        match &self.form {
            Form::Group(inner) => inner.bare_ref(),
            _ => self,
        }
    }
}

impl ToTokens for Expression {
    fn to_tokens(&self) -> TokenStream {
        self.tokens.clone()
    }
}

impl ToTokens for Pattern {
    fn to_tokens(&self) -> TokenStream {
        let pattern = &self.pattern;
        match &self.ty {
            Some(ty) => code!(pattern, ty => #pattern: #ty),
            None => pattern.clone(),
        }
    }
}

/// The tokens of each expression.
pub(crate) fn tokens_of(expressions: &[Expression]) -> Vec<TokenStream> {
    let mut tokens = Vec::new();
    for expression in expressions {
        tokens.push(expression.tokens.clone());
    }
    tokens
}

fn form(tokens: &[TokenTree]) -> Result<Form> {
    Ok(match tokens {
        [TokenTree::Group(group)] => of_group(group)?,
        [TokenTree::Literal(literal)] => Form::Literal(Value::of(literal)),
        [TokenTree::Ident(word)] if is_word(word, "true") || is_word(word, "false") => {
            Form::Literal(Value::Bool(is_word(word, "true")))
        }
        [minus, operand @ ..] if is(Some(minus), '-') => Form::Negative(Box::new(part(operand)?)),
        [and, operand @ ..] if is(Some(and), '&') => {
            let operand = match operand {
                [TokenTree::Ident(word), operand @ ..] if is_word(word, "mut") => operand,
                operand => operand,
            };
            Form::Reference(Box::new(part(operand)?))
        }
        tokens => match (closure(tokens), Path::of(tokens)) {
            (Some(closure), _) => Form::Closure(closure),
            (None, Some(path)) => Form::Path(path),
            (None, None) => Form::Other,
        },
    })
}

/// What a prefix stands before.
fn part(tokens: &[TokenTree]) -> Result<Expression> {
    Ok(Expression {
        form: form(tokens)?,
        tokens: stream(tokens),
    })
}

fn of_group(group: &Group) -> Result<Form> {
    let content: Vec<_> = group.stream().into_iter().collect();
    let mut cursor = Cursor::new(&content);
    Ok(match group.delimiter() {
        Delimiter::None => Form::Group(Box::new(Expression::all(group.stream())?)),
        Delimiter::Brace => Form::Other,
        Delimiter::Bracket => {
            let first = scan(&content).length;
            match is(content.get(first), ';') {
                true => Form::Other,
                false => Form::Array(list(&mut cursor)?),
            }
        }
        Delimiter::Parenthesis => {
            let ends_with_comma = is(content.last(), ',');
            let mut elements = list(&mut cursor)?;
            match elements.pop() {
                Some(one) if elements.is_empty() && !ends_with_comma => Form::Paren(Box::new(one)),
                last => {
                    elements.extend(last);
                    Form::Tuple(elements)
                }
            }
        }
    })
}

/// Expressions with commas between them.
fn list(cursor: &mut Cursor<'_>) -> Result<Vec<Expression>> {
    let mut elements = Vec::new();
    while !cursor.is_empty() {
        elements.push(Expression::next(cursor)?);
        if !cursor.is_empty() {
            cursor.operator(",")?;
        }
    }
    Ok(elements)
}

/// A closure extends to the end of an expression.
fn closure(tokens: &[TokenTree]) -> Option<Closure> {
    let mut cursor = Cursor::new(tokens);
    while let [TokenTree::Ident(word), next, ..] = cursor.rest {
        if is_word(word, "for") && is(Some(next), '<') {
            cursor.take(1);
            cursor.take(angles(cursor.rest));
        } else if ["async", "const", "move", "static"]
            .iter()
            .any(|before| is_word(word, before))
        {
            cursor.take(1);
        } else {
            return None;
        }
    }
    if !cursor.skip("|") {
        return None;
    }
    let inside = cursor.rest;
    let mut end = 0;
    while end < inside.len() && !is(inside.get(end), '|') {
        end += match is(inside.get(end), '<') {
            true => angles(&inside[end..]),
            false => 1,
        };
    }
    cursor.take(end + 1);
    // With the type of a result the body has braces.
    let body = match (starts(cursor.rest, "->"), cursor.rest) {
        (true, [.., body]) => std::slice::from_ref(body),
        (_, body) => body,
    };
    Some(Closure {
        parameters: parts(&inside[..end]).into_iter().map(pattern).collect(),
        body: stream(body),
    })
}

fn pattern(tokens: &[TokenTree]) -> Pattern {
    let tokens = without_attributes(tokens);
    let (pattern, ty) = match colon(tokens) {
        Some(colon) => (&tokens[..colon], Some(Type::new(&tokens[colon + 1..]))),
        None => (tokens, None),
    };
    Pattern {
        pattern: stream(pattern),
        ty,
    }
}
