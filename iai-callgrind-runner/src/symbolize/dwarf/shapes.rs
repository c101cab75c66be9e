//! How long the entries of a unit are, by their abbreviations.
//!
//! Units have tens of thousands of entries, of which addresses need a few. Most abbreviations have attributes of fixed length, so
//! that an entry is passed over by one addition.

use gimli::constants::{self, DwForm};
use gimli::{Abbreviation, Unit};

use super::cursor::ByteCursor;
use super::DebugSlice;

/// Codes of abbreviations up to which shapes are kept. Compilers count from 1; a few hundred are many.
const MOST: usize = 1 << 16;

/// The kinds of entries that tell what an address belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    /// A function that says where its code is.
    Compiled,
    /// A function without code, such as one that is inlined everywhere.
    Abstract,
    /// Code of a function that was put into another one.
    Inlined,
    /// Anything else.
    Other,
}

/// What all entries with the same abbreviation have in common.
#[derive(Debug)]
pub(super) struct EntryShape {
    pub(super) kind: EntryKind,
    pub(super) has_children: bool,
    /// Bytes of the attributes up to the first one of variable length.
    length: usize,
    /// That one and all behind it.
    rest: Box<[SkipStep]>,
}

/// An attribute of variable length, and those of fixed length behind it.
#[derive(Debug, Clone, Copy)]
struct SkipStep {
    form: VariableForm,
    /// Bytes up to the next one.
    behind: usize,
}

/// Forms of attributes whose length stands in themselves.
#[derive(Debug, Clone, Copy)]
enum VariableForm {
    /// A number of variable length.
    Number,
    /// A text that ends with a zero.
    Text,
    /// Bytes behind their number, which has a fixed length.
    Counted(usize),
    /// Bytes behind their number, which has a variable length.
    Block,
}

/// The shapes of a unit, each made at its first use.
#[derive(Debug, Default)]
pub(super) struct EntryShapes(Vec<Option<EntryShape>>);

impl EntryShapes {
    /// The shape of entries with this code. `None`: the unit is damaged, or has forms of attributes that nobody knows.
    #[inline]
    pub(super) fn of(&mut self, code: u64, unit: &Unit<DebugSlice>) -> Option<&EntryShape> {
        let index = usize::try_from(code).ok().filter(|code| *code < MOST)?;
        if !matches!(self.0.get(index), Some(Some(_))) {
            self.add(index, unit)?;
        }
        self.0[index].as_ref()
    }

    #[cold]
    fn add(&mut self, index: usize, unit: &Unit<DebugSlice>) -> Option<()> {
        let shape = EntryShape::new(unit.abbreviations.get(index as u64)?, unit)?;
        if self.0.len() <= index {
            self.0.resize_with(index + 1, || None);
        }
        self.0[index] = Some(shape);
        Some(())
    }
}

impl EntryShape {
    fn new(abbreviation: &Abbreviation, unit: &Unit<DebugSlice>) -> Option<Self> {
        let attributes = abbreviation.attributes();
        let mut length = 0;
        let mut rest: Vec<SkipStep> = Vec::new();
        for attribute in attributes {
            match (attribute.size(&unit.header), rest.last_mut()) {
                (Some(size), None) => length += size,
                (Some(size), Some(step)) => step.behind += size,
                (None, _) => rest.push(SkipStep {
                    form: VariableForm::of(attribute.form())?,
                    behind: 0,
                }),
            }
        }
        let has_code = attributes.iter().any(|attribute| {
            matches!(
                attribute.name(),
                constants::DW_AT_low_pc | constants::DW_AT_ranges
            )
        });
        Some(Self {
            kind: match abbreviation.tag() {
                constants::DW_TAG_subprogram if has_code => EntryKind::Compiled,
                constants::DW_TAG_subprogram => EntryKind::Abstract,
                constants::DW_TAG_inlined_subroutine => EntryKind::Inlined,
                _ => EntryKind::Other,
            },
            has_children: abbreviation.has_children(),
            length,
            rest: rest.into(),
        })
    }

    /// Passes over the attributes.
    #[inline(always)]
    pub(super) fn skip(&self, cursor: &mut ByteCursor<'_>) -> Option<()> {
        cursor.skip(self.length)?;
        for step in &self.rest {
            let length = step.form.length(cursor)?;
            cursor.skip(length)?;
            cursor.skip(step.behind)?;
        }
        Some(())
    }
}

impl VariableForm {
    fn of(form: DwForm) -> Option<Self> {
        Some(match form {
            constants::DW_FORM_udata
            | constants::DW_FORM_sdata
            | constants::DW_FORM_ref_udata
            | constants::DW_FORM_strx
            | constants::DW_FORM_addrx
            | constants::DW_FORM_loclistx
            | constants::DW_FORM_rnglistx
            | constants::DW_FORM_GNU_addr_index
            | constants::DW_FORM_GNU_str_index => Self::Number,
            constants::DW_FORM_string => Self::Text,
            constants::DW_FORM_block1 => Self::Counted(1),
            constants::DW_FORM_block2 => Self::Counted(2),
            constants::DW_FORM_block4 => Self::Counted(4),
            constants::DW_FORM_block | constants::DW_FORM_exprloc => Self::Block,
            _ => return None,
        })
    }

    /// Bytes of an attribute behind those that tell it, which are read.
    #[inline(always)]
    fn length(self, cursor: &mut ByteCursor<'_>) -> Option<usize> {
        let length = match self {
            Self::Block => cursor.unsigned()?,
            Self::Number => cursor.unsigned().map(|_| 0)?,
            Self::Text => cursor.skip_text().map(|()| 0)?,
            Self::Counted(size) => cursor.number(size)?,
        };
        usize::try_from(length).ok()
    }
}
