//! Functions of every kind that code has: generic, virtual, recursive, asynchronous, moved,
//! renamed.

use std::collections::VecDeque;
use std::fmt::{self, Write};
use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::{Context, Waker};

// Generic functions.

pub trait Weight {
    fn weight(&self) -> u64;
}

impl Weight for u32 {
    fn weight(&self) -> u64 {
        u64::from(*self) % 97
    }
}

impl Weight for String {
    fn weight(&self) -> u64 {
        self.len() as u64
    }
}

#[inline(never)]
fn heaviest<T: Weight>(items: &[T]) -> u64 {
    let mut most = 0;
    for item in items {
        most = most.max(item.weight());
    }
    most
}

pub fn generic_function(numbers: &[u32], names: &[String]) -> u64 {
    heaviest(numbers) + heaviest(names)
}

pub trait Codec {
    const GROUP: usize;
}

pub struct Hex;

impl Codec for Hex {
    const GROUP: usize = 8;
}

#[inline(never)]
fn encode<C: Codec>(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 3);
    for group in bytes.chunks(C::GROUP) {
        for byte in group {
            text.push(char::from_digit(u32::from(byte >> 4), 16).unwrap());
            text.push(char::from_digit(u32::from(byte & 15), 16).unwrap());
        }
        text.push(' ');
    }
    text
}

pub fn associated_constant(bytes: &[u8]) -> String {
    encode::<Hex>(bytes)
}

// Closures and iterators.

#[inline(never)]
fn for_each_line(text: &str, mut visit: impl FnMut(&str)) {
    for line in text.lines() {
        visit(line);
    }
}

pub fn closure_body(text: &str) -> usize {
    let mut spaces = 0;
    for_each_line(text, |line| {
        spaces += line.bytes().filter(|byte| *byte == b' ').count();
    });
    spaces
}

#[inline(never)]
pub fn shifted_closures(text: &str) -> u64 {
    text.lines()
        .filter(|line| !line.is_empty())
        .map(|line| line.bytes().map(u64::from).sum::<u64>())
        .fold(0, |sum, line| sum ^ line)
}

#[inline(never)]
pub fn iterator_chain(numbers: &[u64]) -> u64 {
    numbers.chunks(4).map(|part| part.iter().max().copied().unwrap_or(0) & 0xff).sum()
}

#[inline(never)]
pub fn queue(count: u64) -> u64 {
    let mut waiting: VecDeque<u64> = (0..count).collect();
    let mut sum = 0;
    while let Some(first) = waiting.pop_front() {
        sum += first;
    }
    sum
}

// Traits.

pub trait Shape {
    fn area(&self) -> f64;

    fn describe(&self, text: &mut String) {
        write!(text, "{};", self.area() as u64).unwrap();
    }

    fn corners(&self) -> u64 {
        4
    }
}

pub struct Square(pub f64);
pub struct Polygon(pub Vec<(f64, f64)>);
pub struct Circle(pub f64);

impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}

impl Shape for Polygon {
    fn area(&self) -> f64 {
        let next = self.0.iter().cycle().skip(1);
        let sum: f64 = self.0.iter().zip(next).map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum();
        sum.abs() / 2.0
    }
}

impl Shape for Circle {
    fn area(&self) -> f64 {
        self.0 * self.0 * std::f64::consts::PI
    }

    fn describe(&self, text: &mut String) {
        text.push('o');
    }
}

pub fn shapes(count: usize) -> Vec<Box<dyn Shape>> {
    (0..count)
        .map(|n| -> Box<dyn Shape> {
            match n % 3 {
                0 => Box::new(Square(n as f64)),
                1 => Box::new(Polygon((0..8).map(|corner| (corner as f64, (corner * n) as f64)).collect())),
                _ => Box::new(Circle(n as f64)),
            }
        })
        .collect()
}

#[inline(never)]
pub fn trait_object(shapes: &[Box<dyn Shape>]) -> f64 {
    shapes.iter().map(|shape| shape.area()).sum()
}

#[inline(never)]
pub fn default_method(shapes: &[Square]) -> String {
    let mut text = String::new();
    for shape in shapes {
        shape.describe(&mut text);
    }
    text
}

pub trait Style {
    fn mark(&self, line: &str) -> usize {
        line.len()
    }
}

pub struct Plain;

impl Style for Plain {}

#[inline(never)]
pub fn overridden_method(text: &str) -> usize {
    let style: &dyn Style = black_box(&Plain);
    text.lines().map(|line| style.mark(line)).sum()
}

