//! Reads request numbers with bindgen: what Clang computes for the enumerators of the headers.
//!
//! The second method beside [`scan`](super::scan), which shares no code with it. Only for this
//! check: neither users nor the library need Clang.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result};
use bindgen::callbacks::{EnumVariantValue, ParseCallbacks};

/// The requests in these files below `directory`, by name.
pub(super) fn requests<'a>(
    directory: &Path,
    files: impl Iterator<Item = &'a str>,
) -> Result<BTreeMap<String, u32>> {
    let includes: String = files
        .map(|file| format!("#include <valgrind/{file}>\n"))
        .collect();
    let collector = Collector::default();
    bindgen::Builder::default()
        .header_contents("requests.h", &includes)
        // Before the directories of the system, which may hold another Valgrind.
        .clang_arg(format!("-I{}", directory.display()))
        .allowlist_type("Vg_.*")
        .parse_callbacks(Box::new(collector.clone()))
        .generate()
        .with_context(|| {
            format!(
                "bindgen cannot read the headers in `{}`",
                directory.display()
            )
        })?;
    let requests = collector.0.lock().expect("bindgen did not panic");
    Ok(requests.clone())
}

/// Notes the enumerators that bindgen comes across.
#[derive(Debug, Clone, Default)]
struct Collector(Arc<Mutex<BTreeMap<String, u32>>>);

impl ParseCallbacks for Collector {
    fn enum_variant_behavior(
        &self,
        _enum_name: Option<&str>,
        name: &str,
        value: EnumVariantValue,
    ) -> Option<bindgen::callbacks::EnumVariantCustomBehavior> {
        let number = match value {
            EnumVariantValue::Unsigned(number) => u32::try_from(number).ok(),
            EnumVariantValue::Signed(number) => u32::try_from(number).ok(),
            EnumVariantValue::Boolean(_) => None,
        };
        if let Some(number) = number {
            let mut requests = self.0.lock().expect("bindgen did not panic");
            requests.insert(name.to_owned(), number);
        }
        None
    }
}
