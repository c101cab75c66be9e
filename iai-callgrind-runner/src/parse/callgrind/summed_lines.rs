//! Lines of a profile whose costs are only added up.
//!
//! Whether a profile is whole, and which function has which costs, is asked of each new profile; what a single line has, of few.
//! Most lines are a step or two and a few costs of one digit. So eight bytes are looked at together, and up to four costs are
//! added at once, each in 16 bits of its own. A line of any other form is left to whoever reads all of them: here nothing is an
//! error, and what is read has the same sums.

use super::super::number::{leading_digits, PlainLine};
use super::names::{CompressedNames, NameSpace};

/// Words of four costs each; with more costs, lines are read in another way.
const WORDS: usize = 4;

/// Sums that are not smaller are left to whoever finds out that they do not fit.
const TOO_LARGE: u64 = 1 << 62;

/// Bytes that are there at the begin of each line, so that nobody asks for each word of it: the positions and one word more.
const WINDOW: usize = 40;

/// What the lines change.
pub(super) struct SummedLines<'a> {
    /// Sums of the costs, one for each event.
    pub(super) sums: &'a mut [u64],
    /// Positions that relative ones count from, one for each kind.
    pub(super) base: &'a mut [u64],
    pub(super) names: &'a CompressedNames,
    pub(super) known: &'a mut KnownFiles,
}

/// Lines that were passed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct PassedLines {
    pub(super) bytes: usize,
    pub(super) lines: u64,
    /// Some of them have costs.
    pub(super) any_costs: bool,
}

/// Numbers of files that are defined, for as long as no other one takes their place. A number stays defined.
#[derive(Debug)]
pub(super) struct KnownFiles([u64; 64]);

impl Default for KnownFiles {
    fn default() -> Self {
        // Only numbers of a few digits are asked for.
        Self([u64::MAX; 64])
    }
}

/// Sums of costs of one digit, until they are added to those of 64 bits.
#[derive(Default)]
struct PackedSums {
    words: [u64; WORDS],
}

impl PackedSums {
    /// After so many lines, 16 bits are full.
    const MOST: u64 = u16::MAX as u64 / 9;

    fn add_to(&self, sums: &mut [u64]) {
        for (word, sums) in self.words.iter().zip(sums.chunks_mut(4)) {
            if *word == 0 {
                continue;
            }
            for (place, sum) in sums.iter_mut().enumerate() {
                *sum += word >> (16 * place) & 0xffff;
            }
        }
    }
}

