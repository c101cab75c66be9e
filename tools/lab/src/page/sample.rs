//! Comparisons that are written by hand: each class, each part of a benchmark, and names that would
//! break out of a page.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{json, Value};

use super::fill;

/// A comparison of two sides, as data of a page.
#[derive(Debug)]
pub struct Sample {
    index: Value,
    rows: Vec<SampleRow>,
    details: Vec<Value>,
}

/// Texts of a row of the table besides its figures.
#[derive(Clone, Debug)]
struct SampleRow {
    name: String,
    class: String,
    cause: String,
}

impl Sample {
    /// A text that is code if a page takes it for more than text.
    pub const HOSTILE: &str = "</script><script>document.title = 'broken'</script><img src=x onerror=alert(1)>\"'&amp;<!--\u{202e}{{7*7}}\\";

    /// Benchmarks of each class, with all parts.
    pub fn usual() -> Result<Self> {
        let mut all: Value = serde_json::from_str(include_str!("sample.json"))?;
        let list = |key: &str| {
            all[key]
                .as_array()
                .cloned()
                .context("`sample.json` has no lists")
        };
        let rows = list("rows")?;
        let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let row = |row: &Value| SampleRow {
            name: text(row, "name"),
            class: text(row, "class"),
            cause: text(row, "cause"),
        };
        Ok(Self {
            rows: rows.iter().map(row).collect(),
            details: list("details")?,
            index: all["index"].take(),
        })
    }

    /// The same benchmarks again and again.
    pub fn repeated(count: usize) -> Result<Self> {
        let mut all = Self::usual()?;
        let benchmarks = all.index["benchmarks"]
            .as_array()
            .cloned()
            .context("no benchmarks")?;
        let places = || (0..count).map(|place| place % benchmarks.len());
        let rows = all.rows.clone();
        all.rows = places()
            .enumerate()
            .map(|(i, place)| SampleRow {
                name: format!("{}_{i}", rows[place].name),
                ..rows[place].clone()
            })
            .collect();
        let details = all.details.clone();
        all.details = places().map(|place| details[place].clone()).collect();
        all.index["benchmarks"] = places().map(|place| benchmarks[place].clone()).collect();
        Ok(all)
    }

    /// Names and texts of others are all [`Self::HOSTILE`], and one name is very long.
    pub fn hostile() -> Result<Self> {
        let mut all = Self::usual()?;
        for (i, row) in all.rows.iter_mut().enumerate() {
            row.name = if i == 1 {
                "long_name::".repeat(1000)
            } else {
                format!("{i} {}", Self::HOSTILE)
            };
            row.cause = Self::HOSTILE.to_owned();
        }
        for details in &mut all.details {
            make_hostile(details, "");
        }
        Ok(all)
    }

    /// No benchmark at all, and nothing to compare with.
    pub fn empty() -> Result<Self> {
        let mut all = Self::usual()?;
        (all.rows, all.details) = (Vec::new(), Vec::new());
        all.index["benchmarks"] = json!([]);
        all.index["old"] = Value::Null;
        all.index["points"] = json!([]);
        Ok(all)
    }

    /// Names of the benchmarks, in the order of the index.
    pub fn names(&self) -> Vec<&str> {
        self.rows.iter().map(|row| row.name.as_str()).collect()
    }

    /// The page.
    pub fn page(&self) -> Result<String> {
        let mut rows = String::new();
        let data = fill::json(&self.index);
        let data = format!("<script type=\"application/json\" id=\"index\">{data}</script>");
        let mut all_details = String::new();
        for (i, row) in self.rows.iter().enumerate() {
            let main = &self.index["benchmarks"][i]["v"][0];
            let change = main[3]
                .as_f64()
                .map(|change| format!("{change:+.2}%"))
                .unwrap_or_default();
            let new = main[2]
                .as_u64()
                .map(|new| new.to_string())
                .unwrap_or_default();
            rows += &fill::row(i, &row.class, &row.name, [&change, &new], &row.cause);
            if self.index["benchmarks"][i]["d"] == true {
                let details = fill::packed(&fill::json(&self.details[i]));
                all_details += &format!("<script type=\"application/octet-stream;base64\" id=\"d{i}\">{details}</script>\n");
            }
        }
        let title = fill::escaped(self.rows.first().map_or("nothing", |row| &row.name));
        fill::page([
            ("TITLE", &title),
            ("HEAD", HEAD),
            ("PICTURES", PICTURES),
            ("INDEX", rows.trim_end()),
            ("DATA", &data),
            ("DETAILS", all_details.trim_end()),
        ])
    }

