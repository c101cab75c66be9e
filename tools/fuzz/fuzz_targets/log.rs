//! The reader of Valgrind's logs.
#![no_main]

use formats::log::{self, LogFlag};
use iai_callgrind_fuzz::{same, Dribble};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
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
});
