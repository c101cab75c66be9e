//! Patterns of names of perf's events.

/// Does a name match a pattern? `*` stands for any text, `?` for one character, `[ab]` and `[a-c]` for one of
/// several (`[!ab]` for any other), and `\` takes the next character as it is. Case does not
/// matter, and `:` and `/` are equal.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let pattern = tokens(pattern);
    let name: Vec<char> = name.chars().map(folded).collect();
    let (mut p, mut n) = (0, 0);
    // Where to go on if what follows the last `*` turns out not to match: one character later.
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(Token::Any) => {
                retry = Some((p + 1, n));
                p += 1;
            }
            Some(token) if token.takes(name[n]) => {
                p += 1;
                n += 1;
            }
            _ => match retry {
                Some((after, from)) => {
                    retry = Some((after, from + 1));
                    (p, n) = (after, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|token| matches!(token, Token::Any))
}

enum Token {
    /// Any text.
    Any,
    /// Any character.
    One,
    /// This character.
    Char(char),
    /// A character within one of these ranges, or within none of them.
    Class(Vec<(char, char)>, bool),
}

impl Token {
    fn takes(&self, c: char) -> bool {
        match self {
            Self::Any => false,
            Self::One => true,
            Self::Char(expected) => *expected == c,
            Self::Class(ranges, within) => {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) == *within
            }
        }
    }
}

fn tokens(pattern: &str) -> Vec<Token> {
    let chars: Vec<char> = pattern.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = chars.get(at) {
        at += 1;
        tokens.push(match c {
            '*' => Token::Any,
            '?' => Token::One,
            '[' => match class(&chars[at..]) {
                Some((token, length)) => {
                    at += length;
                    token
                }
                // Without its end it stands for itself.
                None => Token::Char('['),
            },
            '\\' if at < chars.len() => {
                at += 1;
                Token::Char(folded(chars[at - 1]))
            }
            c => Token::Char(folded(*c)),
        });
    }
    tokens
}

/// What is between `[` and `]`, and how much that is with the latter.
fn class(chars: &[char]) -> Option<(Token, usize)> {
    let within = !matches!(chars.first(), Some('!' | '^'));
    let begin = usize::from(!within);
    // A `]` at the begin is one of the characters.
    let end = chars.iter().skip(begin + 1).position(|c| *c == ']')? + begin + 1;
    let mut ranges = Vec::new();
    let mut rest = &chars[begin..end];
    while let [first, others @ ..] = rest {
        let (range, left) = match others {
            ['-', last, left @ ..] => ((folded(*first), folded(*last)), left),
            left => ((folded(*first), folded(*first)), left),
        };
        ranges.push(range);
        rest = left;
    }
    Some((Token::Class(ranges, within), end + 1))
}

fn folded(c: char) -> char {
    match c {
        '/' => ':',
        c => c.to_lowercase().next().unwrap_or(c),
    }
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
        check("[]x]", "]", true);
        check("[x", "[x", true);
        check(r"a\*", "a*", true);
        check(r"a\*", "ab", false);
        check("a\\", "a\\", true);
        check("*a*b*", "xaxxabx", true);
        check("", "", true);
        check("**", "", true);
        check("?", "", false);
    }
}
