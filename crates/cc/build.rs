//! Compiles the shim against Valgrind's headers, and notes what the headers say.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "compile")]
    if let Err(error) = shim::build() {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

#[cfg(feature = "compile")]
mod shim {
    use std::path::{Path, PathBuf};
    use std::{env, fs};

    const VARIABLE: &str = "IAI_CALLGRIND_VALGRIND_INCLUDE";

    pub(crate) fn build() -> Result<(), String> {
        let target = env::var("TARGET").map_err(|error| format!("`TARGET`: {error}"))?;
        let mut compiler = cc::Build::new();
        if let Some(directory) = include_directory(&target)? {
            compiler.include(directory);
        } else if target.contains("freebsd") {
            // Where its packages are, and where its compiler does not look.
            compiler.include("/usr/local/include");
        }

        let facts = read_headers(&compiler, &target)?;
        let path = Path::new(&env::var_os("OUT_DIR").unwrap_or_default()).join("headers.rs");
        fs::write(&path, facts)
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;

        println!("cargo:rerun-if-changed=src/shim.c");
        compiler
            .file("src/shim.c")
            .try_compile("iai_callgrind_cc")
            .map_err(|error| format!("cannot compile the shim for client requests: {error}"))
    }

    /// The directory above `valgrind/` that the user has named, the one for this target first.
    fn include_directory(target: &str) -> Result<Option<PathBuf>, String> {
        let triple = target.to_uppercase().replace('-', "_");
        let of_target = format!("IAI_CALLGRIND_{triple}_VALGRIND_INCLUDE");
        let variables = [of_target.as_str(), VARIABLE];
        for variable in variables {
            println!("cargo:rerun-if-env-changed={variable}");
        }

        // Empty counts as unset.
        let named = variables.iter().find_map(|variable| {
            let value = env::var_os(variable).filter(|value| !value.is_empty())?;
            Some((variable, PathBuf::from(value)))
        });
        let Some((variable, directory)) = named else {
            return Ok(None);
        };
        let header = directory.join("valgrind").join("valgrind.h");
        if !header.is_file() {
            return Err(format!(
                "`{variable}` is `{}`, but there is no `{}`\n  \
                 hint: name the directory above `valgrind/`",
                directory.display(),
                header.display()
            ));
        }
        println!("cargo:rerun-if-changed={}", header.display());
        Ok(Some(directory))
    }

    /// The headers' version and whether they know the target, as Rust.
    fn read_headers(compiler: &cc::Build, target: &str) -> Result<String, String> {
        println!("cargo:rerun-if-changed=src/headers.c");
        let expanded = compiler
            .clone()
            .file("src/headers.c")
            .try_expand()
            .map_err(|error| {
                format!(
                    "the C compiler cannot read `valgrind/valgrind.h` for `{target}`: {error}\n  \
                     hint: install Valgrind's headers (package `valgrind` of Debian, \
                     `valgrind-devel` of Fedora), or set `{VARIABLE}` to the directory above \
                     `valgrind/`"
                )
            })?;
        let expanded = String::from_utf8_lossy(&expanded);
        // A compiler may insert lines with `#`, also where a macro was.
        let lines = expanded.lines().filter(|line| !line.starts_with('#'));
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        let [.., "valgrind_version", major, minor, "valgrind_supports_target", supported] =
            words.as_slice()
        else {
            return Err(
                "the C compiler's expansion of `src/headers.c` lacks its last lines; \
                 this is an error of iai-callgrind"
                    .to_owned(),
            );
        };
        Ok(format!(
            "/// Does Valgrind know this target?\n\
             pub const SUPPORTED: bool = {supported};\n\n\
             /// The version of Valgrind that the headers belong to.\n\
             pub const VALGRIND_VERSION: (u32, u32) = ({major}, {minor});\n"
        ))
    }
}
