//! Cargo's configuration: options of its command line, environment variables and
//! `.cargo/config.toml`, the nearest file first.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use base::os::parent::StartedProcess;
use base::variables::EnvironmentVariables;

/// Commands of cargo that may start a benchmark executable. No alias can replace them.
const BUILT_IN: [&str; 3] = ["bench", "run", "test"];

/// Options of cargo before its command whose value is the next word.
const WITH_VALUE: [&str; 4] = ["--config", "--color", "-C", "-Z"];

/// The most aliases that stand for each other.
const MOST_ALIASES: usize = 10;

/// Configuration outside of manifests: environment variables and configuration files.
#[derive(Debug)]
pub struct CargoConfig<'a> {
    environment: &'a EnvironmentVariables,
    files: Vec<(PathBuf, Table)>,
    /// Files that cannot be read, with the reasons.
    pub unreadable: Vec<String>,
    /// Settings of `--config`, the last option first. They take precedence over files and
    /// variables.
    options: Vec<(String, Table)>,
}

impl<'a> CargoConfig<'a> {
    /// Reads the files that cargo would read if it was started in this directory.
    #[must_use]
    pub fn read(directory: &Path, environment: &'a EnvironmentVariables) -> Self {
        // A relative path does not name the directories above, in which cargo looks as well.
        let directory = std::path::absolute(directory)
            .or_else(|_| std::env::current_dir())
            .unwrap_or_default();
        let above = directory.ancestors().map(|folder| folder.join(".cargo"));
        let home = environment.get("CARGO_HOME").map(PathBuf::from);
        let default = || Some(Path::new(environment.get("HOME")?).join(".cargo"));
        let mut files: Vec<(PathBuf, Table)> = Vec::new();
        let mut unreadable = Vec::new();
        for folder in above.chain(home.or_else(default)) {
            // Where both are there, cargo reads the one without an end.
            let names = ["config", "config.toml"].map(|name| folder.join(name));
            let Some(path) = names.into_iter().find(|path| path.is_file()) else {
                continue;
            };
            // The home directory is above most projects.
            if files.iter().any(|(known, _)| *known == path) {
                continue;
            }
            match read_toml(&path) {
                Ok(table) => files.push((path, table)),
                Err(reason) => unreadable.push(reason),
            }
        }
        Self {
            environment,
            files,
            unreadable,
            options: Vec::new(),
        }
    }

