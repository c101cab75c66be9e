//! Compares the library's table of requests with the requests of headers.

use std::collections::BTreeMap;
#[cfg(any(feature = "bindgen", test))]
use std::path::Path;

use iai_callgrind::client_requests::numbers::Request;

use super::left_out;
use super::scan::Enumerator;

/// Every difference, as a line for people.
///
/// `found` are the requests of the Valgrind of this version, by header. A row of the table has to
/// be there if that version has it, with its number, and must not be there if it is newer. What the
/// table does not have, has to be left out on purpose.
pub(super) fn differences(
    table: &[Request],
    version: (u32, u32),
    found: &[(&str, Vec<Enumerator>)],
) -> Vec<String> {
    let by_name: BTreeMap<(&str, &str), u32> = found
        .iter()
        .flat_map(|(header, list)| list.iter().map(|e| ((*header, e.name.as_str()), e.number)))
        .collect();
    let mut differences = Vec::new();
    for row in table {
        let Request { name, number, .. } = row;
        let in_table = format!(
            "`{name}` is {number:#x} since {} in the table",
            dotted(row.since)
        );
        match by_name.get(&(row.header, name)) {
            Some(theirs) if theirs != number => {
                differences.push(format!("{in_table}, {theirs:#x} in `{}`", row.header));
            }
            Some(_) if version < row.since => differences.push(format!(
                "{in_table}, but `{}` of {} has it already",
                row.header,
                dotted(version)
            )),
            None if version >= row.since => differences.push(format!(
                "{in_table}, but `{}` of {} does not have it",
                row.header,
                dotted(version)
            )),
            Some(_) | None => {}
        }
    }
    let in_table = |header: &str, name: &str| {
        let mut rows = table.iter();
        rows.any(|row| row.header == header && row.name == name)
    };
    for ((header, name), number) in by_name {
        match (in_table(header, name), left_out::contains(name)) {
            (false, false) => differences.push(format!(
                "`{name}` is {number:#x} in `{header}` of {}, but not in the table\n  \
                 hint: add it to `client_requests/numbers.rs`, or to `left_out.rs` with the reason",
                dotted(version)
            )),
            (true, true) => differences.push(format!(
                "`{name}` is in the table and in `left_out.rs`: it is in one of them"
            )),
            (true, false) | (false, true) => {}
        }
    }
    differences
}

/// Every difference between what the scan and Clang see.
#[cfg(any(feature = "bindgen", test))]
pub(super) fn between_methods(
    directory: &Path,
    scanned: &[(&str, Vec<Enumerator>)],
    compiled: &BTreeMap<String, u32>,
) -> Vec<String> {
    let scanned: BTreeMap<&str, u32> = scanned
        .iter()
        .flat_map(|(_, list)| list.iter().map(|e| (e.name.as_str(), e.number)))
        .collect();
    let names = scanned
        .keys()
        .copied()
        .chain(compiled.keys().map(String::as_str));
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    let shown = |number: Option<&u32>| number.map_or("nothing".to_owned(), |n| format!("{n:#x}"));
    names
        .into_iter()
        .filter(|name| scanned.get(name) != compiled.get(*name))
        .map(|name| {
            format!(
                "`{name}` in `{}` is {} for the scan, {} for Clang",
                directory.display(),
                shown(scanned.get(name)),
                shown(compiled.get(name))
            )
        })
        .collect()
}

/// A version as people write it.
pub(super) fn dotted((major, minor): (u32, u32)) -> String {
    format!("{major}.{minor}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[Request] = &[
        row("ONE", 1, (3, 0)),
        row("TWO", 2, (3, 20)),
        row("THREE", 3, (3, 25)),
    ];

    const fn row(name: &'static str, number: u32, since: (u32, u32)) -> Request {
        Request {
            name,
            number,
            since,
            header: "x.h",
        }
    }

    #[track_caller]
    fn check(minor: u32, found: &[(&str, u32)], expected: &[&str]) {
        let found = found.iter().map(|(name, number)| Enumerator {
            name: (*name).to_owned(),
            number: *number,
        });
        let differences = differences(TABLE, (3, minor), &[("x.h", found.collect())]);
        assert_eq!(differences, expected);
    }

    #[test]
    fn newer_requests_are_missing_from_older_headers() {
        check(19, &[("ONE", 1)], &[]);
        check(24, &[("ONE", 1), ("TWO", 2)], &[]);
        check(27, &[("ONE", 1), ("TWO", 2), ("THREE", 3)], &[]);
    }

    #[test]
    fn another_number() {
        check(
            20,
            &[("ONE", 1), ("TWO", 7)],
            &["`TWO` is 0x2 since 3.20 in the table, 0x7 in `x.h`"],
        );
    }

    #[test]
    fn a_wrong_version() {
        check(
            19,
            &[("ONE", 1), ("TWO", 2)],
            &["`TWO` is 0x2 since 3.20 in the table, but `x.h` of 3.19 has it already"],
        );
        check(
            20,
            &[("ONE", 1)],
            &["`TWO` is 0x2 since 3.20 in the table, but `x.h` of 3.20 does not have it"],
        );
    }

    #[test]
    fn what_is_in_a_header_is_in_the_table_or_left_out() {
        check(
            19,
            &[("ONE", 1), ("NEW", 8)],
            &[
                "`NEW` is 0x8 in `x.h` of 3.19, but not in the table\n  \
                 hint: add it to `client_requests/numbers.rs`, or to `left_out.rs` with the reason",
            ],
        );
        check(19, &[("ONE", 1), ("VG_USERREQ__PRINTF", 0x1401)], &[]);
    }

    #[test]
    fn nothing_is_in_both_lists() {
        let table = [row("VG_USERREQ__PRINTF", 0x1401, (3, 0))];
        let found = Enumerator {
            name: "VG_USERREQ__PRINTF".to_owned(),
            number: 0x1401,
        };
        let differences = differences(&table, (3, 19), &[("x.h", vec![found])]);
        let expected =
            "`VG_USERREQ__PRINTF` is in the table and in `left_out.rs`: it is in one of them";
        assert_eq!(differences, [expected]);
    }

    #[test]
    fn both_methods_see_the_same() {
        let enumerator = |name: &str, number| Enumerator {
            name: name.to_owned(),
            number,
        };
        let scanned = [("x.h", vec![enumerator("A", 1), enumerator("B", 2)])];
        let compiled = BTreeMap::from([("B".to_owned(), 3), ("C".to_owned(), 4)]);
        assert_eq!(
            between_methods(Path::new("/i"), &scanned, &compiled),
            [
                "`A` in `/i` is 0x1 for the scan, nothing for Clang",
                "`B` in `/i` is 0x2 for the scan, 0x3 for Clang",
                "`C` in `/i` is nothing for the scan, 0x4 for Clang",
            ]
        );
    }
}
