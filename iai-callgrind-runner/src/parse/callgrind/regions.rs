//! What a benchmark executed inside of `iai_callgrind::measure`.
//!
//! The closure is called by a function of a known name, so the inclusive costs of the calls of this
//! function are the costs of the regions, as exact as the totals.

use std::path::Path;

use super::super::{file, FileError, ParseError};
use super::{read_with, Event, Name, Part, Profile};

/// A piece of the name of the function that calls the closure, in all manglings.
pub const REGION: &str = "__iai_callgrind_region_mod";

/// As [`read`](super::read), with the costs of the regions as totals. Without any region they are
/// zero.
pub fn read_regions_of_file(path: &Path) -> Result<Option<Profile>, FileError> {
    file(path, read_regions)
}

fn read_regions(input: impl std::io::Read) -> Result<Option<Profile>, ParseError> {
    let mut parts: Vec<Vec<u64>> = Vec::new();
    let mut is_region = false;
    let profile = read_with(input, |event| match event {
        Event::Part => parts.push(Vec::new()),
        Event::Callee(Name::Function(name)) => {
            is_region = memchr::memmem::find(name, REGION.as_bytes()).is_some();
        }
        Event::Call { costs, .. } if is_region => add(&mut parts, costs),
        _ => {}
    })?;
    let with_regions = |profile: Profile| Profile {
        parts: profile
            .parts
            .into_iter()
            .zip(parts)
            .map(|(part, sums)| of_regions(part, sums))
            .collect(),
    };
    Ok(profile.map(with_regions))
}

fn add(parts: &mut [Vec<u64>], costs: &[u64]) {
    let Some(sums) = parts.last_mut() else { return };
    if sums.len() < costs.len() {
        sums.resize(costs.len(), 0);
    }
    for (sum, cost) in sums.iter_mut().zip(costs) {
        *sum = sum.saturating_add(*cost);
    }
}

fn of_regions(part: Part, mut sums: Vec<u64>) -> Part {
    sums.resize(part.events.len(), 0);
    Part {
        totals: sums,
        ..part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `main` calls the region twice and something else once.
    const SAMPLE: &str = "\
events: Ir Dr
fn=(1) main
1 100 10
cfn=(2) iai_callgrind::measure::__iai_callgrind_region_mod::call
calls=1 5
2 30 3
cfn=(3) other
calls=1 6
3 1000 0
cfn=(2)
calls=1 5
4 12
fn=(2)
5 42 3
fn=(3)
6 1000 0

totals: 1142 13
";

    #[test]
    fn the_calls_of_regions_add_up() {
        let profile = read_regions(SAMPLE.as_bytes()).unwrap().unwrap();
        assert_eq!(profile.totals().unwrap(), [("Ir", 42), ("Dr", 3)]);
    }

    #[test]
    fn without_regions_there_is_nothing() {
        let sample = SAMPLE.replace(REGION, "elsewhere");
        let profile = read_regions(sample.as_bytes()).unwrap().unwrap();
        assert_eq!(profile.totals().unwrap(), [("Ir", 0), ("Dr", 0)]);
        assert_eq!(read_regions(&b""[..]).unwrap(), None);
    }
}