#[derive(PartialEq, Eq)]
pub struct Version {
    pub parts: Vec<u32>,
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.parts.cmp(&other.parts)
    }
}

pub fn versions(count: u32) -> Vec<Version> {
    (0..count)
        .map(|n| Version {
            parts: vec![1, n * 7919 % 31, n * 6131 % 17],
        })
        .collect()
}

#[inline(never)]
pub fn ordering(versions: &mut [Version]) {
    versions.sort();
}

pub struct Cents(pub u64);

impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

pub fn display(amounts: &[Cents]) -> usize {
    amounts.iter().map(|amount| amount.to_string().len()).sum()
}

pub struct Span<'a> {
    depth: &'a AtomicU64,
    name: &'static str,
}

impl Drop for Span<'_> {
    fn drop(&mut self) {
        self.depth.fetch_sub(1, Relaxed);
    }
}

#[inline(never)]
pub fn dropped(count: u64) -> u64 {
    let depth = AtomicU64::new(0);
    let mut sum = 0;
    for n in 0..count {
        depth.fetch_add(1, Relaxed);
        let span = Span {
            depth: &depth,
            name: "step of the work",
        };
        sum += black_box(n) + span.name.len() as u64;
    }
    sum
}

// Instances of other types, further up.

#[inline(never)]
fn each<T: Weight>(items: Vec<T>) -> u64 {
    items.iter().map(|item| item.weight()).sum()
}

#[inline(never)]
pub fn collected(count: u32) -> u64 {
    let items: Vec<_> = (0..count).map(|n| n).collect();
    each(items)
}

#[inline(never)]
fn smoothed<const WIDTH: usize>(at: u64) -> u64 {
    let mut sum = at;
    for n in 0..WIDTH as u64 {
        sum = black_box(sum + n);
    }
    sum
}

#[inline(never)]
pub fn const_generic(count: u64) -> u64 {
    let mut sum = 0;
    for n in 0..count {
        sum += smoothed::<4>(n);
    }
    sum
}

#[inline(never)]
fn weighed<T: Weight>(item: T) -> u64 {
    item.weight() + 1
}

#[inline(never)]
fn inner(n: u32) -> u64 {
    weighed(n)
}

#[inline(never)]
pub fn two_levels(count: u32) -> u64 {
    (0..count).map(inner).sum()
}

pub type Label = Rc<str>;

pub fn labels(count: usize) -> Vec<Label> {
    (0..count).map(|n| Label::from(format!("label {n}"))).collect()
}

#[inline(never)]
pub fn type_alias(labels: &[Label]) -> Vec<Label> {
    labels.iter().filter(|label| !label.ends_with('7')).cloned().collect()
}

// Recursion.

pub struct Tokens<'a> {
    left: &'a [u8],
}

impl Tokens<'_> {
    fn peek(&self) -> u8 {
        self.left.first().copied().unwrap_or(0)
    }

    fn skip(&mut self) {
        self.left = &self.left[1..];
    }
}

#[inline(never)]
fn sum(tokens: &mut Tokens) -> i64 {
    let mut value = product(tokens);
    while tokens.peek() == b'+' {
        tokens.skip();
        value = value.wrapping_add(product(tokens));
    }
    value
}

#[inline(never)]
fn product(tokens: &mut Tokens) -> i64 {
    let mut value = factor(tokens);
    while tokens.peek() == b'*' {
        tokens.skip();
        value = value.wrapping_mul(factor(tokens));
    }
    value
}

#[inline(never)]
fn factor(tokens: &mut Tokens) -> i64 {
    if tokens.peek() == b'(' {
        tokens.skip();
        let value = sum(tokens);
        tokens.skip();
        return value;
    }
    let mut value = 0_i64;
    while tokens.peek().is_ascii_digit() {
        value = value * 10 + i64::from(tokens.peek() - b'0');
        tokens.skip();
    }
    value
}

pub fn circle(text: &str) -> i64 {
    sum(&mut Tokens { left: text.as_bytes() })
}

pub struct Tree {
    key: u64,
    sides: [Option<Box<Tree>>; 2],
}

impl Tree {
    pub fn of(depth: u32) -> Self {
        let side = || (depth > 0).then(|| Box::new(Self::of(depth - 1)));
        Self {
            key: u64::from(depth),
            sides: [side(), side()],
        }
    }

