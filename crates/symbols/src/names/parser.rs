//! The grammar of Rust's names: paths, types, implementations, closures.
//!
//! In: a name without mangling. Out: the name without generic arguments, with implementations and
//! closures spelled in one way. A name that the grammar does not know, such as most of C++, is left
//! to the caller.

/// Nested types, and steps, of a name that is taken apart: no source has more.
const MOST_DEPTH: usize = 64;
// The depth alone is no bound: traits are read twice at each level, so the work may double.
const MOST_STEPS: usize = 20_000;

/// The name in its canonical spelling. `None`: it is none of Rust.
pub(super) fn parse(name: &str) -> Option<String> {
    // Callgrind's `(below main)`.
    if name.starts_with('(') {
        return None;
    }
    let mut parser = NameParser {
        rest: name,
        depth: 0,
        steps: 0,
    };
    let parsed = parser.function()?;
    parser.rest.is_empty().then_some(parsed)
}

struct NameParser<'a> {
    rest: &'a str,
    depth: usize,
    steps: usize,
}

impl<'a> NameParser<'a> {
    fn function(&mut self) -> Option<String> {
        let is_type = ["[", "*", "&", "dyn ", "fn("];
        if !is_type.iter().any(|begin| self.rest.starts_with(begin)) {
            return self.path();
        }
        // Canonical already: `[_]::split_at`.
        let begin = self.type_name()?;
        match self.eat("::") {
            true => Some(format!("{begin}::{}", self.path()?)),
            false => Some(begin),
        }
    }

    /// A path of a function, type or trait, without generic arguments.
    fn path(&mut self) -> Option<String> {
        self.enter()?;
        let mut segments: Vec<String> = Vec::new();
        loop {
            self.step()?;
            match self.rest.chars().next()? {
                '<' if segments.is_empty() => segments.push(self.qualified()?),
                '<' if self.rest.starts_with("<impl ") => segments = vec![self.implementation()?],
                '<' => self.skip_balanced()?,
                '{' => segments.push(self.braces()?),
                _ => segments.push(self.identifier()?.to_owned()),
            }
            while self.rest.starts_with('<') && !self.rest.starts_with("<impl ") {
                self.skip_balanced()?;
            }
            if self.rest.starts_with('{') {
                // `call_once{{vtable.shim}}`
                continue;
            }
            if !self.eat("::") {
                break;
            }
        }
        if segments.len() > 1 && matches!(&*segments[0], "core" | "alloc") {
            "std".clone_into(&mut segments[0]);
        }
        self.depth -= 1;
        Some(segments.join("::"))
    }

    /// `<X as Trait>` or `<X>`.
    fn qualified(&mut self) -> Option<String> {
        self.eat("<").then_some(())?;
        let start = self.rest;
        let its_type = self.type_name()?;
        let written = before(start, self.rest);
        if !self.eat(" as ") {
            self.eat(">").then_some(())?;
            return Some(its_type);
        }
        let its_trait = self.trait_of(&its_type, written)?;
        self.eat(">").then_some(())?;
        Some(format!("<{its_type} as {its_trait}>"))
    }

    /// `<impl Trait for X>` or `<impl X>`; the module before it is ignored.
    fn implementation(&mut self) -> Option<String> {
        self.eat("<impl ").then_some(())?;
        let (rest, depth) = (self.rest, self.depth);
        if let Some(its_type) = self.type_name() {
            if self.eat(">") {
                return Some(its_type);
            }
        }
        (self.rest, self.depth) = (rest, depth);
        // The trait is read twice, since what it says depends on the type.
        self.path()?;
        self.skip_sugar()?;
        self.eat(" for ").then_some(())?;
        let start = self.rest;
        let its_type = self.type_name()?;
        let written = before(start, self.rest);
        self.eat(">").then_some(())?;
        let end = std::mem::replace(&mut self.rest, rest);
        let its_trait = self.trait_of(&its_type, written)?;
        self.rest = end;
        Some(format!("<{its_type} as {its_trait}>"))
    }

