//! No space for results: a small file system of its own is filled, and freed again.
//!
//! The test starts itself in a mount namespace, as root or as a user who may make one; where
//! neither is allowed (some containers), it says so and passes.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use benchmark_tests::{Bench, Home};

const INSIDE: &str = "INSIDE_THE_NAMESPACE";

#[test]
fn a_full_disk_is_an_error_and_loses_nothing() {
    if std::env::var_os(INSIDE).is_some() {
        return inside();
    }
    let unshare = |namespaces: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(namespaces);
        command
    };
    let kinds: [&[&str]; 2] = [&["--mount"], &["--user", "--map-root-user", "--mount"]];
    let mount = "mount -t tmpfs none /mnt";
    let allowed = |kind: &&[&str]| {
        let status = unshare(kind).args(["sh", "-c", mount]).output();
        status.is_ok_and(|output| output.status.success())
    };
    let Some(kind) = kinds.into_iter().find(allowed) else {
        eprintln!("not tested: mounting is not allowed here");
        return;
    };
    // Whatever has to be compiled is compiled with the usual disk.
    benchmark_tests::build::bench("endings");
    benchmark_tests::build::runner();
    let output = unshare(kind)
        .arg(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "full_disk::a_full_disk_is_an_error_and_loses_nothing",
            "--nocapture",
        ])
        .env(INSIDE, "yes")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

fn inside() {
    let folder = tempfile::tempdir().unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=400k", "none"])
        .arg(folder.path())
        .status()
        .unwrap();
    assert!(mounted.success());
    let home = Home::at(folder.path());
    let run = || Bench::new("endings").measure(&home).run();
    run().code(0).quiet();
    run().code(0).quiet().unchanged();
    let before = home.results();

    for free in [0, 4, 8, 16, 24] {
        let filler = fill(folder.path(), free * 1024);
        let ended = run();
        fs::remove_file(&filler).unwrap();
        let after = home.results();
        if free == 0 {
            // No result can be kept, and every benchmark says why.
            let names = ["before", "ends", "after"];
            let errors = names.map(|name| format!("error: benchmark `endings::group::{name}` "));
            let ended = ended.code(1).says(&errors.each_ref().map(String::as_str));
            ended.says(&["--home=<directory>"]);
            assert_eq!(after, before);
        } else {
            // Some may have been kept. Those that were not say so.
            assert!(
                ended.status.code() == Some(0) || ended.stderr.contains("error: "),
                "{free} KiB: {ended}"
            );
            assert!(after.keys().eq(before.keys()), "{free} KiB: {ended}");
        }
    }
    run().code(0).quiet().unchanged();
    assert!(home.results().keys().eq(before.keys()));
}

/// Takes all space but so many bytes.
fn fill(folder: &Path, free: u64) -> PathBuf {
    let path = folder.join("filler");
    let mut file = File::create(&path).unwrap();
    while file.write_all(&[0; 512]).is_ok() {}
    let length = file.metadata().unwrap().len();
    file.set_len(length.saturating_sub(free)).unwrap();
    path
}
