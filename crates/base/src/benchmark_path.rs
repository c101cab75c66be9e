//! The benchmark path and id, in messages and in the names of files.

use std::fmt;

use iai_callgrind::protocol::Truncate;

/// The longest description of a benchmark's arguments, unless an option or the configuration sets
/// it.
pub const DESCRIPTION_WIDTH: usize = 50;

/// The benchmark path of one benchmark: `file::group::function` and the id, if it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchmarkPath {
    /// The name of the bench target as an identifier.
    pub file: String,
    /// The name of the group.
    pub group: String,
    /// The name of the function.
    pub function: String,
    /// The id of the case; a function without `#[bench]` has none.
    pub id: Option<String>,
    /// The arguments as they are written in the source, to be shown only.
    pub args: Option<String>,
}

impl BenchmarkPath {
    /// `<function>[.<id>]`: the stem of file names.
    pub fn stem(&self) -> String {
        match &self.id {
            Some(id) => format!("{}.{id}", self.function),
            None => self.function.clone(),
        }
    }

    /// `file::group::function`
    pub fn function_path(&self) -> String {
        format!("{}::{}::{}", self.file, self.group, self.function)
    }

    /// The arguments on one line, shortened.
    fn shown_args(&self, truncate: Truncate) -> Option<String> {
        let args = self.args.as_ref()?;
        Some(shortened(&on_one_line(args), truncate))
    }

    /// `file::group::function id:arguments`
    pub fn headline(&self, truncate: Truncate) -> String {
        self.function_path() + &self.description(truncate, |_, text| text.to_owned())
    }

    /// ` id:arguments`, ` id`, ` arguments` or nothing, with each piece as `paint` shows it.
    pub fn description(
        &self,
        truncate: Truncate,
        paint: impl Fn(HeadlinePiece, &str) -> String,
    ) -> String {
        let id = self.id.as_ref().map(|id| paint(HeadlinePiece::Id, id));
        let args = self.shown_args(truncate);
        let args = args.map(|args| paint(HeadlinePiece::Arguments, &args));
        match (id, args) {
            (Some(id), Some(args)) => format!(" {id}{}{args}", paint(HeadlinePiece::Id, ":")),
            (Some(text), None) | (None, Some(text)) => format!(" {text}"),
            (None, None) => String::new(),
        }
    }
}

/// Piece of a headline that has a color of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeadlinePiece {
    /// The id, and the colon behind it.
    Id,
    /// The arguments.
    Arguments,
}

/// `file::group::function[::id]`: the path that filters match.
impl fmt::Display for BenchmarkPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}::{}", self.file, self.group, self.function)?;
        match &self.id {
            Some(id) => write!(f, "::{id}"),
            None => Ok(()),
        }
    }
}