    /// A trait that a type implements, as `Trait<own::Type>` if only this shows the crate of the
    /// function: every crate may implement `From` of its own types for `String`.
    fn trait_of(&mut self, its_type: &str, written: &str) -> Option<String> {
        let start = self.rest;
        let its_trait = self.path()?;
        let arguments = before(start, self.rest).strip_suffix('>');
        self.skip_sugar()?;
        let is_foreign = |name: &str| name.starts_with("std::") || !name.contains("::");
        if !is_foreign(its_type) || !is_foreign(&its_trait) {
            return Some(its_trait);
        }
        let arguments = arguments.and_then(|text| text.split_once('<'));
        let own = arguments.and_then(|(_, arguments)| self.own_argument(arguments, written));
        Some(match own {
            Some(own) => format!("{its_trait}<{own}>"),
            None => its_trait,
        })
    }

    /// The first argument that is a type of neither the standard library nor the implementing type.
    fn own_argument(&mut self, arguments: &'a str, written: &str) -> Option<String> {
        let rest = std::mem::replace(&mut self.rest, arguments);
        let depth = self.depth;
        let mut own = None;
        loop {
            let start = self.rest;
            let Some(argument) = self.type_name() else {
                break;
            };
            let is_whole = self.rest.is_empty() || self.rest.starts_with(',');
            let path = argument.trim_start_matches("&mut ").trim_start_matches('&');
            let is_path = path.starts_with(|c: char| c.is_alphabetic() || c == '_');
            let is_own = is_path && path.contains("::") && !path.starts_with("std::");
            let is_of_type = written.contains(before(start, self.rest));
            if is_whole && is_own && !path.starts_with("dyn ") && !is_of_type {
                own = Some(argument);
                break;
            }
            if !self.eat(", ") && !self.eat(",") {
                break;
            }
        }
        (self.rest, self.depth) = (rest, depth);
        own
    }

    fn type_name(&mut self) -> Option<String> {
        self.enter()?;
        self.step()?;
        let name = self.any_type()?;
        self.depth -= 1;
        Some(name)
    }

    fn any_type(&mut self) -> Option<String> {
        if self.eat("for<") {
            self.rest = &self.rest[self.rest.find("> ")? + 2..];
            return self.type_name();
        }
        if self.eat("&") {
            return self.reference();
        }
        for pointer in ["*const ", "*mut "] {
            if self.eat(pointer) {
                self.pointed()?;
                return Some(format!("{pointer}_"));
            }
        }
        match self.rest.chars().next()? {
            '[' => return self.slice(),
            '(' => {
                let is_unit = self.rest.starts_with("()");
                self.skip_balanced()?;
                return Some(if is_unit { "()" } else { "(_)" }.to_owned());
            }
            '!' => {
                self.eat("!");
                return Some("!".to_owned());
            }
            _ => {}
        }
        let is_function = ["fn(", "unsafe fn(", "extern \"", "unsafe extern \""];
        if is_function.iter().any(|begin| self.rest.starts_with(begin)) {
            self.skip_to_end_of_type()?;
            return Some("fn(_)".to_owned());
        }
        if self.eat("dyn ") {
            if self.eat("for<") {
                self.rest = &self.rest[self.rest.find("> ")? + 2..];
            }
            let path = self.path()?;
            self.skip_to_end_of_type()?;
            return Some(format!("dyn {path}"));
        }
        let path = self.path()?;
        self.skip_sugar()?;
        let is_named = path.contains("::") || path.starts_with('<') || is_primitive(&path);
        Some(if is_named { path } else { "_".to_owned() })
    }

    /// Parses the type behind `&`. Implementations for references to types of one's own crate are
    /// its own functions; all others are generic ones of the standard library.
    fn reference(&mut self) -> Option<String> {
        if self.rest.starts_with('\'') {
            self.rest = &self.rest[self.rest.find(' ')? + 1..];
        }
        let mutable = if self.eat("mut ") { "mut " } else { "" };
        let inner = self.pointed()?;
        let is_own = inner.contains("::")
            && !inner.trim_start_matches(['&', '<']).starts_with("std::")
            && !inner.starts_with("dyn ");
        let inner = if is_own { &inner } else { "_" };
        Some(format!("&{mutable}{inner}"))
    }

    /// The type behind a pointer. In a canonical name a path follows: `*mut _::add`.
    fn pointed(&mut self) -> Option<String> {
        if self.rest.starts_with("_::") {
            self.eat("_");
            return Some("_".to_owned());
        }
        self.type_name()
    }

