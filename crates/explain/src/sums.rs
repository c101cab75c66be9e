//! Differences by function and by owner of the code: exact sums of own costs.

use std::collections::HashMap;

use super::digest::{Digest, FunctionId, NodeFrame, ObjectId, SourceOrigin};
use super::display::ShownFunctions;
use super::explanation::{ExplainedRow, FunctionDifference, OriginDifference};
use super::pair::PairNumber;
use super::sides::{DigestValues, NEW, OLD};

/// Functions that are kept at most, beside a row for all others.
const MOST: usize = 29;

/// Own costs of both sides by function; only those that differ, the largest difference first.
pub(super) fn by_function(
    digests: [&Digest; 2],
    values: &[DigestValues; 2],
    pairs: [&[PairNumber]; 2],
    count: usize,
    shown: &ShownFunctions<'_>,
) -> Vec<ExplainedRow<FunctionDifference>> {
    let mut own = vec![[0_u64; 2]; count];
    for side in [OLD, NEW] {
        let digest = digests[side];
        for (row, value) in digest.rows.iter().zip(&values[side].rows) {
            let function = digest.function_of(row.node);
            own[pairs[side][function.index()] as usize][side] += value;
        }
    }
    // All values together are at most 2^53 (`total`), so neither sums nor casts overflow.
    let difference = |function: usize| own[function][NEW] as i64 - own[function][OLD] as i64;
    let mut order: Vec<usize> = (0..count).filter(|index| difference(*index) != 0).collect();
    order.sort_by_key(|index| (std::cmp::Reverse(difference(*index).abs()), *index));
    // A row for all others stands for two at least: a single function is shown itself.
    let rest = match order.len() > MOST + 1 {
        true => order.split_off(MOST),
        false => Vec::new(),
    };
    let row = |function: usize| {
        ExplainedRow::One(FunctionDifference {
            function: shown.name(function as u32),
            file: shown.file(function as u32),
            origin: shown.origin(function as u32),
            old: own[function][OLD],
            new: own[function][NEW],
            diff: difference(function),
        })
    };
    let mut rows: Vec<_> = order.into_iter().map(row).collect();
    if !rest.is_empty() {
        rows.push(ExplainedRow::Rest {
            rest: rest.len(),
            diff: rest.into_iter().map(difference).sum(),
        });
    }
    rows
}

/// Differences of both sides by owner, the largest first.
pub(super) fn by_origin(
    digests: [&Digest; 2],
    values: &[DigestValues; 2],
) -> Vec<OriginDifference> {
    let mut owners = CodeOwners::default();
    let mut sums = Vec::new();
    for side in [OLD, NEW] {
        let sign = if side == OLD { -1 } else { 1 };
        let of_nodes = owners.of_nodes(digests[side]);
        // The new side may add owners.
        sums.resize(owners.owners.len(), 0);
        for (row, value) in digests[side].rows.iter().zip(&values[side].rows) {
            sums[of_nodes[row.node.index()]] += sign * *value as i64;
        }
    }
    let differing = owners.owners.iter().zip(sums);
    let differing = differing.filter(|(_, diff)| *diff != 0);
    let origins = differing.map(|((origin, name), diff)| OriginDifference {
        origin: *origin,
        name: (*name).to_owned(),
        diff,
    });
    let mut origins: Vec<OriginDifference> = origins.collect();
    origins.sort_by(|a, b| {
        let size = b.diff.abs().cmp(&a.diff.abs());
        size.then_with(|| (a.origin, &a.name).cmp(&(b.origin, &b.name)))
    });
    origins
}

/// Owners of code: packages without their version, and libraries.
#[derive(Default)]
struct CodeOwners<'a> {
    numbers: HashMap<(SourceOrigin, &'a str), usize>,
    owners: Vec<(SourceOrigin, &'a str)>,
}

impl<'a> CodeOwners<'a> {
    /// The owner of each node.
    fn of_nodes(&mut self, digest: &'a Digest) -> Vec<usize> {
        let mut objects = Vec::with_capacity(digest.nodes.len());
        let mut owners = Vec::with_capacity(digest.nodes.len());
        for node in &digest.nodes {
            let (object, function) = match node.frame {
                NodeFrame::Body(body) => {
                    let body = digest.bodies[body.index()];
                    (body.object, body.function)
                }
                NodeFrame::Inlined { parent, function } => (objects[parent.index()], function),
            };
            objects.push(object);
            let owner = owner(digest, object, function);
            let next = self.owners.len();
            let number = *self.numbers.entry(owner).or_insert(next);
            if number == next {
                self.owners.push(owner);
            }
            owners.push(number);
        }
        owners
    }
}

fn owner(digest: &Digest, object: ObjectId, function: FunctionId) -> (SourceOrigin, &str) {
    let file = digest.functions[function.index()].file;
    let file = file.map(|file| digest.files[file.index()]);
    let package = file.and_then(|file| file.package);
    let object = &digest.objects[object.index()];
    match (file, package) {
        (Some(file), Some(package)) => {
            let package = digest.text(package).split(' ').next();
            (file.origin, package.unwrap_or_default())
        }
        (Some(file), None) => (file.origin, digest.text(object.name)),
        (None, _) if object.is_own => (SourceOrigin::Unknown, digest.text(object.name)),
        (None, _) => (SourceOrigin::System, digest.text(object.name)),
    }
}
