//! Texts with records, as two sides: nothing panics, a side against itself changed nowhere, and
//! merged results are merged.

use records::{RecordInput, RecordReader};
use report::{ComparisonFormat, ComparisonWriter};
use verdict::sides::{
    compare_sides, ComparisonOptions, ComparisonReport, NothingAgreed, ResultSide, SideOptions,
};
use verdict::RowClass;

const FORMATS: [ComparisonFormat; 9] = [
    ComparisonFormat::Text,
    ComparisonFormat::Markdown,
    ComparisonFormat::Json,
    ComparisonFormat::Csv,
    ComparisonFormat::Github,
    ComparisonFormat::Gitlab,
    ComparisonFormat::Junit,
    ComparisonFormat::Bmf,
    ComparisonFormat::GithubActionBenchmark,
];

pub(crate) fn check(bytes: &[u8]) {
    let middle = bytes.len() / 2;
    let place = bytes[middle..].iter().position(|byte| *byte == b'\n');
    let (old, new) = bytes.split_at(place.map_or(0, |place| middle + place + 1));
    let (Some(old), Some(new)) = (side(old), side(new)) else {
        return;
    };
    let report = compared(&old, &new);
    for format in FORMATS {
        let mut out = Vec::new();
        let written = ComparisonWriter::default().write(&report, format, &mut out);
        written.expect("memory takes everything");
        assert!(std::str::from_utf8(&out).is_ok());
    }
    let is_quiet = |class| {
        matches!(
            class,
            RowClass::Failed | RowClass::Regressed | RowClass::Same
        )
    };
    // Hard limits are exceeded without any change, and a figure that is no number is not even its
    // own.
    let same = compared(&new, &new);
    assert!(same.rows.iter().all(|row| is_quiet(row.class)));
    let merged = new.to_text();
    let again = side(merged.as_bytes()).expect("it was written so");
    assert_eq!(again.to_text(), merged);
}

fn compared(old: &ResultSide, new: &ResultSide) -> ComparisonReport {
    let options = ComparisonOptions::default();
    compare_sides(Some(old), new, &options, &NothingAgreed)
}

fn side(text: &[u8]) -> Option<ResultSide> {
    let mut reader = RecordReader::with_texts().and_digests();
    let input = RecordInput {
        name: "x".to_owned(),
    };
    reader.read(input, text).ok()?;
    Some(ResultSide::of(reader.finish(), &SideOptions::default()))
}