    /// `[T]` or `[T; N]`
    fn slice(&mut self) -> Option<String> {
        let start = self.rest;
        self.skip_balanced()?;
        let inner = &start[1..start.len() - self.rest.len() - 1];
        let mut depth = 0_usize;
        let is_array = inner.chars().any(|c| {
            match c {
                '[' | '(' | '<' | '{' => depth += 1,
                ']' | ')' | '>' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ';' && depth == 0
        });
        Some(if is_array { "[_; _]" } else { "[_]" }.to_owned())
    }

    /// `{closure#0}`, `{{closure}}`, `{shim:vtable#0}`, …
    fn braces(&mut self) -> Option<String> {
        let start = self.rest;
        self.skip_balanced()?;
        let inner = &start[..start.len() - self.rest.len()];
        let inner = inner.trim_matches(['{', '}']);
        let begins = ["closure", "async", "coroutine", "generator"];
        if inner.contains("shim") {
            return Some("{shim}".to_owned());
        }
        if begins.iter().any(|begin| inner.starts_with(begin)) {
            return Some("{closure}".to_owned());
        }
        let kind = inner.split(['#', ':', '{', '}']).next().unwrap_or_default();
        Some(format!("{{{kind}}}"))
    }

    fn identifier(&mut self) -> Option<&'a str> {
        let ends = |c: char| "<>{}()[],;&*!+=\"' ".contains(c);
        let mut end = self.rest.find(ends).unwrap_or(self.rest.len());
        for sign in ["::", "->"] {
            end = self.rest[..end].find(sign).unwrap_or(end);
        }
        let (identifier, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!identifier.is_empty()).then_some(identifier)
    }

    /// The arguments and the result of `Fn(A) -> B`.
    fn skip_sugar(&mut self) -> Option<()> {
        if self.rest.starts_with('(') {
            self.skip_balanced()?;
            if self.eat("->") || self.eat(" -> ") {
                self.type_name()?;
            }
        }
        Some(())
    }

    /// Goes to the end of the type that has begun.
    fn skip_to_end_of_type(&mut self) -> Option<()> {
        loop {
            self.step()?;
            let ends = [">", ",", ")", "]", ";", " as ", " for "];
            let is_end = ends.iter().any(|end| self.rest.starts_with(end));
            if is_end || self.rest.is_empty() || self.rest.starts_with("::") {
                return Some(());
            }
            match self.rest.chars().next()? {
                '<' | '(' | '[' | '{' => self.skip_balanced()?,
                _ if self.eat("->") => {}
                // The path of a further bound.
                _ if self.eat("+") => {
                    self.eat(" ");
                    self.eat("'");
                    self.path()?;
                }
                c => self.rest = &self.rest[c.len_utf8()..],
            }
        }
    }

    /// Skips a bracket with all that is in it.
    fn skip_balanced(&mut self) -> Option<()> {
        let mut open = Vec::new();
        loop {
            self.step()?;
            let next = self.rest.chars().next()?;
            let mut length = next.len_utf8();
            match next {
                '<' => open.push('>'),
                '(' => open.push(')'),
                '[' => open.push(']'),
                '{' => open.push('}'),
                '>' | ')' | ']' | '}' => (open.pop()? == next).then_some(())?,
                // The arrow closes nothing.
                '-' if self.rest.starts_with("->") => length = 2,
                // A bracket that is a character opens nothing: `f<'<'>`.
                '\'' => length = character(self.rest),
                _ => {}
            }
            self.rest = &self.rest[length..];
            if open.is_empty() {
                return Some(());
            }
        }
    }

    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        (self.depth < MOST_DEPTH).then_some(())
    }

    fn step(&mut self) -> Option<()> {
        self.steps += 1;
        (self.steps < MOST_STEPS).then_some(())
    }
}

/// The part of a text that has been read.
fn before<'a>(start: &'a str, rest: &str) -> &'a str {
    &start[..start.len() - rest.len()]
}

/// Bytes of a character constant, such as `'<'`, or of the quote of a lifetime.
fn character(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    if text[1..].starts_with('\\') {
        let end = text[2..].find('\'');
        return end.map_or(1, |end| end + 3);
    }
    let end = characters.nth(1);
    match end {
        Some((place, '\'')) => place + 1,
        _ => 1,
    }
}

/// Types without a path.
fn is_primitive(name: &str) -> bool {
    let numbers = name.strip_prefix(['i', 'u', 'f']).unwrap_or_default();
    matches!(name, "bool" | "char" | "str" | "usize" | "isize" | "_")
        || matches!(numbers, "8" | "16" | "32" | "64" | "128")
}
