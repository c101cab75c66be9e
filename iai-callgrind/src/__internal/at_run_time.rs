//! Converts benchmarks that were registered at run time into groups like all others.
//!
//! In: names that may be any text. Out: names that can stand in a path and in a file's name, as
//! `BenchmarkPath` of the runner has them.

use std::rc::Rc;

use super::benchmarks::{Case, Code, Function, Group, Place, NO_HOOKS};
use super::later::LaterConfig;
use super::registration::{self, Listed, Offered};
use super::throughput::LaterThroughputs;
use crate::protocol::{Address, Input, Kind};

/// All groups, in the order in which their first benchmark is registered. A group that begins anew
/// is the same one.
pub(super) fn groups() -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for listed in registration::list() {
        let group = of_name(&mut groups, path(&listed.offered.group));
        let name = name(&listed.offered.function, NO_DOT);
        let known = group
            .functions
            .iter()
            .position(|function| function.name == name);
        let index = known.unwrap_or_else(|| {
            group.functions.push(function(name, &listed));
            group.functions.len() - 1
        });
        group.functions[index].cases.push(case(listed));
    }
    for function in groups.iter_mut().flat_map(|group| &mut group.functions) {
        give_ids(&mut function.cases);
    }
    groups
}

/// The path below the file that a benchmark gets: `group::function` or `group::function::id`.
pub fn address(offered: &Offered) -> String {
    let (group, function) = (path(&offered.group), name(&offered.function, NO_DOT));
    let id = id(offered);
    let address = Address {
        group: &group,
        function: &function,
        id: id.as_deref(),
    };
    address.to_string()
}

fn id(offered: &Offered) -> Option<String> {
    offered.parameter.as_deref().map(|text| name(text, DOT))
}

fn of_name(groups: &mut Vec<Group>, name: String) -> &mut Group {
    let known = groups.iter().position(|group| group.name == name);
    let index = known.unwrap_or_else(|| {
        groups.push(Group {
            name,
            kind: Kind::Library,
            config: None,
            compare_by_id: false,
            max_parallel: 0,
            hooks: &NO_HOOKS,
            functions: Vec::new(),
            ratios: Vec::new(),
            mistakes: Vec::new(),
        });
        groups.len() - 1
    });
    &mut groups[index]
}

fn function(name: String, first: &Listed) -> Function {
    let place = first.offered.place;
    Function {
        index: 0,
        table: None,
        name,
        place: Place {
            file: place.map_or("", |place| place.file()),
            line: place.map_or(0, |place| place.line()),
            column: place.map_or(0, |place| place.column()),
        },
        config: None,
        equal_counts: false,
        cases: Vec::new(),
        empty: Vec::new(),
    }
}

/// Gives each benchmark of a function an id of its own, which it wants already. Other frameworks
/// let names occur twice, and different names can be the same here. The order of the titles decides
/// who gets a number, so that benchmarks that change places in the source keep their ids.
fn give_ids(cases: &mut [Case]) {
    let mut order: Vec<usize> = (0..cases.len()).collect();
    order.sort_by(|one, other| cases[*one].title.cmp(&cases[*other].title));
    let mut taken = Vec::with_capacity(cases.len());
    for index in order {
        let case = &mut cases[index];
        let id = free_id(&taken, case.id.take());
        taken.push(id.clone());
        // Arguments are shown only if they add something to the id.
        if case.args == id {
            case.args = None;
        }
        case.id = id;
    }
}

fn free_id(taken: &[Option<String>], wanted: Option<String>) -> Option<String> {
    let mut id = wanted.clone();
    let mut number = 1;
    while taken.contains(&id) {
        number += 1;
        id = Some(match &wanted {
            Some(wanted) => format!("{wanted}_{number}"),
            None => number.to_string(),
        });
    }
    id
}

/// The case with the id that it wants.
fn case(listed: Listed) -> Case {
    let Listed { offered, element } = listed;
    Case {
        index: 0,
        element,
        id: id(&offered),
        args: offered.parameter,
        // The same id may get another title, and is another benchmark then.
        input: Some(Input::new(offered.title.clone(), true)),
        tears_down: false,
        config: offered
            .config
            .map(|config| LaterConfig::Known(Rc::new(config))),
        scaling: None,
        throughput: offered.throughput.map(LaterThroughputs::Known),
        title: Some(offered.title),
        code: Code::Function(registration::run),
    }
}

