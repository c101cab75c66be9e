//! Code as it is written out, with values in it.
//!
//! ```ignore
//! code!(library, text => #library::__internal::named(#text))
//! code_at!(place, function, arguments => #function(#arguments))
//! ```
//!
//! The names before the `=>` are those of local variables, whose values stand for `#name` in the code; a list
//! stands there with commas between its elements. All other tokens have the place of the macro call, or the one
//! that is given.
//!
//! The code is kept as text and read when it is needed: each use is one call with a table of values, which is
//! compiled much faster than calls for all of its tokens. Users compile the macros before anything else.

use crate::syntax::operator_length;
use crate::tokens::{
    Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree,
};

/// Code with the place of the macro call.
macro_rules! code {
    ($($name:ident),+ => $($code:tt)*) => {
        $crate::code::read(
            stringify!($($code)*),
            $crate::tokens::Span::call_site(),
            &[$((stringify!($name), &$name)),+],
        )
    };
    ($($code:tt)*) => {
        $crate::code::read(stringify!($($code)*), $crate::tokens::Span::call_site(), &[])
    };
}

/// Code with a given place: errors are shown there, and names mean what they mean there.
macro_rules! code_at {
    ($place:expr $(, $name:ident)* => $($code:tt)*) => {
        $crate::code::read(stringify!($($code)*), $place, &[$((stringify!($name), &$name)),*])
    };
}

pub(crate) use {code, code_at};

/// A value that can stand in code.
pub(crate) trait ToTokens {
    fn to_tokens(&self) -> TokenStream;

    /// Adds the tokens to those that have been read. Those that only stand between others get the place.
    fn add(&self, tokens: &mut Vec<TokenTree>, _place: Span) {
        tokens.extend(self.to_tokens());
    }
}

/// The tokens of a template. `values` has one for each `#name` in it.
pub(crate) fn read(code: &str, place: Span, values: &[(&str, &dyn ToTokens)]) -> TokenStream {
    let mut template = Template {
        rest: code,
        place,
        values,
    };
    template.tokens()
}

/// What is left of a template.
struct Template<'a> {
    rest: &'a str,
    place: Span,
    values: &'a [(&'a str, &'a dyn ToTokens)],
}

impl<'a> Template<'a> {
    /// Reads to the end, or over the bracket that closes the group.
    fn tokens(&mut self) -> TokenStream {
        // Most groups have no more, and so one allocation.
        let mut tokens = Vec::with_capacity(16);
        loop {
            self.skip_spaces();
            let Some(first) = self.rest.as_bytes().first() else {
                break;
            };
            let mut token: TokenTree = match first {
                b'(' => self.group(Delimiter::Parenthesis),
                b'[' => self.group(Delimiter::Bracket),
                b'{' => self.group(Delimiter::Brace),
                b')' | b']' | b'}' => {
                    self.take(1);
                    break;
                }
                b'"' => self.text(),
                b'#' if self.is_hole() => {
                    self.fill(&mut tokens);
                    continue;
                }
                b'0'..=b'9' => {
                    let number = self.word().parse::<Literal>();
                    number.expect("templates have whole numbers").into()
                }
                first if is_part_of_word(*first) => Ident::new(self.word(), self.place).into(),
                _ => {
                    self.operator(&mut tokens);
                    continue;
                }
            };
            token.set_span(self.place);
            tokens.push(token);
        }
        tokens.into_iter().collect()
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn skip_spaces(&mut self) {
        while let Some(b' ' | b'\n') = self.rest.as_bytes().first() {
            self.take(1);
        }
    }

    fn word(&mut self) -> &'a str {
        let bytes = self.rest.as_bytes();
        let mut length = 0;
        while length < bytes.len() && is_part_of_word(bytes[length]) {
            length += 1;
        }
        self.take(length)
    }

    fn group(&mut self, delimiter: Delimiter) -> TokenTree {
        self.take(1);
        Group::new(delimiter, self.tokens()).into()
    }

    /// A text, which has no escapes in templates.
    fn text(&mut self) -> TokenTree {
        self.take(1);
        let end = self.rest.find('"').expect("texts of templates have an end");
        let text = self.take(end);
        self.take(1);
        Literal::string(text).into()
    }

