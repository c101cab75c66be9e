//! Facts that the records of a run have in common: the system, the paths, and what a tool was started with.
//!
//! They are a third of each record, and to read them again and again takes longer than all else that is needed of it. So they are
//! read where their text is another one than in the record before.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::de::{DeserializeOwned, Error};
use serde_json::value::RawValue;

use super::{Environment, Files, Mode, System};
use crate::compare::Circumstances;

/// The facts of the records that were read last, and of those that are written.
#[derive(Debug, Default)]
pub struct KnownFacts {
    pub(super) system: KnownFact<System>,
    pub(super) files: KnownFact<Files>,
    pub(super) environment: KnownFact<Environment>,
    new_environment: Mutex<Arc<Environment>>,
    /// Those of the last results on both sides, with what they follow from.
    circumstances: Mutex<Vec<(MadeWith, Arc<Circumstances>)>>,
}

/// Facts of a result under a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MadeWith {
    pub(crate) system: Arc<System>,
    pub(crate) files: Arc<Files>,
    pub(crate) environment: Arc<Environment>,
    pub(crate) mode: Mode,
}

/// Most circumstances that are remembered: of old and new results under a few tools.
const MOST: usize = 8;

impl KnownFacts {
    /// The facts of a new result, which share their place with those of the last one if they are the same.
    pub(crate) fn shared(&self, environment: Environment) -> Arc<Environment> {
        let mut last = lock(&self.new_environment);
        if **last != environment {
            *last = Arc::new(environment);
        }
        Arc::clone(&last)
    }

    /// The circumstances that follow from these facts.
    pub(crate) fn circumstances(&self, made: &MadeWith) -> Arc<Circumstances> {
        let mut known = lock(&self.circumstances);
        if let Some((_, known)) = known.iter().find(|(other, _)| other == made) {
            return Arc::clone(known);
        }
        let MadeWith {
            system,
            files,
            environment,
            mode,
        } = made;
        let new = Arc::new(Circumstances::of(system, files, environment, *mode));
        known.truncate(MOST - 1);
        known.insert(0, (made.clone(), Arc::clone(&new)));
        new
    }
}

fn lock<T>(known: &Mutex<T>) -> MutexGuard<'_, T> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
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
        let mut known = lock(&self.0);
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

    #[test]
    fn circumstances_are_those_of_their_facts() {
        let known = KnownFacts::default();
        let environment = |version: &str| Environment {
            valgrind_version: Some(version.to_owned()),
            ..Environment::default()
        };
        let made = |version: &str, cpu: &str, mode| MadeWith {
            system: Arc::new(System {
                cpu: Some(cpu.to_owned()),
                ..System::default()
            }),
            files: Arc::default(),
            environment: known.shared(environment(version)),
            mode,
        };
        assert!(Arc::ptr_eq(
            &known.shared(environment("3")),
            &known.shared(environment("3"))
        ));
        let (fork, direct) = (Mode::Fork, Mode::Direct);
        let all = [
            ("3", "x", fork),
            ("3", "x", direct),
            ("3", "y", fork),
            ("4", "x", fork),
        ];
        let numbered = (5..20).map(|number| (number.to_string(), "x".to_owned(), fork));
        let all = all.map(|(version, cpu, mode)| (version.to_owned(), cpu.to_owned(), mode));
        for (version, cpu, mode) in numbered.chain(all.clone()).chain(all) {
            let made = made(&version, &cpu, mode);
            let found = known.circumstances(&made);
            let expected = Circumstances::of(&made.system, &made.files, &made.environment, mode);
            assert_eq!(*found, expected);
            assert!(Arc::ptr_eq(&found, &known.circumstances(&made)));
        }
        assert_eq!(known.circumstances.lock().unwrap().len(), MOST);
    }
}
