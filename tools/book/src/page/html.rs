//! A page of HTML to its anchors and links, as a browser finds them.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer,
};

use super::Page;

/// Reads the text of a page.
pub fn of_html(html: &str) -> Page {
    let tokenizer = Tokenizer::new(Tags::default(), Default::default());
    let text = BufferQueue::default();
    text.push_back(StrTendril::from(html));
    // The sink never asks for a pause, so one call reads all of it.
    let _ = tokenizer.feed(&text);
    tokenizer.end();
    tokenizer.sink.page.into_inner()
}

#[derive(Default)]
struct Tags {
    page: RefCell<Page>,
}

impl TokenSink for Tags {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        if let Token::TagToken(tag) = token {
            // `base` says where relative addresses begin on the server.
            if tag.kind == TagKind::StartTag && &*tag.name != "base" {
                self.add(&tag);
            }
        }
        TokenSinkResult::Continue
    }
}

impl Tags {
    fn add(&self, tag: &Tag) {
        let mut page = self.page.borrow_mut();
        for attribute in &tag.attrs {
            let value = attribute.value.to_string();
            match &*attribute.name.local {
                "id" => {
                    page.anchors.insert(value);
                }
                "href" | "src" => page.links.push(value),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn anchors_and_links_are_those_of_tags_alone() {
        let page = of_html(
            "<h2 id=\"a-b\">A <a href='c.html?x=1&amp;y=2#d'>c</a></h2><!-- <a href=\"no\"> -->\
             <img src=e.png><p>&lt;a href=\"no\"&gt;</p>",
        );
        assert_eq!(page.anchors, HashSet::from(["a-b".to_owned()]));
        assert_eq!(page.links, ["c.html?x=1&y=2#d", "e.png"]);
    }
}