    /// All characters of an operator but the last are joined to the next one. So is a `'` to the name of its
    /// lifetime.
    fn operator(&mut self, tokens: &mut Vec<TokenTree>) {
        let operator = self.take(operator_length(self.rest));
        let mut left = operator.len();
        for char in operator.chars() {
            left -= 1;
            let spacing = match left == 0 && char != '\'' {
                true => Spacing::Alone,
                false => Spacing::Joint,
            };
            let mut punct = Punct::new(char, spacing);
            punct.set_span(self.place);
            tokens.push(punct.into());
        }
    }

    /// Does a name follow? What the `#` of an attribute stands before are brackets.
    fn is_hole(&self) -> bool {
        let mut after = &self.rest.as_bytes()[1..];
        while let [b' ' | b'\n', rest @ ..] = after {
            after = rest;
        }
        matches!(after, [first, ..] if is_part_of_word(*first))
    }

    /// Puts a value into its place.
    fn fill(&mut self, tokens: &mut Vec<TokenTree>) {
        self.take(1);
        self.skip_spaces();
        let name = self.word();
        for (known, value) in self.values {
            if *known == name {
                return value.add(tokens, self.place);
            }
        }
        panic!("the template names `{name}`, which it is not given");
    }
}

fn is_part_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl<T: ToTokens + ?Sized> ToTokens for &T {
    fn to_tokens(&self) -> TokenStream {
        (**self).to_tokens()
    }

    fn add(&self, tokens: &mut Vec<TokenTree>, place: Span) {
        (**self).add(tokens, place);
    }
}

/// Nothing, where there is no value.
impl<T: ToTokens> ToTokens for Option<T> {
    fn to_tokens(&self) -> TokenStream {
        match self {
            Some(value) => value.to_tokens(),
            None => TokenStream::new(),
        }
    }
}

/// A list with commas between its elements.
impl ToTokens for [TokenStream] {
    fn to_tokens(&self) -> TokenStream {
        let mut tokens = Vec::new();
        self.add(&mut tokens, Span::call_site());
        tokens.into_iter().collect()
    }

    fn add(&self, tokens: &mut Vec<TokenTree>, place: Span) {
        let mut is_first = true;
        for element in self {
            if !is_first {
                let mut comma = Punct::new(',', Spacing::Alone);
                comma.set_span(place);
                tokens.push(comma.into());
            }
            is_first = false;
            tokens.extend(element.clone());
        }
    }
}

impl ToTokens for Vec<TokenStream> {
    fn to_tokens(&self) -> TokenStream {
        self.as_slice().to_tokens()
    }

    fn add(&self, tokens: &mut Vec<TokenTree>, place: Span) {
        self.as_slice().add(tokens, place);
    }
}

impl ToTokens for TokenStream {
    fn to_tokens(&self) -> TokenStream {
        self.clone()
    }
}

impl ToTokens for TokenTree {
    fn to_tokens(&self) -> TokenStream {
        self.clone().into()
    }
}

impl ToTokens for Group {
    fn to_tokens(&self) -> TokenStream {
        TokenTree::Group(self.clone()).into()
    }
}

impl ToTokens for Ident {
    fn to_tokens(&self) -> TokenStream {
        TokenTree::Ident(self.clone()).into()
    }
}

/// A text is its literal.
impl ToTokens for str {
    fn to_tokens(&self) -> TokenStream {
        TokenTree::Literal(Literal::string(self)).into()
    }
}

impl ToTokens for String {
    fn to_tokens(&self) -> TokenStream {
        self.as_str().to_tokens()
    }
}

impl ToTokens for u64 {
    fn to_tokens(&self) -> TokenStream {
        TokenTree::Literal(Literal::u64_suffixed(*self)).into()
    }
}

