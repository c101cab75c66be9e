//! Facts that the records of a run have in common: the system, the paths, and what a tool was started with.
//!
//! They are a third of each record, and to read them again and again takes longer than all else that is needed of it. So they are
//! read where their text is another one than in the record before.

use std::sync::{Arc, Mutex, PoisonError};

use serde::de::{DeserializeOwned, Error};
use serde_json::value::RawValue;

use super::{Environment, Files, System};

/// The facts of the records that were read last.
#[derive(Debug, Default)]
pub struct KnownFacts {
    pub(super) system: KnownFact<System>,
    pub(super) files: KnownFact<Files>,
    pub(super) environment: KnownFact<Environment>,
}

/// A fact, with the text that says it.
#[derive(Debug)]
pub(super) struct KnownFact<T>(Mutex<Option<(Box<str>, Arc<T>)>>);

impl<T> Default for KnownFact<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: DeserializeOwned> KnownFact<T> {
    /// What this text says, which is the value of this field.
    pub(super) fn read(&self, field: &str, text: &RawValue) -> serde_json::Result<Arc<T>> {
        let text = text.get();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, fact)) = known.as_ref().filter(|(said, _)| **said == *text) {
            return Ok(Arc::clone(fact));
        }
        let inside = |error| serde_json::Error::custom(format_args!("`{field}`: {error}"));
        let fact = Arc::new(serde_json::from_str(text).map_err(inside)?);
        *known = Some((text.into(), Arc::clone(&fact)));
        Ok(fact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_once_and_another_one_anew() {
        let known = KnownFact::<Vec<u8>>::default();
        let read = |text: &str| {
            let raw = RawValue::from_string(text.to_owned()).unwrap();
            known.read("numbers", &raw)
        };
        let first = read("[1]").unwrap();
        assert!(Arc::ptr_eq(&first, &read("[1]").unwrap()));
        assert_eq!(*read("[2]").unwrap(), [2]);
        let error = read("{}").unwrap_err().to_string();
        assert!(error.starts_with("`numbers`: invalid type: map"), "{error}");
        let again = read("[1]").unwrap();
        assert_eq!(again, first);
        assert!(!Arc::ptr_eq(&first, &again));
    }
}