/// Joins the lines of source text for a headline.
fn on_one_line(args: &str) -> String {
    args.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

/// Cuts out the middle of a long text. The limit is in characters and does not include the dots.
fn shortened(text: &str, truncate: Truncate) -> String {
    match truncate {
        Truncate::At(limit) if text.chars().count() > limit => {
            let command = text.strip_prefix('(');
            match command.and_then(|text| text.split_once(") -> ")) {
                Some((args, command)) => shortened_command(args, command, limit),
                None => without_middle(text, limit),
            }
        }
        _ => text.to_owned(),
    }
}

fn without_middle(text: &str, limit: usize) -> String {
    let length = text.chars().count();
    if length <= limit {
        return text.to_owned();
    }
    let end = limit / 2;
    let start: String = text.chars().take(limit - end).collect();
    let end: String = text.chars().skip(length - end).collect();
    format!("{start}...{end}")
}

/// `(args) -> command` with the name of the program instead of its path, and without arguments in
/// the middle. The name is always there, since it says what was measured.
fn shortened_command(args: &str, command: &str, limit: usize) -> String {
    let mut words = words(command);
    let program = words.remove(0);
    let name = match program.rsplit_once('/') {
        Some((_, name)) if !program.starts_with(QUOTES) => name,
        _ => program,
    };
    let mut room = limit;
    let mut takes = |text: &str| {
        let length = text.chars().count() + " ".len();
        let fits = length <= room;
        room -= if fits { length } else { room };
        fits
    };
    let whole = format!("({args}) -> {name}");
    let start = match takes(&whole) {
        true => whole,
        false => format!("({}) -> {name}", without_middle(args, limit / 2)),
    };
    // From both ends to the middle.
    let (mut front, mut back) = (Vec::new(), Vec::new());
    let mut words = words.into_iter();
    let mut is_cut = false;
    while let Some(word) = words.next() {
        is_cut = !takes(word);
        if is_cut {
            break;
        }
        front.push(word);
        if let Some(word) = words.as_slice().last().filter(|word| takes(word)) {
            back.push(*word);
            words.next_back();
        }
    }
    let dots = is_cut.then_some("...");
    let shown = front.into_iter().chain(dots).chain(back.into_iter().rev());
    shown.fold(start, |line, word| line + " " + word)
}

const QUOTES: [char; 3] = ['\'', '"', '$'];

/// The words of a command line, with their quotes.
fn words(command: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut quote, mut is_escaped) = (0, None, false);
    for (index, character) in command.char_indices() {
        match (quote, character) {
            _ if is_escaped => is_escaped = false,
            (_, '\\') => is_escaped = true,
            (None, ' ') => {
                words.push(&command[start..index]);
                start = index + 1;
            }
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
    }
    words.push(&command[start..]);
    words
}

/// Texts and numbers of a name, for the order in which people look for it: `n_9` before `n_10`.
pub fn by_numbers(name: &str) -> Vec<(usize, &[u8])> {
    let is_same = |one: &u8, next: &u8| one.is_ascii_digit() == next.is_ascii_digit();
    let pieces = name.as_bytes().chunk_by(is_same);
    let pieces = pieces.map(|piece| match piece[0].is_ascii_digit() {
        // Of two numbers the one with more digits is the larger one.
        true => {
            let zeros = piece.iter().take_while(|digit| **digit == b'0').count();
            (piece.len() - zeros, &piece[zeros..])
        }
        false => (0, piece),
    });
    pieces.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_their_numbers() {
        let mut names = ["n_10", "n_9", "n_009", "m", "n_10_b", "n"];
        names.sort_by(|one, other| by_numbers(one).cmp(&by_numbers(other)));
        assert_eq!(names, ["m", "n", "n_9", "n_009", "n_10", "n_10_b"]);
    }

    #[test]
    fn long_arguments_are_cut_in_the_middle() {
        #[track_caller]
        fn check(args: &str, truncate: Truncate, expected: &str) {
            assert_eq!(shortened(args, truncate), expected);
        }
        check("0123456789", Truncate::At(10), "0123456789");
        check("0123456789", Truncate::At(9), "01234...6789");
        check("0123456789", Truncate::At(1), "0...");
        check("0123456789", Truncate::At(0), "...");
        check("", Truncate::At(0), "");
        check("äöü€äöü€", Truncate::At(4), "äö...ü€");
        check("0123456789", Truncate::Never, "0123456789");
    }

    #[test]
    fn long_commands_keep_the_program_and_whole_arguments() {
        #[track_caller]
        fn check(args: &str, expected: &str) {
            assert_eq!(shortened(args, Truncate::At(50)), expected);
        }
        let whole = "(\"a\") -> target/release/prog a";
        check(whole, whole);
        check(
            "(\"nano\") -> /space/target/release/nano_search index '--threads=1'",
            "(\"nano\") -> nano_search index '--threads=1'",
        );
        check(
            "(\"nano\") -> target/release/nano_search '--engines=nano' 'a b' in /tmp/some/where/far -q",
            "(\"nano\") -> nano_search '--engines=nano' 'a b' ... -q",
        );
        check(
            "(\"nano\") -> target/release/nano_search '--a-very-long=argument that is cut' -q",
            "(\"nano\") -> nano_search ...",
        );
        check(
            "(0123456789012345678901234567890123456789) -> /bin/prog a",
            "(0123456789012...890123456789) -> prog ...",
        );
        check(
            "() -> '/a dir/that/has a/space in/its name/prog' 'it'\\''s' and more and more",
            "() -> '/a dir/that/has a/space in/its name/prog' ...",
        );
        // A text that is no command.
        check(
            "(0..4).map(|n| n * 10).chain(10..100).collect::<Vec<_>>()",
            "(0..4).map(|n| n * 10).ch....100).collect::<Vec<_>>()",
        );
    }
}
