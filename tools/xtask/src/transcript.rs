//! Draws what a terminal showed: the pictures `docs/images/*.svg`.
//!
//! In: the file that `script --quiet --command "..." FILE` of util-linux wrote. Out: an SVG with
//! one row of text for each line, in the colours of the escape sequences. Lines of the status,
//! which are erased, are left out. A picture does not depend on fonts: each run of text has its
//! width.

use std::fmt::Write;
use std::fs;

use anyhow::{bail, Context, Result};

const COLUMN: f64 = 8.4;
const ROW: usize = 20;
const MARGIN: usize = 16;

/// `cargo xtask transcript RECORDED SVG TITLE`.
pub fn draw(options: &[String]) -> Result<()> {
    let [recorded, svg, title] = options else {
        bail!("usage: cargo xtask transcript RECORDED SVG TITLE");
    };
    let bytes = fs::read(recorded).with_context(|| format!("cannot read `{recorded}`"))?;
    let text = String::from_utf8_lossy(&bytes);
    fs::write(svg, picture(&text, title)).with_context(|| format!("cannot write `{svg}`"))
}

/// A run of text with the number of the colour, and whether it is bold.
#[derive(Debug, PartialEq)]
struct Run {
    text: String,
    class: String,
}

fn picture(recorded: &str, title: &str) -> String {
    let lines: Vec<Vec<Run>> = recorded
        .lines()
        .filter(|line| !line.starts_with("Script "))
        .map(runs)
        .collect();
    let end = lines
        .iter()
        .rposition(|line| !line.is_empty())
        .map_or(0, |last| last + 1);
    let lines = &lines[..end];
    let columns = |line: &Vec<Run>| line.iter().map(|run| run.text.chars().count()).sum();
    let widest: usize = lines.iter().map(columns).max().unwrap_or(0);
    let width = widest as f64 * COLUMN + 2.0 * MARGIN as f64;
    let height = lines.len() * ROW + 2 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width:.0}\" \
         height=\"{height}\" viewBox=\"0 0 {width:.0} {height}\">\n<title>{}</title>\n<style>\n\
         text {{ font: 14px ui-monospace, Menlo, Consolas, monospace; fill: #d8dee9; white-space: pre }}\n\
         .c1 {{ font-weight: bold }} .c2, .c90 {{ fill: #9aa5b1 }}\n\
         .c31, .c91 {{ fill: #ff8a80 }} .c32, .c92 {{ fill: #8ddb8c }}\n</style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1d2430\"/>\n",
        escaped(title)
    );
    for (row, line) in lines.iter().enumerate() {
        let mut column = 0;
        for run in line {
            let length = run.text.chars().count();
            if !run.text.trim().is_empty() {
                let _ = writeln!(
                    svg,
                    "<text x=\"{:.1}\" y=\"{}\" textLength=\"{:.1}\" class=\"{}\" xml:space=\"preserve\">{}</text>",
                    MARGIN as f64 + column as f64 * COLUMN,
                    MARGIN + row * ROW + 15,
                    length as f64 * COLUMN,
                    run.class,
                    escaped(&run.text)
                );
            }
            column += length;
        }
    }
    svg + "</svg>\n"
}

/// The text of a line after what was erased, cut where the colour changes.
fn runs(line: &str) -> Vec<Run> {
    let line = line.rsplit("\x1b[2K").next().unwrap_or(line).trim_end();
    let mut class = String::new();
    let mut runs = Vec::new();
    for (index, piece) in line.split("\x1b[").enumerate() {
        let mut text = piece;
        if index > 0 {
            let Some((codes, rest)) = piece.split_once('m') else {
                continue;
            };
            let codes: Vec<_> = codes.split(';').filter(|code| *code != "0").collect();
            class = codes
                .iter()
                .map(|code| format!("c{code}"))
                .collect::<Vec<_>>()
                .join(" ");
            text = rest;
        }
        if !text.is_empty() {
            runs.push(Run {
                text: text.to_owned(),
                class: class.clone(),
            });
        }
    }
    runs
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_classes_and_erased_lines_are_gone() {
        let line = "\r\x1b[2K[0/2] status\r\x1b[2K\x1b[1mWhy\x1b[0m  \x1b[1;91m+7\x1b[0m";
        let run = |text: &str, class: &str| Run {
            text: text.to_owned(),
            class: class.to_owned(),
        };
        assert_eq!(
            runs(line),
            [run("Why", "c1"), run("  ", ""), run("+7", "c1 c91")]
        );
    }

    #[test]
    fn text_is_escaped_and_the_words_of_script_are_left_out() {
        let svg = picture("Script started\na < b\nScript done\n", "1 & 2");
        assert!(svg.contains(">a &lt; b</text>"), "{svg}");
        assert!(svg.contains("<title>1 &amp; 2</title>"), "{svg}");
        assert!(!svg.contains("Script"), "{svg}");
    }
}
