//! JUnit: bench targets as suites, benchmarks as cases, for the test reports of CI systems.

use std::collections::BTreeMap;
use std::io::{self, Write};

use quick_xml::events::{BytesDecl, BytesText, Event};
use quick_xml::Writer;

use super::super::markdown::on_one_line;
use super::super::visible::{visible, without_colors};
use super::words::{cause_lines, change_words, first_line};
use verdict::sides::{ComparisonReport, ReportRow};
use verdict::RowClass;

/// Attributes of an element.
type Attributes = Vec<(&'static str, String)>;

/// Outcomes of the cases of a suite.
#[derive(Debug, Clone, Copy, Default)]
struct CaseCounts {
    tests: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
    nanoseconds: u64,
}

/// A bench target with its benchmarks in the order of the report.
struct TestSuite<'a> {
    name: String,
    cases: Vec<TestCase<'a>>,
}

/// A benchmark with its rows under all tools.
struct TestCase<'a> {
    class_name: String,
    name: &'a str,
    rows: Vec<&'a ReportRow>,
}

/// Outcome of a case.
enum CaseOutcome {
    Passed,
    Failure(String),
    Error(String),
    Skipped,
}

/// Writes a suite for each bench target. Benchmarks that only the old side has are left out.
pub(super) fn write(report: &ComparisonReport, out: &mut dyn Write) -> io::Result<()> {
    let suites = suites(report);
    let mut all = CaseCounts::default();
    for suite in &suites {
        all.add(counts(suite));
    }
    let errors = report.errors.len() as u64;
    (all.tests, all.errors) = (all.tests + errors, all.errors + errors);
    let mut xml = Writer::new_with_indent(out, b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    element(
        &mut xml,
        "testsuites",
        all.attributes("iai-callgrind"),
        |xml| {
            if !report.errors.is_empty() {
                whole_comparison(xml, &report.errors)?;
            }
            suites.iter().try_for_each(|suite| write_suite(xml, suite))
        },
    )?;
    writeln!(xml.into_inner())
}

/// A suite for errors of the comparison as a whole.
fn whole_comparison<W: Write>(xml: &mut Writer<W>, errors: &[String]) -> io::Result<()> {
    let number = errors.len() as u64;
    let counts = CaseCounts {
        tests: number,
        errors: number,
        ..CaseCounts::default()
    };
    let attributes = suite_attributes(counts, "results");
    element(xml, "testsuite", attributes, |xml| {
        errors.iter().try_for_each(|error| {
            let attributes = vec![
                ("classname", "iai-callgrind".to_owned()),
                ("name", line(first_line(error))),
                ("time", seconds(0)),
            ];
            element(xml, "testcase", attributes, |xml| {
                problem(xml, "error", "results", error)
            })
        })
    })
}

fn write_suite<W: Write>(xml: &mut Writer<W>, suite: &TestSuite<'_>) -> io::Result<()> {
    let attributes = suite_attributes(counts(suite), &suite.name);
    element(xml, "testsuite", attributes, |xml| {
        suite
            .cases
            .iter()
            .try_for_each(|case| write_case(xml, case))
    })
}

fn write_case<W: Write>(xml: &mut Writer<W>, case: &TestCase<'_>) -> io::Result<()> {
    let attributes = vec![
        ("classname", line(&case.class_name)),
        ("name", line(case.name)),
        ("time", seconds(case.nanoseconds())),
    ];
    element(xml, "testcase", attributes, |xml| match case.outcome() {
        CaseOutcome::Passed => Ok(()),
        CaseOutcome::Failure(text) => problem(xml, "failure", "regressed", &text),
        CaseOutcome::Error(text) => problem(xml, "error", "failed", &text),
        CaseOutcome::Skipped => xml
            .create_element("skipped")
            .with_attribute(("message", "not run"))
            .write_empty()
            .map(drop),
    })
}

/// A failure or an error: its first line as the message, and all lines.
fn problem<W: Write>(xml: &mut Writer<W>, name: &str, kind: &str, text: &str) -> io::Result<()> {
    xml.create_element(name)
        .with_attribute(("type", kind))
        .with_attribute(("message", line(first_line(text)).as_str()))
        .write_text_content(BytesText::new(&allowed(&visible(&without_colors(text)))))
        .map(drop)
}

fn element<W: Write>(
    xml: &mut Writer<W>,
    name: &str,
    attributes: Attributes,
    inner: impl FnOnce(&mut Writer<W>) -> io::Result<()>,
) -> io::Result<()> {
    let attributes = attributes
        .iter()
        .map(|(name, value)| (*name, value.as_str()));
    xml.create_element(name)
        .with_attributes(attributes)
        .write_inner_content(inner)
        .map(drop)
}

impl CaseCounts {
    fn add(&mut self, other: Self) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.errors += other.errors;
        self.skipped += other.skipped;
        self.nanoseconds = self.nanoseconds.saturating_add(other.nanoseconds);
    }

    /// Attributes that all elements with several cases share.
    fn attributes(self, name: &str) -> Attributes {
        vec![
            ("name", line(name)),
            ("tests", self.tests.to_string()),
            ("failures", self.failures.to_string()),
            ("errors", self.errors.to_string()),
            ("time", seconds(self.nanoseconds)),
        ]
    }
}

