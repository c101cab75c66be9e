//! The preface of a digest's file: all facts that a run needs if the digest has not changed.
//!
//! In: the bytes behind the checksum. Out: hashes of the digest's input, and facts that records
//! contain. Most runs of a benchmark count the same as the last one; to inflate and check a digest
//! would take longer than everything else then.

use std::sync::Arc;

use super::numbers::{NumberReader, NumberWriter};
use super::origin;
use crate::digest::Digest;
use crate::{allocations, blocks_of_malloc, AllocationCount, FunctionCosts, RecordedFunctions};

/// Facts about a digest that stand before it, uncompressed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DigestPreface {
    /// Hash of all that the digest was made of. 0: not known.
    pub fingerprint: u64,
    /// Number of the executable that ran, and of its state. 0: not known.
    pub executable: u64,
    /// Own costs of its functions.
    pub functions: Arc<RecordedFunctions>,
    /// Calls of the allocator, where they are known.
    pub allocations: Option<AllocationCount>,
    /// Blocks that come from the C library's allocator, where they are known.
    pub blocks: Option<u64>,
}

/// Bits of the byte of a function.
const INLINED: u8 = 1;
const HAS_CALLS: u8 = 2;

impl DigestPreface {
    /// The preface of a digest.
    #[must_use]
    pub fn of(digest: &Digest) -> Self {
        Self {
            fingerprint: digest.head.fingerprint,
            executable: digest.head.executable,
            functions: RecordedFunctions::new(digest).into(),
            allocations: allocations(digest),
            blocks: blocks_of_malloc(digest),
        }
    }
}

impl NumberWriter {
    pub(super) fn preface(&mut self, preface: &DigestPreface) {
        self.hash(preface.fingerprint);
        self.hash(preface.executable);
        let RecordedFunctions { events, functions } = &*preface.functions;
        self.length(events.len());
        for event in events {
            self.data(event.as_bytes());
        }
        self.length(functions.len());
        for function in functions {
            self.recorded(function);
        }
        let AllocationCount { calls, frees } = preface.allocations.unwrap_or_default();
        for count in [calls, frees, preface.blocks] {
            // 0 is a result, and an absent number is not.
            self.number(u8::from(count.is_some()));
            self.number(count.unwrap_or(0));
        }
    }

    fn recorded(&mut self, function: &FunctionCosts) {
        self.data(function.name.as_bytes());
        self.number(origin::number(function.origin));
        self.numbers(&function.own);
        let calls = function.calls.map_or(0, |_| HAS_CALLS);
        self.number(calls | if function.inlined { INLINED } else { 0 });
        if let Some(calls) = function.calls {
            self.number(calls);
        }
    }
}

impl NumberReader<'_> {
    pub(super) fn preface(&mut self) -> Option<DigestPreface> {
        Some(DigestPreface {
            fingerprint: self.hash()?,
            executable: self.hash()?,
            functions: Arc::new(RecordedFunctions {
                events: self.list(1, Self::name)?,
                functions: self.list(4, Self::recorded)?,
            }),
            allocations: {
                let calls = self.known_count()?;
                let frees = self.known_count()?;
                let is_known = calls.is_some() || frees.is_some();
                is_known.then_some(AllocationCount { calls, frees })
            },
            blocks: self.known_count()?,
        })
    }

    /// A count that may be absent.
    fn known_count(&mut self) -> Option<Option<u64>> {
        let (is_known, count) = (self.byte()?, self.number()?);
        match is_known {
            0 => Some(None),
            1 => Some(Some(count)),
            _ => None,
        }
    }

    fn name(&mut self) -> Option<String> {
        let text = std::str::from_utf8(self.data()?).ok()?;
        Some(text.to_owned())
    }

    fn recorded(&mut self) -> Option<FunctionCosts> {
        let (name, origin) = (self.name()?, origin::of(self.byte()?)?);
        let own = self.numbers()?;
        let flags = self.byte()?;
        let has_calls = flags & HAS_CALLS != 0;
        let calls = has_calls.then(|| self.number());
        // Other bits are damage: a further flag needs a new version of the format.
        (flags <= INLINED | HAS_CALLS).then_some(FunctionCosts {
            name,
            origin,
            own,
            calls: match calls {
                Some(calls) => Some(calls?),
                None => None,
            },
            inlined: flags & INLINED != 0,
        })
    }
}
