//! Names in a message: the first ones, and how many more there are.

/// The most names that a message lists.
const MOST: usize = 20;

/// `` `a`, `b` and 3 more ``
pub fn listed_names(names: &[String]) -> String {
    let shown = names.iter().take(MOST).map(|name| format!("`{name}`"));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::listed_names;

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..23).map(|number| format!("n{number}")).collect();
        assert_eq!(listed_names(&names[..2]), "`n0`, `n1`");
        assert!(listed_names(&names).ends_with("`n18`, `n19` and 3 more"));
        assert_eq!(listed_names(&[]), "");
    }
}
