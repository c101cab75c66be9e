//! The place in memory where Valgrind loaded an executable, which DHAT does not write.
//!
//! It is derived from the functions that Valgrind names: at the right bias, their addresses lie in
//! functions of these names.

use std::collections::BTreeMap;

use symbols::{names, CodeObject};

/// Biases that Valgrind uses: none for executables with fixed addresses, one for each range of its
/// versions.
const USUAL: [u64; 3] = [0, 0x10_8000, 0x400_0000];

/// Executables are loaded in whole pages.
const PAGE: u64 = 4096;

/// Functions whose symbols are looked for.
const LOOKED_FOR: usize = 8;

/// The difference between addresses in memory and those of the file. `functions` are addresses with
/// their functions. `None`: no bias fits the names.
pub(super) fn find(object: &CodeObject, functions: &BTreeMap<u64, &str>) -> Option<u64> {
    let named: Vec<(u64, String)> = functions
        .iter()
        .map(|(address, name)| (*address, names::canonical(name)))
        .collect();
    let best = |biases: &mut dyn Iterator<Item = u64>| {
        let counted = biases.map(|bias| (agreements(object, &named, bias), bias));
        let fits = counted.filter(|(agreements, _)| agreements.fits());
        // Of equal ones the lowest: with few names several pages may fit.
        let best = fits.max_by_key(|(agreements, bias)| (agreements.equal, u64::MAX - bias));
        best.map(|(_, bias)| bias)
    };
    // All symbols are searched for candidates, so the usual places come first.
    best(&mut USUAL.into_iter()).or_else(|| best(&mut candidates(object, &named).into_iter()))
}

/// Numbers of addresses in functions of the executable whose names agree with Valgrind's, and of
/// others.
#[derive(Debug, Clone, Copy, Default)]
struct NameAgreements {
    equal: usize,
    other: usize,
}

impl NameAgreements {
    /// Do most names agree? A few may differ even at the right bias: if equal code has several
    /// names, Valgrind may take a different one than we do.
    fn fits(self) -> bool {
        self.equal > 0 && self.equal > self.other
    }
}

fn agreements(object: &CodeObject, named: &[(u64, String)], bias: u64) -> NameAgreements {
    let mut found = NameAgreements::default();
    for (address, name) in named {
        // Addresses of libraries are in no function of the executable.
        let body = address.checked_sub(bias).and_then(|at| object.body_at(at));
        match body {
            Some(body) if names::canonical(body.symbol) == *name => found.equal += 1,
            Some(_) => found.other += 1,
            None => {}
        }
    }
    found
}

/// Biases for which one of the addresses is in a function of its name.
fn candidates(object: &CodeObject, named: &[(u64, String)]) -> Vec<u64> {
    let mut biases = Vec::new();
    for (address, name) in named.iter().take(LOOKED_FOR) {
        let word = last_word(name);
        // Demangling takes a microsecond, and executables have tens of thousands of symbols.
        let bodies = object.bodies().filter(|body| body.symbol.contains(word));
        for body in bodies.filter(|body| names::canonical(body.symbol) == *name) {
            // The address is that of a call within the function, so the bias is known up to its
            // length.
            let last = body.start + body.size.saturating_sub(1);
            let Some(lowest) = address.checked_sub(last) else {
                continue;
            };
            let highest = address.saturating_sub(body.start);
            let first = lowest.next_multiple_of(PAGE);
            biases.extend((first..=highest).step_by(PAGE as usize));
        }
    }
    biases.sort_unstable();
    biases.dedup();
    biases
}

/// The last identifier of a name, which every mangling of it contains.
fn last_word(name: &str) -> &str {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut words = name.rsplit(|c| !is_of_word(c));
    // `closure` and `shim` are words of canonical names only.
    words
        .find(|word| word.len() > 1 && !["closure", "shim", "_"].contains(word))
        .unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiled_program::compiled_program;

    /// A program, as if it had been loaded elsewhere.
    #[test]
    fn the_place_is_where_names_agree() {
        let object = compiled_program();
        let ours = "program::";
        let bodies: Vec<(u64, String)> = object
            .bodies()
            .map(|body| (body, names::canonical(body.symbol)))
            .filter(|(_, name)| name.starts_with(ours) && !name.contains('{'))
            .map(|(body, name)| (body.start + body.size / 2, name))
            .collect();
        assert!(bodies.len() >= 2, "{bodies:?}");
        for bias in [0, 0x10_8000, 0x400_0000, 0x7_3000, 0x5555_5555_4000] {
            let mut functions: BTreeMap<u64, &str> = bodies
                .iter()
                .map(|(address, name)| (address + bias, name.as_str()))
                .collect();
            // Functions of libraries are not in the executable, and equal code may have a different
            // name.
            functions.insert(u64::MAX - 7, "malloc");
            assert_eq!(find(&object, &functions), Some(bias), "{bias:x}");
        }
        let nowhere = BTreeMap::from([(0x1234, "no_such_function"), (0x99, "")]);
        assert_eq!(find(&object, &nowhere), None);
    }

    #[test]
    fn manglings_contain_the_last_word() {
        assert_eq!(last_word("lab::count_words"), "count_words");
        assert_eq!(last_word("lab::f1::{closure}"), "f1");
        assert_eq!(last_word("<lab::S as core::Tr>::next"), "next");
        assert_eq!(last_word("[_]::sort"), "sort");
        assert_eq!(last_word("{closure}"), "");
    }
}
