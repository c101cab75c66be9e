//! Does every public item of the crates that users see have an example?
//!
//! In: what rustdoc knows of each crate, as JSON. Out: an error with the place of each item without
//! an example. That examples compile, `cargo test --doc` sees.
//!
//! An item has an example if its documentation has one, or if that of the type, trait or module
//! that it belongs to has one with its name: a method is best shown beside the others. Deprecated
//! items are there for those who know them.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{ensure, Context, Result};
use serde_json::Value;

use crate::library_docs::{self, DocumentedCrate};

/// Checks the library, and the crates for sources of other frameworks.
pub fn check() -> Result<()> {
    for documented in [
        library_docs::LIBRARY,
        library_docs::CRITERION,
        library_docs::DIVAN,
    ] {
        check_crate(documented)?;
    }
    Ok(())
}

fn check_crate(documented: DocumentedCrate) -> Result<()> {
    let docs = Docs::of_crate(documented)?;
    let (all, without) = docs.without_example()?;
    ensure!(
        without.is_empty(),
        "public items without an example:\n  {}\n  hint: an item needs one of its own, or its name in that of its type or module",
        lines(&without)
    );
    println!("{}: {all} public items have examples", documented.package);
    Ok(())
}

fn lines(all: &BTreeSet<String>) -> String {
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    all.join("\n  ")
}

/// Everything that rustdoc knows of a crate.
struct Docs(Value);

impl Docs {
    fn of_crate(documented: DocumentedCrate) -> Result<Self> {
        // Includes hidden items: an item that is re-exported from a hidden module is public.
        let path = library_docs::write(documented, &["--document-hidden-items"])?;
        let json = fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
        let value = serde_json::from_slice(&json);
        Ok(Self(value.with_context(|| {
            format!("`{}` is no JSON", path.display())
        })?))
    }

    /// The number of public items, and those without an example: place and name.
    fn without_example(&self) -> Result<(usize, BTreeSet<String>)> {
        let mut walk = Walk {
            docs: self,
            seen: BTreeSet::new(),
            items: 0,
            without: BTreeSet::new(),
        };
        let root = self.item(&self.0["root"]).with_context(|| {
            format!(
                "rustdoc's JSON of version {} has another form: `tools/xtask/src/doc_examples.rs` has to learn it",
                self.0["format_version"]
            )
        })?;
        walk.item(root, "", false);
        ensure!(
            walk.items > 50,
            "rustdoc's JSON has {} public items only: `tools/xtask/src/doc_examples.rs` has to learn its form",
            walk.items
        );
        Ok((walk.items, walk.without))
    }

    fn item(&self, id: &Value) -> Option<&Value> {
        let id = match id {
            Value::String(text) => text.clone(),
            number => number.to_string(),
        };
        self.0["index"].get(id)
    }
}

/// The way through all public items, each once.
struct Walk<'a> {
    docs: &'a Docs,
    seen: BTreeSet<String>,
    items: usize,
    without: BTreeSet<String>,
}

impl<'a> Walk<'a> {
    /// Looks at an item, which belongs to something with this example, and at all that belongs to
    /// it.
    fn item(&mut self, item: &'a Value, outer: &str, is_named: bool) {
        let Some((kind, inner)) = kind(item) else {
            return;
        };
        if (is_hidden(item) && !is_named) || item["crate_id"] != 0 {
            return;
        }
        if kind == "use" {
            if let Some(target) = self.docs.item(&inner["id"]) {
                self.item(target, outer, true);
            }
            return;
        }
        if !item["deprecation"].is_null() || !self.seen.insert(item["id"].to_string()) {
            return;
        }
        let own = examples(documentation(item));
        match kind {
            "module" => self.all(&inner["items"], &own),
            "struct" | "enum" | "union" => {
                self.look_at(item, outer, &own);
                for implementation in inner["impls"].as_array().into_iter().flatten() {
                    let implementation = self.docs.item(implementation);
                    let inner = implementation.and_then(kind_of_impl);
                    // Items of a trait are documented at the trait.
                    if let Some(inner) = inner.filter(|inner| inner["trait"].is_null()) {
                        self.all(&inner["items"], &own);
                    }
                }
            }
            "trait" => {
                self.look_at(item, outer, &own);
                self.all(&inner["items"], &own);
            }
            "function" | "macro" | "proc_macro" | "constant" | "static" | "type_alias"
                if is_public(item) =>
            {
                self.look_at(item, outer, &own);
            }
            _ => {}
        }
    }

