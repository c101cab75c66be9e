//! Two results of the benchmark `works`, and all that may differ between them.

use proptest::prelude::*;
use serde_json::{json, Value};

/// The old and the new result; what is not said of the old one is as in the new one, which is that
/// of the same recorder on the same machine.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    /// The counts of the old and of the new result.
    pub(super) counts: [Counts; 2],
    /// The metric with a limit.
    pub(super) limited: Limited,
    /// The soft limit in tenths of a percent.
    pub(super) limit: u32,
    pub(super) hard: Option<u64>,
    /// Instructions of own code in the old record; `None`: nothing is known.
    pub(super) own: Option<u64>,
    /// Is the code the same?
    pub(super) code: SameMark,
    /// Further runs count as the old result.
    pub(super) is_random: bool,
    /// What one more run showed before.
    pub(super) repeated: Option<&'static str>,
    pub(super) fact: DifferingFact,
    /// The runs between both results.
    pub(super) between: Between,
    /// The sides that have another benchmark beside it.
    pub(super) beside: Beside,
    /// With `--strict`, for which each benchmark has to be compared.
    pub(super) strict: bool,
}

/// What Callgrind counts: instructions, one read of data, and instruction reads that miss all
/// caches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Counts {
    pub(super) instructions: u64,
    pub(super) misses: u64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Limited {
    Instructions,
    Cycles,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum SameMark {
    Same,
    Other,
    Unknown,
}

/// Runs whose records take the place of the old one, and whose results do not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Between {
    Nothing,
    OtherTool,
    BaselineAndOtherTool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Beside {
    Nothing,
    /// Only the new side has it.
    New,
    /// Only the old side has it: the suite lacks it since.
    Gone,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum DifferingFact {
    None,
    CLibrary,
    Compiler,
    Processor,
    ProcessorClass,
    Valgrind,
    Tunables,
    Caches,
    Build,
    CountedPart,
    Mode,
    DebugInfo,
    Target,
}

/// The judgement on a metric, as `docs/what-is-judged.md` has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Judged {
    All,
    OwnCode,
    Nothing,
}

impl DifferingFact {
    /// Debug information changes no code, so it makes no other conditions.
    pub(super) fn is_another_condition(self) -> bool {
        !matches!(self, Self::None | Self::DebugInfo)
    }

    /// Written down from the page, and not taken from the table of the runner.
    pub(super) fn judged(self, limited: Limited) -> Judged {
        use DifferingFact as F;
        match (self, limited) {
            (F::None | F::DebugInfo | F::Processor, _) => Judged::All,
            (F::Target | F::Build | F::Compiler | F::ProcessorClass | F::CountedPart, _) => {
                Judged::Nothing
            }
            (F::CLibrary | F::Tunables, Limited::Instructions) => Judged::OwnCode,
            (F::Valgrind | F::Caches | F::Mode, Limited::Instructions) => Judged::All,
            (_, Limited::Cycles) => Judged::Nothing,
        }
    }
}

impl Counts {
    pub(super) fn of(self, limited: Limited) -> u64 {
        match limited {
            Limited::Instructions => self.instructions,
            // Each of the reads is a hit of the first level, or costs 35 cycles.
            Limited::Cycles => self.instructions + 1 + 34 * self.misses,
        }
    }
}

impl Limited {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Instructions => "Ir",
            Self::Cycles => "EstimatedCycles",
        }
    }
}

impl Pair {
    /// A pair in which nothing but the counts and the code differs.
    pub(super) fn of(old: u64, new: u64, limit: u32) -> Self {
        let [old, new] = [old, new].map(|instructions| Counts {
            instructions,
            misses: 1,
        });
        Self {
            counts: [old, new],
            limited: Limited::Instructions,
            limit,
            hard: None,
            own: Some(old.instructions),
            code: SameMark::Other,
            is_random: false,
            repeated: None,
            fact: DifferingFact::None,
            between: Between::Nothing,
            beside: Beside::Nothing,
            strict: false,
        }
    }

    /// The values of the metric with a limit.
    pub(super) fn values(&self) -> [u64; 2] {
        self.counts.map(|counts| counts.of(self.limited))
    }

