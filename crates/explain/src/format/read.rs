//! Bytes to model.

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::numbers::NumberReader;
use twox_hash::XxHash3_64;

use super::{origin, DigestError, DigestPreface, MAGIC, VERSION};
use crate::digest::{
    BodyCode, BodyConstant, BodyId, CostTable, DebugExtent, Digest, DigestBody, DigestCall,
    DigestFile, DigestFunction, DigestHead, DigestNode, DigestObject, DigestRoot, DigestRow,
    FileId, FunctionId, NodeFrame, NodeId, ObjectId, SourceText, StringId,
};

/// Bytes that the content of any digest may have, and how much more for each compressed byte. Those
/// of real profiles are 3 to 8 times as long.
const CONTENT: (usize, usize) = (3 << 20, 32);

/// Memory that the model of any digest may take, and how much more for each byte of its content.
/// That of real profiles takes about 4 times as much.
const MODEL: (usize, usize) = (8 << 20, 7);

/// Reads a digest. One that is returned was checked.
///
/// # Errors
///
/// The bytes are no digest, that of another version, or damaged.
pub fn read(file: &[u8]) -> Result<Digest, DigestError> {
    read_checked(checked(file)?)
}

/// Reads the preface of a digest. The digest behind it has the bytes that were written, but was not
/// read.
///
/// # Errors
///
/// The same errors as [`read`].
pub fn read_preface(file: &[u8]) -> Result<DigestPreface, DigestError> {
    Ok(split(checked(file)?)?.0)
}

/// Bytes at the begin of the file of a digest that tell its executable.
pub const BEGIN: usize = MAGIC.len() + 1 + 3 * size_of::<u64>();

/// Number of the executable, from the begin of a file without looking at its checksum.
pub fn executable(begin: &[u8; BEGIN]) -> Option<u64> {
    let (version, rest) = begin.strip_prefix(MAGIC)?.split_first()?;
    // Without the checksum: the number only decides whether an executable is opened early.
    let number = rest.last_chunk().filter(|_| *version == VERSION)?;
    Some(u64::from_le_bytes(*number)).filter(|number| *number != 0)
}

/// Reads the bytes behind the checksum of a digest's file.
///
/// # Errors
///
/// The bytes are damaged.
pub fn read_checked(bytes: &[u8]) -> Result<Digest, DigestError> {
    let (preface, compressed) = split(bytes)?;
    let content = decompress_to_vec_zlib_with_limit(compressed, limit(CONTENT, compressed.len()))
        .map_err(|_| DigestError::Compression)?;
    let mut digest = read_content(&content)?;
    digest.head.fingerprint = preface.fingerprint;
    digest.head.executable = preface.executable;
    Ok(digest)
}

/// The bytes behind the checksum, if they have it.
pub(super) fn checked(file: &[u8]) -> Result<&[u8], DigestError> {
    let (version, rest) = file
        .strip_prefix(MAGIC)
        .and_then(<[u8]>::split_first)
        .ok_or(DigestError::NoDigest)?;
    if *version != VERSION {
        return Err(DigestError::OtherVersion(*version));
    }
    let (sum, bytes) = rest.split_first_chunk().ok_or(DigestError::Compression)?;
    match u64::from_le_bytes(*sum) == XxHash3_64::oneshot(bytes) {
        true => Ok(bytes),
        false => Err(DigestError::Compression),
    }
}

/// Splits the bytes into the preface and the compressed content behind it.
pub(super) fn split(bytes: &[u8]) -> Result<(DigestPreface, &[u8]), DigestError> {
    let mut reader = NumberReader {
        bytes,
        memory: limit(MODEL, bytes.len()),
    };
    let preface = reader.preface().ok_or(DigestError::Section("preface"))?;
    Ok((preface, reader.bytes))
}

/// Reads the decompressed content of a digest's file.
///
/// # Errors
///
/// The bytes are damaged.
pub fn read_content(content: &[u8]) -> Result<Digest, DigestError> {
    let mut reader = NumberReader {
        bytes: content,
        memory: limit(MODEL, content.len()),
    };
    let digest = reader.digest()?;
    digest.check()?;
    Ok(digest)
}

fn limit((any, each): (usize, usize), length: usize) -> usize {
    any.saturating_add(each.saturating_mul(length))
}

