//! `iai-callgrind-runner doctor` in fresh crates, each with one mistake; and completions.
//!
//! Where the mistake is the project's, a script answers in Valgrind's place: Callgrind takes two
//! seconds for the runner of the tests.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use benchmark_tests::{build, executables, Ended};
use iai_callgrind::protocol::VERSION;
use tempfile::TempDir;

/// A manifest without mistakes.
const GOOD: &str = r#"[package]
name = "patient"
version = "0.1.0"
edition = "2021"

[dev-dependencies]
iai-callgrind = "0.17"

[lib]
bench = false

[[bench]]
name = "counts"
harness = false

[profile.bench]
debug = true
codegen-units = 1
"#;

/// Answers as Valgrind does, and counts one instruction of each program.
const STAND_IN: &str = r#"case $1 in --version) echo valgrind-3.19.0; exit ;; esac
for word; do case $word in --callgrind-out-file=*) out=${word#*=} ;; esac; done
printf 'events: Ir\nfn=probe\n1 1\ntotals: 1\n' >"$out""#;

/// A crate that is never built.
struct Patient(TempDir);

impl Patient {
    fn new() -> Self {
        let patient = Self(tempfile::tempdir().unwrap());
        patient.write("Cargo.toml", GOOD);
        patient.write("src/lib.rs", "");
        patient.write("benches/counts.rs", "iai_callgrind::main!();\n");
        patient.write("Cargo.lock", &lock(VERSION));
        executables::script(&patient.path(""), "stand-in", STAND_IN);
        patient
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Replaces a part of the good manifest.
    fn manifest(&self, good: &str, bad: &str) {
        assert!(GOOD.contains(good), "{good}");
        self.write("Cargo.toml", &GOOD.replace(good, bad));
    }

    fn doctor(&self) -> Command {
        let mut command = self.doctor_with_valgrind();
        command.env("IAI_CALLGRIND_VALGRIND_BIN", self.path("stand-in"));
        command
    }

    fn doctor_with_valgrind(&self) -> Command {
        let mut command = self.start(build::runner());
        command.arg("doctor");
        command
    }

    /// A program in the crate, without settings of the tests.
    fn start(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            let set = ["IAI_CALLGRIND", "CARGO_", "RUSTFLAGS"];
            if set.iter().any(|begin| name.starts_with(begin)) && name != "CARGO_HOME" {
                command.env_remove(name.as_ref());
            }
        }
        command.current_dir(self.0.path());
        command
    }

    /// One problem is found, and said with its cure.
    #[track_caller]
    fn check(&self, problem: &str, cure: &[&str]) {
        check(&mut self.doctor(), problem, cure);
    }
}

#[track_caller]
fn check(doctor: &mut Command, problem: &str, cure: &[&str]) {
    let ended = run(doctor).code(1).quiet();
    let mut text = format!("problem: {problem}\n");
    for (index, line) in cure.iter().enumerate() {
        let indent = if index == 0 { "  " } else { "    " };
        text += &format!("{indent}{line}\n");
    }
    ended.shows(&[&text, "\n\n1 problem\n"]);
}

fn run(command: &mut Command) -> Ended {
    let output = command.output().unwrap();
    Ended {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        status: output.status,
    }
}

fn lock(version: &str) -> String {
    format!("version = 4\n\n[[package]]\nname = \"iai-callgrind\"\nversion = \"{version}\"\n")
}

#[test]
fn a_healthy_project() {
    let patient = Patient::new();
    let ended = run(&mut patient.doctor_with_valgrind()).code(0).quiet();
    let home = patient.path("target/iai");
    ended
        .shows(&[
            "ok: Valgrind 3.",
            "ok: Callgrind runs and finds functions by their names\n",
            &format!("ok: results can be kept in `{}`\n", home.display()),
            &format!("ok: iai-callgrind and this runner are {VERSION}\n"),
            "ok: the bench profile keeps the names of functions\n",
            "ok: the bench profile has debug information\n",
            "ok: bench targets of `patient` have `harness = false`\n",
            "ok: no flag lets the compiler use instructions that Valgrind does not know\n",
            "\n\nno problems\n",
        ])
        .without("problem:");
    assert!(!patient.path("target").exists(), "nothing is changed");
    let elsewhere = run(patient
        .doctor()
        .current_dir("/")
        .arg("--manifest-path")
        .arg(patient.path("Cargo.toml")));
    elsewhere.code(0).shows(&["\n\nno problems\n"]);
}

/// What a test says about the machine depends on the machine, so only the lines are looked at.
#[test]
fn functions_are_aligned_by_two_lines() {
    let patient = Patient::new();
    let lines = [
        "[build]",
        "rustflags = [\"-Cllvm-args=-align-all-functions=6\"]",
    ];
    let config = patient.path(".cargo/config.toml");
    let place = format!(
        "  write in `{}`:\n    {}\n",
        config.display(),
        lines.join("\n    ")
    );
    run(&mut patient.doctor())
        .code(0)
        .shows(&["note: wall time: no flag aligns functions, ", &place]);
    patient.write(".cargo/config.toml", &lines.join("\n"));
    let ended = run(&mut patient.doctor()).code(0);
    let ended = ended
        .shows(&["ok: wall time: flags let every function begin at a multiple of 64 bytes"])
        .without("no flag aligns");
    let is_told = ended.stdout.contains("wall time: the clock is `");
    assert_eq!(is_told, cfg!(target_os = "linux"), "{ended}");
}

#[test]
fn the_versions_differ() {
    let patient = Patient::new();
    patient.write("Cargo.lock", &lock("0.16.1"));
    patient.check(
        &format!("iai-callgrind is 0.16.1, this runner is {VERSION}; they have to be the same"),
        &[
            "run:",
            "cargo install iai-callgrind-runner --version 0.16.1",
        ],
    );
}

#[test]
fn the_version_is_not_known_yet() {
    let patient = Patient::new();
    fs::remove_file(patient.path("Cargo.lock")).unwrap();
    let ended = run(&mut patient.doctor()).code(0);
    ended.shows(&[
        "note: there is no `Cargo.lock` yet",
        "    cargo generate-lockfile\n",
    ]);
}

#[test]
fn the_library_is_no_dependency() {
    let patient = Patient::new();
    patient.manifest("iai-callgrind = \"0.17\"\n", "");
    patient.check(
        "no package of this workspace depends on iai-callgrind",
        &["run:", &format!("cargo add --dev iai-callgrind@{VERSION}")],
    );
}

#[test]
fn the_profile_has_no_debug_information() {
    for line in ["", "debug = false\n", "debug = 0\n", "debug = \"none\"\n"] {
        let patient = Patient::new();
        patient.manifest("debug = true\n", line);
        let manifest = patient.path("Cargo.toml");
        patient.check(
            "the bench profile has no debug information, so the tools know neither lines nor \
             inlined functions",
            &[
                &format!("write in `{}`:", manifest.display()),
                "[profile.bench]",
                "debug = true",
            ],
        );
    }
}

#[test]
fn the_profile_strips_symbols() {
    for (profile, value) in [("release", "true"), ("bench", "\"symbols\"")] {
        let patient = Patient::new();
        let text = match profile {
            "bench" => GOOD.to_owned() + &format!("strip = {value}\n"),
            _ => GOOD.to_owned() + &format!("[profile.{profile}]\nstrip = {value}\n"),
        };
        patient.write("Cargo.toml", &text);
        let manifest = patient.path("Cargo.toml");
        patient.check(
            &format!(
                "`[profile.{profile}]` strips the names of functions from the benchmarks, and \
                 without them nothing can be counted"
            ),
            &[
                &format!("write in `{}`:", manifest.display()),
                "[profile.bench]",
                "strip = false",
            ],
        );
    }
}

#[test]
fn the_profile_takes_debug_information_away() {
    for (line, problem, cure) in [
        (
            "strip = \"debuginfo\"",
            "`[profile.bench]` strips the debug information from the benchmarks, so the tools know neither lines nor \
             inlined functions",
            "strip = false",
        ),
        (
            "split-debuginfo = \"packed\"",
            "`[profile.bench]` sets `split-debuginfo = \"packed\"`: the debug information lies in files of its own, \
             where the tools know neither lines nor inlined functions",
            "split-debuginfo = \"off\"",
        ),
    ] {
        let patient = Patient::new();
        patient.write("Cargo.toml", &format!("{GOOD}{line}\n"));
        let manifest = patient.path("Cargo.toml");
        let place = format!("write in `{}`:", manifest.display());
        patient.check(problem, &[&place, "[profile.bench]", cure]);
    }
    let patient = Patient::new();
    patient.manifest("debug = true", "debug = \"line-tables-only\"");
    run(&mut patient.doctor()).code(0).shows(&[
        "note: `[profile.bench]` sets `debug = \"line-tables-only\"`: the tools know lines, but inlined functions have \
         bare names, without their module\n",
        "    [profile.bench]\n    debug = true\n",
    ]);
}

/// The debug information of the executable that was built last or is given.
#[test]
fn the_executable_has_names_lines_inlined_functions_and_declarations() {
    let patient = Patient::new();
    run(&mut patient.doctor()).code(0).shows(&[
        "note: no benchmark was built yet in `",
        "  run:\n    cargo bench --no-run\n",
    ]);
    patient.write(
        "main.rs",
        "fn main() { println!(\"{}\", std::process::id()) }",
    );
    patient.write(
        "target/release/deps/counts-0000000000000000",
        "of another time",
    );
    let built = patient.path("target/release/deps/counts-0123456789abcdef");
    let build = |options: &[&str]| {
        let mut rustc = Command::new("rustc");
        rustc.arg("-O").args(options).arg("-o").arg(&built);
        assert!(rustc
            .arg(patient.path("main.rs"))
            .status()
            .unwrap()
            .success());
    };
    build(&["-Cdebuginfo=2"]);
    let name = built.display();
    let found =
        format!("ok: `{name}` has names of functions, lines, inlined functions and declarations\n");
    run(&mut patient.doctor_with_valgrind())
        .code(0)
        .shows(&[&found]);

    build(&["-Cdebuginfo=2", "-Cstrip=symbols"]);
    let stripped = format!(
        "`{name}` has no names of functions, lines, inlined functions or declarations: it was stripped (`strip = true` or \
         `strip = \"symbols\"`), and without names nothing can be counted"
    );
    let stale =
        format!("{stripped}; the profile says otherwise by now, so it has to be built again");
    patient.check(&stale, &["run:", "cargo bench --no-run"]);
    let place = format!("write in `{}`:", patient.path("Cargo.toml").display());
    let cure = [&*place, "[profile.bench]", "debug = true", "strip = false"];
    check(patient.doctor().arg("--exe").arg(&built), &stripped, &cure);

    // A machine that runs what another one has built.
    build(&["-Cdebuginfo=2"]);
    let mut elsewhere = patient.doctor();
    elsewhere.current_dir("/").env("CARGO", "/no/such/cargo");
    run(elsewhere.arg("--exe").arg(&built)).code(0).shows(&[
        "note: `/no/such/cargo` cannot be started: No such file or directory (os error 2); the project is not examined\n",
        &found,
    ]);

    let ended = run(patient.doctor().args(["--exe", "/no/such/file"])).code(1);
    ended.shows(&["problem: cannot read `/no/such/file`: No such file or directory"]);

    // Cargo may build in another directory than that for results.
    patient.write(".cargo/config.toml", "[build]\nbuild-dir = \"builds\"\n");
    fs::rename(patient.path("target"), patient.path("builds")).unwrap();
    let built = patient.path("builds/release/deps/counts-0123456789abcdef");
    let home = patient.path("target/iai");
    run(&mut patient.doctor()).code(0).shows(&[
        &found.replace(&name.to_string(), &built.display().to_string()),
        &format!("ok: results can be kept in `{}`\n", home.display()),
    ]);
}

/// One tool may fail where another one does not.
#[test]
fn each_tool_of_the_suite_is_started_on_the_executable() {
    let patient = Patient::new();
    let executable = build::bench("counts");
    let mut doctor = patient.doctor_with_valgrind();
    doctor.env("IAI_CALLGRIND_TOOLS", "dhat,memcheck");
    doctor.arg("--exe").arg(&executable);
    let found = format!(
        "ok: `{}` starts under Callgrind, DHAT, Memcheck\n",
        executable.display()
    );
    run(&mut doctor).shows(&[&found]);

    // A Valgrind that cannot read what the compiler wrote, as 3.19 with `-Cdwarf-version=5`.
    let old = patient.path("old-valgrind");
    let script = "#!/bin/sh\n\
        case \"$*\" in *\" describe \"*) ;; *) exec valgrind \"$@\" ;; esac\n\
        for word; do case $word in --log-file=*) log=${word#*=} ;; esac; done\n\
        echo '==7== Valgrind: debuginfo reader: ensure_valid failed:' > \"$log\"\n\
        exit 1\n";
    fs::write(&old, script).unwrap();
    fs::set_permissions(&old, fs::Permissions::from_mode(0o755)).unwrap();
    let mut doctor = patient.doctor();
    doctor.arg("--valgrind-bin").arg(&old);
    doctor.arg("--exe").arg(&executable);
    let found = format!(
        "problem: `{}` cannot be measured under Callgrind: debuginfo reader: ensure_valid failed: \
         (Valgrind cannot read the debug information of the executable: build with \
         `RUSTFLAGS=-Cdwarf-version=4`, or use a newer Valgrind)\n",
        executable.display()
    );
    run(&mut doctor).code(1).shows(&[&found]);
}

#[test]
fn the_environment_and_configuration_go_over_the_manifest() {
    let patient = Patient::new();
    let mut doctor = patient.doctor();
    doctor.env("CARGO_PROFILE_BENCH_STRIP", "true");
    check(
        &mut doctor,
        "CARGO_PROFILE_BENCH_STRIP strips the names of functions from the benchmarks, and without \
         them nothing can be counted",
        &["run:", "unset CARGO_PROFILE_BENCH_STRIP"],
    );
    patient.write(".cargo/config.toml", "[profile.bench]\ndebug = false\n");
    let config = patient.path(".cargo/config.toml");
    patient.check(
        "the bench profile has no debug information, so the tools know neither lines nor inlined \
         functions",
        &[
            &format!("write in `{}`:", config.display()),
            "[profile.bench]",
            "debug = true",
        ],
    );
    let mut doctor = patient.doctor();
    doctor.env("CARGO_PROFILE_BENCH_DEBUG", "2");
    run(&mut doctor).code(0);
}

#[test]
fn the_compiler_splits_crates() {
    let patient = Patient::new();
    patient.manifest("codegen-units = 1\n", "");
    let ended = run(&mut patient.doctor()).code(0);
    ended.shows(&[
        "note: with several codegen units, ",
        "    [profile.bench]\n    codegen-units = 1\n",
    ]);
    patient.manifest("codegen-units = 1\n", "lto = \"fat\"\n");
    run(&mut patient.doctor())
        .code(0)
        .without("note: the compiler");
}

#[test]
fn the_library_has_the_harness_of_libtest() {
    let patient = Patient::new();
    patient.manifest("[lib]\nbench = false\n", "");
    let manifest = patient.path("Cargo.toml");
    patient.check(
        "`cargo bench -- <options>` passes the options to the library `patient` of `patient` as \
         well, whose harness refuses them",
        &[
            &format!("write in `{}`:", manifest.display()),
            "[lib]",
            "bench = false",
        ],
    );
}

#[test]
fn a_program_has_the_harness_of_libtest() {
    let patient = Patient::new();
    patient.write("src/bin/tool.rs", "fn main() {}\n");
    let manifest = patient.path("Cargo.toml");
    let cure = ["[[bin]]", "name = \"tool\"", "bench = false"];
    patient.check(
        "`cargo bench -- <options>` passes the options to the program `tool` of `patient` as well, \
         whose harness refuses them",
        &[&[format!("write in `{}`:", manifest.display()).as_str()][..], &cure].concat(),
    );
    patient.write("Cargo.toml", &format!("{GOOD}\n{}\n", cure.join("\n")));
    run(&mut patient.doctor()).code(0);
}

#[test]
fn a_bench_target_has_the_harness_of_libtest() {
    let patient = Patient::new();
    let missing = ["[[bench]]\nname = \"counts\"\nharness = false\n", ""];
    for replaced in [missing, ["harness = false\n", "\n"]] {
        patient.manifest(replaced[0], replaced[1]);
        let manifest = patient.path("Cargo.toml");
        patient.check(
            "the bench target `counts` of `patient` has libtest's harness and would run no benchmark",
            &[
                &format!("write in `{}`:", manifest.display()),
                "[[bench]]",
                "name = \"counts\"",
                "harness = false",
            ],
        );
    }
}

#[test]
fn bench_targets_of_others_are_not_looked_at() {
    let patient = Patient::new();
    patient.write("benches/other.rs", "fn main() {}\n");
    run(&mut patient.doctor()).code(0);
}

#[test]
fn a_renamed_library_in_a_member_of_a_workspace() {
    let patient = Patient::new();
    patient.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"inner\"]\nresolver = \"2\"\n\n[profile.bench]\ndebug = 1\n",
    );
    let renamed = GOOD.replace(
        "iai-callgrind = \"0.17\"",
        "counting = { package = \"iai-callgrind\", version = \"0.17\" }",
    );
    let (member, _) = renamed.split_once("\n[profile").unwrap();
    patient.write("inner/Cargo.toml", &member.replace("harness = false\n", ""));
    patient.write("inner/src/lib.rs", "");
    patient.write("inner/benches/counts.rs", "counting::main!();\n");
    let manifest = patient.path("inner/Cargo.toml");
    patient.check(
        "the bench target `counts` of `patient` has libtest's harness and would run no benchmark",
        &[
            &format!("write in `{}`:", manifest.display()),
            "[[bench]]",
            "name = \"counts\"",
            "harness = false",
        ],
    );
}

