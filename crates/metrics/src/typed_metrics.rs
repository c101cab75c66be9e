//! Values of options that name metrics: which to show, and how far they may go.
//!
//! ```text
//! metrics = name { "," name }
//! limits  = name "=" value { "|" value } { "," name "=" … }
//! name    = metric | [ "@" ] group
//! value   = number "%" (soft) | number (hard)
//! ```

use iai_callgrind::protocol::limit::mistake;
use iai_callgrind::protocol::{
    BbvMetric, CachegrindMetric, DhatMetric, ErrorMetric, EventKind, Limit, MassifMetric, Metric,
    Number, UnknownMetric, UnknownTool,
};

use super::{MetricKind, TypedLimits};
use base::tool::Tool;

/// Metrics of several tools, in the order in which they were named. clap takes a `Vec` for an
/// option with several values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnyMetrics(pub Vec<MetricKind>);

/// `ir,@hits`: in this order, each once.
pub fn metrics<M: Metric + Into<MetricKind>>(text: &str) -> Result<Vec<MetricKind>, String> {
    let mut kinds: Vec<MetricKind> = Vec::new();
    for name in text.split(',') {
        for kind in members::<M>(name)? {
            let kind = kind.into();
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    Ok(kinds)
}

/// `ir,dhat.totalbytes`: metrics of Callgrind stand alone, those of other tools behind their tool.
pub fn of_any_tool(text: &str) -> Result<AnyMetrics, String> {
    let mut kinds: Vec<MetricKind> = Vec::new();
    for word in text.split(',') {
        let of_tool = word.trim().split_once('.');
        let (tool, name) = match of_tool {
            Some((tool, name)) => (
                tool.parse()
                    .map_err(|error: UnknownTool| error.to_string())?,
                name,
            ),
            None => (Tool::Callgrind, word),
        };
        let members = match tool {
            Tool::Callgrind => metrics::<EventKind>(name),
            Tool::Cachegrind => metrics::<CachegrindMetric>(name),
            Tool::Dhat => metrics::<DhatMetric>(name),
            Tool::Massif => metrics::<MassifMetric>(name),
            Tool::Bbv => metrics::<BbvMetric>(name),
            Tool::Memcheck | Tool::Helgrind | Tool::Drd => metrics::<ErrorMetric>(name),
            Tool::Perf => Err("figures of perf are never the same twice".to_owned()),
        }?;
        for kind in members {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    Ok(AnyMetrics(kinds))
}

/// `ir=5%|10000,@hits=10%`: the last limit of a metric and kind counts.
pub fn limits<M: Metric + Into<MetricKind>>(text: &str) -> Result<TypedLimits, String> {
    let mut limits = TypedLimits::default();
    for item in text.strip_suffix(',').unwrap_or(text).split(',') {
        let (name, values) = item.split_once('=').ok_or_else(|| {
            format!(
                "`{}` is not of the form `metric=limit`, such as `ir=5%`",
                item.trim()
            )
        })?;
        let members = members::<M>(name)?;
        for value in values.split('|').map(str::trim) {
            match value.strip_suffix('%') {
                Some(percent) => {
                    let percent = soft(name, value, percent)?;
                    for metric in &members {
                        set(&mut limits.soft, (*metric).into(), percent);
                    }
                }
                None => {
                    for metric in &members {
                        let limit = hard(*metric, value)?;
                        set(&mut limits.hard, (*metric).into(), limit);
                    }
                }
            }
        }
    }
    Ok(limits)
}

/// A word for each metric and, behind `@`, for each group of a tool, as options take them.
#[must_use]
pub fn words_of(tool: Tool) -> Vec<String> {
    fn words<M: Metric>() -> Vec<String> {
        let (metrics, groups) = M::WORDS;
        let metrics = metrics.iter().filter_map(|words| words.first());
        let groups = groups.iter().filter_map(|words| words.first());
        let groups = groups.map(|word| format!("@{word}"));
        metrics.map(ToString::to_string).chain(groups).collect()
    }
    match tool {
        Tool::Callgrind => words::<EventKind>(),
        Tool::Cachegrind => words::<CachegrindMetric>(),
        Tool::Dhat => words::<DhatMetric>(),
        Tool::Massif => words::<MassifMetric>(),
        Tool::Bbv => words::<BbvMetric>(),
        Tool::Memcheck | Tool::Helgrind | Tool::Drd => words::<ErrorMetric>(),
        Tool::Perf => Vec::new(),
    }
}

fn members<M: Metric>(name: &str) -> Result<Vec<M>, String> {
    let name = name.trim();
    if name.is_empty() {
        return Err("the name of a metric is missing".to_owned());
    }
    // The `@` may be left out where no metric has the name.
    let group = name.parse().or_else(|unknown: UnknownMetric| {
        let group = format!("@{name}").parse::<M::Groups>();
        group.map_err(|_| unknown)
    });
    let group = group.map_err(|unknown| {
        let meant = nearest::<M>(name).map(|word| format!("; did you mean `{word}`?"));
        unknown.to_string() + &meant.unwrap_or_default()
    })?;
    Ok(M::members(group))
}

/// The word of a metric or, behind `@`, of a group that may be meant.
fn nearest<M: Metric>(name: &str) -> Option<String> {
    /// Below it, words have little in common.
    const LIKELY: f64 = 0.8;
    /// Likeness of a word with one letter too many, too few or wrong: short words have little in
    /// common with it otherwise.
    const ONE_LETTER: f64 = 0.85;
    /// Of words that are as near, the shortest is meant.
    const NEAR: f64 = 0.03;
    let (metrics, groups) = M::WORDS;
    let groups = groups.concat().into_iter().map(|word| format!("@{word}"));
    let metrics = metrics.concat().into_iter().map(str::to_owned);
    let name = name.to_lowercase();
    let words: Vec<String> = metrics.chain(groups).collect();
    // `hits` is a group, however near the words of metrics are.
    let likeness = |word: &String| {
        let alone = strsim::jaro_winkler(&name, word.trim_start_matches('@'));
        let one_letter = match strsim::osa_distance(&name, word) {
            1 if name.len() > 2 => ONE_LETTER,
            _ => 0.0,
        };
        alone.max(strsim::jaro_winkler(&name, word)).max(one_letter)
    };
    let rated: Vec<(f64, &String)> = words.iter().map(|word| (likeness(word), word)).collect();
    let best = rated.iter().map(|(rate, _)| *rate).fold(LIKELY, f64::max);
    // `instrs` shares a letter more with `instructionsperbyte` than with `instructions`.
    let near = rated
        .iter()
        .filter(|(rate, _)| *rate >= best - NEAR && *rate >= LIKELY);
    let likely = near.min_by(|(one, word), (other, longer)| {
        word.len().cmp(&longer.len()).then(other.total_cmp(one))
    });
    // `cycles` is the end of a word.
    let longer = || {
        let longer = words.iter().filter(|word| word.contains(&name));
        longer
            .min_by_key(|word| word.len())
            .filter(|_| name.len() > 3)
    };
    likely.map(|(_, word)| *word).or_else(longer).cloned()
}

fn soft(name: &str, value: &str, percent: &str) -> Result<f64, String> {
    let name = name.trim();
    let percent = percent.parse().map_err(|_| {
        format!("`{value}` is not a soft limit for `{name}`: a number comes before the `%`")
    })?;
    match mistake(percent) {
        Some(reason) => Err(format!("`{value}` is no limit for `{name}`: it {reason}")),
        None => Ok(percent),
    }
}

fn hard<M: Metric>(metric: M, value: &str) -> Result<Limit, String> {
    let number = metric.row().number;
    match (value.parse::<u64>(), value.parse::<f64>(), number) {
        (Ok(limit), _, Number::Int | Number::Time) => Ok(Limit::Int(limit)),
        (_, Ok(limit), Number::Float) => match mistake(limit) {
            Some(reason) => Err(format!("`{value}` is no limit for `{metric}`: it {reason}")),
            None => Ok(Limit::Float(limit)),
        },
        (_, _, Number::Int | Number::Time) => Err(format!(
            "`{value}` is not a hard limit for `{metric}`: that is a whole number, such as `10`; a soft \
             limit ends with `%`, such as `4.5%`"
        )),
        (_, _, Number::Float) => Err(format!(
            "`{value}` is not a hard limit for `{metric}`: that is a number, such as `99.5`"
        )),
    }
}

fn set<V>(limits: &mut Vec<(MetricKind, V)>, kind: MetricKind, limit: V) {
    match limits.iter_mut().find(|(other, _)| *other == kind) {
        Some((_, old)) => *old = limit,
        None => limits.push((kind, limit)),
    }
}

#[cfg(test)]
mod tests {
    use iai_callgrind::protocol::{DhatMetric, EventKind};
    use EventKind::{Ir, L1HitRate, L1hits, LLhits, RamHits};

    use super::*;

    #[track_caller]
    fn check(text: &str, soft: &[(EventKind, f64)], hard: &[(EventKind, Limit)]) {
        let expected = TypedLimits {
            soft: soft
                .iter()
                .map(|(kind, limit)| ((*kind).into(), *limit))
                .collect(),
            hard: hard
                .iter()
                .map(|(kind, limit)| ((*kind).into(), *limit))
                .collect(),
        };
        assert_eq!(limits::<EventKind>(text), Ok(expected.clone()), "{text}");
        assert_eq!(limits::<EventKind>(&expected.typed()), Ok(expected));
    }

    #[test]
    fn limits_are_soft_with_a_percent_sign_and_hard_without() {
        check("ir=5%", &[(Ir, 5.0)], &[]);
        check("ir=5", &[], &[(Ir, Limit::Int(5))]);
        check(
            "IR = 5.5% | 10000",
            &[(Ir, 5.5)],
            &[(Ir, Limit::Int(10_000))],
        );
        check("instructions=-2%", &[(Ir, -2.0)], &[]);
        check("l1hitrate=99.5|99", &[], &[(L1HitRate, Limit::Float(99.0))]);
    }

    #[test]
    fn groups_have_the_limit_for_each_and_the_last_counts() {
        check("ir=5%|6%", &[(Ir, 6.0)], &[]);
        check("ir=5%,", &[(Ir, 5.0)], &[]);
        check(
            "@hits=10%,l2hits=5%",
            &[(L1hits, 10.0), (LLhits, 5.0), (RamHits, 10.0)],
            &[],
        );
    }

    #[test]
    fn wrong_limits_say_what_is_wrong() {
        #[track_caller]
        fn check(text: &str, words: &str) {
            let error = limits::<EventKind>(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
        check("", "is not of the form `metric=limit`, such as `ir=5%`");
        check("ir", "`ir` is not of the form");
        check("ir=5%,,", "is not of the form");
        check("ipr=5%", "unknown metric `ipr`; did you mean `ir`?");
        check("=5%", "the name of a metric is missing");
        check("foo=1", "unknown metric `foo`");
        check("@foo=1", "unknown group of metrics `@foo`");
        check("ir=", "is not a hard limit for `Instructions`");
        check("ir=10.5", "a soft limit ends with `%`");
        check("ir=-5", "a whole number");
        check("ir=abc%", "`abc%` is not a soft limit for `ir`");
        check("@all=10.5", "is not a hard limit for `Instructions`");
        check("l1hitrate=x", "such as `99.5`");
        // Nothing exceeds them, so a variable that is `nan` would switch the limit off.
        check(
            "ir=NaN%",
            "`NaN%` is no limit for `ir`: it must be a number",
        );
        for infinite in ["inf", "-inf", "+infinity", "1e400", "-1e400"] {
            check(&format!("ir={infinite}%"), "it must be finite");
            check(&format!("l1hitrate={infinite}"), "it must be finite");
        }
        check("ir=-0%", "it must not be `-0`");
        check("ir=5%|-0.0%", "it must not be `-0`");
        check(
            "@hits=5%,l1hitrate=nan",
            "for `L1 Hit Rate`: it must be a number",
        );
        check("ir=nan", "is not a hard limit for `Instructions`");
        check("ir=1e400", "is not a hard limit for `Instructions`");
        check("ir=-0", "is not a hard limit for `Instructions`");
    }

    #[test]
    fn metrics_of_any_tool() {
        let all = of_any_tool("ir, dhat.totalbytes,callgrind.Instructions").unwrap();
        assert_eq!(all.0, [Ir.into(), DhatMetric::TotalBytes.into()]);
        for (text, words) in [
            ("", "the name of a metric is missing"),
            ("dhat.", "the name of a metric is missing"),
            ("dhat.ir", "unknown metric `ir`"),
            ("foo.ir", "foo"),
            ("perf.cycles", "never the same twice"),
        ] {
            let error = of_any_tool(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn unknown_names_say_what_may_be_meant() {
        #[track_caller]
        fn check<M: Metric + Into<MetricKind>>(text: &str, expected: &str) {
            assert_eq!(metrics::<M>(text), Err(expected.to_owned()));
        }
        check::<EventKind>(
            "instr",
            "unknown metric `instr`; did you mean `instructions`?",
        );
        check::<EventKind>(
            "instrs",
            "unknown metric `instrs`; did you mean `instructions`?",
        );
        check::<EventKind>(
            "L2 Hits",
            "unknown metric `L2 Hits`; did you mean `l2hits`?",
        );
        check::<EventKind>(
            "cycles",
            "unknown metric `cycles`; did you mean `estimatedcycles`?",
        );
        check::<EventKind>("foo", "unknown metric `foo`");
        check::<EventKind>("hit", "unknown metric `hit`; did you mean `@hits`?");
        check::<EventKind>(
            "@hit",
            "unknown group of metrics `@hit`; did you mean `@hits`?",
        );
        check::<EventKind>(
            "estimated_cycles",
            "unknown metric `estimated_cycles`; did you mean `estimatedcycles`?",
        );
        check::<DhatMetric>(
            "totalbyte",
            "unknown metric `totalbyte`; did you mean `totalbytes`?",
        );
        check::<DhatMetric>("ir", "unknown metric `ir`");
    }

    #[test]
    fn metrics_are_shown_in_the_order_given_and_once() {
        let kinds = metrics::<EventKind>("l2hits, ir,@hits,IR").unwrap();
        assert_eq!(metrics::<EventKind>("l2hits,ir,hits").unwrap(), kinds);
        assert_eq!(kinds, [LLhits, Ir, L1hits, RamHits].map(MetricKind::from));
        let kinds = metrics::<DhatMetric>("tb,tbk").unwrap();
        let expected = [DhatMetric::TotalBytes, DhatMetric::TotalBlocks].map(MetricKind::from);
        assert_eq!(kinds, expected);
        assert!(metrics::<EventKind>("").is_err());
        assert!(metrics::<EventKind>("ir,,").is_err());
        assert!(metrics::<DhatMetric>("ir")
            .unwrap_err()
            .contains("unknown metric `ir`"));
    }
}
