//! Bodies that counted: the roots, and everything below them.

use super::bodies::BodyTable;
use super::calls::FoundCall;
use super::DigestSources;
use crate::digest::BodyId;
use base::measured_function::is_region;
use formats::callgrind::InstructionProfile;

/// Bodies that counted.
pub(super) struct ReachedBodies {
    /// In the order of their numbers: the functions at which counting began, and for costs outside
    /// of them, such as those of threads, functions that nobody else calls.
    pub(super) roots: Vec<BodyId>,
    /// For each body, whether a root reaches it. Those above the roots have calls with inclusive
    /// costs as well.
    pub(super) is_reached: Vec<bool>,
}

/// Finds the bodies that counted. `costly`: the body has costs of its own.
pub(super) fn reached(
    profile: &InstructionProfile,
    calls: &[FoundCall],
    costly: &[bool],
    bodies: &BodyTable<'_>,
    sources: &DigestSources<'_>,
) -> ReachedBodies {
    let count = bodies.all().len();
    let callees = Callees::new(calls, count);
    let is_entry = |index: &usize| {
        let name = profile.plain_name(bodies.all()[*index].name);
        let name = String::from_utf8_lossy(name);
        match sources.regions {
            true => is_region(&name),
            false => !sources.entry.is_everything() && sources.entry.has(&name),
        }
    };
    let mut roots: Vec<usize> = (0..count).filter(is_entry).collect();
    let mut reached = vec![false; count];
    reach(&roots, &callees, &mut reached);
    // Costs that no entry function reaches, such as those of threads, need roots of their own.
    loop {
        let rest: Vec<usize> = (0..count)
            .filter(|index| costly[*index] && !reached[*index])
            .collect();
        // Each round reaches at least one more body, so this ends.
        let Some(first) = rest.first() else { break };
        let mut called = vec![false; count];
        for caller in &rest {
            let others = callees.of(*caller).filter(|callee| callee != caller);
            others.for_each(|callee| called[callee] = true);
        }
        let uncalled: Vec<usize> = rest.iter().copied().filter(|one| !called[*one]).collect();
        // Functions that only call each other: any of them.
        let more = if uncalled.is_empty() {
            vec![*first]
        } else {
            uncalled
        };
        reach(&more, &callees, &mut reached);
        roots.extend(more);
    }
    roots.sort_unstable();
    ReachedBodies {
        roots: roots.into_iter().map(|root| BodyId(root as u32)).collect(),
        is_reached: reached,
    }
}

fn reach(from: &[usize], callees: &Callees, reached: &mut [bool]) {
    let mut waiting = from.to_vec();
    while let Some(one) = waiting.pop() {
        if !std::mem::replace(&mut reached[one], true) {
            waiting.extend(callees.of(one));
        }
    }
}

/// The bodies that each body calls, as a CSR adjacency.
struct Callees {
    /// Index of the first callee of each body, and the end of all.
    begins: Vec<u32>,
    callees: Vec<BodyId>,
}

impl Callees {
    fn new(calls: &[FoundCall], bodies: usize) -> Self {
        let mut begins = vec![0; bodies + 1];
        for call in calls {
            begins[call.caller.index() + 1] += 1;
        }
        for body in 0..bodies {
            begins[body + 1] += begins[body];
        }
        let mut next = begins.clone();
        let mut callees = vec![BodyId(0); calls.len()];
        for call in calls {
            let place = &mut next[call.caller.index()];
            callees[*place as usize] = call.callee;
            *place += 1;
        }
        Self { begins, callees }
    }

    fn of(&self, caller: usize) -> impl Iterator<Item = usize> + '_ {
        let range = self.begins[caller] as usize..self.begins[caller + 1] as usize;
        self.callees[range].iter().map(|callee| callee.index())
    }
}
