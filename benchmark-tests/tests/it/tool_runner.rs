//! Valgrind started by a program of the user: a script that passes everything on, and one that is
//! as far away as a container.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use benchmark_tests::bench::Copied;
use benchmark_tests::{executables, Bench, Home};

/// A shell script in a folder. Without `exec` the process of Valgrind is another one.
fn script(folder: &Path, body: &str) -> PathBuf {
    executables::script(folder, "run", body)
}

const BENCHMARK: &str = "counts::exact::nops_1000";

fn count(home: &Home) -> u64 {
    home.count(BENCHMARK, "Ir")
}

/// Without a tool runner.
fn plain() -> u64 {
    let home = Home::new();
    let bench = Bench::new("counts").measure(&home).arg("nops_1000");
    bench.run().code(0);
    count(&home)
}

#[test]
fn a_script_sees_arguments_and_variables_and_changes_no_count() {
    let folder = tempfile::tempdir().unwrap();
    let script = script(
        folder.path(),
        "{ echo \"$1|$2|$IAI_CALLGRIND_ALLOW_ASLR|$IAI_CALLGRIND_TR_HOME|$HOME\"; \
           ls -d \"$IAI_CALLGRIND_TR_DEST_DIR\" \"$IAI_CALLGRIND_TR_WORKSPACE_ROOT/Cargo.toml\"; } \
         >\"${0%/*}/seen\"; shift 2; exec \"$@\"",
    );
    let home = Home::new();
    let run = |aslr: &str| {
        let bench = Bench::new("counts").measure(&home).arg("nops_1000");
        let bench = bench.arg("--tool-runner").arg(&script).arg(aslr);
        let arguments = "--mine='${MY_OWN} b' ${IAI_CALLGRIND_TR_HOME}";
        let bench = bench
            .env("MY_OWN", "a")
            .arg("--tool-runner-args")
            .arg(arguments);
        bench.run().code(0).quiet();
        fs::read_to_string(folder.path().join("seen")).unwrap()
    };
    let seen = run("--allow-aslr=no");
    let path = home.path().display();
    let first = format!("--mine=a b|{path}|no|{path}|\n");
    assert!(seen.starts_with(&first), "{seen}");
    assert_eq!(seen.lines().count(), 3, "{seen}");
    assert_eq!(count(&home), plain());
    assert!(run("--allow-aslr").contains("|yes|"));
    // Nothing of the socket and of the private directories is left.
    let left = home.results();
    assert!(left.keys().all(|name| !name.contains("socket")), "{left:?}");
}

#[test]
fn neither_descriptors_nor_variables_nor_paths_have_to_come_through() {
    let copied = Copied::new("counts");
    let elsewhere = tempfile::tempdir().unwrap();
    let at = |name: &str| elsewhere.path().join(name);
    symlink(copied.beside(""), at("root")).unwrap();
    let script = script(
        elsewhere.path(),
        "here=${0%/*}; rm -f \"$here/dest\"; ln -s \"$IAI_CALLGRIND_TR_DEST_DIR\" \"$here/dest\"\n\
         echo \"$@\" >>\"$here/seen\"; env -i PATH=/usr/bin:/bin \"$@\" 3>&- 4>&-",
    );
    let home = Home::at(&copied.beside("home"));
    let run = |filter: &str, further: &[&str]| {
        let bench = copied.bench().measure(&home).arg(filter).args(further);
        let bench = bench.arg("--workspace-root").arg(copied.beside(""));
        let bench = bench.arg("--tool-runner").arg(&script);
        let bench = bench.arg("--tool-runner-dest").arg(at("dest"));
        bench.arg("--tool-runner-root").arg(at("root")).run()
    };
    run("nops_1000", &["--valgrind-args=--suppressions=/dev/null"])
        .code(0)
        .quiet();
    assert_eq!(count(&home), plain());
    let seen = fs::read_to_string(at("seen")).unwrap();
    let path = |name: &str| at(name).display().to_string();
    for word in [
        "valgrind --tool=callgrind".to_owned(),
        format!("--log-file={}/log.%p", path("dest")),
        format!(
            " {}/counts --iai-callgrind serve {}/socket",
            path("root"),
            path("dest")
        ),
    ] {
        assert!(seen.contains(&word), "`{word}` in {seen}");
    }
    let host = copied.beside("").display().to_string();
    assert!(!seen.contains(&host), "{seen}");
    // Several tools and benchmarks: each process has its own directory.
    run("nops_1", &["--tools=dhat"]).code(0);
    assert!(home.has("counts::exact::nops_1"));
}

