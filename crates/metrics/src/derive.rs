//! Metrics that follow from the counters of the cache simulation: hits, rates, cycles.

use iai_callgrind::protocol::EventKind::{self, *};

use super::MetricValue;
use formats::ParseErrorKind;

/// The derived metrics, if all nine counters of the cache simulation are there. Cachegrind's have
/// the same names as Callgrind's.
///
/// Fails if a sum does not fit into 64 bits.
pub(super) fn derive(
    counter: impl Fn(EventKind) -> Option<u64>,
) -> Result<Vec<(EventKind, MetricValue)>, ParseErrorKind> {
    let counters = [Ir, Dr, Dw, I1mr, D1mr, D1mw, ILmr, DLmr, DLmw].map(counter);
    let [Some(ir), Some(dr), Some(dw), Some(i1mr), Some(d1mr), Some(d1mw), Some(ilmr), Some(dlmr), Some(dlmw)] =
        counters
    else {
        // With a counter missing, sums would be too small and look right.
        return Ok(Vec::new());
    };

    let data = sum(TotalRW, &[dr, dw])?;
    let total = sum(TotalRW, &[ir, data])?;
    let d1_misses = sum(LLhits, &[d1mr, d1mw])?;
    let lld_misses = sum(RamHits, &[dlmr, dlmw])?;
    let ram_hits = sum(RamHits, &[ilmr, lld_misses])?;
    // A miss of the last level is one of the first level, too. Only a file that contradicts itself
    // has more of them.
    let ll_hits = sum(LLhits, &[i1mr, d1_misses])?.saturating_sub(ram_hits);
    let l1_hits = total.saturating_sub(ll_hits).saturating_sub(ram_hits);
    let ll_cycles = product(ll_hits, 5)?;
    let ram_cycles = product(ram_hits, 35)?;
    let cycles = sum(EstimatedCycles, &[l1_hits, ll_cycles, ram_cycles])?;

    Ok(vec![
        (I1MissRate, percent(i1mr, ir)),
        (LLiMissRate, percent(ilmr, ir)),
        (D1MissRate, percent(d1_misses, data)),
        (LLdMissRate, percent(lld_misses, data)),
        (LLMissRate, percent(ram_hits, total)),
        (L1hits, MetricValue::Int(l1_hits)),
        (LLhits, MetricValue::Int(ll_hits)),
        (RamHits, MetricValue::Int(ram_hits)),
        (L1HitRate, percent(l1_hits, total)),
        (LLHitRate, percent(ll_hits, total)),
        (RamHitRate, percent(ram_hits, total)),
        (TotalRW, MetricValue::Int(total)),
        (EstimatedCycles, MetricValue::Int(cycles)),
    ])
}

fn sum(kind: EventKind, counts: &[u64]) -> Result<u64, ParseErrorKind> {
    let sum = counts
        .iter()
        .try_fold(0, |sum: u64, count| sum.checked_add(*count));
    sum.ok_or_else(|| ParseErrorKind::SumOverflow(kind.label().to_owned()))
}

fn product(count: u64, factor: u64) -> Result<u64, ParseErrorKind> {
    let product = count.checked_mul(factor);
    product.ok_or_else(|| ParseErrorKind::SumOverflow(EstimatedCycles.label().to_owned()))
}

fn percent(part: u64, whole: u64) -> MetricValue {
    MetricValue::Float(if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64 * 100.0
    })
}

#[cfg(test)]
mod tests {
    use super::super::Metrics;
    use super::*;
    use base::repository::of_repository;
    use base::tool::Tool;

    const NINE: [&str; 9] = [
        "Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw",
    ];

    fn metrics(counts: [u64; 9]) -> Result<Metrics, ParseErrorKind> {
        Metrics::from_counters(Tool::Callgrind, NINE.into_iter().zip(counts))
    }

    #[test]
    fn hits_cycles_and_rates() {
        let metrics = metrics([1000, 200, 100, 10, 20, 30, 4, 5, 6]).unwrap();
        let expected = [
            (TotalRW, "1300"),
            (RamHits, "15"),
            (LLhits, "45"),
            (L1hits, "1240"),
            (EstimatedCycles, "1990"), // 1240 + 5 * 45 + 35 * 15
            (I1MissRate, "1.00000"),
            (LLiMissRate, "0.40000"),
            (D1MissRate, "16.6667"),
            (LLdMissRate, "3.66667"),
            (LLMissRate, "1.15385"),
            (L1HitRate, "95.3846"),
            (LLHitRate, "3.46154"),
            (RamHitRate, "1.15385"),
        ];
        for (kind, value) in expected {
            assert_eq!(metrics.get(kind).unwrap().to_string(), value, "{kind}");
        }
    }

    #[test]
    fn nothing_counted_gives_zeros_and_no_nan() {
        let metrics = metrics([0; 9]).unwrap();
        assert!(metrics.is_zero());
        assert_eq!(metrics.get(L1HitRate), Some(MetricValue::Float(0.0)));
        assert_eq!(metrics.iter().count(), 22);
    }

    #[test]
    fn differences_do_not_go_below_zero() {
        let metrics = metrics([1, 0, 0, 0, 0, 0, 9, 0, 0]).unwrap();
        assert_eq!(metrics.get(LLhits), Some(MetricValue::Int(0)));
        assert_eq!(metrics.get(L1hits), Some(MetricValue::Int(0)));
    }

    #[test]
    fn without_one_counter_nothing_is_derived() {
        let counters = [("Ir", 1), ("Dr", 2), ("allocCount", 3)];
        let metrics = Metrics::from_counters(Tool::Callgrind, counters).unwrap();
        let kinds: Vec<_> = metrics.iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, [Ir.into(), Dr.into()]);
        assert_eq!(metrics.unknown, [("allocCount".to_owned(), 3)]);
    }

    #[test]
    fn a_sum_that_does_not_fit_is_an_error() {
        let error = metrics([u64::MAX, 1, 0, 0, 0, 0, 0, 0, 0]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the sum of `Total read+write` does not fit into 64 bits"
        );
    }

    #[test]
    fn rates_over_several_threads_come_from_the_summed_counters() {
        let folder = "crates/formats/tests/data/callgrind/3.24.0/threads_live";
        let Some(folder) = of_repository(env!("CARGO_MANIFEST_DIR"), folder) else {
            return;
        };
        let mut parts = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.to_string_lossy().contains("callgrind.out.") {
                let profile = formats::callgrind::read_file(&path).unwrap();
                parts.extend(profile.into_iter().flat_map(|profile| profile.parts));
            }
        }
        assert!(parts.len() > 1);
        let profile = formats::callgrind::CallgrindProfile { parts };
        let metrics = Metrics::from_counters(Tool::Callgrind, profile.totals().unwrap()).unwrap();
        let rates = metrics
            .iter()
            .filter(|(kind, _)| kind.to_string().ends_with("Rate"));
        let rates: Vec<f64> = rates.map(|(_, value)| value.as_f64()).collect();
        assert!(!rates.is_empty());
        assert!(rates.iter().all(|rate| (0.0..=100.0).contains(rate)));
    }
}
