//! Fills the page as the runner does, with texts of tests: its own way, so that it needs neither
//! the runner nor a run.

use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};

use anyhow::{ensure, Context, Result};
use serde_json::Value;

use super::parts::{SCRIPT, STYLE, TEMPLATE};
use crate::workspace_root;

/// Puts texts in the places of the template, beside its style and script.
pub(super) fn page(texts: [(&str, &str); 6]) -> Result<String> {
    let mut page = TEMPLATE.to_owned();
    for (place, text) in [("STYLE", STYLE), ("SCRIPT", SCRIPT)]
        .into_iter()
        .chain(texts)
    {
        let token = format!("<!--{place}-->");
        ensure!(
            TEMPLATE.matches(&token).count() == 1,
            "the template has `{token}` not once"
        );
        page = page.replacen(&token, text, 1);
    }
    Ok(page)
}

/// A text as the content of an element or a value of an attribute.
pub(super) fn escaped(text: &str) -> String {
    let text = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    text.replace('"', "&quot;")
}

/// JSON that may stand in a script element.
pub(super) fn json(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// Raw deflate of a text, in blocks that are stored as they are, in base64.
pub(super) fn packed(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len() + 5);
    let mut blocks = text.as_bytes().chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        let length = block.len() as u16;
        bytes.push(u8::from(blocks.peek().is_none()));
        bytes.extend(length.to_le_bytes());
        bytes.extend((!length).to_le_bytes());
        bytes.extend(block);
    }
    base64(&bytes)
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len() * 4 / 3 + 4);
    for chunk in bytes.chunks(3) {
        let all = chunk
            .iter()
            .fold(0_u32, |all, byte| all << 8 | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = LETTERS[(all >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= chunk.len() {
                char::from(letter)
            } else {
                '='
            });
        }
    }
    text
}

/// The content security policy as the template has it, and as it has to be: style and script of the
/// page by their hashes.
pub fn security_policy_hashes() -> Result<(Vec<String>, Vec<String>)> {
    let written = TEMPLATE.split("'sha256-").skip(1);
    let written = written
        .filter_map(|rest| rest.split('\'').next())
        .map(str::to_owned)
        .collect();
    // A hash is that of all between the tags, with the ends of lines around the place.
    let right = [STYLE, SCRIPT]
        .iter()
        .map(|text| sha256(&format!("\n{text}\n")))
        .collect::<Result<_>>()?;
    Ok((written, right))
}

/// Writes the right hashes into the template.
pub(super) fn write_hashes() -> Result<()> {
    let (written, right) = security_policy_hashes()?;
    let file = workspace_root().join("crates/report/src/html/page/page.html");
    let mut template =
        fs::read_to_string(&file).with_context(|| format!("cannot read `{}`", file.display()))?;
    for (old, new) in written.iter().zip(&right) {
        template = template.replacen(&format!("'sha256-{old}'"), &format!("'sha256-{new}'"), 1);
    }
    fs::write(&file, template).with_context(|| format!("cannot write `{}`", file.display()))
}

fn sha256(text: &str) -> Result<String> {
    let mut process = Command::new("sha256sum")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("could not start `sha256sum`")?;
    let mut stdin = process.stdin.take().context("`sha256sum` reads nothing")?;
    std::io::Write::write_all(&mut stdin, text.as_bytes())?;
    drop(stdin);
    let output = process.wait_with_output()?;
    let hex = String::from_utf8(output.stdout)?;
    let hex = hex.get(..64).context("`sha256sum` wrote no hash")?;
    let byte = |i: usize| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).context("no hash");
    Ok(base64(&(0..32).map(byte).collect::<Result<Vec<u8>>>()?))
}

/// The rows of the table: place, class, name, change, new value, first cause.
pub(super) fn row(
    place: usize,
    class: &str,
    name: &str,
    figures: [&str; 2],
    cause: &str,
) -> String {
    let mut row = String::new();
    let [change, new] = figures;
    let _ = writeln!(
        row,
        "<tr data-i=\"{place}\" data-c=\"{class}\"><td><button>{}</button></td><td>{}</td><td>{change}</td><td>{new}</td><td>{}</td></tr>",
        escaped(name),
        class.replace('-', " "),
        escaped(cause),
    );
    row
}
