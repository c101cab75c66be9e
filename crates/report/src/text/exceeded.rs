//! Limits that are exceeded, in pipes.

use iai_callgrind::protocol::Direction;

use super::paint::Ink;
use super::piped_rows::with_unit;
use super::Style;
use metrics::MetricValue;
use verdict::ExceededLimit;

/// `Performance has regressed: Instructions (915 -> 1365) regressed by +49.1803% (>+5.00000%)`
pub fn regression_line(regression: &ExceededLimit, style: Style) -> String {
    let metric = metric(regression, style);
    let (how, limit) = match *regression {
        ExceededLimit::Soft { percent, limit, .. } => {
            let percent = style.paint(Ink::Worse, &with_unit(percent, '%'));
            let above = if limit.is_sign_negative() { '<' } else { '>' };
            (
                format!("regressed by {percent}"),
                format!("{above}{}", with_unit(limit, '%')),
            )
        }
        ExceededLimit::Hard { limit, excess, .. } => {
            let excess = style.paint(Ink::Worse, &excess.to_string());
            match regression.kind().direction() {
                Direction::Lower => (format!("exceeds limit by {excess}"), format!(">{limit}")),
                Direction::Higher => (
                    format!("falls below limit by {excess}"),
                    format!("<{limit}"),
                ),
            }
        }
    };
    let regressed = style.paint(Ink::Worse, "regressed");
    let limit = style.paint(Ink::Faint, &limit);
    format!("Performance has {regressed}: {metric} {how} ({limit})\n")
}

/// `Callgrind: Instructions (915 -> 1365): +49.1803% exceeds limit of +5.00000%`
pub fn regression_summary(tool: &str, regression: &ExceededLimit, style: Style) -> String {
    let metric = metric(regression, style);
    let faint = |text: String| style.paint(Ink::Faint, &text);
    let worse = |text: String| style.paint(Ink::Worse, &text);
    let how = match *regression {
        ExceededLimit::Soft { percent, limit, .. } => {
            let percent = worse(with_unit(percent, '%'));
            format!(
                "{percent} exceeds limit of {}",
                faint(with_unit(limit, '%'))
            )
        }
        ExceededLimit::Hard {
            new, limit, excess, ..
        } => {
            let (limit, excess) = (faint(limit.to_string()), worse(excess.to_string()));
            match regression.kind().direction() {
                Direction::Lower => format!("{new} exceeds limit of {limit} by {excess}"),
                Direction::Higher => format!("{new} falls below limit of {limit} by {excess}"),
            }
        }
    };
    format!("{tool}: {metric}: {how}\n")
}

/// Behind the name of a metric that was judged on the program's own code, since totals cannot be
/// compared.
pub const OF_OWN_CODE: &str = " of own code";

/// `Instructions (915 -> 1365)`
fn metric(regression: &ExceededLimit, style: Style) -> String {
    let strong = |value: MetricValue| style.paint(Ink::Strong, &value.to_string());
    match *regression {
        ExceededLimit::Soft {
            kind,
            new,
            old,
            own,
            ..
        } => {
            let of = if own { OF_OWN_CODE } else { "" };
            format!("{kind}{of} ({old} -> {})", strong(new))
        }
        ExceededLimit::Hard { kind, new, .. } => format!("{kind} ({})", strong(new)),
    }
}

#[cfg(test)]
mod tests {
    use iai_callgrind::protocol::EventKind::{self, Ir, L1HitRate};

    use super::*;

    const PLAIN: Style = Style {
        color: false,
        grid: false,
    };

    fn soft(new: u64, old: u64, percent: f64, limit: f64) -> ExceededLimit {
        let (new, old) = (MetricValue::Int(new), MetricValue::Int(old));
        ExceededLimit::Soft {
            kind: Ir.into(),
            new,
            old,
            percent,
            limit,
            own: false,
        }
    }

    fn hard(
        kind: EventKind,
        new: MetricValue,
        limit: MetricValue,
        excess: MetricValue,
    ) -> ExceededLimit {
        ExceededLimit::Hard {
            kind: kind.into(),
            new,
            limit,
            excess,
        }
    }

    #[track_caller]
    fn check(regression: ExceededLimit, line: &str, summary: &str) {
        assert_eq!(regression_line(&regression, PLAIN), format!("{line}\n"));
        assert_eq!(
            regression_summary("Callgrind", &regression, PLAIN),
            format!("{summary}\n")
        );
    }

    #[test]
    fn exceeded_limits() {
        check(
            soft(1365, 915, 49.180_327, 5.0),
            "Performance has regressed: Instructions (915 -> 1365) regressed by +49.1803% (>+5.00000%)",
            "Callgrind: Instructions (915 -> 1365): +49.1803% exceeds limit of +5.00000%",
        );
        check(
            soft(915, 1365, -32.967, -5.0),
            "Performance has regressed: Instructions (1365 -> 915) regressed by -32.9670% (<-5.00000%)",
            "Callgrind: Instructions (1365 -> 915): -32.9670% exceeds limit of -5.00000%",
        );
        check(
            hard(
                Ir,
                MetricValue::Int(1365),
                MetricValue::Int(800),
                MetricValue::Int(565),
            ),
            "Performance has regressed: Instructions (1365) exceeds limit by 565 (>800)",
            "Callgrind: Instructions (1365): 1365 exceeds limit of 800 by 565",
        );
        check(
            hard(L1HitRate, MetricValue::Float(89.0), MetricValue::Float(99.5), MetricValue::Float(10.5)),
            "Performance has regressed: L1 Hit Rate (89.0000) falls below limit by 10.5000 (<99.5000)",
            "Callgrind: L1 Hit Rate (89.0000): 89.0000 falls below limit of 99.5000 by 10.5000",
        );
    }
}
