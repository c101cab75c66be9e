//! The edits: what is changed where, and the function that the explanation has to begin with.

/// Kind of what is edited; all edits of a kind are made at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EditKind {
    /// The user's own code.
    User,
    /// A package that it uses.
    Package,
}

impl EditKind {
    pub(super) const ALL: [Self; 2] = [Self::User, Self::Package];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::User => "the user's code",
            Self::Package => "packages",
        }
    }
}

/// A file that is edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EditedFile {
    /// A file of the user's crate.
    User(&'static str),
    /// A file of a package with its version.
    Package {
        package: &'static str,
        file: &'static str,
    },
}

/// An edit of the source.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PlantedEdit {
    /// The benchmark that it changes.
    pub(super) benchmark: &'static str,
    /// Description of the edit, like the subject of a commit.
    pub(super) title: &'static str,
    pub(super) file: EditedFile,
    pub(super) from: &'static str,
    pub(super) to: &'static str,
    /// The function that is edited, as explanations name it.
    pub(super) function: &'static str,
}

impl PlantedEdit {
    pub(super) fn kind(&self) -> EditKind {
        match self.file {
            EditedFile::User(_) => EditKind::User,
            EditedFile::Package { .. } => EditKind::Package,
        }
    }
}

const USER: EditedFile = EditedFile::User("src/user.rs");
const SWAPS: EditedFile = EditedFile::User("src/swaps.rs");
const KINDS: EditedFile = EditedFile::User("src/kinds.rs");

const fn package(package: &'static str, file: &'static str) -> EditedFile {
    EditedFile::Package { package, file }
}

