//! Hashes and texts of small pieces of code.

use super::*;

fn no_names(_: CodeReference) -> ReferenceName {
    ReferenceName::None
}

#[track_caller]
fn code(set: InstructionSet, start: u64, bytes: &[u8]) -> MachineCode<'_> {
    MachineCode { set, start, bytes }
}

/// The hash of code in which everything outside has this name.
fn hash(set: InstructionSet, start: u64, bytes: &[u8], name: &str) -> u64 {
    let hashes = code(set, start, bytes).hashes(&mut |reference| named(reference, name.into()));
    hashes.code
}

fn named(reference: CodeReference, name: FunctionName) -> ReferenceName {
    match reference.kind {
        ReferenceKind::Branch => ReferenceName::Function(name),
        ReferenceKind::Memory => ReferenceName::Data,
        ReferenceKind::Number => ReferenceName::None,
    }
}

#[test]
fn names_and_instances_of_callees_have_hashes_of_their_own() {
    // call outside; ret
    let of = |set, bytes: &[u8], canonical: &str, instance: &str| {
        let name = || FunctionName {
            canonical: canonical.into(),
            instance: instance.into(),
        };
        code(set, 0, bytes).hashes(&mut |reference| named(reference, name()))
    };
    let x86 = [0xe8, 0, 1, 0, 0, 0xc3];
    let arm = 0x9400_0010_u32.to_le_bytes();
    for (set, bytes) in [
        (InstructionSet::X86_64, &x86[..]),
        (InstructionSet::Aarch64, &arm[..]),
    ] {
        let one = of(set, bytes, "lab::fill", "fill<4>");
        let instance = of(set, bytes, "lab::fill", "fill<9>");
        assert_eq!((one.code, one.shape), (instance.code, instance.shape));
        assert_ne!(one.instances, instance.instances);
        let name = of(set, bytes, "lab::sum", "fill<4>");
        assert_ne!(one.code, name.code);
        assert_eq!(one.shape, name.shape);
    }
}

#[test]
fn data_has_the_length_that_is_read() {
    let bytes = [
        0x48, 0x8b, 5, 0x20, 0, 0, 0, // mov rax,[rip+0x20]
        0x0f, 0x10, 5, 0x30, 0, 0, 0, // movups xmm0,[rip+0x30]
        0x48, 0x8d, 5, 0x40, 0, 0, 0, // lea rax,[rip+0x40]
        0xe8, 0, 1, 0, 0, // call outside
    ];
    let found = code(InstructionSet::X86_64, 0x1000, &bytes).data_references();
    let found = found
        .iter()
        .map(|found| (found.offset, found.target, found.extent));
    let expected = [
        (0, 0x1027, DataExtent::Bytes(8)),
        (7, 0x103e, DataExtent::Bytes(16)),
        (14, 0x1055, DataExtent::Open),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    let arm = code(InstructionSet::Aarch64, 0, &bytes);
    assert!(arm.data_references().is_empty());
}

#[test]
fn tables_of_relative_addresses_are_no_data() {
    let table = [
        0x48, 0x8d, 0x0d, 0x40, 0, 0, 0, // lea rcx,[rip+0x40]
        0x48, 0x63, 0x04, 0x81, // movsxd rax,[rcx+rax*4]
    ];
    let is_found = |last: &[u8]| {
        let bytes = [&table, last].concat();
        !code(InstructionSet::X86_64, 0, &bytes)
            .data_references()
            .is_empty()
    };
    // add rax,rcx; add rcx,rax
    assert!(!is_found(&[0x48, 0x01, 0xc8]));
    assert!(!is_found(&[0x48, 0x01, 0xc1]));
    // add rax,rdx: a table of numbers
    assert!(is_found(&[0x48, 0x01, 0xd0]));
}

#[test]
fn the_place_of_code_and_data_does_not_count() {
    let set = InstructionSet::X86_64;
    // call +0x100; lea rax,[rip+0x20]; ret
    let one = [0xe8, 0, 1, 0, 0, 0x48, 0x8d, 5, 0x20, 0, 0, 0, 0xc3];
    let mut other = one;
    (other[1], other[8]) = (0x70, 0x60);
    assert_eq!(hash(set, 0, &one, "f"), hash(set, 64, &other, "f"));
    assert_ne!(hash(set, 0, &one, "f"), hash(set, 0, &one, "g"));
    // jmp to itself, and to the byte behind it.
    let inside = |distance| hash(set, 9, &[0xeb, distance, 0x90, 0x90, 0xc3], "f");
    assert_ne!(inside(0), inside(1));
    // add eax,1 and add eax,2; add eax,[rax+1] and [rax+2]
    assert_ne!(
        hash(set, 0, &[0x83, 0xc0, 1], ""),
        hash(set, 0, &[0x83, 0xc0, 2], "")
    );
    assert_ne!(
        hash(set, 0, &[3, 0x40, 1], ""),
        hash(set, 0, &[3, 0x40, 2], "")
    );
}

#[test]
fn numbers_are_addresses_if_the_file_has_its_place() {
    // mov edi,0x404010
    let moved = |number: u8, name: ReferenceName| {
        let bytes = [0xbf, number, 0x40, 0x40, 0];
        let code = code(InstructionSet::X86_64, 0, &bytes);
        let hashes = code.hashes(&mut |reference| {
            assert_eq!(reference.target, 0x40_4000 + u64::from(number));
            name.clone()
        });
        hashes.code
    };
    assert_eq!(moved(1, ReferenceName::Data), moved(2, ReferenceName::Data));
    assert_ne!(moved(1, ReferenceName::None), moved(2, ReferenceName::None));
}

#[test]
fn words_of_arm_are_compared_without_what_the_linker_decides() {
    let set = InstructionSet::Aarch64;
    let words = |words: &[u32], start, name| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        hash(set, start, &bytes, name)
    };
    // bl, forwards and backwards
    assert_eq!(
        words(&[0x9400_0010], 0, "f"),
        words(&[0x97ff_fff0], 0x1000, "f")
    );
    assert_ne!(words(&[0x9400_0010], 0, "f"), words(&[0x9400_0010], 0, "g"));
    // b within the function
    assert_ne!(
        words(&[0x1400_0001, 0, 0], 0, ""),
        words(&[0x1400_0002, 0, 0], 0, "")
    );
    // adrp x0; add x0, x0, #n; ldr x1, [x0, #n]: the last one is no place in a page any more.
    let page = |high: u32, low: u32, offset: u32| {
        let add = 0x9100_0000 | low << 10;
        let load = 0xf940_0001 | offset << 10;
        words(&[0x9000_0000 | high << 5, add, load], 0, "")
    };
    assert_eq!(page(1, 2, 3), page(7, 8, 3));
    assert_ne!(page(1, 2, 3), page(1, 2, 4));
    // Without a page, an `add` adds a number.
    assert_ne!(words(&[0x9100_0400], 0, ""), words(&[0x9100_0800], 0, ""));
    // ldr x0, literal
    assert_eq!(words(&[0x5800_0040], 0, ""), words(&[0x5800_0080], 0, ""));
    assert_ne!(words(&[0x5800_0040], 0, ""), words(&[0x5800_0041], 0, ""));
}

