//! The reader of Valgrind's logs.

use crate::{same, Dribble};
use formats::log::{self, LogFlag};

pub(crate) fn check(bytes: &[u8]) {
    let result = log::read(bytes);
    same(&result, &log::read(Dribble(bytes)));
    let Ok(Some(log)) = result else { return };
    assert!(log.pid.is_some() || !log.fatal.is_empty());
    assert_eq!(
        log.command.is_none(),
        log.flags.contains(&LogFlag::NoCommand)
    );
    assert!(log.collected.is_empty() || log.collected.len() == log.events.len());
    // The kept texts of errors have bounds: no generic function's name fills the screen.
    assert!(log.records.lines.len() <= 40);
    assert!(log
        .records
        .lines
        .iter()
        .all(|line| line.chars().count() <= 241));
    assert!(log.heap.leaks.len() <= 5);
    if let Some(errors) = log.errors {
        let text = String::from_utf8_lossy(bytes);
        let numbers = [
            errors.errors,
            errors.contexts,
            errors.suppressed,
            errors.suppressed_contexts,
        ];
        // The figures stand there; none was made up.
        for number in numbers {
            assert!(
                text.contains(&number.to_string()) || text.contains("00"),
                "{number}"
            );
        }
    }
}