    /// Writes the page into a directory.
    pub fn write(&self, directory: &Path, name: &str) -> Result<PathBuf> {
        let file = directory.join(name);
        fs::write(&file, self.page()?)
            .with_context(|| format!("cannot write `{}`", file.display()))?;
        Ok(file)
    }
}

/// Wall time, a chart and bars, as the runner draws them.
const PICTURES: &str = "<details id=\"times\"><summary><h2>Wall time</h2> <small>1 slower, 1 not judged, 1 unchanged</small></summary>
<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><g id=\"times-grid\"><line x1=\"94.00%\" x2=\"94.00%\" y1=\"0\" y2=\"100%\"/><line class=\"none\" x1=\"50.00%\" x2=\"50.00%\" y1=\"0\" y2=\"100%\"/></g></defs></svg>
<table class=\"times\"><thead><tr><th scope=\"col\">Benchmark</th><th scope=\"col\" class=\"number\">Instructions</th><th scope=\"col\" class=\"number\">Time</th><th scope=\"col\" class=\"number interval\">99.9% interval</th><th scope=\"col\" class=\"axis\"><svg class=\"ratio\" height=\"18\" role=\"img\" aria-label=\"Change of time, logarithmic, from -9.1% to +10.0%\"><text x=\"94.00%\" y=\"13\">+10%</text><text x=\"50.00%\" y=\"13\">0%</text></svg></th><th scope=\"col\" class=\"time-class\">Class</th></tr></thead><tbody>
<tr><th scope=\"row\"><details open><summary><span class=\"name\">lab::sorting::parse::of_a_long_name_that_has_to_break_somewhere</span></summary><svg class=\"strip\" viewBox=\"0 0 1000 40\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"Ratios of parse: 2 starts from +9.0% to +11.0%\"><path class=\"none\" d=\"M10 0V40\"/><path d=\"M800 1.0v6M990 17.0v6\"/></svg><p class=\"scale\">2 starts from +9.0% to +11.0%, the first on top; the line is no change; a call takes 1.31 us, old 1.19 us, both in this run</p></details></th><td class=\"number instructions\">+9.21%</td><td class=\"number time\">+10.0%</td><td class=\"number interval\">+9.5% to +10.5%</td><td class=\"axis\"><svg class=\"ratio slower\" height=\"30\" aria-hidden=\"true\"><use href=\"#times-grid\"/><line x1=\"92.00%\" x2=\"96.00%\" y1=\"15\" y2=\"15\"/><svg x=\"94.00%\" y=\"15\" width=\"1\" height=\"1\" overflow=\"visible\"><path class=\"dot\" d=\"M-5.5 4.5L0 -5L5.5 4.5z\"/></svg></svg></td><td class=\"time-class\"><span class=\"badge\" data-c=\"slower\">slower</span> <span class=\"dim\">more than the limit of 5%</span></td></tr>
<tr><th scope=\"row\"><span class=\"name\">lab::sorting::few</span></th><td class=\"number instructions\">0%</td><td class=\"number time\"></td><td class=\"number interval\"></td><td class=\"axis\"></td><td class=\"time-class\"><span class=\"badge\" data-c=\"not-judged\">not judged</span> <span class=\"dim\">too short</span></td></tr>
</tbody></table>
<details class=\"rest\"><summary>Show 1 more</summary>
<table class=\"times\"><thead><tr><th scope=\"col\">Benchmark</th><th scope=\"col\" class=\"number\">Time</th></tr></thead><tbody><tr><th scope=\"row\"><span class=\"name\">lab::sorting::many</span></th><td class=\"number time\">0.0%</td></tr></tbody></table>
</details>
<p class=\"scale\">The axis is the ratio of their times, logarithmic.</p>
</details>
<details id=\"pictures\"><summary><h2>Instructions by function and size</h2></summary>
<section><h3 class=\"name\">lab::sorting</h3><div class=\"figures\">
<figure><figcaption><b class=\"name\">parse</b><span class=\"of-new\">new ~ 3.00·n, R² 1.0000</span><span class=\"of-old\">old ~ 2.50·n, R² 1.0000</span><span class=\"scale\">both axes from 0</span></figcaption><svg class=\"growth\" viewBox=\"0 0 360 200\" role=\"img\" aria-label=\"parse: Instructions over elements, 30 for 10 to 90 for 30\"><path class=\"grid\" d=\"M50 166H348\"/><text x=\"44\" y=\"170\" class=\"end\">0</text><path class=\"curve of-old\" d=\"M144 125L333 42\"/><circle class=\"of-old\" cx=\"144\" cy=\"125\" r=\"3\"><title>10: 25</title></circle><path class=\"curve of-new\" d=\"M144 119L333 25\"/><circle class=\"of-new\" cx=\"333\" cy=\"25\" r=\"3\"><title>30: 90</title></circle><text x=\"199\" y=\"197\" class=\"middle\">elements</text><text x=\"2\" y=\"10\">Instructions</text></svg></figure>
<figure><figcaption><b class=\"name\">few</b><span>compared by id, from least</span></figcaption><table class=\"bars\"><tbody>
<tr><th scope=\"row\" class=\"name\">merge</th><td class=\"bar-cell\"><svg class=\"cost\" width=\"162\" height=\"14\" viewBox=\"-1 0 162 14\" aria-hidden=\"true\"><rect x=\"0\" y=\"3\" height=\"8\" width=\"86.3\"/></svg></td><td class=\"number\">288</td><td class=\"number dim\">best</td></tr>
</tbody></table><p class=\"scale\">Bars from 0 to 534</p></figure>
</div></section>
</details>";