/// Characters that may stand in the name of a group or function. A dot separates the function from
/// the id in names of files.
const NO_DOT: &str = "_-+=,%";

/// Characters that may stand in an id.
const DOT: &str = "_-+=,%.";

/// The name of a group, which may lie in others as modules do.
fn path(text: &str) -> String {
    let mut path = String::new();
    for part in text.split("::") {
        if !path.is_empty() {
            path.push_str("::");
        }
        path.push_str(&name(part, NO_DOT));
    }
    path
}

/// A name with no character that means something in paths, patterns or shells, and with at least
/// one.
fn name(text: &str, allowed: &str) -> String {
    let plain = |c: char| match c.is_alphanumeric() || allowed.contains(c) {
        true => c,
        false => '_',
    };
    let mut name: String = text.trim().chars().map(plain).collect();
    // `.` and `..` are directories, and other names with a dot in front are hidden.
    if name.is_empty() || name.starts_with('.') {
        name.insert(0, '_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::super::table::Element;
    use super::*;

    #[test]
    fn names_can_stand_in_paths() {
        for (text, expected) in [
            ("fib", "fib"),
            ("größe 20", "größe_20"),
            ("a::b/c", "a__b_c"),
            ("..", "_.."),
            ("", "_"),
            (" 1.5 ", "1.5"),
            ("x@y*?[\n\u{202e}", "x_y_____"),
        ] {
            assert_eq!(name(text, DOT), expected);
        }
        assert_eq!(name("1.5", NO_DOT), "1_5");
        assert_eq!(path("a::b c::d:e"), "a::b_c::d_e");
        assert_eq!(path("::"), "_::_");
        let offered = Offered {
            group: "a::b c".to_owned(),
            function: "d.e".to_owned(),
            parameter: Some("1.5/x".to_owned()),
            ..Offered::default()
        };
        assert_eq!(address(&offered), "a::b_c::d_e::1.5_x");
    }

    /// The ids of benchmarks with these titles and parameters.
    fn ids(registered: &[(&str, Option<&str>)]) -> Vec<String> {
        let listed = registered.iter().map(|(title, parameter)| Listed {
            offered: Offered {
                title: (*title).to_owned(),
                parameter: parameter.map(str::to_owned),
                ..Offered::default()
            },
            element: Element::default(),
        });
        let mut cases: Vec<Case> = listed.map(case).collect();
        give_ids(&mut cases);
        let ids = cases.into_iter().map(|case| case.id.unwrap_or_default());
        ids.collect()
    }

    #[test]
    fn no_two_benchmarks_have_one_id() {
        let parameters = [None, None, Some("a/b"), Some("a:b"), Some("2"), Some("a_b")];
        let registered = parameters.map(|parameter| ("", parameter));
        assert_eq!(ids(&registered), ["", "2", "a_b", "a_b_2", "2_2", "a_b_3"]);
    }

    #[test]
    fn benchmarks_that_change_places_keep_their_ids() {
        let [less, more, other] = [("x<y", None), ("x>y", None), ("z", Some("x y"))];
        assert_eq!(ids(&[less, more, other]), ["", "2", "x_y"]);
        assert_eq!(ids(&[other, more, less]), ["x_y", "2", ""]);
    }

    #[test]
    fn the_title_tells_a_benchmark_from_another_one_under_its_id() {
        let offered = Offered {
            title: "x<y".to_owned(),
            parameter: Some("p".to_owned()),
            ..Offered::default()
        };
        let element = Element::default();
        let mut cases = [case(Listed { offered, element })];
        give_ids(&mut cases);
        assert_eq!(cases[0].input, Some(Input::new("x<y".to_owned(), true)));
        // The id shows the parameter.
        assert_eq!((cases[0].id.as_deref(), &cases[0].args), (Some("p"), &None));
    }
}