    fn keys(&self) -> u64 {
        let sides = self.sides.iter().flatten();
        self.key + sides.map(|side| side.keys()).sum::<u64>()
    }
}

pub fn recursion(tree: &Tree) -> u64 {
    tree.keys()
}

// Macros.

macro_rules! unit {
    ($name:ident, $factor:expr) => {
        pub struct $name(pub f64);

        impl $name {
            #[inline(never)]
            pub fn parse(text: &str) -> Option<Self> {
                let number: f64 = text.trim().parse().ok()?;
                Some(Self(number * $factor))
            }
        }
    };
}

unit!(Metres, 0.3048);

pub fn macro_function(texts: &[String]) -> f64 {
    texts.iter().filter_map(|text| Metres::parse(text)).map(|metres| metres.0).sum()
}

macro_rules! field {
    ($line:expr, $index:expr) => {
        $line.split(' ').nth($index).unwrap_or("")
    };
}

#[inline(never)]
pub fn macro_expression(text: &str) -> usize {
    let mut length = 0;
    for line in text.lines() {
        length += field!(line, 4).len();
    }
    length
}

// Async.

async fn checked(n: u64) -> u64 {
    let mut sum = n;
    for round in 0..black_box(3) {
        sum ^= sum << round;
    }
    sum
}

async fn all_checked(count: u64) -> u64 {
    let mut sum = 0;
    for n in 0..count {
        sum += checked(n).await;
    }
    sum
}

pub fn asynchronous(count: u64) -> u64 {
    let mut future = pin!(all_checked(count));
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let std::task::Poll::Ready(sum) = future.as_mut().poll(&mut context) {
            return sum;
        }
    }
}

// Cold paths and growth.

pub struct Reader<'a> {
    source: &'a [u8],
    buffer: Vec<u8>,
    at: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<u8> {
        if self.at == self.buffer.len() && !self.refill() {
            return None;
        }
        self.at += 1;
        Some(self.buffer[self.at - 1])
    }

    #[cold]
    fn refill(&mut self) -> bool {
        let (now, later) = self.source.split_at(self.source.len().min(256));
        self.buffer.clear();
        self.buffer.extend_from_slice(now);
        self.source = later;
        self.at = 0;
        !now.is_empty()
    }
}

#[inline(never)]
pub fn cold_path(source: &[u8]) -> u64 {
    let mut reader = Reader {
        source,
        buffer: Vec::new(),
        at: 0,
    };
    let mut sum = 0;
    while let Some(byte) = reader.next() {
        sum = u64::rotate_left(sum, 5) ^ u64::from(byte);
    }
    sum
}

#[derive(Debug)]
pub struct ParseFailed(pub String);

#[inline(never)]
fn digits(text: &str) -> Result<u64, ParseFailed> {
    text.parse().map_err(|_| ParseFailed(String::new()))
}

pub fn error_path(texts: &[String]) -> usize {
    texts.iter().filter(|text| digits(text).is_err()).count()
}

#[inline(never)]
pub fn growth(words: &str) -> String {
    let mut text = String::with_capacity(words.len() + words.len() / 2);
    for word in words.split(' ') {
        text.push_str(word);
        text.push('\n');
    }
    text
}

// Function pointers and data.

#[inline(never)]
fn doubled(n: u64) -> u64 {
    n.wrapping_add(n)
}

#[inline(never)]
fn bits(n: u64) -> u64 {
    (0..64).map(|bit| black_box(n) >> bit & 1).sum()
}

#[inline(never)]
fn negated(n: u64) -> u64 {
    n.wrapping_neg()
}

static OPERATIONS: [fn(u64) -> u64; 3] = [doubled, negated, doubled];

#[inline(never)]
pub fn pointer_table(program: &[u8]) -> u64 {
    program.iter().fold(1, |value, code| OPERATIONS[usize::from(*code) % OPERATIONS.len()](value))
}

#[inline(never)]
fn applied(value: u64, operation: fn(u64) -> u64) -> u64 {
    (0..20).fold(value, |value, _| operation(value))
}

#[inline(never)]
fn scrambled(n: u64) -> u64 {
    n.rotate_left(7) ^ 0x55
}

pub fn pointer_target(count: u64) -> u64 {
    (0..count).map(|n| applied(n, black_box(scrambled))).sum()
}

#[inline(never)]
pub fn pointer_argument(count: u64) -> u64 {
    (0..count).map(|n| applied(n, doubled)).sum()
}

