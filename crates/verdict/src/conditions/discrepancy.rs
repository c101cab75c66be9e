//! The facts that differ between two results, in the order of the table, with the text about each.

use std::collections::BTreeMap;

use super::table::{meaning, Fact, Verdict, TABLE};
use base::tool::Tool;
use metrics::MetricKind;
use records::{Circumstances, LACKS_BLOCKS};

/// A fact that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discrepancy {
    /// The fact.
    pub fact: Fact,
    /// The old side, as text.
    pub old: String,
    /// The new side, as text.
    pub new: String,
}

/// The facts that differ. For arguments and builds the texts have only the differing words and
/// settings.
#[must_use]
pub fn discrepancies(old: &Circumstances, new: &Circumstances) -> Vec<Discrepancy> {
    let pair = |fact| -> Option<(String, String)> {
        // A match, so that a new fact does not compile before it is compared.
        match fact {
            Fact::Target => both(&old.target, &new.target),
            Fact::Workspace => match (&old.workspace, &new.workspace) {
                (Some(old), Some(new)) if !old.is_same(new) => {
                    Some((old.root.clone(), new.root.clone()))
                }
                _ => None,
            },
            Fact::Build => builds(&old.build, &new.build),
            Fact::Compiler => both(&old.rustc, &new.rustc),
            Fact::CLibrary => both(&old.libc, &new.libc),
            Fact::DeterministicRandom => both(
                &with_or_without(old.deterministic_random),
                &with_or_without(new.deterministic_random),
            ),
            Fact::Processor => both(&old.processor, &new.processor),
            Fact::ProcessorClass => both(&old.processor_class, &new.processor_class),
            Fact::Valgrind => both(&old.valgrind, &new.valgrind),
            Fact::Caches => {
                let said = |caches: &[String]| simulated(caches).then(|| caches.join("; "));
                both(&said(&old.caches), &said(&new.caches))
            }
            Fact::FastSetup => {
                let said = |side: &Circumstances| {
                    // Without a simulation there is no state that a setup could leave.
                    with_or_without(side.fast_setup.filter(|_| simulates(side)))
                };
                both(&said(old), &said(new))
            }
            Fact::Tunables => both(&old.tunables, &new.tunables),
            Fact::LoaderVariables => both(&old.loader_variables, &new.loader_variables)
                .map(|(old, new)| (named_or_none(old), named_or_none(new))),
            Fact::Arguments => arguments(old, new),
            // An entry point of Callgrind is one of its arguments as well, and said once.
            Fact::CountedPart => match arguments(old, new) {
                None => counted_parts(old, new),
                Some(_) => None,
            },
            // Under one Valgrind it is the program that calls otherwise.
            Fact::UnknownCalls => match both(&old.valgrind, &new.valgrind) {
                Some(_) => both(&refused(old), &refused(new)),
                None => None,
            },
            Fact::Mode => {
                let said = |forked: Option<bool>| {
                    forked.map(|forked| if forked { IN_A_FORK } else { ALONE }.to_owned())
                };
                both(&said(old.forked), &said(new.forked))
            }
        }
    };
    let facts = TABLE.iter().map(|row| row.fact);
    let discrepancies = facts.filter_map(|fact| {
        let (old, new) = pair(fact)?;
        Some(Discrepancy { fact, old, new })
    });
    discrepancies.collect()
}

/// The counted parts. Blocks that both simulations leave out are the same ones.
fn counted_parts(old: &Circumstances, new: &Circumstances) -> Option<(String, String)> {
    let alike = simulated(&old.caches) == simulated(&new.caches);
    let part = |side: &Circumstances| {
        let part = side.counted_part.as_deref()?;
        let whole = part.strip_suffix(LACKS_BLOCKS).filter(|_| alike);
        Some(whole.unwrap_or(part).to_owned())
    };
    both(&part(old), &part(new))
}

const ALONE: &str = "in a process of its own";
const IN_A_FORK: &str = "in a fork";

fn with_or_without(setting: Option<bool>) -> Option<String> {
    setting.map(|setting| if setting { "with" } else { "without" }.to_owned())
}

