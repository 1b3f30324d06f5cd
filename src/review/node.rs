//! A JSON document as a tree that knows where every value and every key lies.
//!
//! serde_json does the reading; what is added here is only the place of each token. One pass over
//! the text: a container's start is found from the end of what stands before it, so nothing is
//! scanned once per level.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize as _, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// A value and where it lies. Spans are 32-bit: the limit of a review file is far below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    start: u32,
    end: u32,
    pub kind: Kind,
}

/// What kind of value it is. A number's digits are read from its span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    Null,
    Bool(bool),
    Number,
    Text(Box<str>),
    List(Vec<Node>),
    Object(Vec<Member>),
}

/// A key of an object, quotes included in its span, and its value. Duplicates are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    start: u32,
    end: u32,
    pub key: Box<str>,
    pub value: Node,
}

impl Node {
    pub fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The first member of that name; `None` too where the value is no object.
    pub fn get(&self, key: &str) -> Option<&Member> {
        self.members().iter().find(|member| *member.key == *key)
    }

    /// Empty where the value is no object.
    pub fn members(&self) -> &[Member] {
        if let Kind::Object(members) = &self.kind { members } else { &[] }
    }

    /// Empty where the value is no list.
    pub fn items(&self) -> &[Node] {
        if let Kind::List(items) = &self.kind { items } else { &[] }
    }

    /// A list of values that stand one behind the other in the text.
    pub(super) fn list(items: Vec<Node>) -> Self {
        let start = items.first().map_or(0, |item| item.start);
        let end = items.last().map_or(0, |item| item.end);
        Self { start, end, kind: Kind::List(items) }
    }

    /// The same tree with every place as `place` has it.
    pub(super) fn moved(&mut self, place: &impl Fn(u32) -> u32) {
        (self.start, self.end) = (place(self.start), place(self.end));
        match &mut self.kind {
            Kind::List(items) => items.iter_mut().for_each(|item| item.moved(place)),
            Kind::Object(members) => members.iter_mut().for_each(|member| {
                (member.start, member.end) = (place(member.start), place(member.end));
                member.value.moved(place);
            }),
            Kind::Null | Kind::Bool(_) | Kind::Number | Kind::Text(_) => {}
        }
    }

    /// Reads a text that is known to be JSON of at most 128 levels; spans are shifted by `base`.
    pub(super) fn parse(json: &str, base: usize) -> serde_json::Result<Self> {
        let mut reader = serde_json::Deserializer::from_str(json);
        let place = Place { json, base, from: 0 };
        let node = place.deserialize(&mut reader)?;
        reader.end()?;
        Ok(node)
    }
}

impl Member {
    pub fn key_span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Where the next value begins at the earliest.
#[derive(Clone, Copy)]
struct Place<'s> {
    json: &'s str,
    base: usize,
    from: usize,
}

impl Place<'_> {
    /// The first byte at or after `from` that is neither white space nor one of `marks`.
    fn skip(self, from: usize, marks: &[u8]) -> usize {
        let rest = self.json.as_bytes().get(from..).unwrap_or(&[]);
        let gap = rest.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\n' | b'\r') && !marks.contains(b));
        from + gap.unwrap_or(rest.len())
    }

    fn offset(self, raw: &RawValue) -> usize {
        raw.get().as_ptr() as usize - self.json.as_ptr() as usize
    }

    /// An offset within the text, in the file's own count.
    fn shift<E: serde::de::Error>(self, offset: usize) -> Result<u32, E> {
        u32::try_from(self.base + offset).map_err(|_| E::custom("the document is larger than 4 GiB"))
    }

    fn node<E: serde::de::Error>(self, start: usize, end: usize, kind: Kind) -> Result<Node, E> {
        Ok(Node { start: self.shift(start)?, end: self.shift(end)?, kind })
    }
}

