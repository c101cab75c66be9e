//! The input of a run beside its job: the kept results of the benchmark, and the code that ran.

use std::path::PathBuf;

use crate::plan::PlannedTime;
use crate::settings::Baseline;
use base::tool::{Tool, ToolFile};
use records::layout::{BenchmarkEntry, Slot};
use records::summary::RunContext;
use records::{KeptRecord, KeptRecords};
use store::TimeBase;
use symbols::Symbolizer;

/// The kept results of a benchmark, and which of them a run reads and writes.
pub(crate) struct BenchmarkSlots<'a> {
    pub(crate) baseline: &'a Baseline,
    pub(crate) entry: BenchmarkEntry,
    /// The records beside them.
    pub(crate) records: KeptRecords,
    /// The wall time that is to be measured.
    pub(crate) time: Option<&'a PlannedTime>,
    /// The executables that times are compared with, unless it is the one of the old result.
    pub(crate) time_base: Option<&'a TimeBase>,
}

/// Access to the code that ran: for explanations, and to decide whether it is the same code.
#[derive(Clone, Copy)]
pub(crate) struct Code<'a> {
    pub(crate) context: &'a RunContext,
    pub(crate) symbolizer: &'a Symbolizer,
}

impl BenchmarkSlots<'_> {
    /// The record of a tool's result in a slot. An unreadable one counts as missing.
    pub(super) fn record(&self, slot: &Slot, tool: Tool) -> Option<KeptRecord> {
        self.records.of_tool(&self.entry, slot, tool).ok().flatten()
    }

    /// The files with the digest of Callgrind's result in a slot.
    pub(super) fn digests(&self, slot: &Slot) -> Vec<PathBuf> {
        self.entry.files(slot, Tool::Callgrind, ToolFile::Digest)
    }
}
