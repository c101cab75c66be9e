//! Lines with digests, which explain the results of records wherever these are read.
//!
//! A home keeps a digest beside each result. A file of merged records has the digests as further
//! lines, so that files still become one by `cat`, and readers that do not know these lines skip
//! them. In: the bytes of a digest's file and the records that it explains, or such a line. Out: a
//! line, or a [`RecordedDigest`], whose bytes are decoded when somebody asks for them: a comparison
//! explains few of its rows.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::benchmark::{BenchmarkIdentity, RecordedBenchmark};
use super::interned::SharedValues;

/// The word for these lines among the objects of a file.
pub(super) const DIGEST: &str = "digest";

/// The version of these lines.
pub const DIGEST_VERSION: u32 = 1;

/// The most bytes of a digest in a line. That of a profile of 200 MB has two thirds of it, and its
/// line is shorter than the longest object that is read.
pub const LONGEST_DIGEST: usize = 32 << 20;

/// A line with a digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DigestLine<'a> {
    /// Always `digest`.
    #[serde(rename = "type", borrow)]
    pub kind: Cow<'a, str>,
    /// The version of this format: 1.
    pub version: u32,
    /// The records whose results the digest explains.
    #[serde(borrow)]
    pub of: Vec<DigestOwner<'a>>,
    /// The digest: base64 of the file that a home has beside the result, without the facts before
    /// its content.
    #[serde(borrow)]
    pub data: Cow<'a, str>,
}

/// The record of a benchmark, by the fields that tell it from all others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DigestOwner<'a> {
    /// The label of the record; absent without one.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// The target in `system` of the record; absent if it is not known.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Cow<'a, str>>,
    /// The package of the benchmark.
    #[serde(borrow)]
    pub package: Cow<'a, str>,
    /// The path of the benchmark.
    #[serde(borrow)]
    pub path: Cow<'a, str>,
    /// The start of the benchmark, as its record has it.
    #[serde(borrow)]
    pub started_at: Cow<'a, str>,
}

/// A digest that was read with records.
#[derive(Debug, Clone)]
pub struct RecordedDigest {
    /// The records that it explains: their identities, and the starts of the benchmarks.
    pub of: Vec<(BenchmarkIdentity, String)>,
    /// The digest in base64.
    data: Arc<str>,
    /// The number of the text among those of its set.
    pub read_from: u32,
    /// The number of its line there.
    pub line: u64,
}

/// Reason why there is no digest in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DigestLineError {
    /// The line is no object with the fields of its version.
    #[error("the line is damaged")]
    Damaged,
    /// The line has another version of its format.
    #[error(
        "the line has version {0} of its format, and this runner reads version {DIGEST_VERSION}"
    )]
    Version(u32),
    /// The digest has more bytes than any that is written.
    #[error("the digest is too large: it has more than {LONGEST_DIGEST} bytes")]
    TooLarge,
    /// The text is no base64.
    #[error("the digest is damaged: its text is no base64")]
    NoBase64,
}

impl DigestLine<'_> {
    /// Reads a line of type `digest`.
    pub(super) fn recorded(
        text: &str,
        (read_from, line): (u32, u64),
        shared: &mut SharedValues,
    ) -> Result<RecordedDigest, DigestLineError> {
        /// Everything else may be different in another version.
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let Version { version } =
            serde_json::from_str(text).map_err(|_| DigestLineError::Damaged)?;
        if version != DIGEST_VERSION {
            return Err(DigestLineError::Version(version));
        }
        let found: DigestLine<'_> =
            serde_json::from_str(text).map_err(|_| DigestLineError::Damaged)?;
        let of = found.of.iter().map(|owner| {
            let identity = BenchmarkIdentity {
                label: owner.label.as_deref().map(|label| shared.text(label)),
                target: owner.target.as_deref().map(|target| shared.text(target)),
                package: shared.text(&owner.package),
                path: shared.text(&owner.path),
            };
            (identity, owner.started_at.clone().into_owned())
        });
        Ok(RecordedDigest {
            of: of.collect(),
            data: found.data.as_ref().into(),
            read_from,
            line,
        })
    }
}

