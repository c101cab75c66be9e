//! The times of commits, which have the time zone of the committer.

/// Seconds since 1970 of a time such as `2026-11-20T10:11:12+01:00` or `…Z`; fractions are passed
/// over. `None`: it is no such time.
pub(super) fn seconds(text: &str) -> Option<i64> {
    let (date, clock) = text.split_once(['T', ' '])?;
    let mut date = date.splitn(3, '-').map(number);
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    // In the clock alone: a date has `-` as well.
    let zone_begin = clock.find(['Z', '+', '-'])?;
    let (clock, zone) = clock.split_at(zone_begin);
    let whole = clock.split('.').next()?;
    let mut clock = whole.splitn(3, ':').map(number);
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    // 31 February passes as 3 March: times are compared, and never shown. 24:00 and leap seconds
    // are times of ISO 8601.
    let is_time = (1..=12).contains(&month) && (1..=31).contains(&day) && year <= 9999;
    if !is_time || hour > 24 || minute > 60 || second > 61 {
        return None;
    }
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
    Some(seconds - offset(zone)?)
}

fn number(text: &str) -> Option<i64> {
    // With four digits no product of these numbers overflows.
    let is_digits = !text.is_empty() && text.len() <= 4;
    let is_digits = is_digits && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits.then(|| text.parse().ok()).flatten()
}

/// Seconds east of Greenwich: of `Z`, `+01:00` and `-0330`.
fn offset(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    // The caller cuts at `Z`, `+` or `-`, each of one byte.
    let digits = zone[1..].replace(':', "");
    let (hours, minutes) = digits.split_at_checked(2)?;
    Some(sign * (number(hours)? * 3600 + number(minutes)? * 60))
}

/// Days since 1970-01-01 in the Gregorian calendar. Years begin in March here, so that the leap day
/// is their last one.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    // (153 m + 2) / 5 are the days before the month m of a year that begins in March: 0, 31, 61,
    // 92.
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // 719_468 days are between 0000-03-01 and 1970-01-01.
    year * 365 + leap_days + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values are those of `date -d TEXT +%s`.
    #[test]
    fn times_are_those_of_date() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2026-11-20T10:11:12Z", 1_795_169_472),
            ("2026-11-20T10:11:12+01:00", 1_795_165_872),
            ("2024-02-29T23:59:59-03:30", 1_709_263_799),
            ("2000-03-01T00:00:00+0000", 951_868_800),
            ("1969-12-31T23:59:59Z", -1),
            ("2026-01-31T12:00:00.123Z", 1_769_860_800),
        ] {
            assert_eq!(seconds(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_times() {
        for text in [
            "",
            "T",
            "2026-11-20",
            "2026-11-20T10:11:12",
            "2026-13-20T10:11:12Z",
            "2026-11-20T10:11Z",
            "2026-11-20T10:11:12+",
            "2026-11-20T10:11:12+é",
            "a-b-cTd:e:fZ",
            "+026-11-20T10:11:12Z",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in "[0-9TZé:+. -]{0,30}") {
            let _ = seconds(&text);
        }
    }
}