#[test]
fn flags_with_instructions_that_valgrind_does_not_know() {
    let patient = Patient::new();
    let mut doctor = patient.doctor();
    doctor.env("RUSTFLAGS", "-C target-cpu=x86-64-v4");
    check(
        &mut doctor,
        "RUSTFLAGS sets `target-cpu=x86-64-v4`: the compiler may use AVX-512, and Valgrind stops at \
         such instructions",
        &[
            "write in RUSTFLAGS, instead of `target-cpu=x86-64-v4`:",
            "target-cpu=x86-64-v3",
        ],
    );
    patient.write(
        ".cargo/config.toml",
        "[target.'cfg(unix)']\nrustflags = [\"-C\", \"target-feature=+avx512f\"]\n",
    );
    let config = patient.path(".cargo/config.toml").display().to_string();
    patient.check(
        &format!(
            "{config} sets `target-feature=+avx512f`: the compiler may use AVX-512, and Valgrind \
             stops at such instructions"
        ),
        &[
            &format!("write in {config}, instead of `target-feature=+avx512f`:"),
            "target-feature=-avx512f",
        ],
    );
}

#[test]
fn no_valgrind_or_something_else() {
    let patient = Patient::new();
    let path = "/no/such/folder";
    let cargo = Path::new(env!("CARGO")).to_owned();
    let ended = run(patient
        .doctor_with_valgrind()
        .env("PATH", path)
        .env("CARGO", &cargo));
    ended.code(1).shows(&[
        "problem: valgrind was not found in PATH (`/no/such/folder`)\n",
        "--valgrind-bin=<path>",
    ]);
    check(
        patient.doctor().args(["--valgrind-bin", "/bin/true"]),
        "`/bin/true --version` does not answer as Valgrind does",
        &["run:", "/bin/true --version"],
    );
    let text = "[ $1 = --version ] && echo valgrind-3.99.0 && exit\necho broken >&2; exit 7";
    let script = executables::script(&patient.path(""), "valgrind", text);
    check(
        patient.doctor().env("IAI_CALLGRIND_VALGRIND_BIN", &script),
        "Callgrind does not run: broken (exit status: 7)",
        &[
            "run:",
            &format!("{} --tool=callgrind true", script.display()),
        ],
    );
}