    fn all(&mut self, ids: &'a Value, outer: &str) {
        for id in ids.as_array().into_iter().flatten() {
            if let Some(item) = self.docs.item(id) {
                self.item(item, outer, false);
            }
        }
    }

    fn look_at(&mut self, item: &Value, outer: &str, own: &str) {
        let name = item["name"].as_str().unwrap_or_default();
        self.items += 1;
        if own.is_empty() && !has_word(outer, name) {
            self.without.insert(format!("{}: {name}", place(item)));
        }
    }
}

/// `struct` with what a struct has.
fn kind(item: &Value) -> Option<(&str, &Value)> {
    let (kind, inner) = item["inner"].as_object()?.iter().next()?;
    Some((kind, inner))
}

fn kind_of_impl(item: &Value) -> Option<&Value> {
    item["inner"].get("impl")
}

/// Items of traits are as public as these.
fn is_public(item: &Value) -> bool {
    let visibility = item["visibility"].as_str().unwrap_or_default();
    ["public", "default"].contains(&visibility)
}

/// `#[doc(hidden)]`, in whatever form rustdoc has attributes.
fn is_hidden(item: &Value) -> bool {
    let attributes = item["attrs"].as_array().into_iter().flatten();
    let mut texts = attributes.map(|attribute| attribute.to_string().replace(' ', ""));
    texts.any(|text| text.contains("doc(hidden)"))
}

fn documentation(item: &Value) -> &str {
    item["docs"].as_str().unwrap_or_default()
}

/// `src/lib.rs:12`
fn place(item: &Value) -> String {
    let span = &item["span"];
    let file = span["filename"].as_str().unwrap_or("?");
    format!("{file}:{}", span["begin"][0])
}

/// The code of all blocks.
fn examples(documentation: &str) -> String {
    let mut code = String::new();
    let mut is_code = false;
    for line in documentation.lines() {
        match line.trim_start().starts_with("```") {
            true => is_code = !is_code,
            false if is_code => {
                code.push_str(line);
                code.push('\n');
            }
            false => {}
        }
    }
    code
}

fn has_word(text: &str, word: &str) -> bool {
    let is_of_word = |char: char| char.is_alphanumeric() || char == '_';
    text.split(|char| !is_of_word(char))
        .any(|other| other == word)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn function(id: u32, docs: &str) -> Value {
        json!({
            "id": id, "crate_id": 0, "name": format!("f{id}"), "visibility": "public", "docs": docs,
            "attrs": [], "deprecation": null, "inner": {"function": {}},
            "span": {"filename": "src/lib.rs", "begin": [id, 1]},
        })
    }

    #[test]
    fn an_item_has_its_example_or_stands_in_that_of_its_module() {
        let example = "Text.\n```\nf2(f20);\n```\n";
        let mut old = function(4, "Old.");
        old["deprecation"] = json!({"since": null});
        let mut hidden = function(5, "Ours.");
        hidden["attrs"] = json!(["#[doc(hidden)]"]);
        let root = json!({
            "id": 0, "crate_id": 0, "name": "lib", "visibility": "public", "docs": example,
            "attrs": [], "deprecation": null, "inner": {"module": {"items": [1, 2, 3, 4, 5]}},
        });
        let docs = Docs(json!({
            "root": 0, "format_version": 57,
            "index": {
                "0": root, "1": function(1, "With.\n```no_run\nf1()\n```"), "2": function(2, "In that of the module."),
                "3": function(3, "Without `f3()`."), "4": old, "5": hidden,
            },
        }));
        let mut walk = Walk {
            docs: &docs,
            seen: BTreeSet::new(),
            items: 0,
            without: BTreeSet::new(),
        };
        walk.item(docs.item(&json!(0)).unwrap(), "", false);
        assert_eq!(walk.items, 3);
        let without: Vec<String> = walk.without.into_iter().collect();
        assert_eq!(without, ["src/lib.rs:3: f3"]);
        // A form that nobody knows is no success.
        let error = docs.without_example().unwrap_err().to_string();
        assert!(error.contains("3 public items only"), "{error}");
    }
}
