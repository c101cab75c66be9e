//! Writes the description of a suite as JSON.
//!
//! The runner reads it with serde. A benchmark file only writes, and for that its users would
//! compile serde, its macros and serde_json: more than half of what they compile otherwise. So the
//! form that serde gives these types is written here, and tests read it back with serde.
//! `described!` makes a type and its form from one list of fields or variants; forms of other kinds
//! stand in this folder.

use std::ffi::{OsStr, OsString};
use std::fmt::{Display, Write};

#[cfg(feature = "serde")]
use super::Suite;

/// The description as text. The executable writes the same without a [`Suite`]
/// (`__internal/describe.rs`).
#[must_use]
#[cfg(feature = "serde")]
pub fn to_string(suite: &Suite) -> String {
    let mut out = String::new();
    suite.write(&mut out);
    out
}

/// A value with a form in JSON.
pub(crate) trait Json {
    fn write(&self, out: &mut String);
}

/// Defines a type of the description: as it is written, with serde's derives where there is serde,
/// and with the form that these would give it. A struct has named fields; the variants of an enum
/// hold nothing or one value.
macro_rules! described {
    // In a pattern: the name of the value that a variant holds.
    (@holds $value:ident $type:ty) => { $value };
    (@variant $variant:ident $out:ident) => {
        $crate::protocol::json::Json::write(stringify!($variant), $out)
    };
    (@variant $variant:ident $out:ident $value:ident $type:ty) => {
        $crate::protocol::json::variant(stringify!($variant), $value, $out)
    };

    (
        $(#[$meta:meta])*
        pub struct $name:ident $(<$($param:ident $(= $default:ty)?),+>)? {
            $($(#[$about:meta])* $vis:vis $field:ident: $type:ty),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name $(<$($param $(= $default)?),+>)? {
            $($(#[$about])* $vis $field: $type),+
        }

        impl $(<$($param: $crate::protocol::json::Json),+>)? $crate::protocol::json::Json
            for $name $(<$($param),+>)?
        {
            #[inline]
            fn write(&self, out: &mut String) {
                let Self { $($field),+ } = self;
                $crate::protocol::json::open('{', out);
                $($crate::protocol::json::field(stringify!($field), $field, out);)+
                $crate::protocol::json::close('}', out);
            }
        }
    };

    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($(#[$about:meta])* $variant:ident $(($(#[$held:meta])* $type:ty))?),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum $name {
            $($(#[$about])* $variant $(($(#[$held])* $type))?),+
        }

        impl $crate::protocol::json::Json for $name {
            #[inline]
            fn write(&self, out: &mut String) {
                match self {
                    $(
                        Self::$variant $(
                            ($crate::protocol::json::described!(@holds value $type))
                        )? => $crate::protocol::json::described!(
                            @variant $variant out $(value $type)?
                        ),
                    )+
                }
            }
        }
    };
}

pub(crate) use described;

mod command;
mod metrics;

// These functions are not inlined: the fields of all types are written by the same few functions.

/// `{"Variant":value}`, as serde writes an enum.
#[inline(never)]
pub(crate) fn variant(name: &str, value: &dyn Json, out: &mut String) {
    open('{', out);
    field(name, value, out);
    close('}', out);
}

/// Begins an object or array.
#[inline(never)]
pub(crate) fn open(bracket: char, out: &mut String) {
    out.push(bracket);
}

/// Writes a field of an object.
#[inline(never)]
pub(crate) fn field(called: &str, value: &dyn Json, out: &mut String) {
    name(called, out);
    value.write(out);
}

/// Writes the name of a field, whose value follows.
#[inline(never)]
pub(crate) fn name(name: &str, out: &mut String) {
    item(&name, out);
    out.push(':');
}

/// Writes an item of an array.
#[inline(never)]
fn item(value: &dyn Json, out: &mut String) {
    next(out);
    value.write(out);
}

/// Writes the comma before an item, unless it is the first.
#[inline(never)]
pub(crate) fn next(out: &mut String) {
    // No value ends with an opening bracket, so one at the end has just been opened.
    if !matches!(out.as_bytes().last(), Some(b'{' | b'[')) {
        out.push(',');
    }
}

/// Ends an object or array.
#[inline(never)]
pub(crate) fn close(bracket: char, out: &mut String) {
    out.push(bracket);
}

#[inline(never)]
fn null(out: &mut String) {
    out.push_str("null");
}

impl<T: Json> Json for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => null(out),
        }
    }
}

impl<T: Json + ?Sized> Json for &T {
    fn write(&self, out: &mut String) {
        (**self).write(out);
    }
}

impl<T: Json> Json for Box<T> {
    fn write(&self, out: &mut String) {
        self.as_ref().write(out);
    }
}

impl<T: Json> Json for [T] {
    fn write(&self, out: &mut String) {
        array(self.len(), &|index| &self[index], out);
    }
}

/// Writes an array of that many items.
#[inline(never)]
fn array<'a>(length: usize, value: &dyn Fn(usize) -> &'a dyn Json, out: &mut String) {
    open('[', out);
    for index in 0..length {
        item(value(index), out);
    }
    close(']', out);
}

impl<T: Json> Json for Vec<T> {
    fn write(&self, out: &mut String) {
        self.as_slice().write(out);
    }
}

impl<A: Json, B: Json> Json for (A, B) {
    fn write(&self, out: &mut String) {
        open('[', out);
        item(&self.0, out);
        item(&self.1, out);
        close(']', out);
    }
}

fn displayed(value: &dyn Display, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{value}");
}

/// `true`, `false` and whole numbers look the same in Rust.
macro_rules! as_displayed {
    ($($type:ty),*) => {$(
        impl Json for $type {
            fn write(&self, out: &mut String) {
                displayed(self, out);
            }
        }
    )*};
}

as_displayed!(bool, i32, u8, u32, u64, usize);

impl Json for f64 {
    /// JSON has no infinity and nothing that is not a number: a limit that nothing exceeds is the
    /// largest number.
    #[inline]
    fn write(&self, out: &mut String) {
        let finite = if self.is_nan() {
            f64::MAX
        } else {
            self.clamp(f64::MIN, f64::MAX)
        };
        // The shortest form that reads back as the same number.
        displayed(&format_args!("{finite:?}"), out);
    }
}

impl Json for str {
    fn write(&self, out: &mut String) {
        out.push('"');
        let special = |byte: &u8| *byte < b' ' || *byte == b'"' || *byte == b'\\';
        if !self.as_bytes().iter().any(special) {
            // Nearly all texts, names of fields among them.
            out.push_str(self);
            out.push('"');
            return;
        }
        for char in self.chars() {
            match char {
                control if control < ' ' => {
                    displayed(&format_args!("\\u{:04x}", u32::from(control)), out);
                }
                char => {
                    if char == '"' || char == '\\' {
                        out.push('\\');
                    }
                    out.push(char);
                }
            }
        }
        out.push('"');
    }
}

impl Json for String {
    fn write(&self, out: &mut String) {
        self.as_str().write(out);
    }
}

impl Json for OsString {
    /// Texts of the system need not be UTF-8, so serde writes their bytes.
    #[inline]
    fn write(&self, out: &mut String) {
        variant("Unix", &bytes(self), out);
    }
}

#[cfg(unix)]
#[inline]
fn bytes(text: &OsStr) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    text.as_bytes().to_vec()
}

/// Elsewhere nothing is measured, and nobody reads it.
#[cfg(not(unix))]
fn bytes(text: &OsStr) -> Vec<u8> {
    text.to_string_lossy().into_owned().into_bytes()
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;
    use crate::protocol::{
        Case, Command, Config, Function, Group, Hooks, Input, Kind, Package, Platform, Ratio,
        RatioSide, Scaling, Throughput,
    };

    #[track_caller]
    fn check(suite: &Suite) {
        let json = to_string(suite);
        let read: Suite = serde_json::from_str(&json).unwrap_or_else(|e| panic!("{e}: {json}"));
        assert_eq!(read, *suite);
    }

    fn suite(config: Option<Config>) -> Suite {
        let case = |id: Option<&str>| Case {
            id: id.map(str::to_owned),
            args: Some("\"x\", '\\n'".into()),
            input: id.map(|_| Input::new("\"x\", '\\n'".into(), true)),
            index: 1,
            element: 2,
            elements: 3,
            config: config.clone().map(Box::new),
            scaling: id.map(|id| Scaling {
                bench: id.to_owned(),
                growth: "n^2".to_owned(),
                size: u64::MAX,
            }),
            throughput: id.map(|_| {
                Box::new(Throughput {
                    bytes: Some(u64::MAX),
                    elements: None,
                })
            }),
            title: id.map(str::to_owned),
            hooks: Hooks {
                setup: false,
                teardown: true,
            },
            command: id.map(|_| Box::<Command>::default()),
        };
        let hooks = Hooks {
            setup: true,
            teardown: false,
        };
        Suite {
            protocol: 1,
            version: "0.17.0".into(),
            package: Package {
                name: "package".into(),
                manifest_dir: "/a b/c".into(),
                workspace: "/a b".into(),
                target_tmpdir: None,
                file: "benches/b.rs".into(),
                module: "b".into(),
            },
            platform: Platform {
                target: "x86_64-unknown-linux-gnu".into(),
                libc: Some("glibc 2.36".into()),
                target_features: vec!["avx2".into()],
                debug_assertions: true,
                panic_aborts: false,
            },
            config: config.clone(),
            deterministic_random: true,
            brackets: true,
            is_malloc: Some(true),
            hooks,
            groups: vec![Group {
                name: "group".into(),
                kind: Kind::Binary,
                config: config.clone(),
                compare_by_id: true,
                max_parallel: 4,
                hooks,
                functions: vec![Function {
                    name: "f".into(),
                    index: 5,
                    file: "benches/b.rs".to_owned(),
                    line: 7,
                    config: config.clone().map(Box::new),
                    equal_counts: true,
                    cases: vec![case(None), case(Some("größe"))],
                }],
                ratios: vec![Ratio {
                    limited: RatioSide {
                        function: "f".to_owned(),
                        id: None,
                    },
                    ratio: "0.5".to_owned(),
                    of: RatioSide {
                        function: "f".to_owned(),
                        id: Some("größe".to_owned()),
                    },
                }],
            }],
            unlisted: vec!["benches/b.rs:1: g".into()],
            empty: vec!["benches/b.rs:2: no elements".into()],
            entries: 2,
            at_run_time: false,
        }
    }

    #[test]
    fn serde_reads_what_is_written() {
        check(&suite(None));
        check(&suite(Some(Config::default())));
    }

    #[test]
    fn what_is_no_number_becomes_one() {
        for (number, expected) in [
            (f64::INFINITY, f64::MAX),
            (f64::NEG_INFINITY, f64::MIN),
            (f64::NAN, f64::MAX),
        ] {
            let mut json = String::new();
            number.write(&mut json);
            assert_eq!(serde_json::from_str::<f64>(&json).unwrap(), expected);
        }
    }
}
