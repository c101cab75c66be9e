//! The types of the JSON output: costs by executable and library.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use base::cargo_hash;
use base::own_places::OwnPlaces;
use explain::digest::Digest;
use metrics::{self, CounterSet, MetricKind};

/// Costs of the instructions of one executable or library.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ObjectCosts {
    /// The name of the file, without its directory and cargo's hash: `libc.so.6`.
    pub name: String,
    /// Is it code of the project: the benchmark executable, or a library below the workspace or the
    /// target directory?
    pub own: bool,
    /// The counters of the tool by name: `"Ir": 12904`.
    #[serde(flatten, deserialize_with = "counts")]
    pub counts: BTreeMap<String, u64>,
}

/// The fields that are counts. Others are those of later versions.
fn counts<'de, D: Deserializer<'de>>(fields: D) -> Result<BTreeMap<String, u64>, D::Error> {
    let fields = BTreeMap::<String, Value>::deserialize(fields)?;
    let fields = fields.into_iter();
    let counts = fields.filter_map(|(name, value)| Some((name, value.as_u64()?)));
    Ok(counts.collect())
}

impl ObjectCosts {
    /// The objects of a digest, which add up to its totals.
    pub fn of_digest(digest: &Digest) -> Vec<Self> {
        let mut found = ObjectSums::default();
        let bodies = digest.bodies_of_nodes();
        let mut sums = vec![vec![0; digest.head.events.len()]; digest.objects.len()];
        for (row, costs) in digest.rows.iter().zip(digest.row_costs.rows()) {
            // Whoever reads a digest checks that each index leads to an item.
            let body = bodies[row.node.index()];
            let object = digest.bodies[body.index()].object;
            for (sum, cost) in sums[object.index()].iter_mut().zip(costs) {
                *sum = u64::saturating_add(*sum, *cost);
            }
        }
        for (object, costs) in digest.objects.iter().zip(sums) {
            let events = digest.head.events.iter().map(|event| digest.text(*event));
            found.add(digest.text(object.name), object.is_own, events.zip(costs));
        }
        found.finish()
    }

    /// The objects of the profiles of a benchmark. Empty unless they add up to the totals.
    pub fn of_sets(sets: &[CounterSet], places: OwnPlaces<'_>) -> Vec<Self> {
        let mut found = ObjectSums::default();
        for set in sets {
            let entered = set.entered.iter();
            for (path, costs) in entered.flat_map(|entered| &entered.objects) {
                let path = Path::new(OsStr::from_bytes(path));
                let name = path
                    .file_name()
                    .unwrap_or(path.as_os_str())
                    .to_string_lossy();
                let events = set.counters.iter().map(|(name, _)| name.as_str());
                let costs = events.zip(costs.iter().copied());
                found.add(&name, places.have(path), costs);
            }
        }
        let Ok(totals) = metrics::totals(sets) else {
            return Vec::new();
        };
        match found.add_up_to(&totals) {
            true => found.finish(),
            false => Vec::new(),
        }
    }

    /// The part of a count that the program's own code has, if it is known.
    #[must_use]
    pub fn own(objects: &[Self], kind: MetricKind) -> Option<u64> {
        let name = kind.name();
        let has_count = |object: &Self| object.counts.contains_key(name);
        let own = objects.iter().filter(|object| object.own);
        let counts = own.filter_map(|object| object.counts.get(name));
        let sum = |counts: u64, count: &u64| counts.saturating_add(*count);
        // Where no object has the count it was not collected: unknown, and not 0.
        objects.iter().any(has_count).then(|| counts.fold(0, sum))
    }

    fn is_nothing(&self) -> bool {
        self.counts.values().all(|count| *count == 0)
    }
}

/// Objects that are added up by their names.
#[derive(Debug, Default)]
struct ObjectSums(Vec<ObjectCosts>);

impl ObjectSums {
    fn add<'a>(&mut self, file: &str, own: bool, costs: impl Iterator<Item = (&'a str, u64)>) {
        let name = shown_name(file, own);
        let same = |object: &ObjectCosts| (&object.name, object.own) == (&name, own);
        let index = self.0.iter().position(same).unwrap_or_else(|| {
            self.0.push(ObjectCosts {
                name: name.clone(),
                own,
                counts: BTreeMap::new(),
            });
            self.0.len() - 1
        });
        for (event, cost) in costs {
            let counts = &mut self.0[index].counts;
            let sum = counts.entry(event.to_owned()).or_default();
            *sum = sum.saturating_add(cost);
        }
    }

    fn add_up_to(&self, totals: &[(&str, u64)]) -> bool {
        totals.iter().all(|(event, total)| {
            let counts = self.0.iter().filter_map(|object| object.counts.get(*event));
            counts.copied().fold(0, u64::saturating_add) == *total
        })
    }

    /// The objects with costs, the one with the most instructions first.
    fn finish(self) -> Vec<ObjectCosts> {
        let mut objects = self.0;
        objects.retain(|object| !object.is_nothing());
        objects.sort_by(|a, b| {
            let instructions = |object: &ObjectCosts| object.counts.get("Ir").copied();
            let most_first = instructions(b).cmp(&instructions(a));
            most_first.then_with(|| a.name.cmp(&b.name))
        });
        objects
    }
}

