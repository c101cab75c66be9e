//! Build settings of the benchmark executable, as far as they can be known.
//!
//! The executable describes its target features, panic strategy and debug assertions, but not its
//! build profile: that is taken from the options of cargo's command line, the environment
//! variables, the configuration and the manifest that `cargo bench` built with a moment ago, also
//! where the options are those of an alias.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use iai_callgrind::protocol::{Package, Platform};
use toml::{Table, Value};

use crate::cargo_config::CargoConfig;
use base::os;
use base::variables::EnvironmentVariables;
use records::summary::Build;

/// Settings of a profile that decide about the code, with their defaults in profiles that inherit
/// the release profile and in profiles that inherit the dev profile.
const SETTINGS: [(&str, &str, &str); 6] = [
    ("opt-level", "3", "0"),
    ("lto", "false", "false"),
    ("codegen-units", "16", "256"),
    ("debug", "false", "true"),
    ("overflow-checks", "false", "true"),
    ("incremental", "false", "true"),
];

/// Why an executable that cargo starts in the directory `here` is not one of the package there.
/// Cargo goes by times, so in a target directory that several checkouts share it takes that of
/// another one for up to date. A project that was moved as a whole is the same.
#[must_use]
pub fn of_other_checkout(package: &Package, here: &Path) -> Option<String> {
    let Package {
        name, manifest_dir, ..
    } = package;
    let built = Path::new(manifest_dir).canonicalize().ok()?;
    let is_other = here.canonicalize().is_ok_and(|here| here != built);
    is_other.then(|| {
        format!(
            "was built in `{manifest_dir}`, another checkout, and cargo took it for up to date\n  \
             hint: `cargo clean -p {name}` builds it anew; a target directory for each checkout keeps them apart"
        )
    })
}

/// All known settings. `workspace`: the directory of the manifest with the profiles.
#[must_use]
pub fn of_benchmarks(
    platform: &Platform,
    package: &Package,
    executable: &Path,
    workspace: &Path,
    environment: &EnvironmentVariables,
) -> Build {
    let mut settings = of_executable(platform);
    let profile = profile(executable);
    let manifest = fs::read_to_string(workspace.join("Cargo.toml"));
    let manifest: Option<Table> = manifest.ok().and_then(|text| text.parse().ok());
    if let (Some(profile), Some(manifest)) = (&profile, &manifest) {
        let directory = Path::new(&package.manifest_dir);
        // Mistakes in these files would have stopped cargo before.
        let config = CargoConfig::read(directory, environment);
        let config = config.under(&os::parent::parent().unwrap_or_default());
        settings.extend(of_profile(profile, manifest, &config));
        settings.insert("rustflags".to_owned(), flags(&config));
        // This variable goes over every profile.
        if let Some(forced) = environment.get("CARGO_INCREMENTAL") {
            settings.insert("incremental".to_owned(), (forced != "0").to_string());
        }
    }
    Build { profile, settings }
}

/// Settings that the executable has in its description.
fn of_executable(platform: &Platform) -> BTreeMap<String, String> {
    // An unknown platform.
    if platform.target.is_empty() {
        return BTreeMap::new();
    }
    let panic = if platform.panic_aborts {
        "abort"
    } else {
        "unwind"
    };
    let entries = [
        ("panic", panic.to_owned()),
        ("debug-assertions", platform.debug_assertions.to_string()),
        ("target-feature", platform.target_features.join(",")),
    ];
    entries.map(|(key, value)| (key.to_owned(), value)).into()
}

/// The profile, by its folder: cargo puts executables into `<target>/<profile>/deps`.
fn profile(executable: &Path) -> Option<String> {
    let deps = executable.parent().filter(|path| path.ends_with("deps"))?;
    Some(deps.parent()?.file_name()?.to_str()?.to_owned())
}

