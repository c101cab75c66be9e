//! The verdict on a pair by the words of `docs/what-is-judged.md`, in a few lines that share no
//! code with the runner: askers that agree on a mistake are found by it.

use base::exit::Exit;

use super::pair::{Beside, Judged, Pair, SameMark};

/// Is the change above the limit? Whole numbers: a limit that is reached is kept.
fn is_exceeded([old, new]: [u64; 2], tenths: u32) -> bool {
    let [old, new] = [old, new].map(i128::from);
    (new - old) * 1000 > i128::from(tenths) * old
}

impl Pair {
    /// The classes that the metric with a limit may have. Whether a change within the limit is
    /// noise, the tests of noise tell.
    pub(super) fn expected_classes(&self) -> &'static [&'static str] {
        let totals = self.values();
        let is_beyond = |[old, new]: [u64; 2]| {
            is_exceeded([old, new], self.limit) || is_exceeded([new, old], self.limit)
        };
        if self.is_above_hard_limit() {
            return &["regressed"];
        }
        let is_same = self.code == SameMark::Same;
        let is_elsewhere = is_same && self.fact.is_another_condition();
        let proof = self.proof();
        if is_same && !is_elsewhere && proof == Some("other") && totals[0] != totals[1] {
            return &["not_deterministic"];
        }
        let own = self.judged_own();
        let judged = own.unwrap_or(totals);
        if is_elsewhere && is_beyond(judged) {
            return &["not_judged"];
        }
        let may_judge = match self.fact.judged(self.limited) {
            Judged::All => true,
            Judged::OwnCode => own.is_some(),
            Judged::Nothing => false,
        };
        match (is_exceeded(judged, self.limit), may_judge) {
            (true, true) => return &["regressed"],
            (true, false) => return &["not_judged"],
            (false, _) => {}
        }
        let improves = is_exceeded([judged[1], judged[0]], self.limit);
        if improves && may_judge {
            // Nobody praises what may be chance.
            let is_unproven = is_same && !is_elsewhere && proof.is_none();
            return if is_unproven {
                &["changed"]
            } else {
                &["improved"]
            };
        }
        if own.is_some() && is_beyond(totals) {
            return &["changed_outside_own_code"];
        }
        match totals[0] == totals[1] {
            true => &["same"],
            false => &["changed", "noise"],
        }
    }

    pub(super) fn is_above_hard_limit(&self) -> bool {
        self.hard.is_some_and(|hard| self.values()[1] > hard)
    }

    /// What one more run showed, of the new result or of the old one.
    fn proof(&self) -> Option<&'static str> {
        let is_worth_a_run = is_exceeded(self.values(), self.limit);
        match (is_worth_a_run, self.is_random) {
            (true, true) => Some("other"),
            (true, false) => Some("same"),
            (false, _) => self.repeated,
        }
    }

    /// The exit code of a comparison in which each benchmark has to be there.
    pub(super) fn expected_exit(&self) -> Exit {
        match (self.expected_classes(), self.beside) {
            (["regressed"], _) => Exit::Regression,
            (_, Beside::Gone) => Exit::NotComparable,
            _ => Exit::Ok,
        }
    }

    /// The exit code of the run itself, which asks for those that are gone with `--strict` only.
    pub(super) fn expected_exit_of_run(&self) -> Exit {
        match self.expected_exit() {
            Exit::NotComparable if !self.strict => Exit::Ok,
            exit => exit,
        }
    }
}
