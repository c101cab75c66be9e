//! Numbers for people, rounded to the digits that matter.
//!
//! The rows that programs read have a form of their own (`metrics/value.rs`).

use std::time::Duration;

use base::counted::grouped;
use records::summary::Number;

/// From here on a number is written as a power of ten.
const LARGE: f64 = 1e6;

/// `16,387`, `99.25`
pub fn number(number: Number) -> String {
    match number {
        Number::Count(count) => grouped(count),
        Number::Rate(rate) => decimal(rate),
    }
}

/// `12.41`, `1,234.50`, `0.644`, `0.0312`: two decimals or, of a number below 1, three digits.
pub fn decimal(number: f64) -> String {
    let decimals = match number.abs() {
        number if number == 0.0 || number >= 1.0 => 2,
        number if number >= 0.1 => 3,
        number if number >= 0.01 => 4,
        _ => 5,
    };
    let text = format!("{number:.decimals$}");
    match text.split_once('.') {
        Some((whole, rest)) => match whole.parse() {
            Ok(whole) => format!("{}.{rest}", grouped(whole)),
            // Too large, or with a sign.
            Err(_) => text,
        },
        None => text,
    }
}

/// `+8.40%`, `-59.3%`, `+120%`, `+15,352%`, `+1.7e21%`, `+2e-4%`: three digits, and no more than
/// three decimals; a difference is never written as 0. At most ten characters, most often six.
pub fn percent(percent: f64) -> String {
    // Rounding must not turn a decrease of almost everything into -100 %.
    let percent = match percent {
        almost_all if almost_all > -100.0 => almost_all.max(-99.9),
        percent => percent,
    };
    with_sign(percent, &three_digits(percent.abs()), "%")
}

/// `+8%`: the shortest form of a percentage that is not wrong.
pub fn short_percent(percent: f64) -> String {
    let number = match percent.abs() {
        number if number >= 9.5 => whole(number),
        number if number >= 0.05 => format!("{number:.1}"),
        _ => "0".to_owned(),
    };
    with_sign(percent, &number, "%")
}

/// `1.49x`, `81.4x`, `1,697x`, and `-2.46x` for a value that became that many times less.
pub fn factor(factor: f64) -> String {
    let sign = if factor < 0.0 { "-" } else { "" };
    let number = match factor.abs() {
        // `1.00` says that there is hardly a difference, and `1.000` no more than that.
        number if number < 9.995 => format!("{number:.2}"),
        number => three_digits(number),
    };
    format!("{sign}{number}x")
}

/// `52 ms`, `0.52 s`, `12.2 s`, `2 min 05 s`, `1 h 02 min`
pub fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let whole = seconds.round();
    match seconds {
        seconds if seconds < 0.0995 => format!("{:.0} ms", seconds * 1000.0),
        seconds if seconds < 9.995 => format!("{seconds:.2} s"),
        seconds if seconds < 59.95 => format!("{seconds:.1} s"),
        // By the rounded number: 3599.6 s is 1 h 00 min, and not 60 min 00 s.
        _ if whole < 3600.0 => {
            let whole = whole as u64;
            format!("{} min {:02} s", whole / 60, whole % 60)
        }
        _ => {
            let minutes = (seconds / 60.0).round() as u64;
            format!("{} h {:02} min", grouped(minutes / 60), minutes % 60)
        }
    }
}

/// A number in at most this width, with three digits and an SI prefix if its own digits are too
/// many: `2.34M`.
pub fn count_in(number: u64, room: usize) -> String {
    const PREFIXES: [char; 6] = ['k', 'M', 'G', 'T', 'P', 'E'];
    for text in [grouped(number), number.to_string()] {
        if text.len() <= room {
            return text;
        }
    }
    let mut scaled = number as f64;
    let mut prefix = None;
    for next in PREFIXES {
        // From 999.5 on, three digits round up to the next prefix's `1.00`.
        if scaled < 999.5 {
            break;
        }
        scaled /= 1000.0;
        prefix = Some(next);
    }
    match prefix {
        Some(prefix) => format!("{}{prefix}", three_digits(scaled)),
        None => number.to_string(),
    }
}

fn with_sign(number: f64, text: &str, unit: &str) -> String {
    match number {
        f64::INFINITY => "+inf".to_owned(),
        f64::NEG_INFINITY => "-inf".to_owned(),
        number => {
            let sign = if number < 0.0 { '-' } else { '+' };
            format!("{sign}{text}{unit}")
        }
    }
}

