//! Parses the arguments of an attribute: `name = value` or a word alone, between commas.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use crate::tokens::{in_brackets, is, split, Mistake, Parts};

/// Options that are about time and samples.
const TIMED: [&str; 6] = [
    "sample_count",
    "sample_size",
    "threads",
    "min_time",
    "max_time",
    "skip_ext_time",
];

const COUNTERS: [&str; 6] = [
    "counter",
    "counters",
    "bytes_count",
    "chars_count",
    "cycles_count",
    "items_count",
];

/// Options that need no value.
const FLAGS: [&str; 3] = ["ignore", "skip_ext_time", "threads"];

/// Which attribute it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attribute {
    Bench,
    Group,
}

impl Attribute {
    fn knows(self, name: &str) -> bool {
        self.known().any(|known| known == name)
    }

    fn known(self) -> impl Iterator<Item = &'static str> {
        let of_bench: &[&str] = match self {
            Self::Bench => &["args", "types", "consts"],
            Self::Group => &[],
        };
        ["name", "crate", "ignore"]
            .into_iter()
            .chain(of_bench.iter().copied())
            .chain(COUNTERS)
            .chain(TIMED)
    }
}

/// One option.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) name: Ident,
    /// `None` for a word alone.
    pub(crate) value: Option<Vec<TokenTree>>,
}

impl Setting {
    /// The value as an expression.
    pub(crate) fn expression(&self) -> TokenStream {
        match &self.value {
            Some(value) => value.iter().cloned().collect(),
            None => quote!(true),
        }
    }
}

/// All options of an attribute.
#[derive(Debug, Default)]
pub(crate) struct Settings(Vec<Setting>);

