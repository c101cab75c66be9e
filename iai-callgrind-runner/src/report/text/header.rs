//! The headline of a benchmark: `file::group::function id:arguments`.

use iai_callgrind::protocol::Truncate;

use super::paint::{Edge, Ink};
use super::Style;
use crate::identity::{Identity, Piece};

/// `file::group::function id:arguments`
pub(super) fn headline(identity: &Identity, truncate: Truncate, style: Style) -> String {
    style.paint(Ink::Path, &identity.function_path()) + &description(identity, truncate, style)
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

/// Name of a benchmark in the final block: `file::group::function id`.
pub(super) fn name(identity: &Identity, style: Style) -> String {
    let identity = Identity {
        args: None,
        ..identity.clone()
    };
    headline(&identity, Truncate::Never, style)
}

/// ` id:arguments`, ` id`, ` arguments` or nothing.
fn description(identity: &Identity, truncate: Truncate, style: Style) -> String {
    identity.description(truncate, |piece, text| match piece {
        Piece::Id => style.paint(Ink::Id, text),
        Piece::Arguments => style.paint(Ink::Arguments, text),
    })
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
