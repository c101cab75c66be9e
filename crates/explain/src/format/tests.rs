//! Digests are written, read, cut and changed.

use super::numbers::NumberWriter;
use super::read::{checked, split};
use super::write::sealed;
use super::{
    executable, read, read_checked, read_preface, without_preface, write, write_with, DigestError,
    DigestPreface, BEGIN, VERSION,
};
use crate::digest::{
    BodyCode, BodyConstant, BodyId, Digest, DigestRoot, StringId, LONGEST_CODE, MOST_CODE,
};
use crate::sample::{self, Sample};
use base::repository::of_repository;
use miniz_oxide::deflate::compress_to_vec_zlib;
use proptest::prelude::*;

/// A digest in which each field of each section is used.
fn whole() -> Digest {
    let mut digest = sample::digest(
        "root lab::bench
         body lab::bench 18446744073709551615
         own lab::bench:12 = 100
         own lab::bench:14 > std::Vec::push:80 = 30
         own lab::bench:14 > std::Vec::push:81 = 30000000000
         own dep::f:3 > lab::callback:0 = 0
         own malloc:0 = 7
         call lab::bench:13 > std::f:5 -> malloc 3 = 300
         call lab::bench:13 -> dep::f 1 = 300
         text lab::bench 12 f(x)
         text lab::bench 13 // ä",
    );
    digest.head.fingerprint = 0x0123_4567_89ab_cdef;
    digest.head.executable = 0xfedc_ba98_7654_3210;
    digest.head.root = DigestRoot::Regions;
    digest.head.producer = Some(digest.head.events[0]);
    digest.head.target = Some(digest.objects[0].name);
    digest.head.newer_sources = true;
    digest.head.is_malloc = true;
    digest.functions[0].instance = digest.head.producer;
    digest.functions[0].line = 11;
    digest.code.push(BodyCode {
        body: BodyId(0),
        bytes: [0x90, 0xc3].into(),
        executions: vec![1, 0],
        lines: vec![12, 0],
        targets: vec![(1, StringId(2))],
    });
    digest.bodies[0].shape = 0x0011_2233_4455_6677;
    digest.bodies[1].instances = u64::MAX;
    digest.constants = vec![
        BodyConstant {
            body: BodyId(0),
            offset: 1,
            hash: 77,
        },
        BodyConstant {
            body: BodyId(0),
            offset: 300,
            hash: u64::MAX,
        },
    ];
    digest.merged = vec![(BodyId(1), StringId(2)), (BodyId(1), StringId(3))];
    digest.check().unwrap();
    digest
}

/// The file of a content, compressed.
fn file(content: &[u8]) -> Vec<u8> {
    let mut writer = NumberWriter::default();
    writer.preface(&DigestPreface::default());
    writer.bytes.extend(compress_to_vec_zlib(content, 1));
    sealed(&writer.bytes)
}

fn content(digest: &Digest) -> Vec<u8> {
    let file = write(digest);
    let (_, compressed) = split(checked(&file).unwrap()).unwrap();
    miniz_oxide::inflate::decompress_to_vec_zlib(compressed).unwrap()
}

#[test]
fn what_was_written_is_read() {
    for digest in [whole(), Digest::default()] {
        assert_eq!(read(&write(&digest)), Ok(digest));
    }
}

#[test]
fn without_its_preface_a_digest_is_the_same_whatever_run_it_is_of() {
    let digest = whole();
    let carried = without_preface(&write(&digest)).unwrap();
    let mut of_other_run = digest.clone();
    (of_other_run.head.fingerprint, of_other_run.head.executable) = (7, 8);
    assert_eq!(without_preface(&write(&of_other_run)), Ok(carried.clone()));
    assert_eq!(without_preface(&carried), Ok(carried.clone()));
    assert!(carried.len() < write(&digest).len());
    let mut expected = digest;
    (expected.head.fingerprint, expected.head.executable) = (0, 0);
    assert_eq!(read(&carried), Ok(expected));
    let damaged = &carried[..carried.len() - 1];
    assert_eq!(without_preface(damaged), Err(DigestError::Compression));
}

#[test]
fn the_preface_tells_what_runs_need_of_a_digest() {
    let digest = whole();
    let file = write(&digest);
    let preface = read_preface(&file).unwrap();
    assert_eq!(preface, DigestPreface::of(&digest));
    assert_eq!(preface.fingerprint, digest.head.fingerprint);
    let functions = preface.functions.functions.iter();
    let names: Vec<&str> = functions.map(|function| &*function.name).collect();
    assert_eq!(names, ["std::Vec::push", "…"]);
    assert_eq!(preface.functions.events, ["Ir"]);
    let begin = file.first_chunk::<BEGIN>().unwrap();
    assert_eq!(executable(begin), Some(digest.head.executable));
    let unknown = write(&Digest::default());
    assert_eq!(executable(unknown.first_chunk().unwrap()), None);
}

/// The fuzzer begins with what is compressed: it would not find a checksum by itself.
#[test]
fn the_seed_of_the_fuzzer_is_a_whole_digest() {
    let Some(seed) = of_repository(env!("CARGO_MANIFEST_DIR"), "tools/fuzz/seeds/digest/whole")
    else {
        return;
    };
    assert_eq!(std::fs::read(seed).unwrap(), content(&whole()));
}