impl SummedLines<'_> {
    /// Adds up lines to the first one that is anything else or odd, or too near to the end of the text.
    pub(super) fn pass(mut self, text: &[u8]) -> PassedLines {
        let mut passed = PassedLines::default();
        loop {
            let rest = &text[passed.bytes..];
            let (bytes, files, costs) = match self.base.len() {
                1 => self.pass_some::<1>(rest),
                2 => self.pass_some::<2>(rest),
                _ => break,
            };
            passed.bytes += bytes;
            passed.lines += files + costs;
            passed.any_costs |= costs > 0;
            if costs < PackedSums::MOST {
                break;
            }
        }
        passed
    }

    /// Adds up lines with this number of positions, until there are as many as packed sums have room for. Returns how many bytes,
    /// lines with files and lines with costs that were.
    fn pass_some<const POSITIONS: usize>(&mut self, text: &[u8]) -> (usize, u64, u64) {
        let Some(mut base) = self.base.first_chunk::<POSITIONS>().copied() else {
            return (0, 0, 0);
        };
        let mut packed = PackedSums::default();
        let (mut rest, mut files, mut costs) = (text, 0, 0);
        while costs < PackedSums::MOST {
            let Some(window) = rest.first_chunk() else {
                break;
            };
            if window[0] == b'f' {
                let Some(length) = self.inner_file(window) else {
                    break;
                };
                rest = &rest[length..];
                files += 1;
            } else {
                // Between here and the end, packed sums add less than a sum has room for.
                if costs == 0 && !has_room(self.sums) {
                    break;
                }
                let length = self.self_cost(window, rest, &mut base, &mut packed);
                let Some(length) = length else { break };
                rest = &rest[length..];
                costs += 1;
            }
        }
        if costs > 0 {
            packed.add_to(self.sums);
            self.base.copy_from_slice(&base);
        }
        (text.len() - rest.len(), files, costs)
    }

    /// The length of a line that names another file of the function by its number.
    #[inline(always)] // a call takes as long as all of it
    fn inner_file(&mut self, line: &[u8; WINDOW]) -> Option<usize> {
        const NAMED: [u32; 2] = [u32::from_le_bytes(*b"fi=("), u32::from_le_bytes(*b"fe=(")];
        const END: u16 = u16::from_le_bytes(*b")\n");
        if !NAMED.contains(&(word_at(line, 0) as u32)) {
            return None;
        }
        let word = word_at(line, 4);
        let (id, length) = leading_digits(word);
        if !(1..7).contains(&length) || (word >> (8 * length)) as u16 != END {
            return None;
        }
        let known = &mut self.known.0[id as usize % 64];
        if *known != id {
            self.names.defined(NameSpace::File, id)?;
            *known = id;
        }
        Some(4 + length + 2)
    }

    /// Adds one line of self costs. Any other line changes nothing.
    #[inline(always)] // as above
    fn self_cost<const POSITIONS: usize>(
        &mut self,
        line: &[u8; WINDOW],
        text: &[u8],
        base: &mut [u64; POSITIONS],
        packed: &mut PackedSums,
    ) -> Option<usize> {
        let mut at = 0;
        let mut positions = *base;
        for position in &mut positions {
            let length;
            (*position, length) = moved(word_at(line, at), *position)?;
            at += length;
        }
        let word = word_at(line, at);
        let digit = word & 0xff ^ u64::from(b'0');
        let length = if digit < 10 && (word >> 8) as u8 == b'\n' {
            // Every function has the first event, and most instructions no other.
            packed.words[0] += digit;
            2
        } else {
            let (costs, length) = spaced_digits(word);
            let rest = &text[at..];
            if is_end(word, length) && length / 2 < self.sums.len() {
                packed.words[0] += costs;
                length + 1
            } else if length == 8 {
                self.more_costs(rest, packed)?
            } else {
                self.long_costs(rest)?
            }
        };
        *base = positions;
        Some(at + length)
    }

    /// Adds costs that are more than four.
    fn more_costs(&mut self, text: &[u8], packed: &mut PackedSums) -> Option<usize> {
        let mut words = [0; WORDS];
        for (index, chunk) in text.chunks_exact(8).take(WORDS).enumerate() {
            let word = u64::from_le_bytes(*chunk.first_chunk()?);
            let (costs, length) = spaced_digits(word);
            words[index] = costs;
            if length < 8 {
                if !is_end(word, length) {
                    break;
                }
                if 4 * index + length / 2 >= self.sums.len() {
                    return None;
                }
                for (sums, costs) in packed.words.iter_mut().zip(words) {
                    *sums += costs;
                }
                return Some(8 * index + length + 1);
            }
        }
        self.long_costs(text)
    }

    /// Adds costs of any length.
    fn long_costs(&mut self, text: &[u8]) -> Option<usize> {
        let mut line = PlainLine { text, at: 0 };
        let mut costs = [0; 4 * WORDS];
        let mut count = 0;
        loop {
            *costs.get_mut(count)? = line.decimal()?;
            count += 1;
            match line.next()? {
                b' ' => {}
                b'\n' => break,
                _ => return None,
            }
        }
        let sums = self.sums.get_mut(..count)?;
        if !has_room(sums) {
            return None;
        }
        for (sum, cost) in sums.iter_mut().zip(costs) {
            *sum += cost;
        }
        Some(line.at)
    }
}

/// Is each sum small enough?
#[inline]
fn has_room(sums: &[u64]) -> bool {
    sums.iter().fold(0, |bits, sum| bits | sum) < TOO_LARGE
}

