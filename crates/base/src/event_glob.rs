//! Globs for names of perf's events.

use iai_callgrind::shared::glob::Syntax;

/// Does a name match a glob? Case does not matter, and `:` and `/` are equal.
pub fn matches(pattern: &str, name: &str) -> bool {
    Syntax::Shell.matches(&folded(pattern), &folded(name))
}

fn folded(text: &str) -> String {
    let fold = |c: char| match c {
        '/' => ':',
        c => c.to_lowercase().next().unwrap_or(c),
    };
    text.chars().map(fold).collect()
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns() {
        #[track_caller]
        fn check(pattern: &str, name: &str, expected: bool) {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
        check("task-clock*", "task-clock:u", true);
        check("*instructions*", "cpu_core/instructions/", true);
        check("INSTRUCTIONS:U", "instructions:u", true);
        check("cpu:cycles:", "cpu/cycles/", true);
        check("cycles", "cycles:u", false);
        check("l?c", "LLC", true);
        check("L[12]-*", "L1-dcache-loads", true);
        check("L[!2]-*", "L1-dcache-loads", true);
        check("L[a-c3-9]", "l2", false);
    }
}
