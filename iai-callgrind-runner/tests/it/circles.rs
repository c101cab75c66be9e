//! Which modules of the runner import each other in a circle: none but those in [`KNOWN`].
//!
//! In a circle nobody can be read, tested or moved alone. The graph is read from the sources: a
//! module is a file or folder right below `src`, and it imports what stands behind `crate::`
//! outside of its comments and tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::sources::{code, name, sources};

/// The circles that are left: none. Whoever has to make one says why here.
const KNOWN: &[&[&str]] = &[];

/// Imports of each module.
type Graph = BTreeMap<String, BTreeSet<String>>;

#[test]
fn modules_import_each_other_in_known_circles_only() {
    let graph = graph(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(graph.len() > 10, "{graph:?}");
    let known: Vec<Vec<&str>> = KNOWN.iter().map(|circle| circle.to_vec()).collect();
    let found = circles(&graph);
    let edges = || {
        let all = found.iter().flatten();
        let edges = all.map(|module| format!("{module} -> {:?}", graph[*module]));
        edges.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        found,
        known,
        "what the modules in circles import:\n{}",
        edges()
    );
}

#[test]
fn circles_are_found() {
    let edges = [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("d", "d")];
    let mut graph = Graph::new();
    for (from, to) in edges {
        graph.entry(from.into()).or_default().insert(to.into());
    }
    assert_eq!(circles(&graph), [["b", "c"]]);
}

#[test]
fn imports_are_read() {
    let source = "\
//! See [`crate::report`].
use crate::plan::{self, Job};
use crate::{error::{Error, Result}, tool, units::*};
fn f() -> crate::exit::Exit {}
#[cfg(test)]
mod tests {
    use crate::cli;
}
";
    let expected = ["error", "exit", "plan", "tool", "units"];
    assert_eq!(Vec::from_iter(imports(source)), expected);
}

fn graph(src: &Path) -> Graph {
    let mut graph = Graph::new();
    for (file, source) in sources(src) {
        let inside = file.strip_prefix(src).unwrap();
        let first = inside.components().next().unwrap();
        let module = Path::new(&first).file_stem().unwrap();
        let module = module.to_str().unwrap().to_owned();
        // They only declare the modules and call one.
        if ["lib", "main"].contains(&module.as_str()) {
            continue;
        }
        graph.entry(module).or_default().extend(imports(&source));
    }
    graph
}

/// Modules behind `crate::`, also several in braces.
fn imports(source: &str) -> BTreeSet<String> {
    let code = code(source);
    let mut found = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(several) => found.extend(in_braces(several)),
            None => found.extend(name(rest)),
        }
    }
    found
}

/// The first name of each path of `a::b, c::{d, e}}`, up to the brace that closes the list.
fn in_braces(several: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0;
    let mut is_first = true;
    for (place, char) in several.char_indices() {
        match char {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => is_first = true,
            _ if char.is_whitespace() => {}
            _ if is_first => {
                names.extend(name(&several[place..]));
                is_first = false;
            }
            _ => {}
        }
    }
    names
}

/// Groups of modules of which each reaches each, sorted.
fn circles(graph: &Graph) -> Vec<Vec<&str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = graph
        .keys()
        .map(|module| (module.as_str(), reachable(graph, module)))
        .collect();
    let with = |module: &str| -> Vec<&str> {
        let mutual = reached.iter().filter(|(other, from_other)| {
            reached[module].contains(*other) && from_other.contains(module)
        });
        mutual.map(|(other, _)| *other).collect()
    };
    let all: BTreeSet<Vec<&str>> = reached.keys().map(|module| with(module)).collect();
    all.into_iter().filter(|circle| circle.len() > 1).collect()
}

/// Everything that a module imports, directly or by others.
fn reachable<'a>(graph: &'a Graph, module: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![module];
    while let Some(module) = open.pop() {
        for next in graph.get(module).into_iter().flatten() {
            if reached.insert(next.as_str()) {
                open.push(next);
            }
        }
    }
    reached
}