    /// Adds the `--config` options of the cargo that built. Nothing changes if the process is
    /// another program.
    #[must_use]
    pub fn under(mut self, cargo: &StartedProcess) -> Self {
        if !Self::is_cargo(cargo) {
            return self;
        }
        let words = cargo.words.iter().skip(1).take_while(|word| *word != "--");
        let words = self.without_aliases(words.cloned().collect());
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let option = match word {
                "--config" => words.next(),
                word => word.strip_prefix("--config="),
            };
            let Some(option) = option else {
                continue;
            };
            let file = cargo.directory.join(option);
            // Mistakes would have stopped cargo before.
            let table = match file.is_file() {
                true => read_toml(&file).ok(),
                false => option.parse().ok(),
            };
            if let Some(table) = table {
                // Later options go over earlier ones.
                self.options
                    .insert(0, (format!("--config {option}"), table));
            }
        }
        self
    }

    /// The words of a command line of cargo, with those of an alias in its place.
    fn without_aliases(&self, mut words: Vec<String>) -> Vec<String> {
        // An alias may stand for another one; cargo refuses a circle.
        for _ in 0..MOST_ALIASES {
            let Some(command) = command(&words) else {
                break;
            };
            let alias = self.alias(&words[command]);
            let Some(alias) = alias.filter(|_| !BUILT_IN.contains(&&*words[command])) else {
                break;
            };
            words.splice(command..=command, alias);
        }
        words
    }

    /// The words for which an alias stands.
    fn alias(&self, name: &str) -> Option<Vec<String>> {
        let variable = format!("CARGO_ALIAS_{name}")
            .to_uppercase()
            .replace('-', "_");
        let set = self.environment.get(&variable).map(|value| {
            let value = value.to_string_lossy();
            value.split_whitespace().map(str::to_owned).collect()
        });
        set.or_else(|| {
            let mut tables = self.tables_of_files();
            tables.find_map(|(_, table)| Some(words(table.get("alias")?.get(name)?)))
        })
    }

    /// Is the process one of cargo?
    #[must_use]
    pub fn is_cargo(process: &StartedProcess) -> bool {
        let program = process.words.first().map(Path::new);
        let program = program.and_then(Path::file_name);
        program.is_some_and(|program| program == "cargo")
    }

    /// Has cargo a directory of its own for what it makes on the way to the targets?
    #[must_use]
    pub fn has_build_directory(&self) -> bool {
        let is_set = |(_, table): (String, &Table)| {
            let build = table.get("build");
            build.is_some_and(|build| build.get("build-dir").is_some())
        };
        let variable = self.environment.get("CARGO_BUILD_BUILD_DIR");
        variable.is_some() || self.tables().any(is_set)
    }

    /// The `--config` options, as cargo takes them.
    pub fn option_words(&self) -> impl Iterator<Item = &str> {
        let options = self.options.iter().rev();
        options.flat_map(|(option, _)| {
            let value = option.strip_prefix("--config ").unwrap_or(option);
            ["--config", value]
        })
    }

    /// Tables of the options, then those of the files.
    fn tables(&self) -> impl Iterator<Item = (String, &Table)> {
        self.tables_of_options().chain(self.tables_of_files())
    }

    fn tables_of_options(&self) -> impl Iterator<Item = (String, &Table)> {
        let options = self.options.iter();
        options.map(|(option, table)| (option.clone(), table))
    }

    fn tables_of_files(&self) -> impl Iterator<Item = (String, &Table)> {
        let files = self.files.iter();
        files.map(|(path, table)| (path.display().to_string(), table))
    }

    /// A key of a profile: the variable or file that sets it, and its value.
    #[must_use]
    pub fn profile(&self, profile: &str, key: &str) -> Option<(String, Value)> {
        let of_table = |(place, table): (String, &Table)| {
            let value = table.get("profile")?.get(profile)?.get(key)?.clone();
            Some((place, value))
        };
        if let Some(found) = self.tables_of_options().find_map(of_table) {
            return Some(found);
        }
        let variable = format!("CARGO_PROFILE_{profile}_{key}")
            .to_uppercase()
            .replace('-', "_");
        if let Some(value) = self.environment.get(&variable) {
            return Some((variable, from_variable(&value.to_string_lossy())));
        }
        self.tables_of_files().find_map(of_table)
    }

    /// Flags for the compiler, with the variable or files that set them. Those of all targets are
    /// returned, although only those of one apply.
    #[must_use]
    pub fn rustflags(&self) -> Vec<(String, Vec<String>)> {
        let variables = [("CARGO_ENCODED_RUSTFLAGS", '\x1f'), ("RUSTFLAGS", ' ')];
        // In cargo one source of flags replaces the next ones, and variables come first.
        for (variable, separator) in variables {
            if let Some(value) = self.environment.get(variable) {
                let value = value.to_string_lossy();
                let words = value.split(separator).filter(|word| !word.is_empty());
                return vec![(variable.to_owned(), words.map(str::to_owned).collect())];
            }
        }
        let mut all = Vec::new();
        for (place, table) in self.tables() {
            let targets = table.get("target").and_then(Value::as_table);
            let targets = targets.into_iter().flat_map(Table::values);
            let tables = targets.chain(table.get("build"));
            for flags in tables.filter_map(|table| table.get("rustflags")) {
                all.push((place.clone(), words(flags)));
            }
        }
        all
    }
}

/// Reads a TOML file.
///
/// # Errors
///
/// The file cannot be read. The text names it and the reason.
pub fn read_toml(path: &Path) -> Result<Table, String> {
    let unreadable = |reason: &str| format!("`{}` cannot be read: {reason}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(&error.to_string()))?;
    text.parse()
        .map_err(|error: toml::de::Error| unreadable(error.message()))
}

/// The index of the command in a command line of cargo: the first word that belongs to no option.
fn command(words: &[String]) -> Option<usize> {
    let mut is_value = false;
    words.iter().position(|word| {
        let is_command = !is_value && !word.starts_with('-');
        is_value = !is_value && WITH_VALUE.contains(&word.as_str());
        is_command
    })
}

/// The words of `rustflags` or of an alias: a list, or one text with blanks between the words.
fn words(flags: &Value) -> Vec<String> {
    match flags {
        Value::String(text) => text.split_whitespace().map(str::to_owned).collect(),
        Value::Array(list) => list
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}

/// The value of an environment variable. Its type is that of its text: `true`, `2`, `symbols`.
fn from_variable(text: &str) -> Value {
    match (text.parse(), text.parse()) {
        (Ok(truth), _) => Value::Boolean(truth),
        (_, Ok(number)) => Value::Integer(number),
        _ => Value::String(text.to_owned()),
    }
}
