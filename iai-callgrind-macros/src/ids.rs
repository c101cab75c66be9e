//! `ids` of `#[benches]`: names for cases that would have numbers otherwise.
//!
//! In: the value of the parameter, and the cases with their values. Out: what stands behind the name of
//! the attribute in each id, `large` of `rows_large`. Whether two of them are equal is left to
//! `check`, which sees all ids of the function.

use crate::cases::nth_or_last;
use crate::code::ToTokens;
use crate::model::{Arguments, Cases, Consts, Id};
use crate::recover::Errors;
use crate::syntax::{is_part_of_name, Expression, Form, Text, Value};
use crate::text;
use crate::tokens::Ident;

/// The word that makes ids of the values of the cases.
const VALUES: &str = "values";

/// The most characters of a text that an id is made of.
const MOST_OF_TEXT: usize = 40;

/// The ids of all cases; none after an error.
pub(crate) fn ids(
    name: &Ident,
    ids: Expression,
    cases: &Cases,
    consts: &[Consts],
    errors: &mut Errors,
) -> Vec<Id> {
    let place = ids.to_tokens();
    let Cases::Many(cases) = cases else {
        errors.at(
            &place,
            "`ids` stand for cases that are written here, not for those of `iter` or `file`, whose \
             number is known at run time only; `args = [..]` lists cases here",
        );
        return vec![];
    };
    let count = cases.len().max(consts.len());
    match ids.bare().form {
        Form::Array(elements) => {
            let found = elements.len();
            let mut ids = Vec::new();
            for id in elements {
                ids.extend(own(name, id, errors));
            }
            if found != count {
                let s = if count == 1 { "" } else { "s" };
                let text = format!("expected {count} id{s}, one for each case, but found {found}");
                errors.at(&place, text);
            }
            ids
        }
        Form::Path(word) if word.is(VALUES) => {
            let mut ids = Vec::new();
            for index in 0..count {
                let consts = nth_or_last(consts, index);
                if let Some(arguments) = nth_or_last(cases, index) {
                    ids.extend(of_values(name, arguments, consts, errors));
                }
            }
            ids
        }
        _ => {
            errors.at(
                &place,
                "`ids` is an array of texts, one for each case: `ids = [\"small\", \"large\"]`; \
                 `ids = values` makes ids of values that are plain literals",
            );
            vec![]
        }
    }
}

/// An id that the user chose.
fn own(name: &Ident, id: Expression, errors: &mut Errors) -> Option<Id> {
    let place = id.to_tokens();
    let text = match id.bare().form {
        Form::Literal(Value::Text(text)) => text.value,
        _ => {
            errors.at(&place, "`ids` takes texts that are written here: \"..\"");
            return None;
        }
    };
    if text.is_empty() || !text.chars().all(is_part) {
        let found = format!("`{text}` cannot be part of an id");
        errors.at(
            &place,
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
fn of_values(
    name: &Ident,
    arguments: &Arguments,
    consts: Option<&Consts>,
    errors: &mut Errors,
) -> Option<Id> {
    let place = match (arguments.values.as_slice(), consts) {
        ([], Some(consts)) => consts.place.clone(),
        _ => arguments.place.clone(),
    };
    let consts = consts.map_or(&[][..], |consts| &consts.values);
    let mut texts = Vec::new();
    for values in [consts, arguments.values.as_slice()] {
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
    }
    if texts.is_empty() {
        errors.at(
            &place,
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
    format!("{}_{text}", text::plain(name))
}

/// Adds the text for a value. What is no literal is given back.
fn add<'a>(value: &'a Expression, texts: &mut Vec<String>) -> Result<(), &'a Expression> {
    let text = match &value.form {
        Form::Group(value) | Form::Paren(value) | Form::Reference(value) => {
            return add(value, texts);
        }
        Form::Tuple(values) => {
            for value in values {
                add(value, texts)?;
            }
            return Ok(());
        }
        Form::Literal(literal) => of_literal(literal),
        Form::Negative(value) => match &value.bare_ref().form {
            Form::Literal(literal @ (Value::Int(_) | Value::Float(_))) => {
                of_literal(literal).map(|number| format!("minus_{number}"))
            }
            _ => None,
        },
        _ => None,
    };
    texts.push(text.ok_or(value)?);
    Ok(())
}

/// A literal as part of an id.
fn of_literal(literal: &Value) -> Option<String> {
    Some(match literal {
        Value::Int(number) => number.to_string(),
        Value::Float(digits) => {
            let digits = digits.trim_end_matches('.');
            digits.replace('.', "_").replace('-', "minus_")
        }
        Value::Bool(bool) => bool.to_string(),
        Value::Text(Text { value: text, .. }) | Value::Characters(text) => of_text(text),
        Value::Other => return None,
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
        let mut numbers = Vec::new();
        for char in text.chars() {
            numbers.push(format!("u{:x}", u32::from(char)));
        }
        numbers.join("_")
    };
    let short: String = id.chars().take(MOST_OF_TEXT).collect();
    short.trim_end_matches('_').to_owned()
}

/// May an identifier have this character behind its first one? Ids are part of generated names.
fn is_part(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_' || char.is_alphanumeric() && is_part_of_name(char)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(values: &str, expected: &str) {
        let value = Expression::all(values.parse().unwrap()).unwrap();
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
    fn long_texts_are_cut() {
        let text = format!("\"{}\"", "ab ".repeat(100));
        check(&text, &"ab_".repeat(14)[..MOST_OF_TEXT]);
    }

    #[test]
    fn what_is_no_literal_is_given_back() {
        for text in [
            "x", "f(1)", "1 + 1", "vec![1]", "[1, 2]", "!1", "-x", "(1, x)", "1 as u8",
        ] {
            let value = Expression::all(text.parse().unwrap()).unwrap();
            assert!(add(&value, &mut Vec::new()).is_err(), "{text}");
        }
    }
}