#[used]
static ALL: [fn(u64) -> u64; 2] = [bits, negated];

static ROUNDS: AtomicU64 = AtomicU64::new(40);

#[inline(never)]
fn mixed(rounds: u64) -> u64 {
    (0..rounds).fold(1, |sum, n| black_box(sum ^ n))
}

#[inline(never)]
pub fn rounds(count: u64) -> u64 {
    (0..count).map(|n| mixed(ROUNDS.load(Relaxed)) + n).sum()
}

static SIZES: &[&[u64]] = &[&[3, 5], &[8], &[13, 21]];

#[inline(never)]
pub fn sizes(start: u64) -> u64 {
    let mut sum = start;
    for row in black_box(SIZES) {
        for size in *row {
            sum += mixed(*size);
        }
    }
    sum
}

const BLOCK: usize = 32;

#[inline(never)]
pub fn constant(bytes: &[u8]) -> u64 {
    let mut sum = 0;
    for block in bytes.chunks(BLOCK) {
        sum += mixed(5) + block.len() as u64;
    }
    sum
}

const CHECKS: bool = false;

#[inline(never)]
pub fn flag(words: &str) -> usize {
    let mut count = 0;
    for word in words.split(' ') {
        if CHECKS {
            assert!(word.chars().all(char::is_alphanumeric), "`{word}` is no word");
        }
        count += word.len();
    }
    count
}

// Functions that get another name, another place, or another body.

#[inline(never)]
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(7, |sum, byte| sum.wrapping_mul(33) ^ u64::from(*byte))
}

#[inline(never)]
fn checksum_of_pairs(bytes: &[u8]) -> u64 {
    bytes.windows(2).fold(7, |sum, two| sum.wrapping_mul(33) ^ u64::from(two[0]) << 8 ^ u64::from(two[1]))
}

#[used]
static CHECKSUMS: [fn(&[u8]) -> u64; 2] = [checksum, checksum_of_pairs];

pub fn swapped_names(bytes: &[u8]) -> u64 {
    checksum(bytes)
}

#[inline(never)]
fn vowels(text: &str) -> usize {
    text.bytes().filter(|byte| b"aeiou".contains(byte)).count()
}

#[inline(never)]
pub fn renamed(text: &str) -> usize {
    vowels(text) * 2
}

#[inline(never)]
fn letters(text: &str) -> usize {
    text.bytes().filter(|byte| byte.is_ascii_alphabetic()).count()
}

pub fn renamed_and_edited(text: &str) -> usize {
    letters(text)
}

#[inline(never)]
pub fn split(text: &str) -> u64 {
    let mut sum = 0;
    for line in text.lines() {
        let mut value = 0;
        for byte in line.bytes() {
            value = black_box(value * 3 ^ u64::from(byte));
        }
        sum += value;
    }
    sum
}

#[inline(never)]
fn left(text: &str) -> usize {
    text.bytes().take_while(|byte| *byte == b'l').count()
}

#[inline(never)]
fn right(text: &str) -> usize {
    text.bytes().rev().take_while(|byte| *byte == b'e').count()
}

#[inline(never)]
pub fn joined(text: &str) -> usize {
    text.lines().map(|line| left(line) + right(line)).sum()
}

pub fn moved_module(text: &str) -> u64 {
    text.lines().map(|line| sums::of(line.as_bytes())).sum()
}

use self::adler as sums;

mod adler {
    #[inline(never)]
    pub fn of(bytes: &[u8]) -> u64 {
        let (low, high) = bytes.iter().fold((1, 0), |sums, byte| step(sums, *byte));
        high << 16 | low
    }

    #[inline(never)]
    fn step((low, high): (u64, u64), byte: u8) -> (u64, u64) {
        let low = (low + u64::from(byte)) % 65_521;
        (low, (high + low) % 65_521)
    }
}

#[inline(never)]
pub fn moved_and_unchanged(text: &str) -> u64 {
    text.lines().map(|line| parity::of(line.as_bytes())).sum()
}

mod parity {
    #[inline(never)]
    pub fn of(bytes: &[u8]) -> u64 {
        bytes.iter().map(|byte| bit(*byte)).fold(0, |sum, bit| sum ^ bit)
    }

    #[inline(never)]
    fn bit(byte: u8) -> u64 {
        u64::from(byte.count_ones() & 1)
    }
}

mod escape;

pub fn moved_file(text: &str) -> String {
    escape::escaped(text)
}