const HEAD: &str = "<h1>lab <small>71c4753 → f3ab7bb (dirty)</small></h1>
<p class=\"verdict\"><b data-c=\"regressed\">3 regressed</b> <b data-c=\"failed\">1 failed</b> <b data-c=\"improved\">3 improved</b> <span data-c=\"same\">4 same</span></p>
<dl class=\"facts\"><div><dt>old</dt><dd>71c4753, main, 2026-11-20 10:11 UTC</dd></div><div><dt>new</dt><dd>f3ab7bb, lowercase, 2026-11-22 03:18 UTC</dd></div><div class=\"differs\"><dt>rustc</dt><dd>1.94.1 → 1.95.0</dd></div><div><dt>Valgrind</dt><dd>3.19.0</dd></div></dl>
<ul class=\"errors\"><li>a record could not be read</li></ul>
<ul class=\"notes\"><li>2 results of another commit are left out</li></ul>";

/// Puts the hostile text into all texts but those with a fixed meaning.
fn make_hostile(value: &mut Value, key: &str) {
    const WORDS: &[&str] = &[
        "tool", "class", "kind", "metric", "origin", "code", "basis", "sides",
    ];
    match value {
        Value::String(text)
            if !WORDS.contains(&key) && !["", " ", "+", "-", "~"].contains(&text.as_str()) =>
        {
            *text = format!("{text}{}", Sample::HOSTILE);
        }
        Value::Array(values) => values.iter_mut().for_each(|one| make_hostile(one, key)),
        Value::Object(fields) => fields
            .iter_mut()
            .for_each(|(key, one)| make_hostile(one, key)),
        _ => {}
    }
}
