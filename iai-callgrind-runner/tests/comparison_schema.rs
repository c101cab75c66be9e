//! The JSON schema of comparisons: what the types say.

/// `UPDATE_SCHEMAS=1 cargo test -p iai-callgrind-runner --features schema` rewrites the file.
#[cfg(feature = "schema")]
#[expect(
    clippy::disallowed_methods,
    reason = "a switch for whoever changes the format"
)]
#[test]
fn schema_is_up_to_date() {
    use iai_callgrind_runner::comparison::ComparisonReport;

    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../schemas/comparison.v1.schema.json"
    );
    let schema = schemars::schema_for!(ComparisonReport);
    let generated = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::write(path, &generated).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap();
    assert!(kept == generated, "run this test with UPDATE_SCHEMAS=1");
}
