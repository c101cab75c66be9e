//! The shape that all parameter lists share: values first, then `name = value`.
//!
//! In: tokens. Out: [`Parameters`], each name at most once. What the names mean is left to the
//! callers, which take the ones they know; [`Parameters::finish`] reports the others.

use crate::error::Result;
use crate::model::Hook;
use crate::recover::Errors;
use crate::syntax::{is, is_word, starts, Cursor, Expression, Form};
use crate::text;
use crate::tokens::{Ident, TokenStream, TokenTree};

/// Values and named parameters of one attribute.
#[derive(Default)]
pub(crate) struct Parameters {
    pub positional: Vec<Expression>,
    pub named: Vec<(Ident, Expression)>,
}

impl Parameters {
    /// All of an attribute.
    pub(crate) fn parse(tokens: TokenStream) -> Result<Self> {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut input = Cursor::new(&tokens);
        let mut parameters = Self::default();
        while !input.is_empty() {
            if is_name(input) {
                let name = input.word()?;
                input.operator("=")?;
                let value = Expression::next(&mut input)?;
                parameters.named.push((name, value));
            } else if let Some((name, _)) = parameters.named.last() {
                let text = format!("a value without a name stands before `{name} = ..`");
                return Err(input.error(&text));
            } else {
                parameters.positional.push(Expression::next(&mut input)?);
            }
            if !input.is_empty() {
                input.operator(",")?;
            }
        }
        Ok(parameters)
    }

    /// Takes the parameter with this name. A second one of the same name is an error.
    pub(crate) fn take(&mut self, name: &str, errors: &mut Errors) -> Option<Expression> {
        let first = self.position(name)?;
        let (_, value) = self.named.remove(first);
        while let Some(again) = self.position(name) {
            let (again, _) = self.named.remove(again);
            errors.at(&again, format!("the parameter `{name}` is given twice"));
        }
        Some(value)
    }

    fn position(&self, name: &str) -> Option<usize> {
        for (index, (found, _)) in self.named.iter().enumerate() {
            if is_word(found, name) {
                return Some(index);
            }
        }
        None
    }

    /// Takes `setup` or `teardown`.
    pub(crate) fn take_hook(&mut self, name: &str, errors: &mut Errors) -> Option<Hook> {
        let value = self.take(name, errors)?;
        if let Form::Literal(_) = value.form {
            errors.at(
                &value,
                format!(
                    "`{name}` is a function or closure to call, or an expression to evaluate, and a \
                     literal does nothing"
                ),
            );
        }
        Some(hook(value))
    }

    /// Reports parameters that nobody took. `accepted` is the list of names for the user.
    pub(crate) fn finish(self, accepted: &[&str], errors: &mut Errors) {
        for (name, _) in &self.named {
            errors.at(name, unknown(name, accepted));
        }
    }
}

/// A path or a closure is called, any other expression is evaluated.
pub(crate) fn hook(value: Expression) -> Hook {
    let value = value.bare();
    match value.form {
        Form::Path(_) | Form::Closure(_) => Hook::Call(value),
        _ => Hook::Evaluate(value),
    }
}

/// Does `name =` follow, and not `name == ..` or a match arm?
pub(crate) fn is_name(input: Cursor<'_>) -> bool {
    match input.rest {
        [TokenTree::Ident(_), rest @ ..] => {
            is(rest.first(), '=') && !starts(rest, "==") && !starts(rest, "=>")
        }
        _ => false,
    }
}

/// The text for a parameter that does not exist.
pub(crate) fn unknown(name: &Ident, accepted: &[&str]) -> String {
    let meant = match near(&name.to_string(), accepted) {
        Some(meant) => format!(" (did you mean `{meant}`?)"),
        None => String::new(),
    };
    let mut names = Vec::new();
    for name in accepted {
        names.push(format!("`{name}`"));
    }
    let names = text::joined(&names);
    format!("unknown parameter `{name}`{meant}; the parameters are {names}")
}

/// The name that takes the fewest changes, if these are at most a third of it.
fn near<'a>(name: &str, accepted: &[&'a str]) -> Option<&'a str> {
    let mut nearest = None;
    for other in accepted {
        let changes = changes(name, other);
        let is_near = 3 * changes <= name.len().max(other.len());
        match nearest {
            Some((least, _)) if least <= changes => {}
            _ => nearest = Some((changes, is_near.then_some(*other))),
        }
    }
    nearest?.1
}

/// The number of characters to insert, remove, replace or swap with their neighbour between two words.
fn changes(from: &str, to: &str) -> usize {
    let (from, to) = (from.as_bytes(), to.as_bytes());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let replaced = row[j] + usize::from(a != b);
            let mut least = replaced.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_parameter_is_meant() {
        const ACCEPTED: [&str; 6] = ["args", "consts", "label", "config", "setup", "teardown"];
        #[track_caller]
        fn check(name: &str, expected: Option<&str>) {
            assert_eq!(near(name, &ACCEPTED), expected, "{name}");
        }
        check("setpu", Some("setup"));
        check("set_up", Some("setup"));
        check("tear_down", Some("teardown"));
        check("labels", Some("label"));
        check("arg", Some("args"));
        check("cfg", None);
        check("x", None);
        check("", None);
    }
}
