//! The shape that all parameter lists share: values first, then `name = value`.
//!
//! In: tokens. Out: [`Parameters`], each name at most once. What the names mean is left to the
//! callers, which take the ones they know; [`Parameters::finish`] reports the others.

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Ident, Lit, Token, Type};

use crate::errors::Errors;
use crate::model::Hook;

/// Values and named parameters of one attribute.
#[derive(Default)]
pub(crate) struct Parameters {
    pub positional: Vec<Expr>,
    pub named: Vec<(Ident, Expr)>,
}

impl Parse for Parameters {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut parameters = Self::default();
        while !input.is_empty() {
            if peek_name(input) {
                let name = input.call(Ident::parse_any)?;
                input.parse::<Token![=]>()?;
                parameters.named.push((name, input.parse()?));
            } else if let Some((name, _)) = parameters.named.last() {
                let text = format!("a value without a name stands before `{name} = ..`");
                return Err(input.error(text));
            } else {
                parameters.positional.push(input.parse()?);
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(parameters)
    }
}

impl Parameters {
    /// Takes the parameter with this name. A second one of the same name is an error.
    pub(crate) fn take(&mut self, name: &str, errors: &mut Errors) -> Option<Expr> {
        let is_meant = |(found, _): &(Ident, Expr)| found == name;
        let first = self.named.iter().position(is_meant)?;
        let (_, value) = self.named.remove(first);
        // All of them are taken: `finish` would report the rest as unknown.
        while let Some(again) = self.named.iter().position(is_meant) {
            let (again, _) = self.named.remove(again);
            errors.at(again, format!("the parameter `{name}` is given twice"));
        }
        Some(value)
    }

    /// Takes `setup` or `teardown`.
    pub(crate) fn take_hook(&mut self, name: &str, errors: &mut Errors) -> Option<Hook> {
        let value = self.take(name, errors)?;
        if let Expr::Lit(_) = &value {
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
pub(super) fn hook(value: Expr) -> Hook {
    match bare(value) {
        value @ (Expr::Path(_) | Expr::Closure(_)) => Hook::Call(value),
        value => Hook::Evaluate(value),
    }
}

/// The expression without the invisible groups that a `macro_rules!` macro puts around its parts.
pub(super) fn bare(value: Expr) -> Expr {
    match value {
        Expr::Group(group) => bare(*group.expr),
        value => value,
    }
}

/// The same of a borrowed expression.
pub(super) fn bare_ref(value: &Expr) -> &Expr {
    match value {
        Expr::Group(group) => bare_ref(&group.expr),
        value => value,
    }
}

/// The same of a type.
pub(crate) fn bare_type(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare_type(&group.elem),
        ty => ty,
    }
}

/// The literal, if the expression is nothing else.
pub(super) fn literal(value: &Expr) -> Option<&Lit> {
    match bare_ref(value) {
        Expr::Lit(literal) => Some(&literal.lit),
        _ => None,
    }
}

/// Does `name =` follow, and not `name == ..` or a match arm?
pub(super) fn peek_name(input: ParseStream<'_>) -> bool {
    input.peek(Ident::peek_any)
        && input.peek2(Token![=])
        && !input.peek2(Token![==])
        && !input.peek2(Token![=>])
}

/// The text for a parameter that does not exist.
pub(super) fn unknown(name: &Ident, accepted: &[&str]) -> String {
    let meant = match near(&name.to_string(), accepted) {
        Some(meant) => format!(" (did you mean `{meant}`?)"),
        None => String::new(),
    };
    let names: Vec<_> = accepted.iter().map(|name| format!("`{name}`")).collect();
    format!(
        "unknown parameter `{name}`{meant}; the parameters are {}",
        names.join(", ")
    )
}

/// The name that takes the fewest changes, if these are at most a third of it.
fn near<'a>(name: &str, accepted: &[&'a str]) -> Option<&'a str> {
    let nearest = accepted.iter().min_by_key(|other| changes(name, other))?;
    (3 * changes(name, nearest) <= name.len().max(nearest.len())).then_some(*nearest)
}

/// The number of characters to insert, remove, replace or swap with their neighbour between two
/// words.
fn changes(from: &str, to: &str) -> usize {
    let (from, to) = (from.as_bytes(), to.as_bytes());
    // The row before the last one, for letters that changed places.
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