    /// The limits of the command line.
    pub(super) fn limits(&self) -> String {
        let soft = f64::from(self.limit) / 10.0;
        let hard = self.hard.map(|hard| format!("|{hard}"));
        let name = self.limited.name();
        format!("{name}={soft}%{}", hard.unwrap_or_default())
    }

    /// The values of own code, if these decide.
    pub(super) fn judged_own(&self) -> Option<[u64; 2]> {
        let own = self.own.map(|own| [own, self.counts[1].instructions]);
        own.filter(|_| self.fact.judged(self.limited) == Judged::OwnCode)
    }

    /// Changes the record of the old result.
    pub(super) fn edit(&self, record: &mut Value) {
        let profile = &mut record["profiles"][0];
        match self.own {
            None => profile["objects"] = json!([]),
            Some(own) => {
                let mut object = profile["objects"][0].clone();
                object["Ir"] = json!(own);
                profile["objects"] = json!([object]);
            }
        }
        match self.code {
            SameMark::Same => {}
            SameMark::Other => profile["environment"]["code"] = json!("0123"),
            SameMark::Unknown => profile["environment"]["code"] = Value::Null,
        }
        profile["repeated"] = json!(self.repeated);
        let environment = &mut record["profiles"][0]["environment"];
        match self.fact {
            DifferingFact::Valgrind => environment["valgrind_version"] = json!("3.99.0"),
            DifferingFact::Tunables => {
                environment["glibc_tunables"] = json!("glibc.malloc.check=1")
            }
            DifferingFact::Caches => {
                environment["caches"] = json!(["I1 cache: 1 B, 1 B, 1-way associative"])
            }
            DifferingFact::CountedPart => environment["counted_part"] = json!("all functions"),
            DifferingFact::Mode => record["profiles"][0]["mode"] = json!("direct"),
            _ => {}
        }
        let system = &mut record["system"];
        match self.fact {
            DifferingFact::CLibrary => system["libc"] = json!("glibc 2.99"),
            DifferingFact::Target => system["target"] = json!("riscv64gc-unknown-linux-gnu"),
            DifferingFact::Compiler => system["rustc"] = json!("1.99.0"),
            DifferingFact::Processor => system["cpu"] = json!("another"),
            DifferingFact::ProcessorClass => system["cpu_features"] = json!(["sse4_2"]),
            DifferingFact::Build => system["build"]["settings"]["opt-level"] = json!("1"),
            DifferingFact::DebugInfo => system["build"]["settings"]["debug"] = json!("1"),
            _ => {}
        }
    }
}

/// The change of the metric with a limit.
#[derive(Debug, Clone, Copy)]
enum DrawnChange {
    Nothing,
    /// The limit is reached in one of both directions, and exceeded by so many counts.
    Reaches {
        rises: bool,
        beyond: u64,
    },
    Few(i64),
    To(u64),
}

impl DrawnChange {
    fn of(self, old: u64, limit: u32) -> u64 {
        // Rounded down: the last count that keeps the limit.
        let step = u128::from(old) * u128::from(limit) / 1000;
        let step = u64::try_from(step).unwrap();
        match self {
            Self::Nothing => old,
            Self::Reaches {
                rises: true,
                beyond,
            } => old + step + beyond,
            // The way back from there is the limit, if it has no remainder.
            Self::Reaches {
                rises: false,
                beyond,
            } => {
                let whole = u128::from(old) * 1000 / u128::from(1000 + limit);
                u64::try_from(whole).unwrap().saturating_sub(beyond)
            }
            Self::Few(few) => old.saturating_add_signed(few),
            Self::To(new) => new,
        }
    }
}