#[test]
fn texts_have_no_addresses() {
    let bytes = [
        0xe8, 0, 1, 0, 0, // call outside
        0x48, 0x8b, 5, 0x20, 0, 0, 0, // mov rax,[rip+0x20]
        0xff, 0x15, 0x40, 0, 0, 0, // call [rip+0x40]
        0x75, 0xec, // jne up
        0xeb, 1,    // jmp down
        0x90, // nop
        0xc3, // ret
        0xe9, 0, 2, 0, 0, // jmp outside
    ];
    let code = code(InstructionSet::X86_64, 0x1000, &bytes);
    let decoded = code.instructions(&mut |reference| match reference.offset {
        0 => ReferenceName::Function("lab::fib".into()),
        12 => ReferenceName::Function("malloc".into()),
        5 => ReferenceName::Data,
        _ => ReferenceName::None,
    });
    let texts: Vec<_> = decoded.iter().map(|one| &*one.text).collect();
    let expected = [
        "call lab::fib",
        "mov rax,[rip data]",
        "call qword ptr [rip malloc]",
        "jne .up",
        "jmp .down",
        "nop",
        "ret",
        "jmp ?",
    ];
    assert_eq!(texts, expected);
    let callees = decoded.iter().map(|one| one.callee.as_deref());
    let callees: Vec<_> = callees.collect();
    assert_eq!(callees[..3], [Some("lab::fib"), None, Some("malloc")]);
    assert!(callees[3..].iter().all(Option::is_none));
    let length: usize = decoded.iter().map(|one| one.length).sum();
    assert_eq!(length, bytes.len());
}

#[test]
fn any_bytes_have_a_hash_and_a_text() {
    let mut seed = 1_u64;
    let mut bytes = Vec::new();
    for _ in 0..20_000 {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        bytes.push((seed >> 56) as u8);
    }
    for set in [
        InstructionSet::X86_64,
        InstructionSet::X86,
        InstructionSet::Aarch64,
    ] {
        for start in [0, u64::MAX - 100] {
            let code = code(set, start, &bytes);
            assert_ne!(code.hashes(&mut no_names).code, 0);
            let instructions = code.instructions(&mut no_names);
            let length: usize = instructions.iter().map(|one| one.length).sum();
            let expected = if set == InstructionSet::Aarch64 {
                0
            } else {
                bytes.len()
            };
            assert_eq!(length, expected);
        }
    }
    assert_eq!(
        code(InstructionSet::Other, 0, &bytes).hashes(&mut no_names),
        CodeHashes::default()
    );
    assert_eq!(InstructionSet::named("x86_64"), InstructionSet::X86_64);
    assert_eq!(InstructionSet::named("riscv64").name(), "other");
}

#[test]
fn hashes_are_those_of_digests_of_before() {
    let hash = library_hash(&[0x0a, 0x1b], "memcpy");
    assert_eq!(hash, 0xb6dd_707a_0a00_22d5);
}
