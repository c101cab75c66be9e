//! The head of a page: both sides, the verdict in numbers, and differences of their environment. It
//! needs no script.

use std::collections::BTreeSet;

use super::index::{class_id, class_name, PageIndex};
use super::texts::{html, name, plain};
use records::summary::System;
use verdict::sides::{ComparisonOutcome, ComparisonReport, ReportSide};

/// Characters of a commit.
const COMMIT: usize = 7;

/// Packages in the headline, at most.
const PACKAGES: usize = 3;

/// The text of the title.
pub(super) fn title(report: &ComparisonReport) -> String {
    let outcome = match report.outcome {
        ComparisonOutcome::Ok => "",
        ComparisonOutcome::Regressed => " regressed",
        ComparisonOutcome::Failed => " failed",
        ComparisonOutcome::Incomplete => " incomplete",
        ComparisonOutcome::NotComparable => " not comparable",
        ComparisonOutcome::NoBase => " no base",
    };
    html(&format!("{}{outcome} {}", subject(report), sides(report)))
}

/// The elements inside of the header.
pub(super) fn head(page: &PageIndex<'_>) -> String {
    let report = page.report;
    let mut head = format!(
        "<h1>{} <small>{}</small></h1>\n<p class=\"verdict\">",
        html(&subject(report)),
        html(&sides(report))
    );
    for (class, number) in page.counts() {
        let element = if class.is_of_interest() { "b" } else { "span" };
        let (id, name) = (class_id(class.0), class_name(class.0));
        head += &format!("<{element} data-c=\"{id}\">{number} {name}</{element}> ");
    }
    head += "</p>\n<dl class=\"facts\">";
    if let Some(old) = &report.old {
        fact(&mut head, "old", &side(old), false);
    }
    fact(&mut head, "new", &side(&report.new), false);
    for (title, [old, new]) in facts(report) {
        // What the old side does not know is no difference, as for the judge.
        let differs = report.old.is_some() && !old.is_empty() && old != new;
        let text = match differs {
            true => format!("{old} → {new}"),
            false => new,
        };
        fact(&mut head, title, &text, differs);
    }
    head += "</dl>\n";
    list(&mut head, "errors", report.errors.iter().cloned());
    let differences = report.differences.iter().map(|difference| {
        let benchmarks = match difference.benchmarks {
            1 => "1 benchmark".to_owned(),
            benchmarks => format!("{benchmarks} benchmarks"),
        };
        format!(
            "{} {} → {} ({benchmarks}): {}",
            difference.fact, difference.old, difference.new, difference.meaning
        )
    });
    let headlines = report.headlines.iter().cloned();
    let notes = page.notes().cloned();
    let left_out = page.details.left_out();
    let left_out = (!left_out.is_empty()).then(|| format!("left out: {}", left_out.join("; ")));
    let notes = headlines.chain(differences).chain(notes).chain(left_out);
    list(&mut head, "notes", notes);
    head
}

/// The packages, or a word for many.
fn subject(report: &ComparisonReport) -> String {
    let packages: BTreeSet<&str> = report.rows.iter().map(|row| &*row.package).collect();
    match packages.len() {
        0 => "Benchmarks".to_owned(),
        1..=PACKAGES => {
            let packages: Vec<String> = packages.into_iter().map(name).collect();
            packages.join(", ")
        }
        _ => "Benchmarks".to_owned(),
    }
}

/// `71c4753 → f3ab7bb (dirty)`
fn sides(report: &ComparisonReport) -> String {
    let new = side_name(&report.new);
    match &report.old {
        Some(old) => format!("{} → {new}", side_name(old)),
        None => new,
    }
}

/// The commit, else the place of the results.
pub(super) fn side_name(side: &ReportSide) -> String {
    let commit = side.commit.as_deref();
    let commit = commit.map(|commit| commit.chars().take(COMMIT).collect::<String>());
    let input = || side.names().first().map(|name| (*name).to_owned());
    let text = name(&commit.or_else(input).unwrap_or_default());
    match side.dirty {
        Some(true) => text + " (dirty)",
        _ => text,
    }
}

/// `71c4753, main, 2026-11-20 10:11 UTC`
fn side(side: &ReportSide) -> String {
    let time = side.measured_at.as_deref().map(time);
    let branch = side.branch.as_deref().map(name);
    let inputs = side.names().into_iter().map(name);
    let inputs = inputs.collect::<Vec<_>>().join(" ");
    let mut parts = vec![side_name(side)];
    let others = [branch, time, Some(inputs)].into_iter().flatten();
    for part in others.filter(|part| !part.is_empty()) {
        // Without a commit the name is the input, which is said once.
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts.join(", ")
}

/// `2026-11-20 10:11 UTC` of `2026-11-20T10:11:12.000Z`
fn time(text: &str) -> String {
    let text = name(text);
    let parts = text.split_once('T').filter(|_| text.ends_with('Z'));
    match parts.and_then(|(date, clock)| Some((date, clock.get(..5)?))) {
        Some((date, clock)) => format!("{date} {clock} UTC"),
        None => text,
    }
}

/// Versions and the processor of both sides.
fn facts(report: &ComparisonReport) -> Vec<(&'static str, [String; 2])> {
    let both = |of: &dyn Fn(&ReportSide) -> String| {
        [
            report.old.as_ref().map(of).unwrap_or_default(),
            of(&report.new),
        ]
    };
    type OfSystem = fn(&System) -> Option<&str>;
    let system = |fact: OfSystem| both(&|side| each_once(side.systems.iter().filter_map(fact)));
    let facts = vec![
        ("rustc", system(|system| system.rustc.as_deref())),
        (
            "Valgrind",
            both(&|side| each_once(side.valgrinds.iter().map(String::as_str))),
        ),
        ("C library", system(|system| system.libc.as_deref())),
        ("processor", system(|system| system.cpu.as_deref())),
        ("target", system(|system| system.target.as_deref())),
    ];
    let facts = facts.into_iter();
    facts.filter(|(_, [_, new])| !new.is_empty()).collect()
}

/// All texts of a side, each once.
pub(super) fn each_once<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut all: Vec<String> = Vec::new();
    for text in texts.map(name) {
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all.join(", ")
}

fn fact(head: &mut String, title: &str, text: &str, differs: bool) {
    let class = if differs { " class=\"differs\"" } else { "" };
    let text = html(text);
    *head += &format!("<div{class}><dt>{title}</dt><dd>{text}</dd></div>");
}

fn list(head: &mut String, class: &str, texts: impl Iterator<Item = String>) {
    let items: String = texts
        .map(|text| format!("<li>{}</li>", html(&plain(&text))))
        .collect();
    if !items.is_empty() {
        *head += &format!("<ul class=\"{class}\">{items}</ul>\n");
    }
}