fn suite_attributes(counts: CaseCounts, name: &str) -> Attributes {
    let mut attributes = counts.attributes(name);
    attributes.push(("skipped", counts.skipped.to_string()));
    attributes
}

fn counts(suite: &TestSuite<'_>) -> CaseCounts {
    let mut counts = CaseCounts::default();
    for case in &suite.cases {
        counts.tests += 1;
        counts.nanoseconds = counts.nanoseconds.saturating_add(case.nanoseconds());
        match case.outcome() {
            CaseOutcome::Passed => {}
            CaseOutcome::Failure(_) => counts.failures += 1,
            CaseOutcome::Error(_) => counts.errors += 1,
            CaseOutcome::Skipped => counts.skipped += 1,
        }
    }
    counts
}

fn suites(report: &ComparisonReport) -> Vec<TestSuite<'_>> {
    let mut suites: Vec<TestSuite<'_>> = Vec::new();
    let mut places = BTreeMap::new();
    let rows = report.rows.iter();
    for row in rows.filter(|row| row.class != RowClass::Gone) {
        let parts = [row.label.as_deref(), row.target.as_deref()];
        let suite = [parts.as_slice(), &[Some(&row.package), Some(&row.file)]].concat();
        let (suite_index, cases) = places.entry(suite.clone()).or_insert_with(|| {
            suites.push(TestSuite {
                name: suite.into_iter().flatten().collect::<Vec<_>>().join(" "),
                cases: Vec::new(),
            });
            (suites.len() - 1, BTreeMap::new())
        });
        let known = &mut suites[*suite_index].cases;
        // Rows are sorted by class, so those of one benchmark are apart.
        let case_index = *cases.entry(row.path.as_str()).or_insert(known.len());
        if case_index == known.len() {
            known.push(TestCase {
                class_name: format!("{}.{}", row.package, row.file),
                name: &row.path,
                rows: Vec::new(),
            });
        }
        known[case_index].rows.push(row);
    }
    suites
}

impl TestCase<'_> {
    fn nanoseconds(&self) -> u64 {
        // Each row has the time of its tool: a sum would count it once for each metric.
        let durations = self.rows.iter().filter_map(|row| row.duration_ns);
        durations.max().unwrap_or(0)
    }

    fn outcome(&self) -> CaseOutcome {
        let of_class = |class| {
            let rows = self.rows.iter().filter(|row| row.class == class);
            let words = rows.map(|row| {
                let causes = cause_lines(row).into_iter();
                let causes = causes.map(|cause| format!("\n  {cause}"));
                change_words(row) + &causes.collect::<String>()
            });
            words.collect::<Vec<_>>().join("\n")
        };
        let has = |class| self.rows.iter().any(|row| row.class == class);
        // A failure goes before a regression, as for the exit code.
        match () {
            () if has(RowClass::Failed) => CaseOutcome::Error(of_class(RowClass::Failed)),
            () if has(RowClass::Regressed) => CaseOutcome::Failure(of_class(RowClass::Regressed)),
            () if self.rows.iter().all(|row| row.class == RowClass::NotRun) => CaseOutcome::Skipped,
            () => CaseOutcome::Passed,
        }
    }
}

/// A text of an attribute.
fn line(text: &str) -> String {
    allowed(&on_one_line(text))
}