/// All edits.
pub(super) const EDITS: &[PlantedEdit] = &[
    PlantedEdit {
        benchmark: "sort_records",
        title: "compare names without regard to case",
        file: USER,
        from: "a.name.cmp(&b.name)",
        to: "a.name.to_lowercase().cmp(&b.name.to_lowercase())",
        function: "lab::user::sort_records::{closure}",
    },
    PlantedEdit {
        benchmark: "count_words",
        title: "begin with an empty `HashMap`",
        file: USER,
        from: "HashMap::with_capacity_and_hasher(1024, Hasher::default())",
        to: "HashMap::with_hasher(Hasher::default())",
        function: "lab::user::count_words",
    },
    PlantedEdit {
        benchmark: "fib",
        title: "multiply and divide by 3",
        file: USER,
        from: "fib(n - 1) + fib(n - 2)",
        to: "fib(n - 1) * 3 / 3 + fib(n - 2)",
        function: "lab::user::fib",
    },
    PlantedEdit {
        benchmark: "distances",
        title: "`hypot` instead of `sqrt`, in an inlined function",
        file: USER,
        from: "(dx * dx + dy * dy).sqrt()",
        to: "dx.hypot(dy)",
        function: "lab::user::distance",
    },
    PlantedEdit {
        benchmark: "write_json",
        title: "write JSON for people",
        file: USER,
        from: "serde_json::to_string(",
        to: "serde_json::to_string_pretty(",
        function: "lab::user::write_json",
    },
    PlantedEdit {
        benchmark: "find_dates",
        title: "compile a regex for each line",
        file: USER,
        from: "for line in text.lines() {\n",
        to: "for line in text.lines() {\n        let date = Regex::new(DATE).unwrap();\n",
        function: "lab::user::find_dates",
    },
    PlantedEdit {
        benchmark: "render_markdown",
        title: "allow all extensions of Markdown",
        file: USER,
        from: "Options::empty()",
        to: "Options::all()",
        function: "lab::user::render_markdown",
    },
    PlantedEdit {
        benchmark: "look_up",
        title: "look for keys one by one",
        file: USER,
        from: "map.get(key)",
        to: "map.iter().find(|(known, _)| *known == key).map(|(_, value)| value)",
        function: "lab::user::look_up",
    },
    PlantedEdit {
        benchmark: "count_fields",
        title: "smaller inline part of a `SmallVec`",
        file: USER,
        from: "SmallVec<[&'a str; 16]>",
        to: "SmallVec<[&'a str; 2]>",
        function: "lab::user::count_fields",
    },
    PlantedEdit {
        benchmark: "distinct_words",
        title: "sort by owned keys",
        file: USER,
        from: ".sorted_unstable()",
        to: ".sorted_by_key(|word| word.to_string())",
        function: "lab::user::distinct_words",
    },
    PlantedEdit {
        benchmark: "find_names",
        title: "another automaton",
        file: USER,
        from: "kind(None::<AhoCorasickKind>)",
        to: "kind(Some(AhoCorasickKind::NoncontiguousNFA))",
        function: "lab::user::find_names",
    },
    PlantedEdit {
        benchmark: "count_lines",
        title: "an iterator instead of `memchr`",
        file: USER,
        from: "memchr::memchr_iter(b'\\n', text).count()",
        to: "text.iter().filter(|byte| **byte == b'\\n').count()",
        function: "lab::user::count_lines",
    },
    PlantedEdit {
        benchmark: "own_module",
        title: "call a function of the same name in another module",
        file: SWAPS,
        from: "v1::parse::run(text)\n}",
        to: "v2::reader::run(text)\n}",
        function: "lab::swaps::own_module",
    },
    PlantedEdit {
        benchmark: "std_module",
        title: "`sort` instead of `sort_unstable`",
        file: SWAPS,
        from: "numbers.sort_unstable()",
        to: "numbers.sort()",
        function: "lab::swaps::std_module",
    },
    PlantedEdit {
        benchmark: "package_module",
        title: "another module's type of the same name in a package",
        file: SWAPS,
        from: "nfa::noncontiguous::NFA::new",
        to: "nfa::contiguous::NFA::new",
        function: "lab::swaps::package_module",
    },
    PlantedEdit {
        benchmark: "const_argument",
        title: "another constant argument, two levels above",
        file: SWAPS,
        from: "fills::<4>(n)",
        to: "fills::<9>(n)",
        function: "lab::swaps::const_argument",
    },
    PlantedEdit {
        benchmark: "type_argument",
        title: "another type argument, three levels above",
        file: SWAPS,
        from: "outer(Cheap(n))",
        to: "outer(Dear(n))",
        function: "lab::swaps::type_argument",
    },
    PlantedEdit {
        benchmark: "collection",
        title: "a `BTreeSet` of pairs instead of a `BTreeMap`",
        file: SWAPS,
        from: "    let mut map: BTreeMap<u64, u64> = BTreeMap::new();\n    for n in 0..count {\n        map.insert(n * 7919 % 613, n);",
        to: "    let mut map = Pairs::new();\n    for n in 0..count {\n        map.insert((n * 7919 % 613, n));",
        function: "lab::swaps::collection",
    },
    PlantedEdit {
        benchmark: "dyn_type",
        title: "another type behind `dyn`",
        file: SWAPS,
        from: "Box::new(Cheap(count))",
        to: "Box::new(Dear(count))",
        function: "lab::swaps::dyn_type",
    },
    PlantedEdit {
        benchmark: "format_string",
        title: "pad with a format string",
        file: SWAPS,
        from: "\"{}\", n",
        to: "\"{:>8}\", n",
        function: "lab::swaps::format_string",
    },
    PlantedEdit {
        benchmark: "data_only",
        title: "other numbers in a `static`",
        file: SWAPS,
        from: "[3, 1, 4, 1, 5, 9, 2, 6]",
        to: "[3, 1, 4, 1, 5, 9, 2, 7]",
        function: "lab::swaps::data_only",
    },
    PlantedEdit {
        benchmark: "merged",
        title: "call another one than a function that was merged",
        file: SWAPS,
        from: "map(|n| first(n))",
        to: "map(|n| second(n))",
        function: "lab::swaps::merged",
    },
    PlantedEdit {
        benchmark: "temporary",
        title: "a `String` for each line",
        file: SWAPS,
        from: "line.trim().len()",
        to: "line.trim().to_string().len()",
        function: "lab::swaps::temporary",
    },
    PlantedEdit {
        benchmark: "argument_only",
        title: "another argument of the benchmark",
        file: EditedFile::User("benches/planted.rs"),
        from: "#[bench::all(10)]",
        to: "#[bench::all(30)]",
        function: "planted::argument_only",
    },
    PlantedEdit {
        benchmark: "generic_function",
        title: "look at each item of a generic function once more",
        file: KINDS,
        from: "most = most.max(item.weight());",
        to: "most = most.max(item.weight()).max(black_box(item).weight() / 2);",
        function: "lab::kinds::heaviest",
    },
    PlantedEdit {
        benchmark: "associated_constant",
        title: "another associated constant",
        file: KINDS,
        from: "const GROUP: usize = 8;",
        to: "const GROUP: usize = 1;",
        function: "lab::kinds::encode",
    },
    PlantedEdit {
        benchmark: "closure_body",
        title: "another closure for a function that takes one",
        file: KINDS,
        from: "spaces += line.bytes().filter(|byte| *byte == b' ').count();",
        to: "spaces += line.chars().filter(|char| char.is_whitespace()).count();",
        function: "lab::kinds::closure_body",
    },
    PlantedEdit {
        benchmark: "shifted_closures",
        title: "one more closure before those of a chain of iterators",
        file: KINDS,
        from: "        .filter(|line| !line.is_empty())\n        .map(",
        to: "        .map(|line| line.trim_start_matches(char::is_alphabetic))\n        .filter(|line| !line.is_empty())\n        .map(",
        function: "lab::kinds::shifted_closures",
    },
    PlantedEdit {
        benchmark: "iterator_chain",
        title: "`windows` instead of `chunks`",
        file: KINDS,
        from: "numbers.chunks(4).map(",
        to: "numbers.windows(4).map(",
        function: "lab::kinds::iterator_chain",
    },
    PlantedEdit {
        benchmark: "queue",
        title: "a `Vec` for a `VecDeque`",
        file: KINDS,
        from: "    let mut waiting: VecDeque<u64> = (0..count).collect();\n    let mut sum = 0;\n    while let Some(first) = waiting.pop_front() {\n        sum += first;\n",
        to: "    let mut waiting: Vec<u64> = (0..count).collect();\n    let mut sum = 0;\n    while !waiting.is_empty() {\n        sum += waiting.remove(0);\n",
        function: "lab::kinds::queue",
    },
    PlantedEdit {
        benchmark: "trait_object",
        title: "the method of one of three types behind `dyn`",
        file: KINDS,
        from: "let sum: f64 = self.0.iter().zip(next).map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum();",
        to: "let points: Vec<(f64, f64)> = self.0.iter().copied().collect();\n        let sum: f64 = points.iter().zip(next).map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum();",
        function: "<lab::kinds::Polygon as lab::kinds::Shape>::area",
    },
    PlantedEdit {
        benchmark: "default_method",
        title: "the default method of a trait",
        file: KINDS,
        from: "write!(text, \"{};\", self.area() as u64).unwrap();",
        to: "text.push_str(&format!(\"{};\", self.area() as u64));",
        function: "lab::kinds::Shape::describe",
    },
    PlantedEdit {
        benchmark: "overridden_method",
        title: "a type gets its own method instead of the default one",
        file: KINDS,
        from: "impl Style for Plain {}",
        to: "impl Style for Plain {\n    fn mark(&self, line: &str) -> usize {\n        line.split(' ').filter(|word| !word.is_empty()).count()\n    }\n}",
        function: "<lab::kinds::Plain as lab::kinds::Style>::mark",
    },
    PlantedEdit {
        benchmark: "ordering",
        title: "`Ord` of a type that `sort` compares",
        file: KINDS,
        from: "self.parts.cmp(&other.parts)",
        to: "self.parts.iter().rev().cmp(other.parts.iter().rev())",
        function: "<lab::kinds::Version as std::cmp::Ord>::cmp",
    },
    PlantedEdit {
        benchmark: "display",
        title: "`Display` of a type",
        file: KINDS,
        from: "write!(f, \"{}\", self.0)",
        to: "write!(f, \"{}.{:02}\", self.0 / 100, self.0 % 100)",
        function: "<lab::kinds::Cents as std::fmt::Display>::fmt",
    },
    PlantedEdit {
        benchmark: "dropped",
        title: "`Drop` of a type",
        file: KINDS,
        from: "self.depth.fetch_sub(1, Relaxed);",
        to: "let depth = self.depth.fetch_sub(1, Relaxed);\n        black_box(format!(\"{depth} {}\", self.name));",
        function: "<lab::kinds::Span as std::ops::drop::Drop>::drop",
    },
    PlantedEdit {
        benchmark: "collected",
        title: "another type of the items that a generic function takes",
        file: KINDS,
        from: "(0..count).map(|n| n).collect();",
        to: "(0..count).map(|n| n.to_string()).collect();",
        function: "lab::kinds::collected",
    },
    PlantedEdit {
        benchmark: "const_generic",
        title: "another constant argument in a loop",
        file: KINDS,
        from: "sum += smoothed::<4>(n);",
        to: "sum += smoothed::<9>(n);",
        function: "lab::kinds::const_generic",
    },
    PlantedEdit {
        benchmark: "two_levels",
        title: "another type argument in the middle of calls",
        file: KINDS,
        from: "    weighed(n)\n",
        to: "    weighed(n.to_string())\n",
        function: "lab::kinds::inner",
    },
    PlantedEdit {
        benchmark: "type_alias",
        title: "a `String` instead of an `Rc<str>` behind a type alias",
        file: KINDS,
        from: "pub type Label = Rc<str>;",
        to: "pub type Label = String;",
        function: "lab::kinds::type_alias",
    },
    PlantedEdit {
        benchmark: "circle",
        title: "one function of a circle that call each other",
        file: KINDS,
        from: "value = value * 10 + i64::from(tokens.peek() - b'0');",
        to: "value = i64::from(tokens.peek() - b'0') + value.checked_mul(10).unwrap_or(value % 7);",
        function: "lab::kinds::factor",
    },
    PlantedEdit {
        benchmark: "recursion",
        title: "a `Vec` in each step of a recursion",
        file: KINDS,
        from: "let sides = self.sides.iter().flatten();",
        to: "let sides: Vec<&Box<Self>> = self.sides.iter().flatten().collect();\n        let sides = sides.into_iter();",
        function: "lab::kinds::Tree::keys",
    },
    PlantedEdit {
        benchmark: "macro_function",
        title: "a function that a macro defines",
        file: KINDS,
        from: "text.trim().parse().ok()?",
        to: "text.trim().replace(',', \".\").parse().ok()?",
        function: "lab::kinds::Metres::parse",
    },
    PlantedEdit {
        benchmark: "macro_expression",
        title: "a macro in an expression",
        file: KINDS,
        from: "$line.split(' ').nth($index).unwrap_or(\"\")",
        to: "$line.split(' ').collect::<Vec<_>>().get($index).copied().unwrap_or(\"\")",
        function: "lab::kinds::macro_expression",
    },
    PlantedEdit {
        benchmark: "asynchronous",
        title: "an `async fn` that another one awaits",
        file: KINDS,
        from: "sum ^= sum << round;",
        to: "sum = (sum ^ sum << round) % 1_000_003;",
        function: "lab::kinds::checked",
    },
    PlantedEdit {
        benchmark: "cold_path",
        title: "a cold function",
        file: KINDS,
        from: "self.buffer.extend_from_slice(now);",
        to: "self.buffer.extend(now.iter().filter(|byte| **byte != b'\\r'));",
        function: "lab::kinds::Reader::refill",
    },
    PlantedEdit {
        benchmark: "error_path",
        title: "the text of an error",
        file: KINDS,
        from: "map_err(|_| ParseFailed(String::new()))",
        to: "map_err(|error| ParseFailed(format!(\"`{text}`: {error}\")))",
        function: "lab::kinds::digits",
    },
    PlantedEdit {
        benchmark: "growth",
        title: "begin with an empty `String`",
        file: KINDS,
        from: "String::with_capacity(words.len() + words.len() / 2)",
        to: "String::new()",
        function: "lab::kinds::growth",
    },
    PlantedEdit {
        benchmark: "pointer_table",
        title: "another function in a table of pointers",
        file: KINDS,
        from: "3] = [doubled, negated, doubled];",
        to: "3] = [doubled, bits, doubled];",
        function: "lab::kinds::pointer_table",
    },
    PlantedEdit {
        benchmark: "pointer_target",
        title: "a function that is called by a pointer",
        file: KINDS,
        from: "n.rotate_left(7) ^ 0x55",
        to: "n.rotate_left(7) % 1_000_003 ^ 0x55",
        function: "lab::kinds::scrambled",
    },
    PlantedEdit {
        benchmark: "pointer_argument",
        title: "another function as an argument",
        file: KINDS,
        from: "applied(n, doubled)",
        to: "applied(n, bits)",
        function: "lab::kinds::pointer_argument",
    },
    PlantedEdit {
        benchmark: "rounds",
        title: "another first value of an atomic `static`",
        file: KINDS,
        from: "AtomicU64::new(40)",
        to: "AtomicU64::new(90)",
        function: "lab::kinds::rounds",
    },
    PlantedEdit {
        benchmark: "sizes",
        title: "another row of a `static` table of tables",
        file: KINDS,
        from: "&[13, 21]]",
        to: "&[13, 34]]",
        function: "lab::kinds::sizes",
    },
    PlantedEdit {
        benchmark: "constant",
        title: "another `const`",
        file: KINDS,
        from: "const BLOCK: usize = 32;",
        to: "const BLOCK: usize = 16;",
        function: "lab::kinds::constant",
    },
    PlantedEdit {
        benchmark: "flag",
        title: "a `const` that switches checks on",
        file: KINDS,
        from: "const CHECKS: bool = false;",
        to: "const CHECKS: bool = true;",
        function: "lab::kinds::flag",
    },
    PlantedEdit {
        benchmark: "swapped_names",
        title: "two functions change their names",
        file: KINDS,
        from: "fn checksum(bytes: &[u8]) -> u64 {\n    bytes.iter().fold(7, |sum, byte| sum.wrapping_mul(33) ^ u64::from(*byte))\n}\n\n#[inline(never)]\nfn checksum_of_pairs(",
        to: "fn checksum_of_pairs(bytes: &[u8]) -> u64 {\n    bytes.iter().fold(7, |sum, byte| sum.wrapping_mul(33) ^ u64::from(*byte))\n}\n\n#[inline(never)]\nfn checksum(",
        function: "lab::kinds::checksum",
    },
    PlantedEdit {
        benchmark: "renamed",
        title: "rename a function, and call it twice",
        file: KINDS,
        from: "fn vowels(text: &str) -> usize {\n    text.bytes().filter(|byte| b\"aeiou\".contains(byte)).count()\n}\n\n#[inline(never)]\npub fn renamed(text: &str) -> usize {\n    vowels(text) * 2\n",
        to: "fn count_vowels(text: &str) -> usize {\n    text.bytes().filter(|byte| b\"aeiou\".contains(byte)).count()\n}\n\n#[inline(never)]\npub fn renamed(text: &str) -> usize {\n    count_vowels(text) + count_vowels(black_box(text))\n",
        function: "lab::kinds::renamed",
    },
    PlantedEdit {
        benchmark: "renamed_and_edited",
        title: "rename a function, and edit it",
        file: KINDS,
        from: "fn letters(text: &str) -> usize {\n    text.bytes().filter(|byte| byte.is_ascii_alphabetic()).count()\n}\n\npub fn renamed_and_edited(text: &str) -> usize {\n    letters(text)\n",
        to: "fn all_letters(text: &str) -> usize {\n    text.chars().filter(|char| char.is_alphabetic()).count()\n}\n\npub fn renamed_and_edited(text: &str) -> usize {\n    all_letters(text)\n",
        // The old function is gone, so no one knows whether the new one is another.
        function: "lab::kinds::renamed_and_edited",
    },
    PlantedEdit {
        benchmark: "split",
        title: "make two functions of one",
        file: KINDS,
        from: "        let mut value = 0;\n        for byte in line.bytes() {\n            value = black_box(value * 3 ^ u64::from(byte));\n        }\n        sum += value;\n    }\n    sum\n}\n",
        to: "        sum += line_sum(line.trim());\n    }\n    sum\n}\n\n#[inline(never)]\nfn line_sum(line: &str) -> u64 {\n    let mut value = 0;\n    for byte in line.bytes() {\n        value = black_box(value * 3 ^ u64::from(byte));\n    }\n    value\n}\n",
        function: "lab::kinds::split",
    },
    PlantedEdit {
        benchmark: "joined",
        title: "make one function of two",
        file: KINDS,
        from: "fn right(text: &str) -> usize {\n    text.bytes().rev().take_while(|byte| *byte == b'e').count()\n}\n\n#[inline(never)]\npub fn joined(text: &str) -> usize {\n    text.lines().map(|line| left(line) + right(line)).sum()\n",
        to: "fn both(text: &str) -> usize {\n    let right = text.chars().rev().take_while(|char| *char == 'e').count();\n    left(text) + right\n}\n\n#[inline(never)]\npub fn joined(text: &str) -> usize {\n    text.lines().map(both).sum()\n",
        function: "lab::kinds::joined",
    },
    PlantedEdit {
        benchmark: "moved_module",
        title: "rename a module, and edit a function there",
        file: KINDS,
        from: "use self::adler as sums;\n\nmod adler {\n    #[inline(never)]\n    pub fn of(bytes: &[u8]) -> u64 {\n        let (low, high) = bytes.iter().fold((1, 0), |sums, byte| step(sums, *byte));\n        high << 16 | low\n    }\n\n    #[inline(never)]\n    fn step((low, high): (u64, u64), byte: u8) -> (u64, u64) {\n        let low = (low + u64::from(byte)) % 65_521;\n",
        to: "use self::checksums as sums;\n\nmod checksums {\n    #[inline(never)]\n    pub fn of(bytes: &[u8]) -> u64 {\n        let (low, high) = bytes.iter().fold((1, 0), |sums, byte| step(sums, *byte));\n        high << 16 | low\n    }\n\n    #[inline(never)]\n    fn step((low, high): (u64, u64), byte: u8) -> (u64, u64) {\n        let low = (low % 65_521 + u64::from(byte) % 251) % 65_521;\n",
        // Functions of a renamed module and of another module with the same code cannot be told
        // apart in the executable.
        function: "lab::kinds::moved_module",
    },
    PlantedEdit {
        benchmark: "moved_and_unchanged",
        title: "rename a module, and edit who calls it",
        file: KINDS,
        from: "parity::of(line.as_bytes())).sum()\n}\n\nmod parity {",
        to: "odd::of(line.trim_end_matches(char::is_alphabetic).as_bytes())).sum()\n}\n\nmod odd {",
        function: "lab::kinds::moved_and_unchanged",
    },
    PlantedEdit {
        benchmark: "moved_file",
        title: "move a file, and edit a function there",
        file: KINDS,
        from: "mod escape;\n",
        to: "#[path = \"kinds/moved/escape.rs\"]\nmod escape;\n",
        function: "lab::kinds::escape::add",
    },
    PlantedEdit {
        benchmark: "parse_strings",
        title: "skip to escapes byte by byte",
        file: package("serde_json 1.0.154", "src/read.rs"),
        from: "        self.index += 1;\n\n        let rest = &self.slice[self.index..];\n",
        to: "        self.index += 1;\n        if forbid_control_characters {\n            return self.skip_to_escape_slow();\n        }\n\n        let rest = &self.slice[self.index..];\n",
        function: "SliceRead::skip_to_escape",
    },
    PlantedEdit {
        benchmark: "write_strings",
        title: "look at each string once more",
        file: package("serde_json 1.0.154", "src/ser.rs"),
        from: "    let mut bytes = value.as_bytes();\n\n    let mut i = 0;\n",
        to: "    let mut bytes = value.as_bytes();\n    hint::black_box(bytes.iter().filter(|byte| ESCAPE[**byte as usize] != 0).count());\n\n    let mut i = 0;\n",
        function: "ser::format_escaped_str_contents",
    },
    PlantedEdit {
        benchmark: "write_floats",
        title: "write each number twice",
        file: package("zmij 1.0.23", "src/lib.rs"),
        from: "            let end = f.write_to_zmij_buffer(self.bytes.as_mut_ptr().cast::<u8>());\n",
        to: "            f.write_to_zmij_buffer(self.bytes.as_mut_ptr().cast::<u8>());\n            let end = f.write_to_zmij_buffer(self.bytes.as_mut_ptr().cast::<u8>());\n",
        // The package's function is inlined there, and nothing in the executable says which source
        // of the two was edited.
        function: "lab::package::write_floats",
    },
    PlantedEdit {
        benchmark: "decode_percent",
        title: "parse hexadecimal digits as text",
        file: package("percent-encoding 2.3.2", "src/lib.rs"),
        from: "let h = char::from(*cloned_iter.next()?).to_digit(16)?;",
        to: "let h = u32::from_str_radix(char::from(*cloned_iter.next()?).encode_utf8(&mut [0; 4]), 16).ok()?;",
        function: "percent_encoding::after_percent_sign",
    },
    PlantedEdit {
        benchmark: "grow_table",
        title: "hash twice when growing",
        file: package("hashbrown 0.17.1", "src/raw.rs"),
        from: "                // This may panic.\n                let hash = hasher(self, full_byte_index);\n",
        to: "                // This may panic.\n                core::hint::black_box(hasher(self, full_byte_index));\n                let hash = hasher(self, full_byte_index);\n",
        function: "RawTableInner::resize_inner",
    },
    PlantedEdit {
        benchmark: "remove_first",
        title: "always look for each entry that is shifted",
        file: package("indexmap 2.14.2", "src/inner.rs"),
        from: "if shifted_entries.len() > self.indices.capacity() / 2 {\n            // Shift all indices in range.\n            for i in &mut self.indices {\n                if start <= *i && *i < end {\n                    *i -= 1;",
        to: "if shifted_entries.len() > self.indices.capacity() * 2 {\n            // Shift all indices in range.\n            for i in &mut self.indices {\n                if start <= *i && *i < end {\n                    *i -= 1;",
        function: "Core::decrement_indices",
    },
    PlantedEdit {
        benchmark: "push_all",
        title: "clear the memory when growing",
        file: package("smallvec 1.16.6", "src/lib.rs"),
        from: "                self.data = SmallVecData::from_heap(new_alloc, len);\n                self.capacity = new_cap;\n            }\n            Ok(())\n        }\n    }\n\n    /// Reserve capacity for `additional` more elements to be inserted.\n    ///\n    /// May reserve more space to avoid frequent reallocations.\n    ///\n    /// Panics",
        to: "                ptr::write_bytes(new_alloc.as_ptr().add(len), 0, new_cap - len);\n                self.data = SmallVecData::from_heap(new_alloc, len);\n                self.capacity = new_cap;\n            }\n            Ok(())\n        }\n    }\n\n    /// Reserve capacity for `additional` more elements to be inserted.\n    ///\n    /// May reserve more space to avoid frequent reallocations.\n    ///\n    /// Panics",
        function: "SmallVec::try_grow",
    },
    PlantedEdit {
        benchmark: "build_automaton",
        title: "dense states however deep",
        file: package("aho-corasick 1.1.5", "src/nfa/noncontiguous.rs"),
        from: "                >= self.builder.dense_depth\n",
        to: "                >= 16 * self.builder.dense_depth\n",
        function: "Compiler::densify",
    },
    PlantedEdit {
        benchmark: "compile_regex",
        title: "compile each class twice",
        file: package("regex-automata 0.4.19", "src/nfa/thompson/compiler.rs"),
        from: "            for rng in cls.iter() {\n                for seq in Utf8Sequences::new(rng.start(), rng.end()) {\n                    utf8c.add(seq.as_slice())?;\n",
        to: "            for rng in cls.iter() {\n                for seq in Utf8Sequences::new(rng.start(), rng.end()) {\n                    core::hint::black_box(Utf8Sequences::new(rng.start(), rng.end()).count());\n                    utf8c.add(seq.as_slice())?;\n",
        function: "Compiler::c_unicode_class",
    },
    PlantedEdit {
        benchmark: "read_toml",
        title: "look for the end of each atom twice",
        file: package("toml_parser 1.1.5", "src/lexer/mod.rs"),
        from: "    const TOKEN_START: &[u8] = b\".=,[]{} \\t#\\r\\n\";\n",
        to: "    const TOKEN_START: &[u8] = b\".=,[]{} \\t#\\r\\n\";\n    core::hint::black_box(stream.as_bstr().iter().position(|b| TOKEN_START.contains_token(*b)));\n",
        function: "lexer::lex_atom",
    },
    PlantedEdit {
        benchmark: "markdown_events",
        title: "load the table of special bytes anew",
        file: package("pulldown-cmark 0.13.0", "src/firstpass.rs"),
        from: "        if lut[b as usize] {\n            match callback(ix, b) {",
        to: "        if core::hint::black_box(lut)[b as usize] {\n            match callback(ix, b) {",
        function: "firstpass::scalar_iterate_special_bytes",
    },
    PlantedEdit {
        benchmark: "join_numbers",
        title: "a `String` for each element",
        file: package("itertools 0.15.0", "src/lib.rs"),
        from: "                    result.push_str(sep);\n                    write!(&mut result, \"{elt}\").unwrap();\n",
        to: "                    result.push_str(sep);\n                    result.push_str(&elt.to_string());\n",
        function: "Itertools::join",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_edit_has_a_benchmark_of_its_own() {
        let benches = include_str!("edited/benches.rs");
        for (index, edit) in EDITS.iter().enumerate() {
            let is_same = |other: &PlantedEdit| other.benchmark == edit.benchmark;
            assert!(!EDITS[..index].iter().any(is_same), "{}", edit.benchmark);
            let signature = format!("fn {}(", edit.benchmark);
            assert!(benches.contains(&signature), "{}", edit.benchmark);
        }
    }

    #[test]
    fn sixty_edits_are_planted_and_some_in_six_packages() {
        let mut packages: Vec<&str> = EDITS
            .iter()
            .filter_map(|edit| match edit.file {
                EditedFile::Package { package, .. } => Some(package),
                EditedFile::User(_) => None,
            })
            .collect();
        packages.dedup();
        assert!(EDITS.len() >= 60 && packages.len() >= 6);
    }

    #[test]
    fn the_user_s_code_has_what_is_edited_there() {
        for edit in EDITS {
            let source = match edit.file {
                USER => include_str!("edited/user.rs"),
                SWAPS => include_str!("edited/swaps.rs"),
                KINDS => include_str!("edited/kinds.rs"),
                EditedFile::User(_) => include_str!("edited/benches.rs"),
                EditedFile::Package { .. } => continue,
            };
            assert_eq!(source.matches(edit.from).count(), 1, "{}", edit.benchmark);
        }
    }
}
