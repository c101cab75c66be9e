//! Mistakes in a suite that only show when all of it is put together: names that occur twice.
//!
//! Two benchmarks of the same name would share their files, and the second would be compared with
//! the first.

use std::collections::HashSet;
use std::fmt;

use super::table::Suite;

/// Every mistake, one line each.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mistakes(Vec<String>);

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\nerror: "))
    }
}

pub(super) fn check(suite: &Suite) -> Result<(), Mistakes> {
    let file = suite.package.file;
    let mut mistakes = Vec::new();
    let mut groups = HashSet::new();
    for group in suite.groups {
        if !groups.insert(group.name) {
            mistakes.push(format!(
                "{file}: the group `{}` is listed twice in `main!`",
                group.name
            ));
        }
        let mut functions = HashSet::new();
        for function in group.functions {
            if !functions.insert(function.name) {
                mistakes.push(format!(
                    "{file}: two functions of the group `{}` are named `{}`",
                    group.name, function.name
                ));
            }
            let mut ids = HashSet::new();
            for case in function.cases {
                if !ids.insert(case.id) {
                    mistakes.push(format!(
                        "{file}: two benchmarks of `{}::{}` have the id `{}`",
                        group.name,
                        function.name,
                        case.id.unwrap_or_default()
                    ));
                }
            }
        }
    }
    if mistakes.is_empty() {
        Ok(())
    } else {
        Err(Mistakes(mistakes))
    }
}