/// The settings of a profile with everything that it inherits. Environment variables go over
/// configuration files, and these over the manifest.
fn of_profile(
    folder: &str,
    manifest: &Table,
    config: &CargoConfig<'_>,
) -> BTreeMap<String, String> {
    let profiles = manifest.get("profile").and_then(Value::as_table);
    let in_manifest = |profile: &str, key: &str| {
        let profile = profiles?.get(profile)?;
        profile.get(key).cloned()
    };
    let lookup = |profile: &str, key: &str| {
        let configured = config.profile(profile, key).map(|(_, value)| value);
        configured.or_else(|| in_manifest(profile, key))
    };
    let parent = |profile: &str| match profile {
        "release" | "dev" => None,
        "bench" => Some("release".to_owned()),
        "test" => Some("dev".to_owned()),
        own => match lookup(own, "inherits") {
            Some(Value::String(parent)) => Some(parent),
            _ => None,
        },
    };
    // The bench profile has the folder of the profile that it inherits.
    let mut chain = vec![match folder {
        "release" => "bench".to_owned(),
        "debug" => "dev".to_owned(),
        own => own.to_owned(),
    }];
    while let Some(parent) = chain.last().and_then(|last| parent(last)) {
        // Cargo refuses a circle, but the manifest may be a later one.
        if chain.contains(&parent) {
            break;
        }
        chain.push(parent);
    }
    let is_dev = chain.last().is_some_and(|last| last == "dev");
    let find = |key: &str| chain.iter().find_map(|profile| lookup(profile, key));
    let mut settings: BTreeMap<String, String> = SETTINGS
        .into_iter()
        .map(|(key, release, dev)| {
            let default = if is_dev { dev } else { release };
            let value = find(key).map_or_else(|| default.to_owned(), |value| spelled(key, &value));
            (key.to_owned(), value)
        })
        .collect();
    // Settings of single packages in the spelling of the manifest.
    let packages = find("package").map_or_else(String::new, |packages| written(&packages));
    settings.insert("package".to_owned(), packages);
    settings
}

/// The text of a value, in one spelling for equal meanings.
fn spelled(key: &str, value: &Value) -> String {
    let text = written(value);
    match (key, text.as_str()) {
        ("debug", "0" | "none") => "false",
        ("debug", "1") => "limited",
        ("debug", "2" | "full") => "true",
        ("lto", "true") => "fat",
        (_, text) => text,
    }
    .to_owned()
}

/// The text of a value in a manifest, without quotes.
fn written(value: &Value) -> String {
    let list = |items: Vec<String>| items.join(", ");
    match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Datetime(time) => time.to_string(),
        Value::Array(items) => format!("[{}]", list(items.iter().map(written).collect())),
        Value::Table(table) => {
            let entries = table.iter();
            let entries = entries.map(|(key, value)| format!("{key} = {}", written(value)));
            format!("{{ {} }}", list(entries.collect()))
        }
    }
}

/// Options of the compiler about lints, each with a value.
const OF_LINTS: [&str; 10] = [
    "-A",
    "-W",
    "-D",
    "-F",
    "--allow",
    "--warn",
    "--deny",
    "--forbid",
    "--cap-lints",
    "--force-warn",
];

/// Flags for the compiler without those about lints, which change no code.
fn flags(config: &CargoConfig<'_>) -> String {
    let places = config.rustflags().into_iter();
    let words: Vec<String> = places.flat_map(|(_, words)| words).collect();
    without_lints(&words).join(" ")
}