impl Settings {
    pub(crate) fn parse(
        attribute: Attribute,
        tokens: TokenStream,
        mistakes: &mut Vec<Mistake>,
    ) -> Self {
        let mut settings: Vec<Setting> = Vec::new();
        for part in split(tokens, Parts::Expressions) {
            match setting(attribute, &part, &settings) {
                Ok(setting) => settings.push(setting),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        Self(settings)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Setting> {
        self.0.iter().find(|setting| setting.name == name)
    }

    /// `Options` of the library, as an expression.
    pub(crate) fn options(&self, private: &TokenStream, ignored_below: bool) -> TokenStream {
        let calls = self.0.iter().map(|setting| call(setting, private));
        // Before the calls, so that `ignore = false` goes over `#[ignore]`.
        let ignored = ignored_below.then(|| quote!(.ignore(true)));
        quote!(<#private::Options as ::core::default::Default>::default() #ignored #(#calls)*)
    }
}

/// The call that tells `Options` of a setting; nothing for those that are no part of them.
fn call(setting: &Setting, private: &TokenStream) -> TokenStream {
    let Setting { name, value } = setting;
    let text = name.to_string();
    let expression = setting.expression();
    // Errors about a value point at its option.
    let span = name.span();
    let of = |counter: &str| {
        let counter = Ident::new(counter, Span::call_site());
        quote!(.counter(<#private::#counter as ::core::convert::From<_>>::from(#expression)))
    };
    match text.as_str() {
        "ignore" => quote_spanned!(span=> .ignore(#expression)),
        // They may be of different types.
        "counter" | "counters" => match value.as_deref().and_then(in_brackets) {
            Some(list) => {
                let counters = split(list, Parts::Expressions).into_iter();
                let counters = counters.map(|counter| counter.into_iter().collect());
                let calls = counters.map(|counter: TokenStream| quote!(.counter(#counter)));
                quote!(#(#calls)*)
            }
            None => quote_spanned!(span=> .counter(#expression)),
        },
        "bytes_count" => of("BytesCount"),
        "chars_count" => of("CharsCount"),
        "cycles_count" => of("CyclesCount"),
        "items_count" => of("ItemsCount"),
        // The value is checked as far as its type goes.
        _ if TIMED.contains(&text.as_str()) => quote_spanned!(span=> .#name(#expression)),
        _ => TokenStream::new(),
    }
}

fn setting(
    attribute: Attribute,
    part: &[TokenTree],
    others: &[Setting],
) -> Result<Setting, Mistake> {
    let Some(TokenTree::Ident(name)) = part.first() else {
        let span = part.first().map_or_else(Span::call_site, TokenTree::span);
        return Err(Mistake::new(span, "expected an option, as `name = value`"));
    };
    let text = name.to_string();
    if !attribute.knows(&text) {
        let known: Vec<&str> = attribute.known().collect();
        return Err(Mistake::new(
            name.span(),
            format!(
                "there is no option `{text}` here; these are known: {}",
                known.join(", ")
            ),
        ));
    }
    if others.iter().any(|other| other.name == text.as_str()) {
        return Err(Mistake::new(
            name.span(),
            format!("`{text}` stands here twice; leave one of them out"),
        ));
    }
    let value = match &part[1..] {
        [] if FLAGS.contains(&text.as_str()) => None,
        [equals, value @ ..] if is(equals, '=') && !value.is_empty() => Some(value.to_vec()),
        _ => {
            return Err(Mistake::new(
                name.span(),
                format!("`{text}` needs a value: `{text} = ..`"),
            ))
        }
    };
    Ok(Setting {
        name: name.clone(),
        value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(attribute: Attribute, tokens: TokenStream) -> Result<Settings, String> {
        let mut mistakes = Vec::new();
        let settings = Settings::parse(attribute, tokens, &mut mistakes);
        match mistakes.first() {
            Some(mistake) => Err(mistake.text.clone()),
            None => Ok(settings),
        }
    }

    #[test]
    fn values_and_words_alone() {
        let tokens = quote!(
            name = "x",
            args = [1, 2],
            ignore,
            threads = 0..=8,
            max_time = 1.5,
        );
        let settings = parse(Attribute::Bench, tokens).unwrap();
        let text = |name| {
            settings
                .get(name)
                .map(|found| found.expression().to_string())
        };
        assert_eq!(text("args").unwrap(), "[1 , 2]");
        assert_eq!(text("ignore").unwrap(), "true");
        assert_eq!(text("threads").unwrap(), "0 ..= 8");
        assert!(text("types").is_none());
    }

    #[test]
    fn mistakes_name_what_is_known() {
        #[track_caller]
        fn check(attribute: Attribute, tokens: TokenStream, expected: &str) {
            let error = parse(attribute, tokens).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
        check(
            Attribute::Bench,
            quote!(sample = 1),
            "there is no option `sample` here; these are known: name, crate, ignore, args, types",
        );
        check(
            Attribute::Group,
            quote!(args = [1]),
            "there is no option `args` here; these are known: name, crate, ignore, counter,",
        );
        check(Attribute::Bench, quote!(args), "`args` needs a value");
        check(Attribute::Bench, quote!(args =), "`args` needs a value");
        check(
            Attribute::Bench,
            quote!(ignore, ignore = false),
            "`ignore` stands here twice",
        );
        check(Attribute::Bench, quote!("x"), "expected an option");
        check(Attribute::Bench, quote!(, ignore), "expected an option");
    }

    #[test]
    fn counters_of_different_types_are_told_one_by_one() {
        let tokens = quote!(
            counters = [A::of(&[1, 2]), B::new(3)],
            bytes_count = 5_u32,
            min_time = 2
        );
        let settings = parse(Attribute::Bench, tokens).unwrap();
        let options = settings.options(&quote!(p), true).to_string();
        let expected = quote!(<p::Options as ::core::default::Default>::default()
            .ignore(true)
            .counter(A::of(&[1, 2]))
            .counter(B::new(3))
            .counter(<p::BytesCount as ::core::convert::From<_>>::from(5_u32))
            .min_time(2));
        assert_eq!(options, expected.to_string());
    }
}
