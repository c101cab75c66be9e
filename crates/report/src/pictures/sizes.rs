//! Sizes of inputs, and the counts at them.
//!
//! A size is what the source says with `scaling`, else the amount that the benchmark handles, else
//! its only argument if that is a number.

use super::Measured;
use records::summary::{HandledAmounts, RecordedGrowth, RecordedSize};
use records::RecordedBenchmark;
use verdict::{MeasuredGrowth, SizedCount};

/// The kind of the sizes of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SizeKind {
    /// Stated for `scaling`.
    Stated,
    /// Elements of a throughput.
    Elements,
    /// Bytes of a throughput.
    Bytes,
    /// The argument of the case.
    Argument,
}

/// Counts over sizes of the input.
#[derive(Debug, Clone, PartialEq)]
pub struct SizedCosts {
    /// Id of the attribute. `None`: these are all cases of the function.
    pub bench: Option<String>,
    /// The kind of the sizes.
    pub kind: SizeKind,
    /// The counts of the new side.
    pub new: MeasuredGrowth,
    /// The counts of the old side, if there are enough.
    pub old: Option<MeasuredGrowth>,
}

/// Counts over sizes of a function, as far as its cases have three sizes.
pub(super) fn growth(members: &[&Measured<'_>]) -> Vec<SizedCosts> {
    let stated: Vec<SizedCosts> = members.iter().flat_map(|it| stated(it)).collect();
    if !stated.is_empty() {
        return stated;
    }
    let kinds = [SizeKind::Elements, SizeKind::Bytes, SizeKind::Argument];
    let costs = kinds.into_iter().find_map(|kind| of_cases(members, kind));
    costs.into_iter().collect()
}

/// The growths in the record of a case, which is the last one of each attribute.
fn stated(member: &Measured<'_>) -> Vec<SizedCosts> {
    let recorded = |benchmark: &RecordedBenchmark| {
        let text = Measured::text(benchmark);
        let growth = text.and_then(|text| text.growth().ok()).unwrap_or_default();
        let (tool, kind) = member.metric;
        let is_shown = move |it: &RecordedGrowth| it.tool == tool.id() && it.kind == kind.name();
        growth.into_iter().filter(is_shown).collect::<Vec<_>>()
    };
    let old = member.old.map(recorded).unwrap_or_default();
    let new = recorded(member.benchmark).into_iter();
    let costs = new.filter_map(|growth| {
        let old = old.iter().find(|old| old.bench == growth.bench);
        Some(SizedCosts {
            new: measured(&growth)?,
            old: old.and_then(measured),
            bench: Some(growth.bench),
            kind: SizeKind::Stated,
        })
    });
    costs.collect()
}

fn measured(growth: &RecordedGrowth) -> Option<MeasuredGrowth> {
    let point = |&RecordedSize { size, count }: &RecordedSize| SizedCount { size, count };
    MeasuredGrowth::of(growth.points.iter().map(point).collect())
}

/// Counts of all cases, if each has a size of this kind.
fn of_cases(members: &[&Measured<'_>], kind: SizeKind) -> Option<SizedCosts> {
    let (mut new, mut old) = (Vec::new(), Vec::new());
    for member in members {
        let size = size(member, kind)?;
        let point = |count| SizedCount { size, count };
        new.push(point(member.new));
        old.extend(member.old_count().map(point));
    }
    Some(SizedCosts {
        bench: None,
        kind,
        new: MeasuredGrowth::of(new)?,
        old: MeasuredGrowth::of(old),
    })
}

fn size(member: &Measured<'_>, kind: SizeKind) -> Option<u64> {
    match kind {
        SizeKind::Stated => None,
        SizeKind::Elements => handled(member)?.elements,
        SizeKind::Bytes => handled(member)?.bytes,
        SizeKind::Argument => number(&member.benchmark.input.as_deref()?.text),
    }
}

fn handled(member: &Measured<'_>) -> Option<HandledAmounts> {
    let profiles = Measured::text(member.benchmark)?.profiles().ok()?;
    let (tool, _) = member.metric;
    let mut profiles = profiles.into_iter();
    profiles.find(|it| it.tool == tool.id())?.throughput?.new
}

/// Value of `1_000`, `1000usize` or `(1000)`, and nothing that is calculated
fn number(argument: &str) -> Option<u64> {
    let argument = argument.trim_matches(['(', ')', ',', ' ']);
    let digits = argument.find(|c: char| !c.is_ascii_digit() && c != '_');
    let (digits, suffix) = argument.split_at(digits.unwrap_or(argument.len()));
    let is_number = matches!(
        suffix,
        "" | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "u128"
            | "usize"
            | "i8"
            | "i16"
            | "i32"
            | "i64"
            | "i128"
            | "isize"
    );
    digits.replace('_', "").parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_are_one_number_are_sizes() {
        for (argument, expected) in [
            ("1000", Some(1000)),
            ("1_000", Some(1000)),
            ("1000usize", Some(1000)),
            ("1_000_u64", Some(1000)),
            ("(30)", Some(30)),
            ("30,", Some(30)),
            ("-3", None),
            ("3.5", None),
            ("0x10", None),
            ("1, 2", None),
            ("make(3)", None),
            ("99999999999999999999", None),
            ("", None),
        ] {
            assert_eq!(number(argument), expected, "{argument}");
        }
    }
}