#[test]
fn a_valgrind_that_never_answers() {
    let patient = Patient::new();
    let script = executables::script(&patient.path(""), "valgrind", "exec sleep 300");
    let ended = run(patient.doctor().arg("--valgrind-bin").arg(&script)).code(1);
    let valgrind = script.display();
    ended
        .says(&[&format!(
            "`{valgrind} --version` did not answer within 10s: is it really Valgrind?"
        )])
        .shows(&[&format!(
            "problem: `{valgrind} --version` does not answer as Valgrind does\n  run:\n    {valgrind} --version\n"
        )]);
}

#[test]
fn results_cannot_be_kept() {
    let patient = Patient::new();
    let ended = run(patient
        .doctor()
        .env("IAI_CALLGRIND_HOME", "Cargo.lock/home"));
    ended.code(1).shows(&[
        "problem: results cannot be kept in `",
        "Cargo.lock/home`: Not a directory (os error 20)",
        "  run:\n    cargo bench -- --home=<directory>\n",
    ]);
}

#[test]
fn a_variable_is_wrong() {
    let patient = Patient::new();
    let mut doctor = patient.doctor();
    check(
        doctor.env("IAI_CALLGRIND_PARALLEL", "many"),
        "a variable in the environment cannot be used: invalid value 'many' for '--parallel [<N>]' of \
         'IAI_CALLGRIND_PARALLEL': expected a number above 0, or `auto` for one for each processor",
        &["run:", "env | grep IAI_CALLGRIND"],
    );
}

