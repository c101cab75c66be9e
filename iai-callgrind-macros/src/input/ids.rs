//! `ids` of `#[benches]`: names for cases that would have numbers otherwise.
//!
//! In: the value of the parameter, and the cases with their values. Out: what stands behind the
//! name of the attribute in each id, `large` of `rows_large`. Whether two of them are equal is left
//! to `check`, which sees all ids of the function.

use std::panic::catch_unwind;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Expr, ExprUnary, Ident, Lit, UnOp};

use super::parameters::{bare, literal};
use crate::cases::nth_or_last;
use crate::errors::Errors;
use crate::model::{Cases, Consts, Id};

/// The word that makes ids of the values of the cases.
const VALUES: &str = "values";

/// The most characters of a text that an id is made of.
const MOST_OF_TEXT: usize = 40;

/// The ids of all cases; none after an error.
pub(super) fn ids(
    name: &Ident,
    ids: Expr,
    cases: &Cases,
    consts: &[Consts],
    errors: &mut Errors,
) -> Vec<Id> {
    let place = ids.to_token_stream();
    let Cases::Many(cases) = cases else {
        errors.at(
            place,
            "`ids` stand for cases that are written here, not for those of `iter` or `file`, whose \
             number is known at run time only; `args = [..]` lists cases here",
        );
        return vec![];
    };
    let count = cases.len().max(consts.len());
    match bare(ids) {
        Expr::Array(array) => {
            let found = array.elems.len();
            let texts = array.elems.into_iter();
            let ids: Vec<Id> = texts.filter_map(|id| own(name, id, errors)).collect();
            if found != count {
                let s = if count == 1 { "" } else { "s" };
                let text = format!("expected {count} id{s}, one for each case, but found {found}");
                errors.at(place, text);
            }
            ids
        }
        Expr::Path(word) if word.path.is_ident(VALUES) => (0..count)
            .filter_map(|index| {
                let arguments = nth_or_last(cases, index)?;
                let consts = nth_or_last(consts, index);
                let place = match (arguments.values.as_slice(), consts) {
                    ([], Some(consts)) => consts.place.clone(),
                    _ => arguments.place.clone(),
                };
                let consts = consts.map_or(&[][..], |consts| &consts.values);
                let values = consts.iter().chain(&arguments.values);
                of_values(name, values, place, errors)
            })
            .collect(),
        _ => {
            errors.at(
                place,
                "`ids` is an array of texts, one for each case: `ids = [\"small\", \"large\"]`; \
                 `ids = values` makes ids of values that are plain literals",
            );
            vec![]
        }
    }
}

/// An id that the user chose.
fn own(name: &Ident, id: Expr, errors: &mut Errors) -> Option<Id> {
    let place = id.to_token_stream();
    let Some(Lit::Str(text)) = literal(&id) else {
        errors.at(place, "`ids` takes texts that are written here: \"..\"");
        return None;
    };
    let text = text.value();
    if text.is_empty() || !text.chars().all(is_part) {
        let found = format!("`{text}` cannot be part of an id");
        errors.at(
            place,
            format!("{found}, which has letters, digits and `_` only"),
        );
        return None;
    }
    Some(Id {
        text: joined(name, &text),
        place,
    })
}

/// The id of a case whose values are plain literals.
fn of_values<'a>(
    name: &Ident,
    values: impl Iterator<Item = &'a Expr>,
    place: TokenStream,
    errors: &mut Errors,
) -> Option<Id> {
    let mut texts = Vec::new();
    for value in values {
        if let Err(value) = add(value, &mut texts) {
            errors.at(
                value,
                "`ids = values` makes ids of numbers, texts, characters, `true` and `false`, and of \
                 tuples of them; name these cases yourself: `ids = [\"small\", \"large\"]`",
            );
            return None;
        }
    }
    if texts.is_empty() {
        errors.at(
            place,
            "`ids = values` makes ids of values, and this case has none",
        );
        return None;
    }
    Some(Id {
        text: joined(name, &texts.join("_")),
        place,
    })
}

fn joined(name: &Ident, text: &str) -> String {
    format!("{}_{text}", name.unraw())
}

/// Adds the text for a value. What is no literal is given back.
fn add<'a>(value: &'a Expr, texts: &mut Vec<String>) -> Result<(), &'a Expr> {
    let text = match value {
        Expr::Group(group) => return add(&group.expr, texts),
        Expr::Paren(paren) => return add(&paren.expr, texts),
        Expr::Reference(reference) => return add(&reference.expr, texts),
        Expr::Tuple(tuple) => {
            let mut values = tuple.elems.iter();
            return values.try_for_each(|value| add(value, texts));
        }
        Expr::Lit(literal) => of_literal(&literal.lit),
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(_),
            expr,
            ..
        }) => match literal(expr) {
            Some(number @ (Lit::Int(_) | Lit::Float(_))) => {
                of_literal(number).map(|number| format!("minus_{number}"))
            }
            _ => None,
        },
        _ => None,
    };
    texts.push(text.ok_or(value)?);
    Ok(())
}