/// The eight bytes at this place of a line, the first one in the lowest byte. Two positions have eighteen bytes at most.
#[inline]
fn word_at(line: &[u8; WINDOW], at: usize) -> u64 {
    let bytes = line[at % 32..][..8].first_chunk();
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Digits with a blank between each two, at the begin of a word: their values, each in 16 bits, and the number of bytes.
#[inline]
fn spaced_digits(word: u64) -> (u64, usize) {
    // Each digit is its value now, and each blank is 0.
    let pairs = word ^ 0x2030_2030_2030_2030;
    // The highest bit of a byte tells that it is something else; a carry only comes after the first such.
    let others = (pairs.wrapping_add(0x7f76_7f76_7f76_7f76) | pairs) & 0x8080_8080_8080_8080;
    match others {
        0 => (pairs, 8),
        _ => {
            let bits = others.trailing_zeros() & !7;
            (pairs & ((1 << bits) - 1), bits as usize / 8)
        }
    }
}

/// Is there a line end behind this many bytes of digits and blanks, and a digit before it?
#[inline]
fn is_end(word: u64, length: usize) -> bool {
    length % 2 == 1 && (word >> (8 * length)) as u8 == b'\n'
}

/// The position at the begin of a word, and its length with the blank behind it.
#[inline(always)] // as above
fn moved(word: u64, base: u64) -> Option<(u64, usize)> {
    const STEP: u64 = u32::from_le_bytes(*b"+0 \0") as u64;
    const STAY: u16 = u16::from_le_bytes(*b"* ");
    // Most are the length of an instruction, or a line that has several.
    let step = word & 0x00ff_ffff ^ STEP;
    if step & 0xff == 0 && step <= 9 << 8 {
        return Some((base.checked_add(step >> 8)?, 3));
    }
    match word as u8 {
        b'*' => (word as u16 == STAY).then_some((base, 2)),
        b'+' => {
            let (step, length) = number(word >> 8)?;
            Some((base.checked_add(step)?, length + 2))
        }
        b'-' => {
            let (step, length) = number(word >> 8)?;
            Some((base.checked_sub(step)?, length + 2))
        }
        _ => {
            let (position, length) = number(word)?;
            Some((position, length + 1))
        }
    }
}

/// A number with a blank behind it, and its length.
#[inline]
fn number(word: u64) -> Option<(u64, usize)> {
    let (number, length) = leading_digits(word);
    let is_whole = (1..8).contains(&length) && (word >> (8 * length)) as u8 == b' ';
    is_whole.then_some((number, length))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::lines::Lines;
    use super::super::reader::{read_lines, EachLine, WithoutLines};
    use super::super::CallgrindItem;
    use super::*;

    /// The outcome of a reader that looks at all lines, which that of one that adds them up has to be.
    fn read(text: &str) -> String {
        fn of_functions(all: &mut Vec<String>, item: CallgrindItem<'_>) {
            use super::super::PositionName;
            match item {
                CallgrindItem::Cost { .. } => {}
                CallgrindItem::Place(PositionName::InnerFile(_)) => {}
                item => all.push(format!("{item:?}")),
            }
        }
        let lines = || Lines::of_text(text.as_bytes());
        let (mut each, mut summed) = (Vec::new(), Vec::new());
        let whole = read_lines(
            lines(),
            EachLine(|item: CallgrindItem<'_>| of_functions(&mut each, item)),
        );
        let passed = read_lines(
            lines(),
            WithoutLines(|item: CallgrindItem<'_>| of_functions(&mut summed, item)),
        );
        let whole = format!("{whole:?}\n{each:#?}");
        assert_eq!(format!("{passed:?}\n{summed:#?}"), whole, "{text}");
        whole
    }

    /// The sums after these lines, and the number of those that were passed.
    #[track_caller]
    fn check(text: &str, positions: usize, lines: u64, expected: &[u64]) {
        let mut sums = vec![0; expected.len()];
        let passed = SummedLines {
            sums: &mut sums,
            base: &mut [100; 3][..positions],
            names: &CompressedNames::default(),
            known: &mut KnownFiles::default(),
        }
        .pass(format!("{text}end of it{}\n", "-".repeat(WINDOW)).as_bytes());
        assert_eq!((passed.lines, sums.as_slice()), (lines, expected), "{text}");
        let bytes: usize = text
            .split_inclusive('\n')
            .take(lines as usize)
            .map(str::len)
            .sum();
        assert_eq!((passed.bytes, passed.any_costs), (bytes, lines > 0));
    }

    #[test]
    fn usual_lines_are_added_up() {
        check("+5 * 1\n+5 -19 1 1\n", 2, 2, &[2, 1]);
        check("+3 2533 1 2 3 4\n* +1 5 0 7 9\n", 2, 2, &[6, 2, 10, 13]);
        check(
            "7 1 2 3 4 5 6 7 8 9\n+1 9 8 7 6 5 4 3 2 1\n",
            1,
            2,
            &[10; 9],
        );
        check("1 2 3\n4 55 666\n77 8\n", 1, 3, &[2 + 55 + 8, 3 + 666]);
        check("1 123456789012345 7\n", 1, 1, &[123_456_789_012_345, 7]);
        check("1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n", 1, 1, &[1; 16]);
    }

    #[test]
    fn other_lines_are_left_to_others() {
        for line in [
            "\n",
            "fn=(1)\n",
            "fi=(1)\n",
            "fe=x\n",
            "1\n",
            "1 \n",
            "1  2\n",
            " 1 2\n",
            "1 2 \n",
            "1 2\r\n",
            "1 x\n",
            "1 0x2\n",
            "0x1 2\n",
            "1 2 3 4 5\n",
            "1 1234567890123456\n",
            "-104 1\n",
            "+ 1\n",
            "*1\n",
            "calls=1 1\n",
        ] {
            check(&format!("+1 1\n+2 2\n{line}+1 1\n"), 1, 2, &[3, 0, 0]);
        }
    }

    #[test]
    fn sums_are_those_of_all_lines_however_many() {
        let count = 3 * PackedSums::MOST + 5;
        let text = "+1 9 1\n".repeat(count as usize);
        check(&text, 1, count, &[9 * count, count]);
    }

    #[test]
    fn sums_that_do_not_fit_are_found_in_their_line() {
        let most = u64::MAX;
        let text = |before: u64, lines: &str| {
            format!("events: Ir Dr\nfn=f\n1 {before} 1\n{lines}1 1\ntotals: 1 1\n")
        };
        assert!(read(&text(most, "+1 1\n")).contains("SumOverflow"));
        assert!(read(&text(most - 9, &"+1 1\n".repeat(20))).contains("line: 13"));
        assert!(read(&text(most - 9, &"+1 1\n".repeat(8))).contains("Inconsistent"));
        let large = format!("1 {}\n", 1_u64 << 49);
        assert!(read(&text(TOO_LARGE, &large.repeat(40_000))).contains("SumOverflow"));
        assert!(read(&text(TOO_LARGE, &large.repeat(20_000))).contains("Inconsistent"));
    }

    #[test]
    fn files_are_those_that_were_defined() {
        let text = |line: &str| {
            format!("events: Ir\nfl=(1) a\nfn=(1) f\n1 1\nfi=(65) b\n1 1\nfe=(1)\n2 1\n{line}3 1\n3 1\ntotals: 5\n")
        };
        for line in ["fi=(65)\n", "fe=(1)\n"] {
            assert!(read(&text(line)).contains("totals: [5]"));
        }
        for line in ["fi=(129)\n", "fi=(2)\n", "fi=(0)\n", "fe=(9999999)\n"] {
            assert!(read(&text(line)).contains("UndefinedName"));
        }
    }

    /// Lines of a body in the forms that Callgrind writes, and some that it does not.
    fn line() -> impl Strategy<Value = String> {
        let position = prop_oneof![
            Just("*".to_owned()),
            (0..12_u32).prop_map(|step| format!("+{step}")),
            (0..30_u32).prop_map(|step| format!("-{step}")),
            (0..12_000_u32).prop_map(|line| line.to_string()),
            (0..u64::MAX).prop_map(|address| format!("{address:#x}")),
        ];
        let cost = prop_oneof![
            8 => (0..10_u64).boxed(),
            2 => (0..100_000_u64).boxed(),
            1 => any::<u64>().prop_map(|cost| cost >> 2).boxed(),
        ];
        let costs = proptest::collection::vec(cost, 1..6);
        let usual = (position.clone(), position, costs).prop_map(|(first, second, costs)| {
            let costs: Vec<String> = costs.iter().map(u64::to_string).collect();
            format!("{first} {second} {}", costs.join(" "))
        });
        const ODD: [&str; 14] = [
            "fn=(1)",
            "fn=(2) g",
            "fl=(1)",
            "cfn=(2)",
            "calls=3 1 1",
            "jump=1 1 1",
            "",
            "# x",
            "fi=(4)",
            "1 1",
            "1 1 1 x",
            "fi=(2) other",
            "totals: 3",
            "ob=(1) o",
        ];
        prop_oneof![
            8 => usual,
            3 => (0..4_u32).prop_map(|file| format!("fi=({file})")),
            1 => proptest::sample::select(ODD.as_slice()).prop_map(str::to_owned),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        /// Whoever looks at lines and whoever does not read the same profile, or find the same fault.
        #[test]
        fn all_readers_read_the_same(
            lines in proptest::collection::vec(line(), 0..60),
            edits in proptest::collection::vec((any::<prop::sample::Index>(), 0_u8..128), 0..2),
        ) {
            let head = "positions: instr line\nevents: Ir Dr Dw I1mr D1mr\n";
            let names = "fl=(1) a\nfn=(1) f\n1 1 1\nfi=(2) b\n1 1 1\nfi=(3) c\n";
            let mut bytes = format!("{head}{names}{}\n", lines.join("\n")).into_bytes();
            let begin = head.len();
            for (place, byte) in edits {
                let place = begin + place.index(bytes.len() - begin);
                bytes[place] = byte;
            }
            read(&String::from_utf8(bytes).unwrap());
        }
    }
}
