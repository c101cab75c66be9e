//! Model to bytes.

use super::numbers::NumberWriter;
use twox_hash::XxHash3_64;

use super::read::{checked, split};
use super::{origin, DigestError, DigestPreface, MAGIC, VERSION};
use crate::digest::{BodyCode, Digest, DigestHead, DigestRoot, NodeFrame};

/// Level of the compression: higher ones take four times as long for 15 % less.
const LEVEL: u8 = 1;

/// Writes a digest, which has to be a checked one.
#[must_use]
pub fn write(digest: &Digest) -> Vec<u8> {
    write_with(&DigestPreface::of(digest), digest)
}

/// Writes a digest and its preface.
#[must_use]
pub fn write_with(preface: &DigestPreface, digest: &Digest) -> Vec<u8> {
    let mut checked = NumberWriter::default();
    checked.preface(preface);
    let mut writer = NumberWriter::default();
    writer.head(&digest.head);
    writer.names(digest);
    writer.stacks(digest);
    writer.costs(digest);
    writer.sources(digest);
    writer.hashes(digest);
    let compressed = miniz_oxide::deflate::compress_to_vec_zlib(&writer.bytes, LEVEL);
    // Memory for large profiles is bounded: the content is given back before the result is copied.
    drop(writer);
    checked.bytes.extend(compressed);
    sealed(&checked.bytes)
}

/// The same digest with an empty preface: without the facts that its content has as well, and
/// without those that name the run and the state of the executable. So digests that explain the
/// same have the same bytes, and are up to a third shorter. The content is not looked at.
///
/// # Errors
///
/// The bytes are no digest, that of another version, or damaged.
pub fn without_preface(file: &[u8]) -> Result<Vec<u8>, DigestError> {
    let (_, compressed) = split(checked(file)?)?;
    let mut writer = NumberWriter::default();
    writer.preface(&DigestPreface::default());
    writer.bytes.extend(compressed);
    Ok(sealed(&writer.bytes))
}

/// The file of a preface and compressed content.
pub(super) fn sealed(checked: &[u8]) -> Vec<u8> {
    let sum = XxHash3_64::oneshot(checked).to_le_bytes();
    [MAGIC, &[VERSION], &sum, checked].concat()
}

impl NumberWriter {
    fn head(&mut self, head: &DigestHead) {
        self.length(head.events.len());
        for event in &head.events {
            self.number(event.0);
        }
        self.numbers(&head.totals);
        self.number(match head.root {
            DigestRoot::EntryPoint => 0_u8,
            DigestRoot::Regions => 1,
        });
        self.length(head.roots.len());
        for root in &head.roots {
            self.number(root.0);
        }
        self.optional(head.producer.map(|text| text.0));
        self.optional(head.target.map(|text| text.0));
        let flags = [
            head.by_instruction,
            head.true_calls,
            head.newer_sources,
            head.is_malloc,
        ];
        let flags = flags.iter().enumerate();
        self.number(flags.fold(0_u8, |sum, (bit, flag)| sum | u8::from(*flag) << bit));
    }

    fn names(&mut self, digest: &Digest) {
        self.length(digest.strings.len());
        for text in &digest.strings {
            self.data(text.as_bytes());
        }
        self.length(digest.objects.len());
        for object in &digest.objects {
            self.number(object.name.0);
            self.number(u8::from(object.is_own));
            self.data(&object.build_id);
            self.number(object.debug as u8);
        }
        self.length(digest.files.len());
        for file in &digest.files {
            self.number(file.path.0);
            self.number(origin::number(file.origin));
            self.optional(file.package.map(|text| text.0));
        }
    }

    fn stacks(&mut self, digest: &Digest) {
        self.length(digest.functions.len());
        for function in &digest.functions {
            self.number(function.name.0);
            self.optional(function.instance.map(|text| text.0));
            self.optional(function.file.map(|file| file.0));
            self.optional(function.line.checked_sub(1));
        }
        self.length(digest.bodies.len());
        for body in &digest.bodies {
            self.number(body.function.0);
            self.number(body.object.0);
            self.number(body.bytes);
            self.hash(body.code_hash);
            self.number(body.entries);
        }
        self.length(digest.nodes.len());
        for node in &digest.nodes {
            let (parent, index) = match node.frame {
                NodeFrame::Body(body) => (None, body.0),
                NodeFrame::Inlined { parent, function } => (Some(parent.0), function.0),
            };
            self.optional(parent);
            self.number(index);
            self.optional(node.call_file.map(|file| file.0));
            self.number(node.call_line);
        }
    }

    fn costs(&mut self, digest: &Digest) {
        self.length(digest.rows.len());
        let mut before = [0; 3];
        for (row, costs) in digest.rows.iter().zip(digest.row_costs.rows()) {
            let file = row.file.map_or(0, |file| i64::from(file.0) + 1);
            let place = [i64::from(row.node.0), file, i64::from(row.line)];
            // Rows are ascending, so most differences fit into a byte.
            for (now, before) in place.iter().zip(before) {
                self.signed(now - before);
            }
            before = place;
            self.numbers(costs);
        }
        self.length(digest.calls.len());
        for (call, costs) in digest.calls.iter().zip(digest.call_costs.rows()) {
            self.number(call.node.0);
            self.number(call.line);
            self.number(call.callee.0);
            self.number(call.count);
            self.numbers(costs);
        }
    }

    fn sources(&mut self, digest: &Digest) {
        self.length(digest.texts.len());
        for text in &digest.texts {
            self.number(text.file.0);
            self.number(text.line);
            self.number(text.text.0);
        }
        self.length(digest.code.len());
        for code in &digest.code {
            self.code(code);
        }
    }

    fn hashes(&mut self, digest: &Digest) {
        self.length(digest.bodies.len());
        for body in &digest.bodies {
            self.hash(body.shape);
            self.hash(body.instances);
        }
        self.length(digest.constants.len());
        for constant in &digest.constants {
            self.number(constant.body.0);
            self.number(constant.offset);
            self.hash(constant.hash);
        }
        self.length(digest.merged.len());
        for (body, name) in &digest.merged {
            self.number(body.0);
            self.number(name.0);
        }
    }

    fn code(&mut self, code: &BodyCode) {
        self.number(code.body.0);
        self.data(&code.bytes);
        self.numbers(&code.executions);
        self.length(code.lines.len());
        let mut before = 0;
        // Neighbouring instructions have neighbouring lines, so most differences fit into a byte.
        for line in &code.lines {
            self.signed(i64::from(*line) - before);
            before = i64::from(*line);
        }
        self.length(code.targets.len());
        for (offset, name) in &code.targets {
            self.number(*offset);
            self.number(name.0);
        }
    }
}
