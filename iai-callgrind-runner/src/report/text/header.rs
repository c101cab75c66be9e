//! The headline of a benchmark: `file::group::function id:arguments`.

use iai_callgrind::protocol::Truncate;

use super::paint::{Edge, Ink};
use super::Style;
use crate::identity::Identity;

/// `file::group::function id:arguments`
pub(super) fn headline(identity: &Identity, truncate: Truncate, style: Style) -> String {
    let path = format!(
        "{}::{}::{}",
        identity.file, identity.group, identity.function
    );
    style.paint(Ink::Path, &path) + &description(identity, truncate, style)
}

/// `  Comparison with function id:arguments`
pub(super) fn comparison_with(identity: &Identity, truncate: Truncate, style: Style) -> String {
    format!(
        "{}{} {}{}",
        style.edge(Edge::Branch),
        style.paint(Ink::Title, "Comparison with"),
        style.paint(Ink::Path, &identity.function),
        description(identity, truncate, style)
    )
}

/// `file::group::function id`: how the benchmark is called in the final block.
pub(super) fn name(identity: &Identity, style: Style) -> String {
    let identity = Identity {
        args: None,
        ..identity.clone()
    };
    headline(&identity, Truncate::Never, style)
}

/// ` id:arguments`, ` id`, ` arguments` or nothing.
fn description(identity: &Identity, truncate: Truncate, style: Style) -> String {
    let id = identity.id.as_ref().map(|id| style.paint(Ink::Id, id));
    let args = identity.args.as_ref().map(|args| {
        let args = shortened(&on_one_line(args), truncate);
        style.paint(Ink::Arguments, &args)
    });
    match (id, args) {
        (Some(id), Some(args)) => format!(" {id}{}{args}", style.paint(Ink::Id, ":")),
        (Some(text), None) | (None, Some(text)) => format!(" {text}"),
        (None, None) => String::new(),
    }
}

/// Source text may go over several lines, a headline may not.
fn on_one_line(args: &str) -> String {
    args.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

/// Cuts out the middle, so that the beginning and the end stay readable. The limit is in
/// characters and does not include the dots.
fn shortened(text: &str, truncate: Truncate) -> String {
    let length = text.chars().count();
    match truncate {
        Truncate::At(limit) if length > limit => {
            let end = limit / 2;
            let start: String = text.chars().take(limit - end).collect();
            let end: String = text.chars().skip(length - end).collect();
            format!("{start}...{end}")
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style {
        color: false,
        grid: false,
    };
    const COLOR: Style = Style {
        color: true,
        grid: false,
    };

    fn identity(id: Option<&str>, args: Option<&str>) -> Identity {
        Identity {
            file: "file".into(),
            group: "group".into(),
            function: "fn".into(),
            id: id.map(Into::into),
            args: args.map(Into::into),
        }
    }

    #[track_caller]
    fn check(id: Option<&str>, args: Option<&str>, expected: &str) {
        let truncate = Truncate::At(50);
        assert_eq!(headline(&identity(id, args), truncate, PLAIN), expected);
    }

    #[test]
    fn id_and_arguments_are_optional() {
        check(Some("id"), Some("ARGS"), "file::group::fn id:ARGS");
        check(Some("id"), None, "file::group::fn id");
        check(None, Some("ARGS"), "file::group::fn ARGS");
        check(None, None, "file::group::fn");
        check(
            Some("id"),
            Some("vec![\n    1,\n    2\n]"),
            "file::group::fn id:vec![ 1, 2 ]",
        );
        assert_eq!(
            name(&identity(Some("id"), Some("ARGS")), PLAIN),
            "file::group::fn id"
        );
    }

    #[test]
    fn long_arguments_are_cut_in_the_middle() {
        #[track_caller]
        fn check(args: &str, truncate: Truncate, expected: &str) {
            assert_eq!(shortened(args, truncate), expected);
        }
        check("0123456789", Truncate::At(10), "0123456789");
        check("0123456789", Truncate::At(9), "01234...6789");
        check("0123456789", Truncate::At(1), "0...");
        check("0123456789", Truncate::At(0), "...");
        check("", Truncate::At(0), "");
        check("äöü€äöü€", Truncate::At(4), "äö...ü€");
        check("0123456789", Truncate::Never, "0123456789");
    }

    #[test]
    fn colours() {
        let identity = Identity {
            file: "i_lib".into(),
            group: "cmp".into(),
            function: "bench_a".into(),
            ..identity(Some("first"), Some("setup(1)"))
        };
        let truncate = Truncate::At(50);
        assert_eq!(
            headline(&identity, truncate, COLOR),
            "\x1b[32mi_lib::cmp::bench_a\x1b[0m \x1b[36mfirst\x1b[0m\x1b[36m:\x1b[0m\
             \x1b[1;34msetup(1)\x1b[0m"
        );
        assert_eq!(
            comparison_with(&identity, truncate, COLOR),
            "\x1b[90m  \x1b[0m\x1b[1;33mComparison with\x1b[0m \x1b[32mbench_a\x1b[0m \
             \x1b[36mfirst\x1b[0m\x1b[36m:\x1b[0m\x1b[1;34msetup(1)\x1b[0m"
        );
    }
}