impl ToTokens for bool {
    fn to_tokens(&self) -> TokenStream {
        let word = if *self { "true" } else { "false" };
        Ident::new(word, Span::call_site()).to_tokens()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::syntax::trees;

    /// Each token on its own, with how it is joined to the next one.
    fn shown(tokens: TokenStream) -> Vec<String> {
        let mut shown = Vec::new();
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    shown.push(format!("{:?}", group.delimiter()));
                    shown.extend(shown_inside(&group));
                    shown.push("end".to_owned());
                }
                TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint => {
                    shown.push(format!("{}+", punct.as_char()));
                }
                token => shown.push(token.to_string()),
            }
        }
        shown
    }

    fn shown_inside(group: &Group) -> Vec<String> {
        shown(group.stream())
    }

    #[track_caller]
    fn check(tokens: TokenStream, expected: &str) {
        assert_eq!(shown(tokens).join(" "), expected);
    }

    fn parsed(text: &str) -> TokenStream {
        text.parse().unwrap()
    }

    #[test]
    fn operators_are_joined_and_others_are_not() {
        check(code!(a::b), "a :+ : b");
        check(
            code!(|x| -> T { 1..=2 }),
            "| x | -+ > T Brace 1 .+ .+ = 2 end",
        );
        check(code!({ A => b != c }), "Brace A =+ > b !+ = c end");
        check(code!(&'a X<'_>), "& '+ a X < '+ _ >");
        check(code!(<A as B<_>>::c), "< A as B < _ >+ > :+ : c");
        check(code!(& *x; - !y), "& * x ; - ! y");
        check(
            code!(#[a(b)] f::<X>();),
            "# Bracket a Parenthesis b end end f :+ : < X > Parenthesis end ;",
        );
        check(
            code!(m!(x, "some text")),
            "m ! Parenthesis x , \"some text\" end",
        );
        check(code!({ a.0 }[_]), "Brace a . 0 end Bracket _ end");
        check(code!(), "");
    }

    #[test]
    fn values_of_all_kinds_stand_in_code() {
        let name = Ident::new_raw("fn", Span::call_site());
        check(code!(name => #name::x), "r#fn :+ : x");
        let (text, borrowed) = (String::from("a \"b\""), "c");
        check(
            code!(text, borrowed => f(#text #borrowed)),
            r#"f Parenthesis "a \"b\"" "c" end"#,
        );
        let (number, yes, no) = (7, true, false);
        check(
            code!(number, yes, no => #number #yes #no),
            "7u64 true false",
        );
        let (some, none) = (Some(parsed("x+1")), None::<TokenStream>);
        check(code!(some, none => #none[#some]#none), "Bracket x + 1 end");
        let token = trees(parsed("{ x }")).remove(0);
        let reference = &&token;
        check(
            code!(token, reference => #token #reference),
            "Brace x end Brace x end",
        );
        let invisible = Group::new(Delimiter::None, parsed("-1"));
        check(
            code!(invisible => #invisible.abs()),
            "None - 1 end . abs Parenthesis end",
        );
        let joined = parsed("a:: b");
        check(code!(joined => #joined), "a :+ : b");
    }

    #[test]
    fn lists_have_commas_between_their_elements() {
        let list = vec![parsed("a"), parsed("b + 1"), parsed("")];
        check(code!(list => f(#list)), "f Parenthesis a , b + 1 , end");
        let (one, none) = (&list[..1], Vec::new());
        check(code!(one, none => <#one>(#none)), "< a > Parenthesis end");
        check(list.to_tokens(), "a , b + 1 ,");
    }

    #[test]
    #[should_panic(expected = "the template names `b`, which it is not given")]
    fn a_name_without_a_value_is_told() {
        let a = true;
        code!(a => #a #b);
    }

    /// The columns of all tokens, and of the brackets of groups.
    fn columns(tokens: TokenStream) -> Vec<usize> {
        let mut columns = Vec::new();
        for token in tokens {
            columns.push(token.span().start().column);
            if let TokenTree::Group(group) = token {
                columns.extend(columns_inside(&group));
            }
        }
        columns
    }

    fn columns_inside(group: &Group) -> Vec<usize> {
        columns(group.stream())
    }

    #[test]
    fn tokens_have_the_given_place_and_values_keep_theirs() {
        let source = trees(parsed("   value     place"));
        let (value, place) = (&source[0], source[1].span());
        assert_eq!(columns(source.iter().cloned().collect()), [3, 13]);
        let tokens = code_at!(place, value => f::<'_>(#value, [1], "x") -> { });
        let outside = columns(tokens.clone());
        let values = outside.iter().filter(|column| **column == 3).count();
        assert_eq!(values, 1);
        assert!(outside.iter().all(|column| [3, 13].contains(column)));
        assert_eq!(columns(code!(value => x #value)), [0, 3]);
        // So do the commas of lists; what has no place of its own has that of the macro call.
        let list = [value.to_tokens(), value.to_tokens()];
        let list = &list[..];
        assert_eq!(columns(code_at!(place, list => #list)), [3, 13, 3]);
        let text = "x";
        assert_eq!(columns(code_at!(place, text => #text y)), [0, 13]);
    }

    /// A template somewhere in the sources: its names, and its code as it stands there.
    struct Found {
        names: BTreeSet<String>,
        code: Vec<TokenTree>,
    }

    fn templates(tokens: TokenStream, found: &mut Vec<Found>) {
        let tokens = trees(tokens);
        for (index, token) in tokens.iter().enumerate() {
            let TokenTree::Group(group) = token else {
                continue;
            };
            templates(group.stream(), found);
            let name = match &tokens[..index] {
                [.., TokenTree::Ident(name), TokenTree::Punct(bang)] if bang.as_char() == '!' => {
                    name.to_string()
                }
                _ => continue,
            };
            let has_place = name == "code_at";
            if !has_place && name != "code" {
                continue;
            }
            let inside = trees(group.stream());
            let is_arrow =
                |at: &usize| shown(inside[*at..].iter().take(2).cloned().collect()) == ["=+", ">"];
            let arrow = (0..inside.len()).find(is_arrow);
            let is_list = |list: &[TokenTree]| {
                let mut list = list.iter().enumerate();
                list.all(|(index, token)| matches!(token, TokenTree::Ident(_)) == (index % 2 == 0))
            };
            let (names, code) = match arrow {
                Some(arrow) if has_place => {
                    // Before the names stands an expression.
                    let comma = inside.iter().position(|token| token.to_string() == ",");
                    let names = comma.map_or(arrow, |comma| comma + 1);
                    (&inside[names.min(arrow)..arrow], &inside[arrow + 2..])
                }
                Some(arrow) if is_list(&inside[..arrow]) => {
                    (&inside[..arrow], &inside[arrow + 2..])
                }
                _ => (&[][..], inside.as_slice()),
            };
            let names = names
                .iter()
                .filter(|token| matches!(token, TokenTree::Ident(_)));
            found.push(Found {
                names: names.map(ToString::to_string).collect(),
                code: code.to_vec(),
            });
        }
    }

    /// The code with names in the place of values, and these names.
    fn with_names(code: Vec<TokenTree>, names: &mut BTreeSet<String>) -> TokenStream {
        let mut tokens: Vec<TokenTree> = Vec::new();
        for token in code {
            let is_hole = tokens.last().is_some_and(|last| last.to_string() == "#");
            match token {
                TokenTree::Ident(name) if is_hole => {
                    tokens.pop();
                    names.insert(name.to_string());
                    tokens.push(name.into());
                }
                TokenTree::Group(group) => {
                    let inside = with_names(trees(group.stream()), names);
                    tokens.push(Group::new(group.delimiter(), inside).into());
                }
                token => tokens.push(token),
            }
        }
        tokens.into_iter().collect()
    }

    /// The compiler does not see into templates, so a name too many or too few would be found by users.
    #[test]
    fn all_templates_name_what_they_use_and_are_read_as_they_stand_there() {
        let mut found = Vec::new();
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if !path.ends_with("code.rs") {
                    templates(parsed(&std::fs::read_to_string(path).unwrap()), &mut found);
                }
            }
        }
        assert!(found.len() > 90, "{}", found.len());
        for Found { names, code } in found {
            let text = code.iter().cloned().collect::<TokenStream>().to_string();
            let mut used = BTreeSet::new();
            let expected = with_names(code, &mut used);
            assert_eq!(names, used, "{text}");
            let idents: Vec<_> = names
                .iter()
                .map(|name| Ident::new(name, Span::call_site()))
                .collect();
            let values: Vec<(&str, &dyn ToTokens)> = names
                .iter()
                .zip(&idents)
                .map(|(name, ident)| (name.as_str(), ident as &dyn ToTokens))
                .collect();
            let tokens = read(&text, Span::call_site(), &values);
            let kinds = |tokens| shown(tokens).join(" ").replace('+', "");
            assert_eq!(kinds(tokens), kinds(expected), "{text}");
        }
    }
}
