//! The kind of debug information that an executable or library has.
//!
//! In: its DWARF. Out: which questions it can answer, and why not more. The first unit of a Rust
//! crate that is no part of the standard library decides, since the toolchain's own units have
//! lines whatever the user's profile asks for.

use gimli::{
    constants as dwarf_words, AbbreviationsCacheStrategy, AttributeValue, Dwarf, Reader, Unit,
};

use super::sections::DebugReader;

/// The contents of the debug information of an executable or library.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DebugFacts {
    /// The symbol tables have functions.
    pub has_names: bool,
    /// Addresses have lines.
    pub has_lines: bool,
    /// Functions are described, so that inlined ones are known.
    pub has_inlined: bool,
    /// Functions have their full name, and the place of their declaration.
    pub has_declarations: bool,
    /// All debug information came with the compiler: only the standard library has some.
    pub of_toolchain: bool,
    /// Reason why there is less than the file was compiled with.
    pub unread: Option<UnreadDebug>,
    /// The compiler, as it calls itself (`DW_AT_producer`).
    pub producer: Option<String>,
}

/// Reason why debug information that the compiler wrote is not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnreadDebug {
    /// The debug information is in files of its own (`.dwo`, `.dwp`).
    #[error("its debug information is in files of its own; set `split-debuginfo = \"off\"` in the profile")]
    Split,
    /// Sections are compressed with Zstandard.
    #[error("its debug information is compressed with zstd; link it without `--compress-debug-sections=zstd`")]
    Zstandard,
    /// Sections have more than 1 GiB, which is not held in memory.
    #[error("its debug information has more than 1 GiB; set `debug = \"line-tables-only\"` in the profile")]
    TooLong,
    /// Sections contradict themselves, for the reason that the reader gives.
    #[error("its debug information is damaged ({0}); build it again")]
    Damaged(String),
}

impl DebugFacts {
    /// Reads the units up to the one that decides.
    pub(super) fn read(dwarf: &mut Dwarf<DebugReader>, has_names: bool) -> Self {
        // Units of one crate often share their abbreviations.
        dwarf.populate_abbreviations_cache(AbbreviationsCacheStrategy::Duplicates);
        let mut best = Self {
            has_names,
            ..Self::default()
        };
        let mut rank = 0;
        let mut headers = dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            let Ok(unit) = dwarf.unit(header) else {
                continue;
            };
            let Some((facts, its_rank)) = Self::of_unit(dwarf, &unit, has_names) else {
                continue;
            };
            if its_rank > rank {
                (best, rank) = (facts, its_rank);
            }
            // Executables have thousands of units, and no further one can say more.
            if rank == OWN_RUST {
                break;
            }
        }
        best
    }

    /// The facts of one unit, and how much they count.
    fn of_unit(
        dwarf: &Dwarf<DebugReader>,
        unit: &Unit<DebugReader>,
        has_names: bool,
    ) -> Option<(Self, u8)> {
        let mut entries = unit.entries();
        let (_, root) = entries.next_dfs().ok()??;
        let text = |name| {
            let value = root.attr_value(name).ok()??;
            let text = dwarf.attr_string(unit, value).ok()?;
            Some(text.to_string_lossy().ok()?.into_owned())
        };
        let is_rust = matches!(
            root.attr_value(dwarf_words::DW_AT_language),
            Ok(Some(AttributeValue::Language(dwarf_words::DW_LANG_Rust)))
        );
        let is_split = unit.dwo_id.is_some();
        let directory = text(dwarf_words::DW_AT_comp_dir).unwrap_or_default();
        // The crates that the standard library depends on lie beside it.
        let mut toolchain = ["/rustc/", "/rust/deps/"].into_iter();
        let of_toolchain = is_rust && toolchain.any(|root| directory.starts_with(root));
        let (has_functions, has_declarations) = functions(unit);
        let facts = Self {
            has_names,
            has_lines: unit.line_program.is_some() && !is_split,
            has_inlined: has_functions && !is_split,
            has_declarations: has_declarations && !is_split,
            of_toolchain,
            unread: is_split.then_some(UnreadDebug::Split),
            producer: text(dwarf_words::DW_AT_producer),
        };
        // The skeleton of a split unit does not give its language; only the user's profile splits
        // debug information. A unit without any function, such as one of constants, decides
        // nothing.
        let says_something = has_functions || is_split;
        let rank = match (is_rust || is_split, of_toolchain) {
            _ if !says_something => 1,
            (true, false) => OWN_RUST,
            (true, true) => 1,
            // C code that the user compiles says more about the user's flags than units of the
            // toolchain.
            (false, _) => 2,
        };
        Some((facts, rank))
    }
}

/// The rank of units that nothing outdoes.
const OWN_RUST: u8 = 3;

/// Does a unit describe functions, and their declarations? Its abbreviations tell without its
/// entries.
fn functions(unit: &Unit<DebugReader>) -> (bool, bool) {
    let mut has_functions = false;
    let codes = (1..).map_while(|code| unit.abbreviations.get(code));
    for abbreviation in codes {
        if abbreviation.tag() != dwarf_words::DW_TAG_subprogram {
            continue;
        }
        has_functions = true;
        let mut attributes = abbreviation.attributes().iter();
        if attributes.any(|attribute| attribute.name() == dwarf_words::DW_AT_decl_line) {
            return (true, true);
        }
    }
    (has_functions, false)
}
