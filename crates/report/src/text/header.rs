//! The headline of a benchmark: `file::group::function id:arguments`.

use iai_callgrind::protocol::Truncate;

use super::paint::{Edge, Ink};
use super::Style;
use crate::room::{columns, wrapped};
use base::benchmark_path::{BenchmarkPath, HeadlinePiece};

/// `file::group::function id:arguments`
pub fn headline(benchmark_path: &BenchmarkPath, truncate: Truncate, style: Style) -> String {
    style.paint(Ink::Path, &benchmark_path.function_path())
        + &description(benchmark_path, truncate, style)
}

/// `  Comparison with function id:arguments`
pub fn comparison_with(benchmark_path: &BenchmarkPath, truncate: Truncate, style: Style) -> String {
    format!(
        "{}{} {}{}",
        style.edge(Edge::Branch),
        style.paint(Ink::Title, "Comparison with"),
        style.paint(Ink::Path, &benchmark_path.function),
        description(benchmark_path, truncate, style)
    )
}

/// Name of a benchmark in the final block: `file::group::function id`.
pub fn name(benchmark_path: &BenchmarkPath, style: Style) -> String {
    let benchmark_path = BenchmarkPath {
        args: None,
        ..benchmark_path.clone()
    };
    headline(&benchmark_path, Truncate::Never, style)
}

/// Name of a benchmark in the last lines on a terminal.
pub fn name_on_terminal(benchmark_path: &BenchmarkPath, style: Style) -> String {
    let id = benchmark_path.id.as_ref().map(|id| format!(" {id}"));
    style.paint(Ink::Strong, &benchmark_path.function_path()) + &id.unwrap_or_default()
}

/// The headline on a terminal of this width. Arguments are cut so that it fits; if it is still too
/// long, it is wrapped.
pub fn headline_on_terminal(
    benchmark_path: &BenchmarkPath,
    truncate: Truncate,
    width: usize,
    style: Style,
) -> String {
    let path = benchmark_path.function_path();
    let id = benchmark_path.id.as_deref().unwrap_or_default();
    // Two spaces, a colon, and the dots of what is cut.
    let rest = width.saturating_sub(columns(&path) + columns(id) + 5);
    let truncate = match truncate {
        Truncate::At(limit) => Truncate::At(limit.min(rest.max(LEAST_DESCRIPTION))),
        Truncate::Never => Truncate::Never,
    };
    let description = benchmark_path.description(truncate, |_, text| text.to_owned());
    let line = style.paint(Ink::Strong, &path) + &description;
    wrapped(&line, width, "    ")
}

/// Length below which a cut description of arguments is useless.
const LEAST_DESCRIPTION: usize = 16;

/// ` id:arguments`, ` id`, ` arguments` or nothing.
fn description(benchmark_path: &BenchmarkPath, truncate: Truncate, style: Style) -> String {
    benchmark_path.description(truncate, |piece, text| match piece {
        HeadlinePiece::Id => style.paint(Ink::Id, text),
        HeadlinePiece::Arguments => style.paint(Ink::Arguments, text),
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

    fn benchmark_path(id: Option<&str>, args: Option<&str>) -> BenchmarkPath {
        BenchmarkPath {
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
        assert_eq!(
            headline(&benchmark_path(id, args), truncate, PLAIN),
            expected
        );
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
            name(&benchmark_path(Some("id"), Some("ARGS")), PLAIN),
            "file::group::fn id"
        );
    }

    #[test]
    fn colours() {
        let benchmark_path = BenchmarkPath {
            file: "i_lib".into(),
            group: "cmp".into(),
            function: "bench_a".into(),
            ..benchmark_path(Some("first"), Some("setup(1)"))
        };
        let truncate = Truncate::At(50);
        assert_eq!(
            headline(&benchmark_path, truncate, COLOR),
            "\x1b[32mi_lib::cmp::bench_a\x1b[0m \x1b[36mfirst\x1b[0m\x1b[36m:\x1b[0m\
             \x1b[1;34msetup(1)\x1b[0m"
        );
        assert_eq!(
            comparison_with(&benchmark_path, truncate, COLOR),
            "\x1b[90m  \x1b[0m\x1b[1;33mComparison with\x1b[0m \x1b[32mbench_a\x1b[0m \
             \x1b[36mfirst\x1b[0m\x1b[36m:\x1b[0m\x1b[1;34msetup(1)\x1b[0m"
        );
    }
}
