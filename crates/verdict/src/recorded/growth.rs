//! Growth of counts, in the types of the record.

use super::finite;
use crate::{BenchGrowth, GrowthFit, SizedCount};
use base::tool::Tool;
use records::summary::{RecordedFit, RecordedGrowth, RecordedSize};

/// The growth under a tool.
pub fn growth(growth: &BenchGrowth, tool: Tool) -> RecordedGrowth {
    let BenchGrowth {
        bench,
        kind,
        stated,
        measured,
    } = growth;
    let point = |point: &SizedCount| RecordedSize {
        size: point.size,
        count: point.count,
    };
    RecordedGrowth {
        bench: bench.clone(),
        tool: tool.id().to_owned(),
        kind: kind.name().to_owned(),
        stated: stated.map(|stated| stated.name().to_owned()),
        holds: stated.map(|stated| measured.faster_than(stated).is_none()),
        best: measured.best.model.name().to_owned(),
        points: measured.points.iter().map(point).collect(),
        fits: measured.fits.iter().map(RecordedFit::from).collect(),
    }
}

impl From<&GrowthFit> for RecordedFit {
    fn from(fit: &GrowthFit) -> Self {
        Self {
            growth: fit.model.name().to_owned(),
            constant: fit.constant,
            factor: fit.factor,
            error_pct: fit.error * 100.0,
            r_squared: fit.r_squared.and_then(finite),
        }
    }
}
