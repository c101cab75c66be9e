//! Does JSON match its schema, and do our own types read it?

use std::sync::OnceLock;

use iai_callgrind_runner::summary::{self, Record};
use jsonschema::Validator;
use serde_json::Value;

/// Checks every object of a text and returns them.
#[track_caller]
pub(crate) fn check(text: &str) -> Vec<Record> {
    static SCHEMA: OnceLock<Validator> = OnceLock::new();
    let schema = SCHEMA.get_or_init(|| {
        let schema = include_str!("../../../../schemas/summary.v1.schema.json");
        jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap()
    });
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        let value = value.unwrap();
        let errors: Vec<String> = schema
            .iter_errors(&value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{errors:#?}\n{value:#}");
    }
    let records: Result<Vec<Record>, _> = summary::read(text).collect();
    records.unwrap()
}