/// A file name without the hash that cargo gives what it builds: `app-0123456789abcdef`,
/// `libapp-0123456789abcdef.so`.
fn shown_name(file: &str, own: bool) -> String {
    // A version may follow: `libapp-0123456789abcdef.so.1`.
    let (stem, end) = file.split_at(file.find(".so").unwrap_or(file.len()));
    match cargo_hash::without(stem).filter(|_| own) {
        // Only files of cargo have such a hash; a library of the system may just be called so.
        Some(stem) => format!("{stem}{end}"),
        None => file.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use formats::callgrind::EnteredCalls;

    fn object(name: &str, own: bool, counts: &[(&str, u64)]) -> ObjectCosts {
        let counts = counts.iter();
        ObjectCosts {
            name: name.to_owned(),
            own,
            counts: counts
                .map(|(name, count)| ((*name).to_owned(), *count))
                .collect(),
        }
    }

    #[test]
    fn objects_are_flat_and_other_fields_are_passed_over() {
        let object = object("libc.so.6", false, &[("Ir", 2101)]);
        let json = serde_json::to_string(&object).unwrap();
        assert_eq!(json, r#"{"name":"libc.so.6","own":false,"Ir":2101}"#);
        let newer = json.replacen('{', r#"{"path":"/lib/libc.so.6","share":0.5,"#, 1);
        assert_eq!(serde_json::from_str::<ObjectCosts>(&newer).unwrap(), object);
    }

    fn set(totals: [u64; 2], objects: &[(&str, [u64; 2])]) -> CounterSet {
        let [ir, dr] = totals;
        let objects = objects.iter();
        CounterSet {
            counters: vec![("Ir".to_owned(), ir), ("Dr".to_owned(), dr)],
            entered: Some(Arc::new(EnteredCalls {
                objects: objects
                    .map(|(path, costs)| (path.as_bytes().into(), costs.to_vec()))
                    .collect(),
                ..EnteredCalls::default()
            })),
            ..CounterSet::default()
        }
    }

    #[test]
    fn objects_of_all_threads_add_up_to_the_totals() {
        let places = OwnPlaces {
            executable: Path::new("/copied/app-0123456789abcdef"),
            workspace: Path::new("/w"),
            target: Some(Path::new("/t")),
        };
        let first = set(
            [110, 5],
            &[
                ("/lib/libc.so.6", [10, 5]),
                ("/copied/app-0123456789abcdef", [60, 0]),
                ("/w/vendor/libx.so", [40, 0]),
            ],
        );
        let second = set(
            [33, 0],
            &[
                ("/t/release/libd-0123456789abcdef.so", [30, 0]),
                ("/lib/libc.so.6", [3, 0]),
                ("/lib/ld.so", [0, 0]),
            ],
        );
        let expected = [
            object("app", true, &[("Ir", 60), ("Dr", 0)]),
            object("libx.so", true, &[("Ir", 40), ("Dr", 0)]),
            object("libd.so", true, &[("Ir", 30), ("Dr", 0)]),
            object("libc.so.6", false, &[("Ir", 13), ("Dr", 5)]),
        ];
        assert_eq!(
            ObjectCosts::of_sets(&[first.clone(), second], places),
            expected
        );
        // A few instructions of a thread may be in no function.
        let mut other = first;
        other.counters[0].1 += 2;
        assert_eq!(ObjectCosts::of_sets(&[other], places), []);
        assert_eq!(ObjectCosts::of_sets(&[], places), []);
    }

    #[test]
    fn only_hashes_of_cargo_are_taken_off() {
        #[track_caller]
        fn check(file: &str, own: bool, expected: &str) {
            assert_eq!(shown_name(file, own), expected);
        }
        check("app-0123456789abcdef", true, "app");
        check("libd-0123456789abcdef.so", true, "libd.so");
        check("libd-0123456789abcdef.so.1", true, "libd.so.1");
        check(
            "libd-0123456789abcdef.so",
            false,
            "libd-0123456789abcdef.so",
        );
        check("app-1", true, "app-1");
        check("libx.so.6", true, "libx.so.6");
        check("???", false, "???");
    }
}
