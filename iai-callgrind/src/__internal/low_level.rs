//! Groups of binary benchmarks whose members are made at run time.

use std::ffi::OsStr;
use std::mem;
use std::path::Path;
use std::rc::Rc;

use super::benchmarks::{Case, Code, Function, Place, Wanted};
use super::cases::cases;
use super::later::{LaterCommand, LaterConfig, LaterHook};
use super::program::Program;
use super::table::{self, BinaryFunction, Element};
use super::throughput::LaterThroughputs;
use crate::binary::{Bench, BinaryBenchmark, BinaryBenchmarkGroup, Described, Hook};
use crate::protocol::{Address, Command, Config, Input};

/// One member of `benchmarks` in `binary_benchmark_group!`.
pub enum Member {
    /// A function with `#[binary_benchmark]`.
    Function(&'static BinaryFunction),
    /// A function or closure that adds benchmarks to the group.
    Build(Box<dyn Build>),
}

/// Makes benchmarks at run time. A trait for the reason that `table.rs` gives.
pub trait Build {
    /// Adds them to a group.
    fn add(&self, group: &mut BinaryBenchmarkGroup);

    /// Adds them to the functions of the group with this name, and collects mistakes in them.
    fn build(&self, group: &str, functions: &mut Vec<Function>, mistakes: &mut Vec<String>);
}

impl<F: Fn(&mut BinaryBenchmarkGroup)> Build for F {
    fn add(&self, group: &mut BinaryBenchmarkGroup) {
        self(group);
    }

    fn build(&self, group: &str, functions: &mut Vec<Function>, mistakes: &mut Vec<String>) {
        let mut built = BinaryBenchmarkGroup::default();
        self.add(&mut built);
        for mut benchmark in built.into_benchmarks() {
            check(group, &benchmark, mistakes);
            let index = functions.len() as u32;
            functions.push(benchmark.function(index));
        }
    }
}

/// Value that may stand in `benchmarks`. `Form` tells the implementations apart.
///
/// Two of them are for any type, and one of these holds for none: if there were only the other,
/// rustc would take it as meant, and report in its own words what keeps a function from being one
/// that adds benchmarks.
#[diagnostic::on_unimplemented(
    message = "this is no binary benchmark",
    label = "put `#[binary_benchmark]` above this function",
    note = "functions with `#[library_benchmark]` are listed in `library_benchmark_group!`; a function \
            without attribute adds benchmarks to a `&mut BinaryBenchmarkGroup`, its only parameter"
)]
pub trait IntoMember<Form> {
    fn member(self) -> Member;
}

/// Form of annotated functions.
#[derive(Debug)]
pub struct Annotated;

/// Form of functions and closures that add benchmarks.
#[derive(Debug)]
pub struct Adding;

/// Form that no value has.
#[derive(Debug)]
pub struct Neither;

/// Has no implementation.
pub trait IsNeither {}

#[diagnostic::do_not_recommend]
impl IntoMember<Annotated> for &'static BinaryFunction {
    fn member(self) -> Member {
        Member::Function(self)
    }
}

#[diagnostic::do_not_recommend]
impl<F> IntoMember<Adding> for F
where
    F: Fn(&mut BinaryBenchmarkGroup) + 'static,
{
    fn member(self) -> Member {
        Member::Build(Box::new(self))
    }
}

#[diagnostic::do_not_recommend]
impl<T: IsNeither> IntoMember<Neither> for T {
    fn member(self) -> Member {
        unreachable!("there is no such type")
    }
}

/// One of the `benchmarks` of `library_benchmark_group!`.
#[diagnostic::on_unimplemented(
    message = "this function has no `#[library_benchmark]`",
    label = "put `#[library_benchmark]` above this function",
    note = "functions with `#[binary_benchmark]` are listed in `binary_benchmark_group!`"
)]
pub trait LibraryFunction {
    const TABLE: &'static table::Function;
}

/// A function with `#[library_benchmark]`. A trait of its own, whose implementations rustc does not
/// list in errors about the other one: generated code cannot ask for that itself, since a module
/// without a prelude has no attributes of tools.
pub trait AnnotatedFunction {
    const TABLE: &'static table::Function;
}

