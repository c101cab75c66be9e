//! The report as one JSON object: `schemas/comparison.v1.schema.json`.

use std::io::{self, Write};

use crate::visible::visible_json;
use verdict::sides::ComparisonReport;

pub(super) fn write(report: &ComparisonReport, out: &mut dyn Write) -> io::Result<()> {
    let mut json = serde_json::to_vec_pretty(report)?;
    json.push(b'\n');
    out.write_all(&visible_json(&json))
}