#[test]
fn no_project() {
    let patient = Patient::new();
    let ended = run(patient.doctor().current_dir("/"));
    ended.code(1).shows(&[
        "problem: cargo cannot read the project: could not find `Cargo.toml` in `/` or any parent \
         directory\n",
        "--manifest-path <path of Cargo.toml>\n",
    ]);
    patient.write("Cargo.toml", "[package\n");
    let ended = run(&mut patient.doctor()).code(1).quiet();
    ended.shows(&["problem: cargo cannot read the project: "]);
}

#[test]
fn completions_know_the_commands() {
    let script = |shell| {
        let mut command = Command::new(build::runner());
        run(command.args(["completions", shell])).code(0).quiet()
    };
    for shell in ["elvish", "powershell"] {
        script(shell)
            .shows(&["iai-callgrind-runner", "doctor", "manifest-path"])
            .without("probe");
    }
    for shell in ["bash", "fish", "zsh"] {
        script(shell).shows(&[
            "iai-callgrind-runner",
            "cargo",
            &format!("completions {shell} --"),
        ]);
    }
    let mut command = Command::new(build::runner());
    let ended = run(command.args(["completions", "tcsh"])).code(2);
    ended.says(&["possible values: bash, elvish, fish, powershell, zsh"]);
}

/// The shell loads what was made for it, and proposes options, values, and names from the results
/// of the project. What it puts on the command line is the name, once it has read it: nothing is
/// expanded or run.
#[test]
fn completions_work_in_bash() {
    let script = r#"source <(iai-callgrind-runner completions bash)
for line; do
    COMP_LINE=$line COMP_POINT=${#line} COMP_WORDBREAKS=$' \t\n' COMP_WORDS=($line)
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    function=$(complete -p "${COMP_WORDS[0]}") function=${function#* -F }
    ${function%% *} "${COMP_WORDS[0]}"
    for reply in "${COMPREPLY[@]}"; do eval "words=($reply)"; printf '%s|' "${words[@]}"; done
    echo
done"#;
    let patient = Patient::new();
    let names = [
        "$(touch made)",
        "`touch made`",
        "a b * \\\"'",
        "\\u001b[31m",
        "b\\nc",
    ];
    let record = |name| format!("{{\"benchmark\": {{\"path\": \"counts::g::{name}\"}}}}\n");
    let home = "target/iai/patient/counts";
    patient.write(
        &format!("{home}/results.jsonl"),
        &names.map(record).concat(),
    );
    patient.write(&format!("{home}/results.jsonl.base@main"), "");
    fs::create_dir(patient.path("bin")).unwrap();
    symlink(build::runner(), patient.path("bin/iai-callgrind-runner")).unwrap();
    let complete = |lines: &[&str]| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let runner = patient.path("bin");
        let all = [runner].into_iter().chain(std::env::split_paths(&path));
        let mut command = patient.start("bash");
        let command = command.env("PATH", std::env::join_paths(all).unwrap());
        run(command.args(["-c", script, "bash"]).args(lines))
            .code(0)
            .quiet()
            .stdout
    };
    let all = "counts::g::$(touch made)|counts::g::`touch made`|counts::g::a b * \"'|\n";
    let lines = [
        ("iai-callgrind-runner doctor --man", "--manifest-path|\n"),
        ("iai-callgrind-runner compare @m", "@main|\n"),
        (
            "iai-callgrind-runner report --only=counts::g::a",
            "--only=counts::g::a b * \"'|\n",
        ),
        ("iai-callgrind-runner explain counts", all),
        ("cargo bench -- counts", all),
        ("cargo bench -- --baseline m", "main|\n"),
        ("cargo bench -- --tools=mem", "--tools=memcheck|\n"),
        ("cargo bench -- --home=/nothing/here counts", "\n"),
    ];
    assert_eq!(
        complete(&lines.map(|(line, _)| line)),
        lines.map(|(_, found)| found).concat()
    );
    assert!(!patient.path("made").exists(), "a name was run");
    // No project, no results, and nothing to say.
    patient.write("Cargo.toml", "[package\n");
    fs::remove_dir_all(patient.path("target")).unwrap();
    assert_eq!(
        complete(&["cargo bench -- counts", "iai-callgrind-runner compare @m"]),
        "\n\n"
    );
}
