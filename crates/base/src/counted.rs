//! Whole numbers as sentences have them: digits in groups, with a sign, with a noun.

/// `2,343,018`
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `+639,507`; `+0` where nothing differs.
pub fn signed(number: i64) -> String {
    let sign = if number < 0 { '-' } else { '+' };
    format!("{sign}{}", grouped(number.unsigned_abs()))
}

/// `1 commit`, `1,234 commits`, `2 processes`
pub fn counted(number: u64, noun: &str) -> String {
    match (number, noun.ends_with('s')) {
        (1, _) => format!("1 {noun}"),
        (_, true) => format!("{} {noun}es", grouped(number)),
        (_, false) => format!("{} {noun}s", grouped(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups_of_three() {
        let check = |number, expected: &str| assert_eq!(grouped(number), expected);
        check(0, "0");
        check(999, "999");
        check(1000, "1,000");
        check(2_343_018, "2,343,018");
        check(u64::MAX, "18,446,744,073,709,551,615");
    }

    #[test]
    fn a_difference_has_a_sign() {
        let all = [0, 1_234, -1_234, i64::MIN].map(signed);
        let lowest = "-9,223,372,036,854,775,808";
        assert_eq!(all, ["+0", "+1,234", "-1,234", lowest]);
    }

    #[test]
    fn only_one_is_one() {
        let all = [0, 1, 2, 1234].map(|number| counted(number, "commit"));
        assert_eq!(all, ["0 commits", "1 commit", "2 commits", "1,234 commits"]);
        assert_eq!(counted(3, "process"), "3 processes");
        assert_eq!(counted(1, "process"), "1 process");
    }
}