fn named_or_none(variables: String) -> String {
    match variables.is_empty() {
        true => "none".to_owned(),
        false => variables,
    }
}

fn refused(side: &Circumstances) -> Option<String> {
    Some(match side.unknown_calls.as_str() {
        "" => "nothing".to_owned(),
        calls => calls.to_owned(),
    })
}

fn both(old: &Option<String>, new: &Option<String>) -> Option<(String, String)> {
    match (old, new) {
        (Some(old), Some(new)) if old != new => Some((old.clone(), new.clone())),
        // An unknown fact counts as equal, so that records of earlier versions stay comparable.
        _ => None,
    }
}

/// Settings of a build that change no instruction: debug symbols are no code, and are not loaded.
const WITHOUT_CODE: [&str; 2] = ["debug", "strip"];

/// Settings that both know, that differ and that may change code: `opt-level = 3, lto = false`.
fn builds(
    old: &BTreeMap<String, String>,
    new: &BTreeMap<String, String>,
) -> Option<(String, String)> {
    let mut sides: [Vec<String>; 2] = Default::default();
    let settings = old
        .iter()
        .filter(|(key, _)| !WITHOUT_CODE.contains(&key.as_str()));
    for (key, theirs) in settings {
        let Some(ours) = new.get(key).filter(|ours| *ours != theirs) else {
            continue;
        };
        for (side, value) in sides.iter_mut().zip([theirs, ours]) {
            side.push(match value.as_str() {
                "" => format!("no {key}"),
                value => format!("{key} = {value}"),
            });
        }
    }
    let [old, new] = sides.map(|side| side.join(", "));
    (!old.is_empty()).then_some((old, new))
}

/// Were caches simulated? Else there is no cache, or nothing after the colon.
fn simulated(caches: &[String]) -> bool {
    !caches.is_empty() && !caches.iter().any(|cache| cache.ends_with(':'))
}

/// Does any figure depend on the state of a simulation when the benchmark begins?
fn simulates(side: &Circumstances) -> bool {
    let branches = |words: &Vec<String>| words.iter().any(|word| word == "--branch-sim=yes");
    simulated(&side.caches) || side.arguments.as_ref().is_some_and(branches)
}

/// Arguments that decide how a tool runs and writes and not what it counts, and those about
/// simulations: with other caches there is a [`Fact::Caches`], and without one of the simulations
/// no metric of it.
const WITHOUT_INFLUENCE: [&str; 13] = [
    "--D1",
    "--I1",
    "--LL",
    "--branch-sim",
    "--cache-sim",
    "--command-line-only",
    "--compress-pos",
    "--compress-strings",
    "--dump-instr",
    "--fair-sched",
    "--verbose",
    "--vgdb",
    "-v",
];

fn arguments(old: &Circumstances, new: &Circumstances) -> Option<(String, String)> {
    other_arguments(old.arguments.as_ref()?, new.arguments.as_ref()?)
}

/// The words that only one side has. `None`: there are none, or they change no figure.
fn other_arguments(old: &[String], new: &[String]) -> Option<(String, String)> {
    let only = |here: &[String], there: &[String]| {
        let influences = |word: &&String| {
            let key = word.split('=').next().unwrap_or_default();
            !WITHOUT_INFLUENCE.contains(&key) && !there.contains(word)
        };
        let words: Vec<&str> = here.iter().filter(influences).map(String::as_str).collect();
        words.join(" ")
    };
    let (old, new) = (only(old, new), only(new, old));
    // An option that one side lacks is a difference as well: Valgrind takes its default there.
    (!old.is_empty() || !new.is_empty()).then_some((old, new))
}

impl Discrepancy {
    /// Does the fact matter for any metric of this tool?
    #[must_use]
    pub fn matters(&self, tool: Tool) -> bool {
        let mut families = MetricKind::families(tool).into_iter();
        families.any(|family| self.fact.verdict(family) != Verdict::Judged)
    }

