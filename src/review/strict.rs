//! Reading JSON for its syntax alone.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A value of which every string and number was read as strictly as for a tree, and nothing was kept.
/// serde's `IgnoredAny` skips, and lets lone surrogates and numbers beyond all bounds pass.
pub(super) struct Strict;

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Strict;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_str<E>(self, _: &str) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Strict, A::Error> {
        while let Some(Strict) = list.next_element()? {}
        Ok(Strict)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Strict, A::Error> {
        while let Some((Strict, Strict)) = map.next_entry()? {}
        Ok(Strict)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::Strict;

    /// The tree's own reading is the truth: refused alike, with the same words and place.
    fn agrees(text: &str) -> Result<(), TestCaseError> {
        let own = serde_json::from_str::<Strict>(text).err().map(|error| error.to_string());
        let tree = serde_json::from_str::<Value>(text).err().map(|error| error.to_string());
        prop_assert_eq!(own, tree, "{}", text);
        Ok(())
    }

    proptest! {
        #[test]
        fn it_refuses_what_a_tree_refuses(pieces in prop::collection::vec(0..PIECES.len(), 0..12)) {
            agrees(&pieces.into_iter().map(|at| PIECES[at]).collect::<String>())?;
        }
    }

    const PIECES: [&str; 22] = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "\"b\"",
        "1",
        "-0",
        "1e999",
        "1.5",
        "null",
        "true",
        " ",
        "\n",
        "\"\\ud800\"",
        "\"\\u00e9\"",
        "\"\u{1}\"",
        "\"",
        "01",
        "99999999999999999999",
    ];

    #[test]
    fn the_limits_are_the_trees() {
        for text in ["1e999", "[\"\\ud800\"]", "{\"\\ud800\": 1}", "{\"a\": 1e999}", "{1: 2}", "[1,]", "{\"a\": 1,}"] {
            assert!(serde_json::from_str::<Strict>(text).is_err(), "{text}");
            agrees(text).unwrap();
        }
        for depth in [127, 128, 129, 10_000] {
            agrees(&format!("{}{}", "[".repeat(depth), "]".repeat(depth))).unwrap();
        }
    }
}
