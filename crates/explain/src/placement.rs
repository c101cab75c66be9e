//! The place of machine code in memory, which changes its time and not its count: have two results
//! the same code, and does it begin where neither build can be luckier?

use std::collections::BTreeSet;

use crate::digest::{BodyId, Digest, DigestBody};
use symbols::CodeObject;

/// Cache lines and the pieces in which a processor fetches code are no larger, in bytes.
const LINE: u64 = 64;

/// Have two results the same machine code, as far as it was executed? Addresses do not count.
#[must_use]
pub fn have_same_code(one: &Digest, other: &Digest) -> bool {
    let hashes = hashes(one);
    // 0 is an unknown hash, and then nothing is known of the code.
    !hashes.is_empty() && !hashes.contains(&0) && hashes == self::hashes(other)
}

/// Do all functions of the executable that a result executed begin at multiples of 64 bytes?
/// `object` is the executable. What is not found there is not known to.
#[must_use]
pub fn is_aligned(digest: &Digest, object: &CodeObject) -> bool {
    let mut missing = BTreeSet::new();
    let mut sizes = BTreeSet::new();
    let own = |body: &&DigestBody| {
        let object = digest.objects.get(body.object.index());
        object.is_some_and(|object| object.is_own)
    };
    for body in executed(digest).into_iter().filter(own) {
        missing.insert(body.code_hash);
        sizes.insert(u64::from(body.bytes));
    }
    // A hash is dear, so only code of a known size gets one.
    for body in object.bodies().filter(|body| sizes.contains(&body.size)) {
        let hash = object.code_hashes(&body).code;
        if missing.contains(&hash) && body.start % LINE == 0 {
            missing.remove(&hash);
        }
    }
    !sizes.is_empty() && missing.is_empty()
}

fn hashes(digest: &Digest) -> BTreeSet<u64> {
    let bodies = executed(digest).into_iter();
    bodies.map(|body| body.code_hash).collect()
}

/// The bodies with costs of their own.
fn executed(digest: &Digest) -> Vec<&DigestBody> {
    let rows = digest.rows.iter();
    let of_nodes = digest.bodies_of_nodes();
    let seen: BTreeSet<BodyId> = rows.map(|row| of_nodes[row.node.index()]).collect();
    let bodies = seen.iter().filter_map(|id| digest.bodies.get(id.index()));
    bodies.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiled_program::compiled_program;
    use crate::sample::digest;

    #[test]
    fn code_is_that_of_executed_functions() {
        let one = digest("root lab::f\nbody lab::f 7\nown lab::f:1 = 10\nbody lab::g 8");
        let more = digest("root lab::f\nbody lab::f 7\nown lab::f:1 = 99\nbody lab::g 9");
        let other = digest("root lab::f\nbody lab::f 8\nown lab::f:1 = 10");
        let unknown = digest("root lab::f\nbody lab::f 0\nown lab::f:1 = 10");
        assert!(have_same_code(&one, &more));
        assert!(!have_same_code(&one, &other));
        assert!(!have_same_code(&unknown, &unknown));
        assert!(!have_same_code(&Digest::default(), &Digest::default()));
    }

    #[test]
    fn code_that_is_not_found_is_not_known_to_be_aligned() {
        let object = compiled_program();
        let unknown = digest("root lab::f\nbody lab::f 7\nown lab::f:1 = 10");
        assert!(!is_aligned(&unknown, &object));
        assert!(!is_aligned(&Digest::default(), &object));
    }

    #[test]
    fn functions_are_looked_up_by_their_code() {
        let object = compiled_program();
        let large = object.bodies().filter(|body| body.size > 500);
        let large: Vec<_> = large
            .map(|body| (object.code_hashes(&body).code, body))
            .collect();
        for aligned in [true, false] {
            // Equal code elsewhere would hide the one that is meant.
            let is_alone =
                |code: u64| large.iter().filter(|(other, _)| *other == code).count() == 1;
            let mut bodies = large.iter();
            let found =
                bodies.find(|(code, body)| (body.start % LINE == 0) == aligned && is_alone(*code));
            let (code, body) = found.unwrap();
            let mut digest = digest("root lab::f\nbody lab::f 7\nown lab::f:1 = 10");
            digest.bodies[0].code_hash = *code;
            digest.bodies[0].bytes = body.size as u32;
            assert_eq!(is_aligned(&digest, &object), aligned, "{}", body.symbol);
        }
    }
}
