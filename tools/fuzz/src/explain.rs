//! Explanations of any two digests: nothing panics, and everything adds up.

use std::collections::BTreeMap;

use explain::digest::{
    BodyCode, BodyId, DebugExtent, Digest, DigestBody, DigestCall, DigestFile, DigestFunction,
    DigestNode, DigestObject, DigestRow, FileId, FunctionId, NodeFrame, NodeId, ObjectId,
    SourceOrigin, SourceText, StringId, LONGEST_CODE,
};
use explain::{
    call_tree, explain, instruction_differences, line_differences, ExplainedRow, ExplanationBasis,
    InstructionDifference, LineDifference,
};
use iai_callgrind::protocol::EventKind::Ir;
use report::{explanation_markdown, explanation_text, Style};

const NAMES: [&str; 8] = [
    "lab::bench",
    "lab::helper",
    "std::a::f",
    "core::b::f",
    "dep::C::g",
    "<X as dep::Tr>::h",
    "malloc",
    "lab::bench::{closure}",
];

/// Names of the functions, then `Ir`, the object, a path, and the processor.
const EVENT: u32 = NAMES.len() as u32;
const PATH: u32 = EVENT + 2;

pub(crate) fn check(bytes: &[u8]) {
    let (old, new) = bytes.split_at(bytes.len() / 2);
    let (old, new) = (digest(old), digest(new));
    let Ok(found) = explain(&old, &new, Ir) else {
        return;
    };
    assert_eq!(
        i128::from(found.diff),
        i128::from(found.new) - i128::from(found.old)
    );
    assert_eq!(sum(&found.functions, |row| row.diff), found.diff);
    if found.basis == ExplanationBasis::Instructions {
        assert_eq!(sum(&found.causes, |row| row.diff), found.diff);
    }
    for width in [0, 80, 120] {
        let text = explanation_text(&found, width, None, Style::default());
        assert_eq!(text.is_empty(), found.diff == 0);
    }
    let text = explanation_markdown(&found, "a|b", Some("https://example.org/"));
    assert_eq!(text.is_empty(), found.diff == 0);
    assert!(explain(&new, &new, Ir).is_ok_and(|nothing| nothing.is_empty()));
    check_views(&old, &new);
}

/// Trees, lines and instructions of any two digests: what they show is what both have.
fn check_views(old: &Digest, new: &Digest) {
    for depth in [0, 3, usize::MAX] {
        let tree = call_tree(old, new, Ir, depth).expect("it was explained");
        assert!(tree.rows.len() < 2000);
        assert!(tree.rows.iter().all(|row| row.depth <= depth));
    }
    assert!(call_tree(new, new, Ir, 3).is_ok_and(|tree| tree.rows.is_empty()));
    let lines = line_differences(old, new, Ir).expect("it was explained");
    for function in &lines.functions {
        let is_there = |line: &LineDifference| line.old.is_some() || line.new.is_some();
        assert!(function.lines.iter().all(is_there));
    }
    let same = line_differences(new, new, Ir).expect("it was explained");
    assert!(same.functions.is_empty());
    for name in NAMES {
        let Ok(found) = instruction_differences(old, new, name) else {
            continue;
        };
        for function in found {
            let has = |count: fn(&InstructionDifference) -> Option<u64>| {
                function.instructions.iter().filter_map(count).count()
            };
            assert_eq!(has(|one| one.old), function.old);
            assert_eq!(has(|one| one.new), function.new);
        }
    }
}

fn sum<T>(rows: &[ExplainedRow<T>], diff: impl Fn(&T) -> i64) -> i64 {
    let rows = rows.iter();
    rows.map(|row| match row {
        ExplainedRow::One(row) => diff(row),
        ExplainedRow::Rest { diff, .. } => *diff,
    })
    .sum()
}