#[diagnostic::do_not_recommend]
impl<T: AnnotatedFunction> LibraryFunction for T {
    const TABLE: &'static table::Function = T::TABLE;
}

/// Stand-in for a function without `#[library_benchmark]`.
#[derive(Debug)]
pub struct NoAttribute;

/// The names that a function without an attribute does not have, see the macros.
pub mod plain_function {
    #[allow(non_snake_case)]
    pub mod __iai_callgrind_entry {
        pub mod __BINARY {}
        pub mod __LIBRARY {
            pub use super::super::super::NoAttribute as __iai_callgrind_function;
        }
    }
}

/// Stand-in for library benchmarks in a group of binary benchmarks: rustc refuses it and names its
/// type.
pub mod library_benchmark {
    #[derive(Debug)]
    pub struct LibraryBenchmark;

    #[allow(non_upper_case_globals)]
    pub const __iai_callgrind_entry: LibraryBenchmark = LibraryBenchmark;
}

/// Return value of a function with `#[binary_benchmark]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no command",
    label = "a function with `#[binary_benchmark]` returns `iai_callgrind::Command`",
    note = "as in `Command::new(env!(\"CARGO_BIN_EXE_my-program\")).arg(\"x\").build()`"
)]
pub trait IntoCommand {
    fn into_command(self) -> crate::Command;
}

impl IntoCommand for crate::Command {
    #[inline]
    fn into_command(self) -> crate::Command {
        self
    }
}

impl IntoCommand for &crate::Command {
    #[inline]
    fn into_command(self) -> crate::Command {
        self.clone()
    }
}

impl IntoCommand for &mut crate::Command {
    #[inline]
    fn into_command(self) -> crate::Command {
        self.clone()
    }
}

/// The command at the end of a benchmark function, also if `build` was forgotten.
pub fn built<C: IntoCommand>(command: C) -> crate::Command {
    command.into_command()
}

/// The command that a case of an annotated function has.
pub fn command<C: IntoCommand>(command: C) -> Command {
    command.into_command().into()
}

/// Expansion of `binary_benchmark_attribute!`: the cases of an annotated function.
#[must_use]
#[inline]
pub fn attribute(function: &'static BinaryFunction) -> BinaryBenchmark {
    let BinaryFunction(table) = function;
    let mut benchmark = BinaryBenchmark::new(table.name);
    benchmark.function = Some(table);
    benchmark.config = table.config.map(|config| config().plain().clone());
    for case in cases(table, Wanted::WithCommands, &mut Vec::new()) {
        let Code::Program(program) = case.code else {
            continue;
        };
        let program = program.parts();
        let mut bench = Bench::new(case.id.as_deref().unwrap_or(table.name));
        bench.config = case.config.map(|config| config.get().plain().clone());
        bench.setup = program.setup.map(LaterHook::into_hook);
        bench.teardown = program.teardown.map(LaterHook::into_hook);
        if let Some(amounts) = case.throughput {
            bench.throughput = amounts.get();
        }
        bench.commands.push(Described {
            args: case.args,
            input: case.input,
            command: program.command.get(),
        });
        benchmark.bench(bench);
    }
    benchmark
}

/// Finds mistakes that the types allow and the runner cannot use.
#[inline]
fn check(group: &str, benchmark: &BinaryBenchmark, mistakes: &mut Vec<String>) {
    let function = benchmark.id.to_string();
    let mut mistake = |id: Option<&str>, text: String| {
        let address = Address {
            group,
            function: &function,
            id,
        };
        let (file, line) = (benchmark.place.file(), benchmark.place.line());
        mistakes.push(format!("{file}:{line}: `{address}`: {text}"));
    };
    if let Err(text) = benchmark.id.validate() {
        mistake(None, text);
    }
    if benchmark.benches.is_empty() {
        let add = "add one with `.bench(Bench::new(\"some_id\").command(..))`";
        mistake(None, format!("there is no bench; {add}"));
    }
    for bench in &benchmark.benches {
        let id = bench.id.to_string();
        if let Err(text) = bench.id.validate() {
            mistake(Some(&id), text);
        }
        if bench.commands.is_empty() {
            let add = "add one with `.command(Command::new(..))`";
            mistake(Some(&id), format!("there is no command; {add}"));
        }
    }
}

