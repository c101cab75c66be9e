//! Names as they are shown, and names by which functions of two builds are paired.

use std::collections::HashMap;

/// Characters of the longest name that is shown.
const MOST: usize = 300;

/// Shown names of these canonical names: short ones, with as many leading segments as tell them apart.
pub fn distinct(names: &[&str]) -> Vec<String> {
    let mut levels = vec![0; names.len()];
    loop {
        let shown = names.iter().zip(&levels);
        let shown: Vec<_> = shown.map(|(name, level)| short(name, *level)).collect();
        let mut meanings: HashMap<&str, (&str, bool)> = HashMap::new();
        for (shown, name) in shown.iter().zip(names) {
            let (first, is_shared) = meanings.entry(shown).or_insert((name, false));
            *is_shared |= *first != *name;
        }
        let mut is_done = true;
        for ((shown, name), level) in shown.iter().zip(names).zip(&mut levels) {
            // As long as there is more of the name to show.
            if meanings[&**shown].1 && shown != name {
                *level += 1;
                is_done = false;
            }
        }
        if is_done {
            return shown.into_iter().map(cut).collect();
        }
    }
}

/// Name by which a function is looked for among those that have no function of the same canonical name in the other build:
/// the trait and the method, whatever the type, else the last two segments.
pub fn pair_key(canonical: &str) -> String {
    let segments = segments(canonical);
    let tail = tail(&segments);
    let (path, tail) = segments.split_at(tail);
    let key = match path {
        [.., owner, function] => match implemented(owner) {
            Some((_, of_trait)) => {
                let of_trait = last(of_trait, 1);
                let end = of_trait.find('<').unwrap_or(of_trait.len());
                format!("{}::{function}", &of_trait[..end])
            }
            None => format!("{}::{function}", last(owner, 1)),
        },
        [function] => (*function).to_owned(),
        [] => String::new(),
    };
    let tail = tail.iter().map(|segment| format!("::{segment}"));
    key + &tail.collect::<String>()
}

/// The name with its last segments, and `level` more.
fn short(name: &str, level: usize) -> String {
    let segments = segments(name);
    let tail = tail(&segments);
    let (path, _) = segments.split_at(tail);
    if let Some((of_type, of_trait)) = path.first().and_then(|first| implemented(first)) {
        let rest = segments[1..].iter().map(|segment| format!("::{segment}"));
        let rest: String = rest.collect();
        let (of_type, of_trait) = (last(of_type, 1 + level), last(of_trait, 1 + level));
        return format!("<{of_type} as {of_trait}>{rest}");
    }
    if path.len() <= 2 + level {
        return match name.strip_prefix("std::") {
            // The last try: the whole name.
            Some(_) if path.len() < 2 + level => name.to_owned(),
            Some(rest) if path.len() > 2 => rest.to_owned(),
            _ => name.to_owned(),
        };
    }
    let owner = path[path.len() - 2];
    let is_free = owner.starts_with(|c: char| c.is_lowercase()) && path[0] != "std";
    let begin = path.len() - 2 - level;
    let ends = segments[begin..].join("::");
    match is_free && level == 0 {
        // The crate says more than the module.
        true => format!("{}::{}", path[0], segments[begin + 1..].join("::")),
        false => ends,
    }
}

/// Type and trait of `<X as Trait>`.
fn implemented(segment: &str) -> Option<(&str, &str)> {
    let inner = segment.strip_prefix('<')?.strip_suffix('>')?;
    let mut depth = 0_usize;
    for (place, c) in inner.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 && inner[place..].starts_with(" as ") => {
                return Some((&inner[..place], &inner[place + 4..]));
            }
            _ => {}
        }
    }
    None
}

/// The last segments of a type, with what stands before its path: `&mut a::b::C` becomes `&mut C`.
fn last(name: &str, wanted: usize) -> String {
    let begins = ["&mut ", "&", "dyn ", "*const ", "*mut "];
    if let Some(begin) = begins.iter().find(|begin| name.starts_with(**begin)) {
        return format!("{begin}{}", last(&name[begin.len()..], wanted));
    }
    let segments = segments(name);
    segments[segments.len().saturating_sub(wanted)..].join("::")
}

/// Number of segments before closures and shims.
fn tail(segments: &[&str]) -> usize {
    let is_part = |segment: &&&str| segment.starts_with('{');
    let tail = segments.iter().rev().take_while(is_part).count();
    segments.len() - tail
}

/// The segments of a path. Those within angle brackets belong to one.
fn segments(name: &str) -> Vec<&str> {
    let mut segments = Vec::new();
    let (mut depth, mut start, mut after) = (0_usize, 0, 0);
    for (place, c) in name.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ':' if depth == 0 && place >= after && name[place..].starts_with("::") => {
                segments.push(&name[start..place]);
                start = place + 2;
                after = start;
            }
            _ => {}
        }
    }
    segments.push(&name[start..]);
    segments
}

fn cut(name: String) -> String {
    match name.char_indices().nth(MOST) {
        Some((place, _)) => format!("{}…", &name[..place]),
        None => name,
    }
}
