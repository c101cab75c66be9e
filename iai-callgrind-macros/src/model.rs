//! Model of the user's input: values with spans.
//!
//! `input` fills the model from tokens, `check` looks at it, `expand` turns it into code. Library
//! and binary benchmarks are one model; [`Kind`] says which of them it is.

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::{Expr, ExprClosure, FnArg, Ident, ItemFn, LitStr, Path};

/// Attribute above the function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Library,
    Binary,
}

impl Kind {
    pub(crate) fn attribute(self) -> &'static str {
        match self {
            Self::Library => "library_benchmark",
            Self::Binary => "binary_benchmark",
        }
    }
}

/// One annotated function.
pub(crate) struct Benchmark {
    pub kind: Kind,
    /// The path of the library: that of the dependency if not given.
    pub library: TokenStream,
    /// The function without `#[bench]` and `#[benches]`.
    pub function: ItemFn,
    pub settings: Settings,
    /// Function that runs the future of an `async fn`; that of the library if not given.
    pub executor: Option<Expr>,
    /// Do all cases have to count the same?
    pub equal_counts: bool,
    /// Benches in the order of writing; `None` without any such attribute.
    pub benches: Option<Vec<Bench>>,
}

impl Benchmark {
    pub(crate) fn name(&self) -> String {
        self.function.sig.ident.unraw().to_string()
    }

    pub(crate) fn is_async(&self) -> bool {
        self.function.sig.asyncness.is_some()
    }

    pub(crate) fn parameters(&self) -> impl ExactSizeIterator<Item = &FnArg> {
        self.function.sig.inputs.iter()
    }
}

/// Settings of a function, and again of each of its benches.
#[derive(Default)]
pub(crate) struct Settings {
    pub config: Option<Expr>,
    pub setup: Option<Hook>,
    pub teardown: Option<Hook>,
    /// Amounts that the benchmark handles: a function of the arguments, or an expression with the
    /// names of the parameters.
    pub throughput: Option<Hook>,
}

/// A `setup` or `teardown`.
pub(crate) enum Hook {
    /// A path or closure: called with the arguments, or with the result.
    Call(Expr),
    /// Any other expression: evaluated as it stands.
    Evaluate(Expr),
}

impl Hook {
    pub(crate) fn expression(&self) -> &Expr {
        match self {
            Self::Call(expression) | Self::Evaluate(expression) => expression,
        }
    }
}

/// One `#[bench::id(..)]` or `#[benches::id(..)]`.
pub(crate) struct Bench {
    pub id: Ident,
    pub cases: Cases,
    /// Values for the const generics, paired with the cases; the last ones stand for all that
    /// follow.
    pub consts: Vec<Consts>,
    /// Ids that are not made of numbers; none, or one for each case.
    pub ids: Vec<Id>,
    /// Texts to show instead of the arguments; none, or one for each case.
    pub labels: Vec<String>,
    pub scaling: Option<Scaling>,
    pub settings: Settings,
}

/// Growth of counts with the size of the input.
pub(crate) struct Scaling {
    /// The growth as the runner knows it.
    pub growth: &'static str,
    /// Function that gets the arguments and returns their size; `None`: the argument is the size.
    pub function: Option<Expr>,
    /// Place of errors about the number of sizes.
    pub place: TokenStream,
}

/// The id of a case of `#[benches]`.
pub(crate) struct Id {
    /// Id of the case, with that of the attribute in front.
    pub text: String,
    /// Place of errors about the id.
    pub place: TokenStream,
}

pub(crate) enum Cases {
    /// `#[bench]`: the id is the attribute's.
    One(Arguments),
    /// `#[benches]`: the ids are the attribute's with a number, or with what `ids` says.
    Many(Vec<Arguments>),
    /// `#[benches]` with one case for each element of an iterator.
    Iter(Expr),
    /// `#[benches]` with one case for each line of a file.
    Lines(Lines),
}

/// A file whose lines are arguments.
pub(crate) struct Lines {
    /// Absolute path of the file.
    pub path: String,
    /// Place of errors about the file.
    pub literal: LitStr,
}

/// Values for the const generics of the function.
pub(crate) struct Consts {
    pub values: Vec<Expr>,
    /// Place of errors about the number of values.
    pub place: TokenStream,
}

/// The arguments of one case.
pub(crate) struct Arguments {
    pub values: Vec<Expr>,
    /// Place of errors about the number of arguments.
    pub place: TokenStream,
}

/// The C functions for random numbers that an executable defines itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnRandom {
    No,
    /// `getrandom` and `getentropy`: counts are the same where nobody calls them.
    Functions,
    /// `syscall` as well, through which some crates ask. Each system call through it takes two
    /// instructions more, so it is for those who ask for it.
    WithSystemCalls,
}

/// The parameters of `main!`.
pub(crate) struct Main {
    pub library: TokenStream,
    pub config: Option<Expr>,
    pub random: OwnRandom,
    pub setup: Option<Hook>,
    pub teardown: Option<Hook>,
    /// `None`: every annotated function, grouped by module.
    pub groups: Option<(Kind, Vec<Path>)>,
}

/// The parameters of `library_benchmark_group!` or `binary_benchmark_group!`.
pub(crate) struct Group {
    pub kind: Kind,
    pub library: TokenStream,
    /// `None` after an error.
    pub name: Option<Ident>,
    pub config: Option<Expr>,
    pub compare_by_id: Option<Expr>,
    pub max_parallel: Option<Expr>,
    /// Do all cases of each function have to count the same?
    pub equal_counts: bool,
    pub setup: Option<Hook>,
    pub teardown: Option<Hook>,
    pub benchmarks: Vec<Member>,
    /// Counts of members that have to be in a ratio.
    pub ratios: Vec<Ratio>,
}

/// `limited <= number * of`.
pub(crate) struct Ratio {
    pub limited: RatioSide,
    /// The decimal as it is written.
    pub number: String,
    pub of: RatioSide,
}

/// The cases of a function, or one of them.
pub(crate) struct RatioSide {
    pub function: Ident,
    pub id: Option<String>,
}

/// One of the `benchmarks` of a group.
pub(crate) enum Member {
    /// A function.
    Path(Path),
    /// Closure that adds benchmarks to a low-level group.
    Closure(ExprClosure),
}
