//! Comparison of Callgrind's counts and the counts in single steps, function by function.

use std::collections::{HashMap, HashSet};

use super::profile::OwnCost;
use base::measured_function::demangled;
use report::text::verification::Parting;
use steps::Trace;
use symbols::code_tables::{CodeFunction, CodeTables};

/// The functions whose counts differ, in the order in which they were entered without Valgrind.
/// Functions that were entered under Valgrind only are at the end, the largest first.
pub(super) fn partings(
    trace: &Trace,
    own: &HashMap<CodeFunction, OwnCost>,
    code: &mut CodeTables,
) -> Vec<Parting> {
    let mut order: Vec<(CodeFunction, Option<u64>)> = Vec::new();
    let mut stepped: HashMap<CodeFunction, i64> = HashMap::new();
    for executed in &trace.executed {
        let function = function(trace, executed.address, code);
        if !stepped.contains_key(&function) {
            // Beside the map, which has no order: the first function whose count differs is the
            // likely cause.
            order.push((function.clone(), executed.from));
        }
        *stepped.entry(function).or_default() += executed.count;
    }
    let mut partings = Vec::new();
    for (key, from) in &order {
        let count = stepped.get(key).copied().unwrap_or_default();
        let callgrind = own.get(key).map_or(0, |own| own.count);
        // The steps are signed: what Valgrind counts less at client requests is taken off.
        if i64::try_from(callgrind) != Ok(count) {
            let from = from.map(|from| function(trace, from, code));
            partings.push(Parting {
                function: name(key, own, code),
                object: object(key),
                reached_from: from.map(|from| name(&from, own, code)),
                callgrind,
                stepped: count,
            });
        }
    }
    let entered: HashSet<&CodeFunction> = order.iter().map(|(function, _)| function).collect();
    let others = own.iter().filter(|(key, _)| !entered.contains(key));
    let mut others: Vec<(&CodeFunction, &OwnCost)> =
        others.filter(|(_, own)| own.count > 0).collect();
    // With ties by address, since the order of a `HashMap` differs from run to run.
    others.sort_by_key(|(key, own)| (std::cmp::Reverse(own.count), key.start));
    for (key, of_key) in others {
        partings.push(Parting {
            function: name(key, own, code),
            object: object(key),
            reached_from: None,
            callgrind: of_key.count,
            stepped: 0,
        });
    }
    partings
}

fn function(trace: &Trace, address: u64, code: &mut CodeTables) -> CodeFunction {
    match trace.maps.file(address) {
        Some((file, place)) => code.at_place(file, place),
        None => CodeFunction::linkage(),
    }
}

/// The name of a function: Callgrind's one, or that of the symbol if it ran without Valgrind alone.
/// Valgrind leaves some names as the compiler mangles them.
fn name(
    function: &CodeFunction,
    own: &HashMap<CodeFunction, OwnCost>,
    code: &mut CodeTables,
) -> String {
    if *function == CodeFunction::linkage() {
        return CodeFunction::LINKAGE.to_owned();
    }
    let by_callgrind = own.get(function).map(|own| own.name.as_str());
    let by_callgrind = by_callgrind.filter(|name| !name.is_empty() && !name.starts_with("0x"));
    match by_callgrind.or_else(|| code.symbol(function)) {
        Some(name) => demangled(name).into_owned(),
        None => format!("code without a symbol from {:#x} on", function.start),
    }
}

fn object(function: &CodeFunction) -> String {
    let name = function.object.file_name();
    name.unwrap_or(function.object.as_os_str())
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use steps::{Executed, MemoryMaps};

    #[test]
    fn the_first_one_that_differs_comes_first() {
        let maps = MemoryMaps::read(
            "1000-2000 r-xp 00000000 fe:00 1 /no/exe\n\
             3000-4000 r-xp 00000000 fe:00 2 /no/libc\n\
             5000-6000 r-xp 00000000 00:00 0 [vdso]\n",
        );
        let executed = |address, from, count| Executed {
            address,
            from,
            count,
        };
        let trace = Trace {
            executed: vec![
                executed(0x1010, None, 10),
                executed(0x5000, Some(0x1014), 7),
                executed(0x1014, Some(0x1010), 5),
                executed(0x3000, Some(0x1014), 4),
            ],
            maps,
            ..Trace::default()
        };
        let mut own = HashMap::new();
        for (object, name, count) in [
            ("/no/exe", "f", 15),
            ("/no/libc", "g", 9),
            ("/no/x", "_ZN4mach10sum_avx51217h0123456789abcdefE", 2),
        ] {
            let key = CodeFunction {
                object: object.into(),
                start: 0,
            };
            let name = name.to_owned();
            own.insert(key, OwnCost { count, name });
        }
        let found = partings(&trace, &own, &mut CodeTables::default());
        let shown: Vec<String> = found
            .iter()
            .map(|parting| {
                let Parting {
                    function,
                    object,
                    reached_from,
                    callgrind,
                    stepped,
                } = parting;
                format!("{function} {object} {reached_from:?} {callgrind} {stepped}")
            })
            .collect();
        assert_eq!(
            shown,
            [
                "code without a symbol from 0x0 on [vdso] Some(\"f\") 0 7",
                "g libc Some(\"f\") 9 4",
                "mach::sum_avx512 x None 2 0"
            ]
        );
    }
}
