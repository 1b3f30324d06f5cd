//! Changes to a file's values, each in place of its own bytes: everything else of the file stays as
//! its writer laid it out, a byte-order mark and a Markdown fence included.

use std::ops::Range;

use serde_json::Value;

use super::document::Document;
use super::node::{Kind, Node};

/// Changes that are to be made to one document, in any order.
///
/// ```
/// # use dai::review::{Document, Edits, Source};
/// let document = Document::parse(Source::new("f", "{ \"a\": [{\"x\": 0, \"b\": 1}] }")).unwrap();
/// let mut edits = Edits::of(&document);
/// edits.set("/a/0", "b", "two").unwrap();
/// edits.set("/a/0", "c", 3).unwrap();
/// assert_eq!(edits.apply(), "{ \"a\": [{\"x\": 0, \"b\": \"two\", \"c\": 3}] }");
/// ```
#[derive(Debug, Clone)]
pub struct Edits<'d> {
    document: &'d Document,
    /// In the order in which they were asked for.
    list: Vec<Edit>,
}

#[derive(Debug, Clone)]
struct Edit {
    span: Range<usize>,
    text: String,
}

/// The document has no object, or no value, at a pointer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is nothing to edit at {0}")]
pub struct Nowhere(pub String);

impl<'d> Edits<'d> {
    pub fn of(document: &'d Document) -> Self {
        Self { document, list: Vec::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Puts a value in the place of another.
    ///
    /// # Errors
    ///
    /// Where the pointer leads nowhere.
    pub fn replace(&mut self, pointer: &str, value: impl Into<Value>) -> Result<(), Nowhere> {
        let span = self.document.span(pointer).ok_or_else(|| Nowhere(pointer.to_owned()))?;
        self.push(span, literal(&value.into()));
        Ok(())
    }

    /// Gives a member of an object a value: in place where the member stands, else as a new member
    /// behind the last one, laid out as that one is. A value that is there already changes nothing.
    ///
    /// # Errors
    ///
    /// Where the pointer leads to no object.
    pub fn set(&mut self, object: &str, key: &str, value: impl Into<Value>) -> Result<(), Nowhere> {
        let node = self.object(object)?;
        let value = literal(&value.into());
        match node.get(key) {
            Some(member) => self.push(member.value.span(), value),
            None => {
                let (at, text) = self.behind_the_last(node, key, &value);
                self.push(at..at, text);
            }
        }
        Ok(())
    }

    /// Gives a member another name, in place of its key.
    ///
    /// # Errors
    ///
    /// Where the object has no such member.
    pub fn rename(&mut self, object: &str, key: &str, to: &str) -> Result<(), Nowhere> {
        let node = self.object(object)?;
        let member = node.get(key).ok_or_else(|| Nowhere(format!("{object}/{key}")))?;
        self.push(member.key_span(), literal(&Value::from(to)));
        Ok(())
    }

    /// Adds a member before the first one that is not `$schema`, laid out as that one is.
    ///
    /// # Errors
    ///
    /// Where the pointer leads to no object.
    pub fn set_first(&mut self, object: &str, key: &str, value: impl Into<Value>) -> Result<(), Nowhere> {
        let node = self.object(object)?;
        let value = literal(&value.into());
        if let Some(member) = node.get(key) {
            self.push(member.value.span(), value);
            return Ok(());
        }
        let members = node.members();
        let Some(at) = members.iter().position(|member| &*member.key != "$schema") else {
            let (at, text) = self.behind_the_last(node, key, &value);
            self.push(at..at, text);
            return Ok(());
        };
        let (colon, gap) = self.layout(node, at);
        let start = members[at].key_span().start;
        self.push(start..start, format!("{}{colon}{value},{gap}", literal(&Value::from(key))));
        Ok(())
    }

    /// As [`Edits::set`], but a new member goes behind the last of these that the object has; where it
    /// has none of them, before its first one.
    ///
    /// # Errors
    ///
    /// Where the pointer leads to no object.
    pub fn set_after(
        &mut self,
        object: &str,
        key: &str,
        value: impl Into<Value>,
        these: &[&str],
    ) -> Result<(), Nowhere> {
        let node = self.object(object)?;
        let members = node.members();
        if node.get(key).is_some() {
            return self.set(object, key, value);
        }
        let Some(at) = members.iter().rposition(|member| these.contains(&&*member.key)) else {
            return self.set_first(object, key, value);
        };
        let (colon, gap) = self.layout(node, at);
        let end = members[at].value.span().end;
        let key = literal(&Value::from(key));
        self.push(end..end, format!(",{gap}{key}{colon}{}", literal(&value.into())));
        Ok(())
    }

    /// The whole text with every change made. Of two changes to one value the later one holds.
    pub fn apply(self) -> String {
        let text = self.document.source().text();
        let mut list = self.list;
        // Members that were added at one place keep the order in which they were asked for.
        list.sort_by_key(|edit| (edit.span.start, edit.span.end));
        let mut out = String::with_capacity(text.len() + 256);
        let mut done = 0;
        for edit in list {
            out.push_str(&text[done..edit.span.start]);
            out.push_str(&edit.text);
            done = edit.span.end;
        }
        out.push_str(&text[done..]);
        out
    }

    fn object(&self, pointer: &str) -> Result<&'d Node, Nowhere> {
        let node = self.document.node(pointer).filter(|node| matches!(node.kind, Kind::Object(_)));
        node.ok_or_else(|| Nowhere(pointer.to_owned()))
    }

    fn push(&mut self, span: Range<usize>, text: String) {
        if !span.is_empty() {
            self.list.retain(|edit| edit.span != span);
            if self.document.source().text()[span.clone()] == text {
                return;
            }
        }
        self.list.push(Edit { span, text });
    }

    fn behind_the_last(&self, node: &Node, key: &str, value: &str) -> (usize, String) {
        let key = literal(&Value::from(key));
        match node.members().len().checked_sub(1) {
            None => {
                let at = node.span().start + 1;
                let comma = if self.list.iter().any(|edit| edit.span == (at..at)) { ", " } else { "" };
                (at, format!("{comma}{key}: {value}"))
            }
            Some(last) => {
                let (colon, gap) = self.layout(node, last);
                (node.members()[last].value.span().end, format!(",{gap}{key}{colon}{value}"))
            }
        }
    }

    /// What stands between a member's key and its value, and the white space before its key.
    fn layout(&self, node: &Node, at: usize) -> (&'d str, &'d str) {
        let text = self.document.source().text();
        let member = &node.members()[at];
        let before = match at.checked_sub(1) {
            None => node.span().start + 1,
            // The comma lies somewhere between.
            Some(previous) => node.members()[previous].value.span().end,
        };
        let key = member.key_span();
        let gap = &text[before..key.start];
        let gap = gap.split_once(',').map_or(gap, |(_, gap)| gap);
        (&text[key.end..member.value.span().start], gap)
    }
}

/// The value as JSON. The two line separators are escaped, as the canonical form of an exchange wants it.
fn literal(value: &Value) -> String {
    value.to_string().replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{Document, Edits, Nowhere};
    use crate::review::Source;

    fn document(text: &str) -> Document {
        Document::parse(Source::new("f", text)).unwrap()
    }

    #[test]
    fn a_value_is_replaced_and_every_other_byte_stays() {
        let text = "\u{feff}```json\r\n{\"a\" :  [ {\"é\":\t\"one\" } ],\r\n \"z\":1e0}\r\n```\r\n";
        let document = document(text);
        let mut edits = Edits::of(&document);
        edits.set("/a/0", "é", "two \"2\"\n").unwrap();
        assert_eq!(edits.apply(), text.replace("\"one\"", r#""two \"2\"\n""#));
    }

    #[test]
    fn a_new_member_stands_behind_the_named_ones() {
        for (text, with) in [
            ("{\n  \"a\": 1,\n  \"z\": 2\n}", "{\n  \"a\": 1,\n  \"m\": 0,\n  \"z\": 2\n}"),
            (r#"{"z":1,"b":2,"y":3}"#, r#"{"z":1,"b":2,"m":0,"y":3}"#),
            (r#"{ "z": 1 }"#, r#"{ "m": 0, "z": 1 }"#),
            (r#"{"m": 7, "a": 1}"#, r#"{"m": 0, "a": 1}"#),
        ] {
            let document = document(text);
            let mut edits = Edits::of(&document);
            edits.set_after("", "m", 0, &["a", "b"]).unwrap();
            assert_eq!(edits.apply(), with);
        }
    }

    #[test]
    fn a_new_member_is_laid_out_as_its_neighbour() {
        for (text, with) in [
            (r#"{"a":1}"#, r#"{"a":1,"n":true}"#),
            (r#"{ "a": 1 }"#, r#"{ "a": 1, "n": true }"#),
            (r#"{"a": 1, "b": 2}"#, r#"{"a": 1, "b": 2, "n": true}"#),
            (r#"{"a": 1 , "b" : 2 }"#, r#"{"a": 1 , "b" : 2, "n" : true }"#),
            ("{\n  \"a\": 1\n}", "{\n  \"a\": 1,\n  \"n\": true\n}"),
            ("{\r\n\t\"a\": 1,\r\n\t\"b\": \",\"\r\n}", "{\r\n\t\"a\": 1,\r\n\t\"b\": \",\",\r\n\t\"n\": true\r\n}"),
            ("{}", r#"{"n": true}"#),
        ] {
            let document = document(text);
            let mut edits = Edits::of(&document);
            edits.set("", "n", true).unwrap();
            assert_eq!(edits.apply(), with);
        }
    }

    #[test]
    fn a_first_member_stands_behind_the_schema() {
        for (text, with) in [
            (r#"{"$schema": "s", "a": []}"#, r#"{"$schema": "s", "n": true, "a": []}"#),
            ("{\n  \"a\": 1\n}", "{\n  \"n\": true,\n  \"a\": 1\n}"),
            (r#"{"$schema":"s"}"#, r#"{"$schema":"s","n":true}"#),
            (r#"{"a":1,"n" : 0}"#, r#"{"a":1,"n" : true}"#),
            ("{ }", r#"{"n": true }"#),
        ] {
            let document = document(text);
            let mut edits = Edits::of(&document);
            edits.set_first("", "n", true).unwrap();
            assert_eq!(edits.apply(), with);
        }
    }

    #[test]
    fn the_later_of_two_changes_holds_and_what_is_there_already_is_none() {
        let document = document(r#"{"a": 1, "b": "x"}"#);
        let mut edits = Edits::of(&document);
        edits.set("", "b", "x").unwrap();
        edits.set("", "a", 1).unwrap();
        assert!(edits.is_empty());
        edits.replace("/a", 2).unwrap();
        edits.replace("/a", 3).unwrap();
        assert_eq!(edits.apply(), r#"{"a": 3, "b": "x"}"#);
    }

    #[test]
    fn a_pointer_that_leads_nowhere_is_told() {
        let document = document(r#"{"a": [1]}"#);
        let mut edits = Edits::of(&document);
        assert_eq!(edits.replace("/b", 1), Err(Nowhere("/b".to_owned())));
        assert_eq!(edits.set("/a", "b", 1), Err(Nowhere("/a".to_owned())));
        assert_eq!(edits.set("/a/0", "b", 1), Err(Nowhere("/a/0".to_owned())));
        assert!(edits.is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// Against serde_json's own map, whatever the layout.
        #[test]
        fn edits_do_to_the_text_what_they_do_to_the_value(
            keys in prop::collection::btree_set("[a-d]{1,2}", 0..5),
            changes in prop::collection::vec(("[a-d]{1,2}", "\\PC{0,4}|[\u{2028}\"\\\\\n]{1,3}"), 0..5),
            gap in "[ \n\t\r]{0,3}",
        ) {
            let members: Vec<String> = keys.iter().map(|key| format!("{gap}{}{gap}:{gap}[1]{gap}", json!(key))).collect();
            let text = format!("{{{}{gap}}}", members.join(","));
            let document = document(&text);
            let mut value: Value = serde_json::from_str(&text).unwrap();
            let mut edits = Edits::of(&document);
            let mut seen = std::collections::BTreeSet::new();
            for (key, new) in changes.into_iter().filter(|(key, _)| seen.insert(key.clone())) {
                value[&key] = json!(new);
                edits.set("", &key, new).unwrap();
            }
            prop_assert_eq!(serde_json::from_str::<Value>(&edits.apply()).unwrap(), value);
        }
    }
}