#[test]
fn other_files_and_other_versions_are_refused() {
    let refused = |file: &[u8]| read(file).unwrap_err().to_string();
    assert_eq!(
        refused(b"version: 1\n"),
        "the file is no digest: it does not begin with `iaid`"
    );
    let mut newer = write(&whole());
    newer[4] = VERSION + 1;
    assert_eq!(
        refused(&newer),
        "the digest has version 4 of its format, and this runner reads version 3; \
         run the benchmark again"
    );
}

#[test]
fn every_truncation_is_an_error() {
    let written = write(&whole());
    for length in 0..written.len() {
        let error = read(&written[..length]).unwrap_err();
        let expected = match length {
            0..5 => DigestError::NoDigest,
            _ => DigestError::Compression,
        };
        assert_eq!(error, expected, "{length}");
        assert_eq!(read_preface(&written[..length]), Err(expected), "{length}");
    }
    let checked = checked(&written).unwrap();
    for length in 0..checked.len() {
        assert!(read(&sealed(&checked[..length])).is_err(), "{length}");
    }
    // Also where the checksum is right.
    let content = content(&whole());
    for length in 0..content.len() {
        assert!(read(&file(&content[..length])).is_err(), "{length}");
    }
    assert!(read(&file(&[content, vec![0]].concat())).is_err());
}

#[test]
fn every_changed_bit_is_an_error() {
    let written = write(&whole());
    for byte in 0..written.len() {
        for bit in 0..8 {
            let mut changed = written.clone();
            changed[byte] ^= 1 << bit;
            assert!(read(&changed).is_err(), "bit {bit} of byte {byte}");
            assert!(read_preface(&changed).is_err(), "bit {bit} of byte {byte}");
        }
    }
}

#[test]
fn what_inflates_to_more_than_a_digest_is_refused() {
    let bomb = file(&vec![0; 64 << 20]);
    assert!(bomb.len() < 400_000);
    assert_eq!(read(&bomb), Err(DigestError::Compression));
}

#[test]
fn lists_that_would_take_too_much_memory_are_refused() {
    // Two million empty texts are two million bytes, and 32 MiB of memory.
    let mut texts = content(&Digest::default());
    let strings = 1 + 1 + 1 + 1 + 1 + 1 + 1;
    texts.splice(strings..=strings, [0x80, 0x80, 0x80, 0x01]);
    let texts = [&texts[..strings + 4], &[0; 2 << 20]].concat();
    assert_eq!(read(&file(&texts)), Err(DigestError::Section("strings")));
}

#[test]
fn sections_that_do_not_fit_together_are_refused() {
    let mut digest = whole();
    digest.rows[1].line += 1000;
    let error = read(&write_with(&DigestPreface::default(), &digest))
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "the digest is damaged: item 2 of the section `rows` is wrong"
    );
    let mut digest = whole();
    digest.calls[0].callee = BodyId(77);
    let error = read(&write_with(&DigestPreface::default(), &digest))
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "the digest is damaged: item 0 of the section `calls` is wrong"
    );
}

#[test]
fn code_that_does_not_fit_together_is_refused() {
    let check = |change: &dyn Fn(&mut BodyCode)| {
        let mut digest = whole();
        change(&mut digest.code[0]);
        let error = read(&write(&digest)).unwrap_err().to_string();
        let expected = "the digest is damaged: item 0 of the section `code` is wrong";
        assert_eq!(error, expected);
    };
    check(&|code| code.body = BodyId(77));
    check(&|code| code.bytes = Box::default());
    check(&|code| code.bytes = vec![0x90; LONGEST_CODE + 1].into());
    check(&|code| code.executions.push(1));
    check(&|code| code.lines.clear());
    check(&|code| code.targets[0].0 = 2);
    check(&|code| code.targets[0].1 = StringId(1000));
    check(&|code| code.targets.push((0, StringId(0))));
    let mut digest = whole();
    let code = digest.code[0].clone();
    let bodies = 0..=MOST_CODE as u32;
    digest.bodies = vec![digest.bodies[0]; MOST_CODE + 1];
    digest.code = bodies
        .map(|body| BodyCode {
            body: BodyId(body),
            ..code.clone()
        })
        .collect();
    let error = read(&write(&digest)).unwrap_err().to_string();
    assert_eq!(
        error,
        "the digest is damaged: item 24 of the section `code` is wrong"
    );
}

proptest! {
    #[test]
    fn changed_contents_are_no_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)
    ) {
        let mut content = content(&whole());
        for (index, byte) in changes {
            let index = index.index(content.len());
            content[index] = byte;
        }
        if let Ok(digest) = read(&file(&content)) {
            prop_assert_eq!(read(&write(&digest)), Ok(digest));
        }
    }

    #[test]
    fn changed_prefaces_are_no_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)
    ) {
        let written = write(&whole());
        let mut bytes = checked(&written).unwrap().to_vec();
        for (index, byte) in changes {
            let index = index.index(bytes.len());
            bytes[index] = byte;
        }
        if let Ok(digest) = read_checked(&bytes) {
            prop_assert_eq!(read(&write(&digest)), Ok(digest));
        }
    }

    #[test]
    fn any_costs_come_back(
        rows in prop::collection::vec((0_u32..5, prop::collection::vec(any::<u64>(), 0..3)), 0..20)
    ) {
        let mut sample = Sample::new(&["Ir", "Dr", "Dw"]);
        for (line, costs) in rows {
            let costs: Vec<u64> = costs.iter().map(|cost| cost >> 8).collect();
            sample.own(&format!("lab::f:{line}"), &costs);
        }
        let digest = sample.finish();
        prop_assert_eq!(read(&write(&digest)), Ok(digest));
    }
}