/// Three digits of a number that has no sign.
fn three_digits(number: f64) -> String {
    // Rounding must not give a fourth digit: 9.995 is `10.0`, and not `10.00`.
    match number {
        number if number > 0.0 && number < 0.0005 => format!("{number:.0e}"),
        number if number < 0.0995 => format!("{number:.3}"),
        number if number < 9.995 => format!("{number:.2}"),
        number if number < 99.95 => format!("{number:.1}"),
        number => whole(number),
    }
}

/// A number that has no sign, without decimals.
fn whole(number: f64) -> String {
    match number {
        number if number.round() < LARGE => grouped(number.round() as u64),
        number if number.is_finite() => format!("{number:.1e}"),
        _ => "inf".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_has_groups_and_a_rate_two_decimals() {
        assert_eq!(number(Number::Count(16_387)), "16,387");
        assert_eq!(number(Number::Rate(99.25)), "99.25");
    }

    #[test]
    fn decimals_of_small_numbers_have_three_digits() {
        let check = |number, expected: &str| assert_eq!(decimal(number), expected);
        check(0.0, "0.00");
        check(12.4096, "12.41");
        check(1234.5, "1,234.50");
        check(0.643_78, "0.644");
        check(0.031_25, "0.0312");
        check(0.000_5, "0.00050");
        check(-12.5, "-12.50");
        check(1e21, "1000000000000000000000.00");
    }

    #[test]
    fn percentages_have_three_digits() {
        let check = |number, expected: &str| assert_eq!(percent(number), expected);
        check(0.000_47, "+5e-4%");
        check(0.000_6, "+0.001%");
        check(0.0, "+0.000%");
        check(-0.0121, "-0.012%");
        check(0.0996, "+0.10%");
        check(0.518, "+0.52%");
        check(8.4, "+8.40%");
        check(9.996, "+10.0%");
        check(-59.3407, "-59.3%");
        check(-99.98, "-99.9%");
        check(-100.0, "-100%");
        check(99.96, "+100%");
        check(120.482, "+120%");
        check(15352.4, "+15,352%");
        check(999_999.4, "+999,999%");
        check(999_999.6, "+1.0e6%");
        check(1.7e21, "+1.7e21%");
        check(f64::MAX, "+1.8e308%");
        check(f64::INFINITY, "+inf");
        check(f64::NEG_INFINITY, "-inf");
    }

    #[test]
    fn short_percentages_have_one_decimal_at_most() {
        let check = |number, expected: &str| assert_eq!(short_percent(number), expected);
        check(0.01, "+0%");
        check(0.25, "+0.2%");
        check(-8.44, "-8.4%");
        check(9.5, "+10%");
        check(120.482, "+120%");
    }

    #[test]
    fn factors_have_a_sign_where_something_became_less() {
        let check = |number, expected: &str| assert_eq!(factor(number), expected);
        check(1.000_004, "1.00x");
        check(1.4918, "1.49x");
        check(-2.459_46, "-2.46x");
        check(81.4128, "81.4x");
        check(1696.77, "1,697x");
        check(f64::INFINITY, "infx");
    }

    #[test]
    fn times_have_a_unit_that_fits() {
        let check = |seconds, expected: &str| {
            assert_eq!(super::seconds(Duration::from_secs_f64(seconds)), expected);
        };
        check(0.0, "0 ms");
        check(0.052, "52 ms");
        check(0.0999, "0.10 s");
        check(0.51918, "0.52 s");
        check(12.24183, "12.2 s");
        check(59.96, "1 min 00 s");
        check(125.4, "2 min 05 s");
        check(3599.7, "1 h 00 min");
        check(3720.0, "1 h 02 min");
    }

    #[test]
    fn counts_get_a_prefix_where_their_digits_have_no_room() {
        let check = |number, room, expected: &str| {
            assert_eq!(count_in(number, room), expected);
            assert!(expected.len() <= room.max(5));
        };
        check(2_343_018, 9, "2,343,018");
        check(2_343_018, 8, "2343018");
        check(2_343_018, 6, "2.34M");
        check(999_999, 5, "1.00M");
        check(1234, 3, "1.23k");
        check(u64::MAX, 10, "18.4E");
        check(7, 0, "7");
    }
}