/// XML 1.0 has no place for these, not even as references. Controls are shown as escapes already.
fn allowed(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// `0.013`: readers take three decimals at most.
fn seconds(nanoseconds: u64) -> String {
    format!("{:.3}", nanoseconds as f64 / 1e9)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use quick_xml::events::BytesStart;
    use quick_xml::Reader;

    use super::*;
    use verdict::sides::sample::{self, HOSTILE};

    fn written(report: &ComparisonReport) -> String {
        let mut out = Vec::new();
        write(report, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// All elements with an attribute, and whether there is such a one.
    fn attributes(xml: &str, element: &str, attribute: &str) -> Vec<Option<String>> {
        let mut reader = Reader::from_str(xml);
        reader.config_mut().enable_all_checks(true);
        let decoder = reader.decoder();
        let mut found = Vec::new();
        let mut take = |start: &BytesStart<'_>| {
            if start.name().as_ref() == element.as_bytes() {
                let value = start.try_get_attribute(attribute).unwrap();
                found.push(value.map(|value| {
                    value
                        .decoded_and_normalized_value(quick_xml::XmlVersion::default(), decoder)
                        .unwrap()
                        .into_owned()
                }));
            }
        };
        loop {
            match reader.read_event().unwrap() {
                Event::Start(start) => take(&start),
                Event::Empty(start) => take(&start),
                Event::Eof => return found,
                _ => {}
            }
        }
    }

    fn values(xml: &str, element: &str, attribute: &str) -> Vec<String> {
        attributes(xml, element, attribute)
            .into_iter()
            .flatten()
            .collect()
    }

    #[test]
    fn benchmarks_are_cases_of_their_bench_target() {
        let xml = written(&sample::report());
        assert_eq!(
            values(&xml, "testsuite", "name"),
            ["x86_64-unknown-linux-gnu exp1 app"]
        );
        let counts = ["tests", "failures", "errors", "skipped"];
        let counts = counts.map(|name| values(&xml, "testsuite", name).concat());
        assert_eq!(counts, ["13", "2", "1", "1"]);
        let cases = values(&xml, "testcase", "name");
        assert_eq!(cases.len(), 13);
        assert_eq!(cases[2], "app::g::json_write::n_0");
        assert!(
            !cases.contains(&"app::g::lower::n_0".to_owned()),
            "it is gone"
        );
        assert_eq!(values(&xml, "testcase", "time")[0], "0.013");
        assert_eq!(
            values(&xml, "failure", "message")[1],
            "Instructions 15,005 -> 16,387 (+9.21%), own code 12,000 -> 13,762 (+14.7%, limit +5%)"
        );
        assert!(
            xml.contains("\nTotal bytes 0 -&gt; 4,096 (limit 1,024)<"),
            "{xml}"
        );
        assert_eq!(
            values(&xml, "error", "message"),
            ["ended with signal 11 (SIGSEGV)"]
        );
    }

    #[test]
    fn hostile_texts_stay_texts() {
        let xml = written(&sample::hostile());
        let expected = on_one_line(HOSTILE).replace('\u{fffe}', "\u{fffd}");
        let names = values(&xml, "testcase", "name");
        assert_eq!(names.len(), 14);
        assert!(
            names[1..].iter().all(|name| name.ends_with(&expected)),
            "{names:?}"
        );
        // That of the comparison, and that of a benchmark.
        assert_eq!(values(&xml, "error", "message").len(), 2);
    }

    /// The schema has what Jenkins and GitLab read.
    #[test]
    #[allow(
        clippy::disallowed_methods,
        reason = "a second program says whether it is right"
    )]
    fn all_match_the_schema() {
        let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/src/comparison/junit.xsd");
        for report in [
            sample::report(),
            sample::hostile(),
            sample::many(RowClass::New, 0),
        ] {
            let xml = written(&report);
            let check = Command::new("xmllint")
                .args(["--noout", "--schema", schema, "-"])
                .stdin(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn();
            let Ok(mut check) = check else {
                eprintln!("skipped: there is no `xmllint`, which is in the package libxml2-utils");
                return;
            };
            let mut stdin = check.stdin.take().unwrap();
            stdin.write_all(xml.as_bytes()).unwrap();
            drop(stdin);
            let output = check.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{said}\n{xml}");
        }
    }
}
