//! The short way to the totals agrees with the complete reader, for small files and for long ones.
//!
//! A zero byte in the input stands for a body that is too long for the short way's head and tail.

use std::io::Cursor;
use std::sync::LazyLock;

use crate::same;
use formats::callgrind::{self, CallgrindFlag};

/// Lines of nothing.
static BODY: LazyLock<Vec<u8>> = LazyLock::new(|| {
    format!("\n#{}\n+0 0 0\n", "-".repeat(900))
        .repeat(150)
        .into_bytes()
});

pub(crate) fn check(bytes: &[u8]) {
    let short = callgrind::read_totals(&mut Cursor::new(bytes));
    same(&callgrind::read(bytes), &short);

    let Some(place) = bytes.iter().position(|byte| *byte == 0) else {
        return;
    };
    let long = [&bytes[..place], BODY.as_slice(), &bytes[place + 1..]].concat();
    let Ok(Some(short)) = callgrind::read_totals(&mut Cursor::new(&long)) else {
        return;
    };
    let Ok(Some(whole)) = callgrind::read(long.as_slice()) else {
        return; // damage in the middle, which only the complete reader can see
    };
    // Several parts in a file are not for the short way, which the runner never asks for.
    let [part] = whole.parts.as_slice() else {
        return;
    };
    assert_eq!(short.parts.len(), 1);
    assert_eq!(short.parts[0].events, part.events);
    assert_eq!(short.parts[0].pid, part.pid);
    assert_eq!(short.parts[0].totals, part.totals, "{:?}", part.flags);
    assert_eq!(
        short.has(CallgrindFlag::Incomplete),
        whole.has(CallgrindFlag::Incomplete)
    );
}