/// A digest in which each function has a body and each row is a few bytes: kind, three small
/// numbers, and eight bytes of a count.
fn digest(bytes: &[u8]) -> Digest {
    let mut digest = empty();
    let mut rows: BTreeMap<DigestRow, u64> = BTreeMap::new();
    let mut calls: BTreeMap<(NodeId, u32, BodyId), (u64, u64)> = BTreeMap::new();
    let mut texts: BTreeMap<(FileId, u32), StringId> = BTreeMap::new();
    let mut code: BTreeMap<BodyId, Vec<u8>> = BTreeMap::new();
    for item in bytes.chunks_exact(12) {
        let [kind, one, two, three] = [item[0], item[1], item[2], item[3]].map(u32::from);
        let count = u64::from_le_bytes(item[4..].try_into().expect("it has eight bytes"));
        let node = NodeId(one % digest.nodes.len() as u32);
        match kind % 7 {
            0 => {
                let row = DigestRow {
                    node,
                    file: Some(FileId(two % 4)),
                    line: three,
                };
                rows.insert(row, count);
            }
            1 => {
                let callee = BodyId(two % NAMES.len() as u32);
                calls.insert((node, three, callee), (count >> 32, count & 0xffff_ffff));
            }
            2 => digest.nodes.push(DigestNode {
                frame: NodeFrame::Inlined {
                    parent: node,
                    function: FunctionId(two % NAMES.len() as u32),
                },
                call_file: Some(FileId(0)),
                call_line: three,
            }),
            3 => {
                let body = &mut digest.bodies[one as usize % NAMES.len()];
                body.code_hash = u64::from(two);
                body.entries = count;
            }
            4 => digest.head.roots = vec![BodyId(one % NAMES.len() as u32)],
            5 => {
                texts.insert((FileId(two % 4), three), StringId(one % EVENT));
            }
            _ => {
                let code = code.entry(BodyId(one % NAMES.len() as u32)).or_default();
                code.extend_from_slice(&item[2..]);
            }
        }
    }
    for ((file, line), text) in texts {
        digest.texts.push(SourceText { file, line, text });
    }
    for (body, mut bytes) in code {
        bytes.truncate(LONGEST_CODE);
        // Treats each byte as an instruction.
        digest.code.push(BodyCode {
            body,
            executions: bytes.iter().map(|byte| u64::from(*byte)).collect(),
            lines: bytes.iter().map(|byte| u32::from(*byte)).collect(),
            targets: vec![(0, StringId(u32::from(bytes[0]) % EVENT))],
            bytes: bytes.into(),
        });
    }
    for (row, cost) in rows {
        digest.rows.push(row);
        digest.row_costs.push(&[cost]);
    }
    for ((node, line, callee), (count, cost)) in calls {
        digest.calls.push(DigestCall {
            node,
            line,
            callee,
            count,
        });
        digest.call_costs.push(&[cost]);
    }
    digest.check().expect("it was made so");
    digest
}

fn empty() -> Digest {
    let texts = NAMES
        .into_iter()
        .chain(["Ir", "lab", "src/lib.rs", "x86_64"]);
    let mut digest = Digest {
        strings: texts.map(Box::from).collect(),
        objects: vec![DigestObject {
            name: StringId(EVENT + 1),
            is_own: true,
            build_id: [1].into(),
            debug: DebugExtent::Full,
        }],
        ..Digest::default()
    };
    digest.head.events = vec![StringId(EVENT)];
    digest.head.totals = vec![0];
    digest.head.by_instruction = true;
    digest.head.true_calls = true;
    digest.head.target = Some(StringId(PATH + 1));
    let origins = [
        SourceOrigin::User,
        SourceOrigin::Std,
        SourceOrigin::Package,
        SourceOrigin::System,
    ];
    for origin in origins {
        digest.files.push(DigestFile {
            path: StringId(PATH),
            origin,
            package: None,
        });
    }
    for (number, name) in (0_u32..).zip(NAMES) {
        digest.functions.push(DigestFunction {
            name: StringId(number),
            instance: None,
            file: match name.split("::").next() {
                Some("lab") => Some(FileId(0)),
                Some("std" | "core") => Some(FileId(1)),
                Some("malloc") => None,
                _ => Some(FileId(2)),
            },
            line: 0,
        });
        digest.bodies.push(DigestBody {
            function: FunctionId(number),
            object: ObjectId(0),
            bytes: 100,
            code_hash: u64::from(number) + 1,
            shape: 0,
            instances: 0,
            entries: 0,
        });
        digest.nodes.push(DigestNode {
            frame: NodeFrame::Body(BodyId(number)),
            call_file: None,
            call_line: 0,
        });
    }
    digest
}