/// Namespaces of its own for mounts and processes: what a container is made of.
#[test]
fn processes_and_directories_of_a_container() {
    let copied = Copied::new("counts");
    let elsewhere = tempfile::tempdir().unwrap();
    let script = script(
        elsewhere.path(),
        "exec unshare --mount --pid --fork --mount-proc sh -c '\n\
         mount -t tmpfs none /mnt && mkdir /mnt/out /mnt/ws &&\n\
         mount --bind \"$IAI_CALLGRIND_TR_DEST_DIR\" /mnt/out &&\n\
         mount --bind \"$IAI_CALLGRIND_TR_WORKSPACE_ROOT\" /mnt/ws &&\n\
         mount -t tmpfs none /tmp && cd / || exit 99\n\
         exec env -i PATH=/usr/bin:/bin \"$@\"' sh \"$@\"",
    );
    let home = Home::at(&copied.beside("home"));
    let bench = copied.bench().measure(&home).arg("nops_1000");
    let bench = bench.arg("--workspace-root").arg(copied.beside(""));
    let bench = bench.arg("--tool-runner").arg(&script);
    let ended = bench
        .args(["--tool-runner-dest=/mnt/out", "--tool-runner-root=/mnt/ws"])
        .run();
    let is_refused = ["unshare: ", "exit status: 99", "mount: "]
        .iter()
        .any(|text| ended.stderr.contains(text));
    if is_refused {
        eprintln!("not tested: namespaces are not allowed here");
        return;
    }
    ended.code(0).quiet();
    assert_eq!(count(&home), plain());
    // The first process in there.
    let log = home.entry(BENCHMARK).join("callgrind.nops_1000.log");
    let log = fs::read_to_string(log).unwrap();
    assert!(log.starts_with("==1== Callgrind"), "{log}");
}

#[test]
fn what_goes_wrong_is_said_with_what_the_program_printed() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::new();
    let run = |runner: &Path, further: &[&str]| {
        let bench = Bench::new("counts").measure(&home).arg("nops_1000");
        bench.arg("--tool-runner").arg(runner).args(further).run()
    };
    let refuses = script(folder.path(), "echo 'no such image' >&2; exit 125");
    run(&refuses, &[])
        .code(1)
        .says(&["no such image", "exit status: 125"]);
    run(Path::new("no-such-program"), &[]).code(2).says(&[
        "error: --tool-runner (IAI_CALLGRIND_TOOL_RUNNER): `no-such-program` was not found in PATH",
    ]);
    run(&refuses, &["--tool-runner-args=-v ${NO_SUCH_VARIABLE}"])
        .code(2)
        .says(&[
            "error: --tool-runner-args (IAI_CALLGRIND_TOOL_RUNNER_ARGS): there is no variable \
         `NO_SUCH_VARIABLE`, which `${NO_SUCH_VARIABLE}` wants",
        ]);
    let perf = "`counts::exact::nops_1000` is to run under perf";
    run(&refuses, &["--default-tool=perf"])
        .code(2)
        .says(&[perf]);
    // The tool writes to a place of its own, where the socket is not.
    let passes = script(folder.path(), "exec \"$@\"");
    let empty = tempfile::tempdir().unwrap();
    let dest = format!("--tool-runner-dest={}", empty.path().display());
    run(&passes, &[&dest]).code(1).says(&[
        "the socket of the runner cannot be reached",
        "hint: does the program of `--tool-runner` show Valgrind the directory",
    ]);
    assert!(home.results().is_empty(), "{:?}", home.names());
}

#[test]
fn what_the_program_prints_is_shown_below_the_headline_where_output_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let talks = script(
        folder.path(),
        "echo 'makes a place'; echo 'is slow' >&2; exec \"$@\"",
    );
    let home = Home::new();
    let run = |runner: &Path, further: &[&str]| {
        let bench = Bench::new("counts").measure(&home).arg("nops_1000");
        bench.arg("--tool-runner").arg(runner).args(further).run()
    };
    let shown = run(&talks, &["--nocapture"]).code(0);
    assert!(
        shown.stdout.starts_with(
            "counts::exact::nops_1000\nmakes a place\n- end of stdout/stderr\n  Instructions:"
        ),
        "{shown}"
    );
    assert_eq!(shown.stderr, "is slow\n");
    let shown = run(&talks, &["--nocapture=stdout"]).code(0).quiet();
    shown.shows(&["counts::exact::nops_1000\nmakes a place\n- end of stdout\n"]);
    run(&talks, &[])
        .code(0)
        .quiet()
        .without("makes a place")
        .unchanged();
    assert_eq!(count(&home), plain());
    // After a failure it is seen once.
    let refuses = script(folder.path(), "echo 'no such image' >&2; exit 125");
    for streams in ["both", "stdout", "stderr"] {
        let word = match streams {
            "both" => "--nocapture".to_owned(),
            one => format!("--nocapture={one}"),
        };
        let ended = run(&refuses, &[&word]).code(1);
        let ended = ended.says(&["exit status: 125"]).without("really Valgrind");
        assert_eq!(ended.stderr.matches("no such image").count(), 1, "{ended}");
    }
}

#[test]
fn programs_of_binary_benchmarks() {
    let folder = tempfile::tempdir().unwrap();
    let script = script(folder.path(), "echo x >>\"${0%/*}/seen\"; \"$@\"");
    let run = |runner: bool| {
        let home = Home::new();
        let bench = Bench::new("binary").measure(&home).arg("exits");
        let bench = match runner {
            true => bench.arg("--tool-runner").arg(&script),
            false => bench,
        };
        bench.run().code(0);
        home.names()
    };
    assert_eq!(run(true), run(false));
    assert!(folder.path().join("seen").exists());
}
