//! Numbers with their nouns, as sentences have them.

/// `1 commit`, `4 commits`, `2 processes`
pub fn counted(number: u64, noun: &str) -> String {
    match (number, noun.ends_with('s')) {
        (1, _) => format!("1 {noun}"),
        (_, true) => format!("{number} {noun}es"),
        (_, false) => format!("{number} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_one() {
        let all = [0, 1, 2].map(|number| counted(number, "commit"));
        assert_eq!(all, ["0 commits", "1 commit", "2 commits"]);
        assert_eq!(counted(3, "process"), "3 processes");
        assert_eq!(counted(1, "process"), "1 process");
    }
}