fn without_lints(words: &[String]) -> Vec<&str> {
    let mut words = words.iter().map(String::as_str);
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if OF_LINTS.contains(&word) {
            words.next();
            continue;
        }
        let is_lint = |option: &str| {
            let rest = word.strip_prefix(option);
            // `-Dwarnings`, `--cap-lints=allow`
            rest.is_some_and(|rest| !option.starts_with("--") || rest.starts_with('='))
        };
        if !OF_LINTS.into_iter().any(is_lint) {
            kept.push(word);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the settings of a profile that differ from their defaults.
    #[track_caller]
    fn check(folder: &str, manifest: &str, variables: &[(&str, &str)], expected: &[(&str, &str)]) {
        let environment: EnvironmentVariables = variables.iter().copied().collect();
        let nowhere = tempfile::tempdir().unwrap();
        let config = CargoConfig::read(nowhere.path(), &environment);
        let found = of_profile(folder, &manifest.parse().unwrap(), &config);
        let empty: Table = Table::new();
        let nothing = EnvironmentVariables::default();
        let config = CargoConfig::read(nowhere.path(), &nothing);
        let default = of_profile("release", &empty, &config);
        let changed: Vec<(&str, &str)> = found
            .iter()
            .filter(|(key, value)| default[*key] != **value)
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect();
        assert_eq!(changed, expected, "{folder}: {manifest}");
    }

    #[test]
    fn options_of_cargo_go_over_variables() {
        let folder = tempfile::tempdir().unwrap();
        let file =
            "[profile.bench]\nlto = true\nopt-level = 0\n[build]\nrustflags = [\"-Cpanic=abort\"]";
        fs::write(folder.path().join("more.toml"), file).unwrap();
        let variables = [("CARGO_PROFILE_BENCH_OPT_LEVEL", "2")];
        let environment: EnvironmentVariables = variables.into_iter().collect();
        let check = |words: &[&str], expected: [&str; 3]| {
            let cargo = os::parent::StartedProcess {
                words: words.iter().map(|word| (*word).to_owned()).collect(),
                directory: folder.path().to_owned(),
            };
            let nowhere = folder.path().join("nowhere");
            let config = CargoConfig::read(&nowhere, &environment).under(&cargo);
            let found = of_profile("release", &Table::new(), &config);
            let flags = flags(&config);
            assert_eq!(
                [&*found["opt-level"], &*found["lto"], &*flags],
                expected,
                "{words:?}"
            );
        };
        let option = "profile.bench.opt-level=1";
        check(&["cargo", "bench"], ["2", "false", ""]);
        check(
            &["/bin/cargo", "bench", "--config", option],
            ["1", "false", ""],
        );
        check(
            &["cargo", "bench", "--", "--config", option],
            ["2", "false", ""],
        );
        check(&["bash", "--config", option], ["2", "false", ""]);
        let words = ["cargo", "--config=more.toml", "bench", "--config", option];
        check(&words, ["1", "fat", "-Cpanic=abort"]);
    }

    #[test]
    fn options_of_aliases_are_those_of_cargo() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".cargo")).unwrap();
        let file = "[alias]\nslow = \"bench --config profile.bench.opt-level=1\"\n\
                    slower = [\"slow\", \"--config\", \"profile.bench.opt-level=0\"]\n\
                    bench = \"test --config profile.bench.opt-level=2\"\ncircle = \"circle\"\n";
        fs::write(folder.path().join(".cargo/config.toml"), file).unwrap();
        let variables = [("CARGO_ALIAS_MY_OWN", "slow --bench x")];
        let environment: EnvironmentVariables = variables.into_iter().collect();
        let check = |line: &str, expected: &str| {
            let cargo = os::parent::StartedProcess {
                words: line.split(' ').map(str::to_owned).collect(),
                directory: folder.path().to_owned(),
            };
            let config = CargoConfig::read(folder.path(), &environment).under(&cargo);
            let found = of_profile("release", &Table::new(), &config);
            assert_eq!(found["opt-level"], expected, "{line}");
        };
        check("cargo slow", "1");
        check("cargo --color always -q slow -- x", "1");
        check("cargo slower", "0");
        check("cargo my-own", "1");
        // The last option wins.
        check("cargo slow --config profile.bench.opt-level=3", "3");
        // The command of cargo goes over an alias of its name.
        check("cargo bench", "3");
        check("cargo bench slow", "3");
        check("cargo circle", "3");
        check("cargo", "3");
    }

    #[test]
    fn profiles_inherit_and_are_overridden() {
        check("release", "", &[], &[]);
        let bench = "[profile.bench]\ndebug = true\n[profile.release]\nlto = true\ndebug = 1\n";
        check("release", bench, &[], &[("debug", "true"), ("lto", "fat")]);
        let variable = ("CARGO_PROFILE_BENCH_OPT_LEVEL", "1");
        check("release", "", &[variable], &[("opt-level", "1")]);
        let own = "[profile.own]\ninherits = \"release\"\ncodegen-units = 1\n";
        check("own", own, &[], &[("codegen-units", "1")]);
        check(
            "debug",
            "",
            &[],
            &[
                ("codegen-units", "256"),
                ("debug", "true"),
                ("incremental", "true"),
                ("opt-level", "0"),
                ("overflow-checks", "true"),
            ],
        );
        let own = "[profile.own]\ninherits = \"bench\"\n[profile.release]\nopt-level = 2\n";
        check("own", own, &[], &[("opt-level", "2")]);
        // Cargo refuses a circle.
        let circle = "[profile.a]\ninherits = \"b\"\n[profile.b]\ninherits = \"a\"\n";
        check("a", circle, &[], &[]);
        let packages = "[profile.bench.package.\"*\"]\nopt-level = 1\n";
        check(
            "release",
            packages,
            &[],
            &[("package", "{ * = { opt-level = 1 } }")],
        );
    }

    #[test]
    fn values_have_one_spelling() {
        for (key, value, expected) in [
            ("opt-level", Value::from(3), "3"),
            ("opt-level", "3".into(), "3"),
            ("opt-level", "s".into(), "s"),
            ("debug", 2.into(), "true"),
            ("debug", true.into(), "true"),
            ("debug", "none".into(), "false"),
            ("lto", true.into(), "fat"),
            ("lto", "off".into(), "off"),
        ] {
            assert_eq!(spelled(key, &value), expected, "{key} = {value:?}");
        }
    }

    #[test]
    fn the_folder_tells_the_profile() {
        let of = |path: &str| profile(Path::new(path));
        assert_eq!(
            of("/w/target/release/deps/b-0123").as_deref(),
            Some("release")
        );
        let cross = "/w/target/x86_64-unknown-linux-gnu/own/deps/b-0123";
        assert_eq!(of(cross).as_deref(), Some("own"));
        assert_eq!(of("/somewhere/b"), None);
        assert_eq!(of("b"), None);
    }

    #[test]
    fn flags_about_lints_change_no_code() {
        #[track_caller]
        fn check(flags: &str, expected: &str) {
            let words: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
            assert_eq!(without_lints(&words).join(" "), expected);
        }
        check("-D warnings -C target-cpu=native", "-C target-cpu=native");
        check(
            "-Dwarnings --cap-lints=allow -Copt-level=2",
            "-Copt-level=2",
        );
        check("--deny warnings --cfg fast --cap-lints warn", "--cfg fast");
        check("-Zverbose -A dead_code", "-Zverbose");
    }

    #[test]
    fn an_executable_that_lies_elsewhere_tells_what_is_in_it() {
        let platform = Platform {
            target: "x86_64-unknown-linux-gnu".to_owned(),
            target_features: vec!["avx".to_owned(), "avx2".to_owned()],
            panic_aborts: true,
            ..Platform::default()
        };
        let settings = of_executable(&platform);
        let settings: Vec<(&str, &str)> = settings
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect();
        let expected = [
            ("debug-assertions", "false"),
            ("panic", "abort"),
            ("target-feature", "avx,avx2"),
        ];
        assert_eq!(settings, expected);
        assert_eq!(of_executable(&Platform::default()), BTreeMap::new());
    }
}