/// Pairs of counts of which the metric with a limit changes as it was drawn.
fn counts() -> impl Strategy<Value = (Limited, u32, [Counts; 2])> {
    let instructions = prop_oneof![
        Just(400_u64),
        Just(1000),
        Just(2001),
        Just(3001),
        Just(200_000),
        Just(2_000_011),
        50_u64..5000,
    ];
    let misses = prop_oneof![3 => Just(1_u64), 1 => 1_u64..40];
    let limited = prop_oneof![3 => Just(Limited::Instructions), 1 => Just(Limited::Cycles)];
    // Such as 7 %: the change that reaches it is more than that in floating point.
    let odd = prop::sample::select(vec![7_u32, 14, 28, 35, 56, 70, 140, 280]);
    let limit = prop_oneof![2 => 1_u32..1000, 1 => Just(50), 2 => odd];
    let beyond = prop_oneof![3 => Just(0_u64), 1 => Just(1_u64)];
    let rises = prop::bool::weighted(0.7);
    let change = prop_oneof![
        1 => Just(DrawnChange::Nothing),
        3 => (rises, beyond).prop_map(|(rises, beyond)| DrawnChange::Reaches { rises, beyond }),
        1 => (-30_i64..30).prop_map(DrawnChange::Few),
        3 => (50_u64..5000).prop_map(DrawnChange::To),
    ];
    let drawn = (
        limited,
        limit,
        instructions,
        [misses.clone(), misses],
        change,
    );
    drawn.prop_map(
        |(limited, limit, instructions, [old_misses, new_misses], change)| {
            // A limit can be reached exactly from whole thousands.
            let instructions = match change {
                DrawnChange::Reaches { .. } => instructions.next_multiple_of(1000),
                _ => instructions,
            };
            let old = Counts {
                instructions,
                misses: old_misses,
            };
            let misses = match limited {
                Limited::Instructions => old_misses,
                Limited::Cycles => new_misses,
            };
            let of_misses = Counts {
                instructions: 0,
                misses,
            };
            let value = change.of(old.of(limited), limit);
            // More than the misses, which are of some of them.
            let instructions = value.saturating_sub(of_misses.of(limited)).max(50);
            let new = Counts {
                instructions,
                misses,
            };
            (limited, limit, [old, new])
        },
    )
}

pub(super) fn pairs() -> impl Strategy<Value = Pair> {
    use DifferingFact as F;
    let facts = prop_oneof![
        8 => Just(F::None),
        6 => Just(F::CLibrary),
        1 => Just(F::Compiler),
        1 => Just(F::Processor),
        1 => Just(F::ProcessorClass),
        1 => Just(F::Valgrind),
        1 => Just(F::Tunables),
        2 => Just(F::Caches),
        1 => Just(F::Build),
        1 => Just(F::CountedPart),
        1 => Just(F::Mode),
        1 => Just(F::DebugInfo),
        1 => Just(F::Target),
    ];
    // `true`: as the new result.
    let own = prop_oneof![
        Just(Some(None)),
        Just(None),
        (1_u64..4000).prop_map(|own| Some(Some(own))),
    ];
    let codes = prop_oneof![
        Just(SameMark::Same),
        Just(SameMark::Other),
        Just(SameMark::Unknown)
    ];
    let repeated = prop_oneof![Just(None), Just(Some("same")), Just(Some("other"))];
    let hard = prop_oneof![3 => Just(None), 1 => (50_u64..5000).prop_map(Some)];
    let between = prop_oneof![
        2 => Just(Between::Nothing),
        1 => Just(Between::OtherTool),
        1 => Just(Between::BaselineAndOtherTool)
    ];
    let beside = prop_oneof![
        2 => Just(Beside::Nothing),
        1 => Just(Beside::New),
        1 => Just(Beside::Gone)
    ];
    let of_code = (own, codes, any::<bool>(), repeated);
    let drawn = (
        counts(),
        of_code,
        facts,
        hard,
        between,
        beside,
        any::<bool>(),
    );
    drawn.prop_map(
        |((limited, limit, counts), of_code, fact, hard, between, beside, strict)| {
            let (own, code, is_random, repeated) = of_code;
            // Both are of other bench targets, each of which has to be whole.
            let (between, beside) = match fact {
                F::Target => (Between::Nothing, Beside::Nothing),
                _ => (between, beside),
            };
            // One of the command line holds for the other benchmark as well, if that is measured.
            let hard = hard.filter(|_| beside != Beside::New);
            // In a run, differing conditions and missing results are errors of `--strict`.
            let is_whole = !fact.is_another_condition()
                && between == Between::Nothing
                && beside != Beside::New;
            Pair {
                counts,
                limited,
                limit,
                hard,
                own: match own {
                    None => None,
                    Some(None) => Some(counts[1].instructions),
                    Some(own) => own,
                },
                code,
                is_random,
                repeated,
                fact,
                between,
                beside,
                strict: strict && is_whole,
            }
        },
    )
}