impl<'de> DeserializeSeed<'de> for Place<'de> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        let start = self.skip(self.from, b"");
        match self.json.as_bytes().get(start) {
            Some(b'{') => deserializer.deserialize_map(Place { from: start, ..self }),
            Some(b'[') => deserializer.deserialize_seq(Place { from: start, ..self }),
            _ => {
                let raw = <&RawValue>::deserialize(deserializer)?;
                let (start, text) = (self.offset(raw), raw.get());
                let kind = match text.as_bytes().first() {
                    Some(b'n') => Kind::Null,
                    Some(b't') => Kind::Bool(true),
                    Some(b'f') => Kind::Bool(false),
                    Some(b'"') => Kind::Text(serde_json::from_str(text).map_err(D::Error::custom)?),
                    _ => Kind::Number,
                };
                self.node(start, start + text.len(), kind)
            }
        }
    }
}

impl<'de> Visitor<'de> for Place<'de> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut members = Vec::new();
        let mut last = self.from + 1;
        while let Some(raw) = map.next_key::<&RawValue>()? {
            let start = self.offset(raw);
            let end = start + raw.get().len();
            let key = serde_json::from_str(raw.get()).map_err(A::Error::custom)?;
            let value = map.next_value_seed(Place { from: self.skip(end, b":"), ..self })?;
            last = value.end as usize - self.base;
            members.push(Member { start: self.shift(start)?, end: self.shift(end)?, key, value });
        }
        let end = self.skip(last, b",") + 1;
        self.node(self.from, end, Kind::Object(members))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        let mut items: Vec<Node> = Vec::new();
        let mut last = self.from + 1;
        while let Some(item) = list.next_element_seed(Place { from: self.skip(last, b","), ..self })? {
            last = item.end as usize - self.base;
            items.push(item);
        }
        let end = self.skip(last, b",") + 1;
        self.node(self.from, end, Kind::List(items))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::{Kind, Node};

    /// Every span must hold, read on its own, what the tree says.
    fn agrees(text: &str, base: usize, node: &Node, value: &Value) {
        let own = &text[node.start as usize - base..node.end as usize - base];
        assert_eq!(&serde_json::from_str::<Value>(own).unwrap(), value, "{own:?}");
        assert_eq!(own.trim(), own);
        match (&node.kind, value) {
            (Kind::Object(members), Value::Object(map)) => {
                assert_eq!(members.len(), map.len());
                for member in members {
                    let key = &text[member.start as usize - base..member.end as usize - base];
                    assert_eq!(serde_json::from_str::<String>(key).unwrap(), *member.key);
                    agrees(text, base, &member.value, &map[&*member.key]);
                }
            }
            (Kind::List(items), Value::Array(values)) => {
                assert_eq!(items.len(), values.len());
                items.iter().zip(values).for_each(|(item, value)| agrees(text, base, item, value));
            }
            (Kind::Text(text), Value::String(value)) => assert_eq!(&**text, value),
            (Kind::Number, Value::Number(_)) | (Kind::Null, Value::Null) => {}
            (Kind::Bool(one), Value::Bool(other)) => assert_eq!(one, other),
            (kind, value) => panic!("{kind:?} for {value}"),
        }
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            ".*".prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 60, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec((".*", inner), 0..6)
                    .prop_map(|pairs| Value::from(pairs.into_iter().collect::<serde_json::Map<_, _>>())),
            ]
        })
    }

    proptest! {
        #[test]
        fn spans_are_those_of_the_values(value in json(), pretty in any::<bool>(), base in 0usize..9) {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            let text = format!(" {text}\n");
            agrees(&text, base, &Node::parse(&text, base).unwrap(), &value);
        }
    }

    #[test]
    fn duplicates_are_kept() {
        let node = Node::parse(r#"{"a":1, "a" : [2 , { } ]}"#, 0).unwrap();
        assert_eq!(node.members().len(), 2);
        assert_eq!(node.members()[1].key_span(), 8..11);
        assert_eq!(node.members()[1].value.span(), 14..24);
    }
}
