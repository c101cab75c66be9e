//! Callgrind's own costs by instruction, from a profile that was written with `--dump-instr=yes`.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use formats::callgrind::{read_with, CallgrindItem, PositionName};
use formats::ParseError;
use symbols::code_tables::{CodeFunction, CodeTables};

/// Own cost of a function under Callgrind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct OwnCost {
    /// Number of instructions.
    pub(super) count: u64,
    /// Name of the function as Callgrind writes it, of the instruction that was read first.
    pub(super) name: String,
}

/// The own costs of all functions.
pub(super) fn own(
    input: impl Read,
    code: &mut CodeTables,
) -> Result<HashMap<CodeFunction, OwnCost>, ParseError> {
    let mut own: HashMap<CodeFunction, OwnCost> = HashMap::new();
    let mut object = PathBuf::new();
    let mut function = String::new();
    let mut column = None;
    read_with(input, |event| match event {
        CallgrindItem::Events { names, .. } => column = names.iter().position(|name| name == "Ir"),
        CallgrindItem::Place(PositionName::Object(name)) => object = text(name).into(),
        CallgrindItem::Place(PositionName::Function(name)) => {
            function = without_level(&text(name)).to_owned()
        }
        CallgrindItem::Cost { positions, costs } => {
            let count = column.and_then(|column| costs.get(column));
            if let (Some(address), Some(count)) = (positions.first(), count) {
                let key = code.at_address(Path::new(&object), *address);
                let own = own.entry(key).or_default();
                own.count = own.count.saturating_add(*count);
                if own.name.is_empty() {
                    own.name.clone_from(&function);
                }
            }
        }
        _ => {}
    })?;
    Ok(own)
}

fn text(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

/// The name without Callgrind's level of a recursion, such as `'2`.
fn without_level(name: &str) -> &str {
    match name.rsplit_once('\'') {
        Some((name, level)) if level.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_add_up_to_functions() {
        let text = "\
positions: instr line
events: Ir Dr
ob=(1) /no/such/file
fn=(1) f
0x10 7 5 1
+4 8 6
cfn=(2) g
calls=1 0x90 1
+0 8 1000
fn=(3) f'2
0x20 9 7
ob=(2) /no/other/file
fn=(2)
0x90 1 1000
totals: 1018 1
";
        let own = own(text.as_bytes(), &mut CodeTables::default()).unwrap();
        let of = |object: &str| {
            let key = CodeFunction {
                object: object.into(),
                start: 0,
            };
            let OwnCost { count, name } = &own[&key];
            (*count, name.as_str())
        };
        assert_eq!(of("/no/such/file"), (18, "f"));
        assert_eq!(of("/no/other/file"), (1000, "g"));
    }
}