impl BinaryBenchmark {
    #[inline]
    fn function(&mut self, index: u32) -> Function {
        let mut cases = Vec::new();
        for (of_bench, bench) in self.benches.iter_mut().enumerate() {
            bench.add_cases(of_bench as u32, &self.setup, &self.teardown, &mut cases);
        }
        Function {
            index,
            table: self.function,
            name: self.id.to_string(),
            place: Place {
                file: self.place.file(),
                line: self.place.line(),
                column: self.place.column(),
            },
            config: self.config.take().map(known),
            equal_counts: false,
            cases,
            empty: Vec::new(),
        }
    }
}

impl Bench {
    /// Adds one case for each command. The hooks of the benchmark stand in for those that the bench
    /// has not.
    #[inline]
    fn add_cases(
        &mut self,
        index: u32,
        setup: &Option<Hook>,
        teardown: &Option<Hook>,
        cases: &mut Vec<Case>,
    ) {
        let is_numbered = self.numbered || self.commands.len() > 1;
        let id = self.id.to_string();
        let hook = |own: &Option<Hook>, outer: &Option<Hook>| {
            let hook = own.as_ref().or(outer.as_ref())?;
            Some(LaterHook::Known(hook.clone()))
        };
        for (number, described) in self.commands.iter_mut().enumerate() {
            let command = mem::take(&mut described.command);
            let input = described.input.take();
            cases.push(Case {
                index,
                element: Element::default(),
                id: Some(match is_numbered {
                    true => format!("{id}_{number}"),
                    false => id.clone(),
                }),
                args: described.args.take(),
                input: input.or_else(|| Some(of_command(&command, is_numbered))),
                tears_down: false,
                config: self.config.clone().map(known),
                scaling: None,
                throughput: Some(LaterThroughputs::Known(self.throughput)),
                #[cfg(feature = "registration")]
                title: None,
                code: Code::Program(Box::new(Program {
                    command: LaterCommand::Known(Box::new(command)),
                    setup: hook(&self.setup, setup),
                    teardown: hook(&self.teardown, teardown),
                })),
            });
        }
    }
}

#[inline]
fn known(config: Config) -> LaterConfig {
    LaterConfig::Known(Rc::new(config))
}

/// The arguments of a command, which tell it from others. Absolute paths do not: they are others in
/// each checkout, and those of temporary files in each run.
#[inline]
fn of_command(command: &Command, numbered: bool) -> Input {
    let program = Path::new(&command.program).file_name();
    let mut text = program.map(without_path).unwrap_or_default();
    for arg in &command.args {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&without_path(arg));
    }
    Input::new(text, numbered)
}

#[inline]
fn without_path(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    if word.starts_with('/') {
        return "/..".to_owned();
    }
    for (equals, _) in word.match_indices('=') {
        if word[equals + 1..].starts_with('/') {
            return format!("{}=/..", &word[..equals]);
        }
    }
    format!("{word:?}")
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;

    #[test]
    fn commands_are_told_apart_by_their_arguments_and_not_by_places() {
        let input = |program: &str, args: &[&str]| {
            let command = Command {
                program: program.into(),
                args: args.iter().map(OsString::from).collect(),
                ..Command::default()
            };
            of_command(&command, true).text
        };
        let text = input(
            "/a/target/release/cat",
            &["-n", "in.txt", "/tmp/x1", "--to=/tmp/y1"],
        );
        assert_eq!(text, "\"cat\" \"-n\" \"in.txt\" /.. --to=/..");
        assert_eq!(
            text,
            input("/b/cat", &["-n", "in.txt", "/tmp/x2", "--to=/tmp/y2"])
        );
        assert_ne!(
            text,
            input("/b/cat", &["-n", "big.txt", "/tmp/x2", "--to=/tmp/y2"])
        );
        assert_ne!(input("cat", &["a b"]), input("cat", &["a", "b"]));
    }
}