    /// One line about the difference, without a full stop, and a hint on a line of its own. `side`
    /// names the old side: `the last run`.
    #[must_use]
    pub fn text(&self, side: &str, tool: Tool) -> String {
        let Self { old, new, .. } = self;
        let what = match self.fact {
            Fact::Target => format!("{side} was built for `{old}`, this one for `{new}`"),
            Fact::Workspace => {
                format!("{side} is one of the workspace `{old}`, this one of `{new}`")
            }
            Fact::Build => format!("{side} was built with `{old}`, this one with `{new}`"),
            Fact::Compiler => {
                format!("{side} was compiled by rustc {old}, this one by rustc {new}")
            }
            Fact::CLibrary => format!("{side} was made with {old}, this one with {new}"),
            Fact::DeterministicRandom => {
                format!("{side} was made {old} `deterministic_random`, this one {new}")
            }
            Fact::Processor => {
                format!("{side} was made on another processor, `{old}`, this one on `{new}`")
            }
            Fact::ProcessorClass => {
                format!("{side} was made on a processor {old}, this one on one {new}")
            }
            Fact::Valgrind => format!("{side} was made by Valgrind {old}, this one by {new}"),
            Fact::Caches => format!("{side} simulated other caches: `{old}`, this one `{new}`"),
            Fact::FastSetup => {
                format!("{side} was made {old} `fast_setup`, this one {new}")
            }
            Fact::Tunables => {
                let said = |tunables: &str| match tunables {
                    "" => "without `GLIBC_TUNABLES`".to_owned(),
                    tunables => format!("with `GLIBC_TUNABLES={tunables}`"),
                };
                format!("{side} was made {}, this one {}", said(old), said(new))
            }
            Fact::LoaderVariables => {
                let said = |variables: &str| match variables {
                    "none" => "without variables of the loader".to_owned(),
                    variables => format!("with `{variables}`"),
                };
                format!("{side} was made {}, this one {}", said(old), said(new))
            }
            Fact::Arguments => {
                let words = match (old.as_str(), new.as_str()) {
                    (old, "") => format!("also with `{old}`"),
                    ("", new) => format!("without `{new}`"),
                    (old, new) => format!("`{old}` instead of `{new}`"),
                };
                format!("{side} was made with other arguments for {tool}: {words}")
            }
            Fact::CountedPart => format!("{side} counted {old}, this one {new}"),
            Fact::UnknownCalls => {
                format!("{side} was made by a Valgrind that refused {old}, this one by one that refused {new}")
            }
            Fact::Mode => format!("{side} was made {old}, this one {new}"),
        };
        let meaning = meaning(self.fact, &MetricKind::families(tool));
        let why = self.why();
        match self.hint() {
            Some(hint) => format!("{what}; {why}: {meaning}\n  hint: {hint}"),
            None => format!("{what}; {why}: {meaning}"),
        }
    }

    /// The reason why figures may differ.
    fn why(&self) -> &'static str {
        match self.fact {
            Fact::Target | Fact::Build | Fact::Compiler => {
                "the same source may have become other code"
            }
            Fact::Workspace => "other sources, or the same with their code in other places",
            Fact::CLibrary => "the functions of the C library may count differently",
            Fact::DeterministicRandom => "what depends on random numbers may count differently",
            Fact::Processor => "its counters are others",
            Fact::ProcessorClass => "functions may be chosen by what the processor has",
            Fact::Valgrind | Fact::Caches => "the simulation may give other hits and misses",
            Fact::FastSetup => "caches are empty or not when the benchmark begins",
            Fact::Tunables => "copies and fills of large buffers may count differently",
            Fact::LoaderVariables => {
                "the loader of a program counts differently, and may find other libraries"
            }
            Fact::Arguments => "the tool may count differently",
            Fact::CountedPart => "other code counts",
            Fact::UnknownCalls => "the program may have gone another way",
            Fact::Mode => "cache misses and mispredicted branches may differ a little",
        }
    }

    fn hint(&self) -> Option<&'static str> {
        match self.fact {
            Fact::Target => Some("`--separate-targets` keeps the results of each target apart"),
            Fact::Workspace => {
                Some("`--home=<directory>` keeps the results of each workspace apart")
            }
            _ => None,
        }
    }
}