impl NumberReader<'_> {
    fn digest(&mut self) -> Result<Digest, DigestError> {
        let section = DigestError::Section;
        let mut digest = Digest {
            head: self.head().ok_or(section("head"))?,
            // The number is the least length of an item: a byte for each field, and eight for a
            // hash.
            strings: self.list(1, Self::text).ok_or(section("strings"))?,
            objects: self.list(4, Self::object).ok_or(section("objects"))?,
            files: self.list(3, Self::file).ok_or(section("files"))?,
            functions: self.list(4, Self::function).ok_or(section("functions"))?,
            bodies: self.list(12, Self::body).ok_or(section("bodies"))?,
            nodes: self.list(4, Self::node).ok_or(section("nodes"))?,
            ..Digest::default()
        };
        self.rows(&mut digest).ok_or(section("rows"))?;
        self.calls(&mut digest).ok_or(section("calls"))?;
        digest.texts = self.list(3, Self::source).ok_or(section("texts"))?;
        digest.code = self.list(5, Self::code).ok_or(section("code"))?;
        self.hashes(&mut digest.bodies).ok_or(section("hashes"))?;
        digest.constants = self.list(10, Self::constant).ok_or(section("constants"))?;
        digest.merged = self
            .list(2, |reader| {
                Some((BodyId(reader.small()?), StringId(reader.small()?)))
            })
            .ok_or(section("merged"))?;
        match self.bytes {
            [] => Ok(digest),
            _ => Err(section("merged")),
        }
    }

    /// The further hashes of all bodies.
    fn hashes(&mut self, bodies: &mut [DigestBody]) -> Option<()> {
        let hashes = self.list(16, |reader| Some([reader.hash()?, reader.hash()?]))?;
        for (body, [shape, instances]) in bodies.iter_mut().zip(&hashes) {
            body.shape = *shape;
            body.instances = *instances;
        }
        (hashes.len() == bodies.len()).then_some(())
    }

    fn constant(&mut self) -> Option<BodyConstant> {
        Some(BodyConstant {
            body: BodyId(self.small()?),
            offset: self.small()?,
            hash: self.hash()?,
        })
    }

    fn head(&mut self) -> Option<DigestHead> {
        let mut head = DigestHead {
            events: self.list(1, |reader| reader.small().map(StringId))?,
            totals: self.numbers()?,
            root: match self.byte()? {
                0 => DigestRoot::EntryPoint,
                1 => DigestRoot::Regions,
                _ => return None,
            },
            roots: self.list(1, |reader| reader.small().map(BodyId))?,
            producer: self.optional()?.map(StringId),
            target: self.optional()?.map(StringId),
            ..DigestHead::default()
        };
        let flags = self.byte()?;
        head.by_instruction = flags & 1 != 0;
        head.true_calls = flags & 2 != 0;
        head.newer_sources = flags & 4 != 0;
        head.is_malloc = flags & 8 != 0;
        (flags < 16).then_some(head)
    }

    fn text(&mut self) -> Option<Box<str>> {
        let text = std::str::from_utf8(self.data()?).ok()?;
        Some(text.into())
    }

    fn object(&mut self) -> Option<DigestObject> {
        Some(DigestObject {
            name: StringId(self.small()?),
            is_own: match self.byte()? {
                0 => false,
                1 => true,
                _ => return None,
            },
            build_id: self.data()?.into(),
            debug: match self.byte()? {
                0 => DebugExtent::None,
                1 => DebugExtent::Names,
                2 => DebugExtent::Lines,
                3 => DebugExtent::Full,
                _ => return None,
            },
        })
    }

    fn file(&mut self) -> Option<DigestFile> {
        Some(DigestFile {
            path: StringId(self.small()?),
            origin: origin::of(self.byte()?)?,
            package: self.optional()?.map(StringId),
        })
    }

    fn function(&mut self) -> Option<DigestFunction> {
        Some(DigestFunction {
            name: StringId(self.small()?),
            instance: self.optional()?.map(StringId),
            file: self.optional()?.map(FileId),
            line: match self.optional()? {
                Some(line) => line.checked_add(1)?,
                None => 0,
            },
        })
    }

    fn body(&mut self) -> Option<DigestBody> {
        Some(DigestBody {
            function: FunctionId(self.small()?),
            object: ObjectId(self.small()?),
            bytes: self.small()?,
            code_hash: self.hash()?,
            shape: 0,
            instances: 0,
            entries: self.number()?,
        })
    }

    fn node(&mut self) -> Option<DigestNode> {
        let parent = self.optional()?;
        let index = self.small()?;
        Some(DigestNode {
            frame: match parent {
                None => NodeFrame::Body(BodyId(index)),
                Some(parent) => NodeFrame::Inlined {
                    parent: NodeId(parent),
                    function: FunctionId(index),
                },
            },
            call_file: self.optional()?.map(FileId),
            call_line: self.small()?,
        })
    }

    fn rows(&mut self, digest: &mut Digest) -> Option<()> {
        let mut place = [0_i64; 3];
        let Digest {
            rows, row_costs, ..
        } = digest;
        // Each place is written as the difference to the one before.
        *rows = self.list(4, |reader| {
            for part in &mut place {
                *part = part.checked_add(reader.signed()?)?;
            }
            let row = DigestRow {
                node: NodeId(u32::try_from(place[0]).ok()?),
                // Files are written plus one, and 0 is none.
                file: match place[1].checked_sub(1)? {
                    -1 => None,
                    file => Some(FileId(u32::try_from(file).ok()?)),
                },
                line: u32::try_from(place[2]).ok()?,
            };
            reader.cost_list(row_costs)?;
            Some(row)
        })?;
        Some(())
    }

    fn calls(&mut self, digest: &mut Digest) -> Option<()> {
        let Digest {
            calls, call_costs, ..
        } = digest;
        *calls = self.list(5, |reader| {
            let call = DigestCall {
                node: NodeId(reader.small()?),
                line: reader.small()?,
                callee: BodyId(reader.small()?),
                count: reader.number()?,
            };
            reader.cost_list(call_costs)?;
            Some(call)
        })?;
        Some(())
    }

    /// Adds a list of costs; that of a real profile ends with a cost.
    fn cost_list(&mut self, table: &mut CostTable) -> Option<()> {
        self.take(size_of::<u32>())?;
        let costs = self.numbers()?;
        table.push(&costs);
        // `CostTable::push` cuts zeros at the end, so no list that was written ends with one.
        (costs.last() != Some(&0)).then_some(())
    }

    fn source(&mut self) -> Option<SourceText> {
        Some(SourceText {
            file: FileId(self.small()?),
            line: self.small()?,
            text: StringId(self.small()?),
        })
    }

    fn code(&mut self) -> Option<BodyCode> {
        let mut line = 0_i64;
        Some(BodyCode {
            body: BodyId(self.small()?),
            bytes: self.data()?.into(),
            executions: self.numbers()?,
            lines: self.list(1, |reader| {
                line = line.checked_add(reader.signed()?)?;
                u32::try_from(line).ok()
            })?,
            targets: self.list(2, |reader| {
                Some((reader.small()?, StringId(reader.small()?)))
            })?,
        })
    }
}