/// A literal as part of an id.
fn of_literal(literal: &Lit) -> Option<String> {
    Some(match literal {
        Lit::Int(number) => number.base10_digits().to_owned(),
        Lit::Float(number) => {
            // `1.` has nothing behind its point, and a `-` is one of an exponent.
            let digits = number.base10_digits().trim_end_matches('.');
            digits.replace('.', "_").replace('-', "minus_")
        }
        Lit::Bool(bool) => bool.value.to_string(),
        Lit::Char(char) => of_text(&char.value().to_string()),
        Lit::Byte(byte) => of_text(&char::from(byte.value()).to_string()),
        Lit::Str(text) => of_text(&text.value()),
        Lit::ByteStr(text) => of_text(&String::from_utf8_lossy(&text.value())),
        Lit::CStr(text) => of_text(&text.value().to_string_lossy()),
        _ => return None,
    })
}

/// Id from a text. A run of characters that an id cannot have becomes one `_`; if nothing else is
/// there, the numbers of the characters tell one text from another one.
fn of_text(text: &str) -> String {
    let mut id = String::new();
    for char in text.chars() {
        if is_part(char) {
            id.push(char);
        } else if !id.ends_with('_') {
            id.push('_');
        }
    }
    let id = id.trim_matches('_');
    let id = if !id.is_empty() {
        id.to_owned()
    } else if text.is_empty() {
        "empty".to_owned()
    } else {
        let numbers = text.chars().map(|char| format!("u{:x}", u32::from(char)));
        numbers.collect::<Vec<_>>().join("_")
    };
    let short: String = id.chars().take(MOST_OF_TEXT).collect();
    // The cut may have left a separator at the end.
    short.trim_end_matches('_').to_owned()
}

/// May an identifier have this character behind its first one? Ids are part of generated names.
fn is_part(char: char) -> bool {
    // Reading it as tokens would be an error of the compiler in the user's file.
    let is_accepted =
        || catch_unwind(|| Ident::new(&format!("x{char}"), Span::call_site())).is_ok();
    char.is_ascii_alphanumeric() || char == '_' || char.is_alphanumeric() && is_accepted()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(values: &str, expected: &str) {
        let value: Expr = syn::parse_str(values).unwrap();
        let mut texts = Vec::new();
        let added = add(&value, &mut texts);
        assert!(added.is_ok(), "{values}");
        assert_eq!(texts.join("_"), expected, "{values}");
    }

    #[test]
    fn literals_become_ids() {
        check("100", "100");
        check("1_000_u64", "1000");
        check("0xff", "255");
        check("-5", "minus_5");
        check("1.5", "1_5");
        check("2.", "2");
        check("-1.5e-3f64", "minus_1_5eminus_3");
        check("true", "true");
        check("'a'", "a");
        check("' '", "u20");
        check("b'x'", "x");
        check("\"words of it\"", "words_of_it");
        check("\"  a, -b!\"", "a_b");
        check("\"größe\"", "größe");
        check("\"\"", "empty");
        check("\"--\"", "u2d_u2d");
        check("b\"ab c\"", "ab_c");
        check("&\"ab\"", "ab");
        check("(1, \"x\", (true, -2))", "1_x_true_minus_2");
    }

    #[test]
    fn ids_have_the_characters_of_identifiers() {
        for (char, expected) in [
            ('a', true),
            ('ß', true),
            ('1', true),
            ('_', true),
            ('-', false),
            ('½', false),
            ('²', false),
        ] {
            assert_eq!(is_part(char), expected, "{char}");
        }
    }

    #[test]
    fn long_texts_are_cut() {
        let text = format!("\"{}\"", "ab ".repeat(100));
        check(&text, &"ab_".repeat(14)[..MOST_OF_TEXT]);
    }

    #[test]
    fn what_is_no_literal_is_given_back() {
        for text in [
            "x", "f(1)", "1 + 1", "vec![1]", "[1, 2]", "!1", "-x", "(1, x)", "1 as u8",
        ] {
            let value: Expr = syn::parse_str(text).unwrap();
            assert!(add(&value, &mut Vec::new()).is_err(), "{text}");
        }
    }
}
