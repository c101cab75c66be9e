//! `ratios` of a group: `faster <= 0.5 * slower`, of functions or of cases of them
//! (`function::id`).

use syn::ext::IdentExt;
use syn::{BinOp, Expr, ExprBinary, Lit, Path};

use super::parameters::{bare, bare_ref, literal};
use crate::errors::Errors;
use crate::model::{Kind, Member, Ratio, RatioSide};

/// Digits of a number, at most: so many are the same as a floating-point number.
const MOST_DIGITS: usize = 15;

const FORM: &str = "a ratio is written as `faster <= 0.5 * slower`, or without a number; both sides are functions of the \
     group, or cases of them (`function::id`)";

/// The ratios that could be understood.
pub(super) fn ratios(
    values: Vec<Expr>,
    kind: Kind,
    members: &[Member],
    errors: &mut Errors,
) -> Vec<Ratio> {
    let ratios = values.into_iter().filter_map(|value| {
        let ratio = errors.keep(ratio(&bare(value)))?;
        // A function of a low-level group adds benchmarks of any name.
        let is_known = kind == Kind::Binary || are_members(&ratio, members, errors);
        is_known.then_some(ratio)
    });
    ratios.collect()
}

fn ratio(value: &Expr) -> syn::Result<Ratio> {
    let form = || syn::Error::new_spanned(value, FORM);
    let Expr::Binary(ExprBinary {
        left,
        op: BinOp::Le(_),
        right,
        ..
    }) = value
    else {
        return Err(form());
    };
    let right = bare_ref(right);
    let (number, of) = match right {
        Expr::Binary(ExprBinary {
            left: number,
            op: BinOp::Mul(_),
            right: of,
            ..
        }) => (decimal(number)?, &**of),
        _ => ("1".to_owned(), right),
    };
    let (limited, of) = (side(left).ok_or_else(form)?, side(of).ok_or_else(form)?);
    if limited.function == of.function && limited.id == of.id {
        let text = "both sides of the ratio are the same benchmarks";
        return Err(syn::Error::new_spanned(value, text));
    }
    Ok(Ratio {
        limited,
        number,
        of,
    })
}

/// `function`, or `function::id`.
fn side(value: &Expr) -> Option<RatioSide> {
    let Expr::Path(path) = value else {
        return None;
    };
    let path: &Path = &path.path;
    let is_plain = path.leading_colon.is_none()
        && path
            .segments
            .iter()
            .all(|segment| segment.arguments.is_none());
    let mut names = path.segments.iter().map(|segment| &segment.ident);
    match (names.next(), names.next(), names.next()) {
        (Some(function), id, None) if is_plain => Some(RatioSide {
            function: function.clone(),
            id: id.map(|id| id.unraw().to_string()),
        }),
        _ => None,
    }
}

/// A decimal above 0, as it is written.
fn decimal(value: &Expr) -> syn::Result<String> {
    let number = match literal(value) {
        Some(Lit::Int(number)) if number.suffix().is_empty() => number.base10_digits(),
        Some(Lit::Float(number)) if number.suffix().is_empty() => number.base10_digits(),
        _ => "",
    };
    let number = number.trim_end_matches('.');
    let digits = number.replace('.', "");
    let is_decimal = digits.bytes().all(|digit| digit.is_ascii_digit());
    let is_zero = digits.bytes().all(|digit| digit == b'0');
    if is_zero || !is_decimal || digits.len() > MOST_DIGITS {
        let text = format!(
            "the number of a ratio is a decimal above 0 with at most {MOST_DIGITS} digits, such as `0.5`"
        );
        return Err(syn::Error::new_spanned(value, text));
    }
    Ok(number.to_owned())
}

/// Are both sides functions of the group?
fn are_members(ratio: &Ratio, members: &[Member], errors: &mut Errors) -> bool {
    let is_member = |side: &RatioSide| {
        members.iter().any(|member| match member {
            Member::Path(path) => {
                let last = path.segments.last();
                last.is_some_and(|last| last.ident.unraw() == side.function.unraw())
            }
            Member::Closure(_) => false,
        })
    };
    let mut all = true;
    for side in [&ratio.limited, &ratio.of] {
        if !is_member(side) {
            all = false;
            let name = side.function.unraw();
            errors.at(
                &side.function,
                format!("`{name}` is none of the `benchmarks` of this group"),
            );
        }
    }
    all
}