impl<'a> DigestOwner<'a> {
    /// The owner of the digest of a record.
    fn of(benchmark: &'a RecordedBenchmark) -> Self {
        let identity = &benchmark.identity;
        Self {
            label: identity.label.as_deref().map(Cow::from),
            target: identity.target.as_deref().map(Cow::from),
            package: Cow::from(&*identity.package),
            path: Cow::from(&*identity.path),
            started_at: Cow::from(&benchmark.started_at),
        }
    }
}

impl RecordedDigest {
    /// The content of the digest's file.
    ///
    /// # Errors
    ///
    /// The text is too long, or no base64.
    pub fn bytes(&self) -> Result<Vec<u8>, DigestLineError> {
        // Before anything is decoded: the text may be a stranger's, of any length.
        if self.data.len() > BASE64.encode_len(LONGEST_DIGEST) {
            return Err(DigestLineError::TooLarge);
        }
        let bytes = BASE64.decode(self.data.as_bytes());
        bytes.map_err(|_| DigestLineError::NoBase64)
    }
}

/// Lines for the digests of records, in the order of the records. Equal digests are one line.
#[must_use]
pub fn digest_lines(digests: &[(&RecordedBenchmark, Vec<u8>)]) -> String {
    let mut known: HashMap<&[u8], usize> = HashMap::new();
    let mut lines: Vec<DigestLine<'_>> = Vec::new();
    for (benchmark, bytes) in digests {
        let owner = DigestOwner::of(benchmark);
        // Several runs of one code have equal digests, and a file may have many of them.
        let number = *known.entry(bytes).or_insert_with(|| lines.len());
        if let Some(line) = lines.get_mut(number) {
            line.of.push(owner);
            continue;
        }
        lines.push(DigestLine {
            kind: DIGEST.into(),
            version: DIGEST_VERSION,
            of: vec![owner],
            data: BASE64.encode(bytes).into(),
        });
    }
    let mut text = String::new();
    for line in &lines {
        // Texts and numbers alone, which JSON can always say.
        text += &serde_json::to_string(line).unwrap_or_default();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::{json, Value};

    use super::*;
    use crate::sample::{benchmark, set};
    use crate::{RecordInput, RecordReader, RecordSet};

    /// The records of benchmarks `a` and `b`, and another run of `a`.
    fn records() -> Vec<RecordedBenchmark> {
        let mut again = benchmark("a", 100);
        again["started_at"] = json!("2026-11-20T11:00:00.000Z");
        let texts = [benchmark("a", 100), benchmark("b", 200), again];
        let texts = texts.map(|text| text.to_string());
        set(&texts.each_ref().map(String::as_str)).benchmarks
    }

    fn read(text: &str) -> RecordSet {
        let mut reader = RecordReader::default().and_digests();
        let name = "x".to_owned();
        reader.read(RecordInput { name }, text.as_bytes()).unwrap();
        reader.finish()
    }

    #[test]
    fn digests_are_read_with_the_records_that_they_explain() {
        let records = records();
        let digests = [
            (&records[0], b"a".to_vec()),
            (&records[1], b"b".to_vec()),
            (&records[2], b"".to_vec()),
        ];
        let lines = digest_lines(&digests);
        assert_eq!(lines.lines().count(), 3);
        // `cat` of several files.
        let set = read(&(lines.clone() + "{\"type\":\"of later\"}\n" + &lines));
        assert_eq!(set.notes, [""; 0]);
        assert_eq!(set.digests.len(), 6);
        for (found, (record, bytes)) in set.digests.iter().zip(digests.iter().chain(&digests)) {
            let owner = (record.identity.clone(), record.started_at.clone());
            assert_eq!(found.of, [owner]);
            assert_eq!(found.bytes().as_ref(), Ok(bytes));
        }
        assert_eq!(set.digests[3].line, 5);
        assert!(set.is_empty());
    }

    #[test]
    fn equal_digests_are_one_line() {
        let records = records();
        let digests = [
            (&records[0], b"same".to_vec()),
            (&records[1], b"other".to_vec()),
            (&records[2], b"same".to_vec()),
        ];
        let set = read(&digest_lines(&digests));
        let owners: Vec<usize> = set.digests.iter().map(|digest| digest.of.len()).collect();
        assert_eq!(owners, [2, 1]);
        assert_eq!(set.digests[0].of[1].1, records[2].started_at);
    }

    /// Readers of before look at the type alone, as others do now that were not asked for digests.
    #[test]
    fn who_does_not_ask_for_digests_skips_them() {
        let records = records();
        let line = digest_lines(&[(&records[0], b"a".to_vec())]);
        for text in [&*line, &line.replace(":1,", ":2,"), &line[..40]] {
            let mut reader = RecordReader::with_texts();
            let name = "x".to_owned();
            reader.read(RecordInput { name }, text.as_bytes()).unwrap();
            let set = reader.finish();
            assert_eq!((set.digests.len(), set.notes), (0, Vec::new()));
        }
    }

    #[test]
    fn a_damaged_line_costs_its_digest_and_is_said() {
        let records = records();
        let line = digest_lines(&[(&records[0], b"a".to_vec())]);
        let fields: Value = serde_json::from_str(&line).unwrap();
        let with = |name: &str, value: Value| {
            let mut fields = fields.clone();
            fields[name] = value;
            fields.to_string()
        };
        for (damaged, reason) in [
            (with("of", json!(3)), "the line is damaged"),
            (with("data", json!(null)), "the line is damaged"),
            (with("version", json!("1")), "the line is damaged"),
            (
                with("version", json!(2)),
                "the line has version 2 of its format, and this runner reads version 1",
            ),
            (line.replace("\"of\"", "oops"), "the line is damaged"),
        ] {
            let set = read(&format!("{}\n{damaged}\n{line}", benchmark("a", 100)));
            let expected =
                format!("`x`: the digest in line 2 is left out, and with it causes: {reason}");
            assert_eq!(set.notes, [expected], "{damaged}");
            assert_eq!((set.digests.len(), set.benchmarks.len()), (1, 1));
        }
        let set = read(&format!(
            "{}\n{}",
            benchmark("a", 100),
            &line[..line.len() / 2]
        ));
        let expected = "`x`: the digest in line 2 is left out, and with it causes: \
            the line is damaged";
        assert_eq!(set.notes, [expected]);
        let mut bytes = line.clone().into_bytes();
        bytes[20] = 0xff;
        let mut reader = RecordReader::default().and_digests();
        let name = "x".to_owned();
        reader.read(RecordInput { name }, &*bytes).unwrap();
        assert_eq!(reader.finish().notes.len(), 1);
    }

    #[test]
    fn damaged_data_is_found_when_it_is_asked_for() {
        let of = |data: String| {
            let line = json!({"type": "digest", "version": 1, "of": [], "data": data});
            read(&line.to_string()).digests[0].bytes()
        };
        assert_eq!(of("aWFp".to_owned()), Ok(b"iai".to_vec()));
        for text in ["aWF", "aWFp\n", "a-_p", "\u{e4}\u{e4}"] {
            assert_eq!(
                of(text.to_owned()),
                Err(DigestLineError::NoBase64),
                "{text}"
            );
        }
        let longest = BASE64.encode_len(LONGEST_DIGEST);
        assert_eq!(of("A".repeat(longest + 4)), Err(DigestLineError::TooLarge));
        // Such a line is still one that can be read.
        assert!(longest + (1 << 20) < crate::objects::LONGEST);
    }
}
