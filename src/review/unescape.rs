//! A JSON text without its escapes, and where in the file each of its bytes was written.

/// The decoded text, and for each of its bytes, and its end, the offset in the raw one.
pub(super) fn unescaped(raw: &str) -> Option<(String, Vec<u32>)> {
    let mut text = String::with_capacity(raw.len());
    let mut places = Vec::with_capacity(raw.len() + 1);
    let mut at = 0;
    while at < raw.len() {
        let rest = &raw[at..];
        let length = match rest.as_bytes() {
            [b'\\', b'u', ..] => {
                // A high surrogate takes the low one behind it along.
                let unit = u32::from_str_radix(rest.get(2..6)?, 16).ok()?;
                if (0xd800..0xdc00).contains(&unit) { 12 } else { 6 }
            }
            [b'\\', ..] => 2,
            _ => rest.chars().next()?.len_utf8(),
        };
        let piece = rest.get(..length)?;
        let decoded = if piece.starts_with('\\') {
            serde_json::from_str::<String>(&format!("\"{piece}\"")).ok()?
        } else {
            piece.to_owned()
        };
        places.extend(decoded.bytes().map(|_| u32::try_from(at).unwrap_or(u32::MAX)));
        text.push_str(&decoded);
        at += length;
    }
    places.push(u32::try_from(raw.len()).ok()?);
    Some((text, places))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::unescaped;

    proptest! {
        #[test]
        fn it_is_what_the_parser_reads_and_each_character_is_where_it_was(text in "(\\PC|[\"\\\\\n\t\u{1}]|\u{1f600}){0,20}", ascii in any::<bool>()) {
            let json = serde_json::to_string(&text).unwrap();
            let raw = &json[1..json.len() - 1];
            let raw = if ascii {
                raw.chars().flat_map(|c| {
                    let mut units = [0; 2];
                    if c.is_ascii() { vec![c.to_string()] } else { c.encode_utf16(&mut units).iter().map(|u| format!("\\u{u:04x}")).collect() }
                }).collect::<String>()
            } else { raw.to_owned() };
            let raw = if ascii {
                // Both units of a pair are one escape of one character.
                raw
            } else { raw };
            let (decoded, places) = unescaped(&raw).unwrap();
            prop_assert_eq!(&decoded, &text);
            prop_assert_eq!(places.len(), text.len() + 1);
            prop_assert!(places.windows(2).all(|pair| pair[0] <= pair[1]));
            for (at, c) in text.char_indices().filter(|(_, c)| c.is_ascii_alphanumeric()) {
                prop_assert!(raw[places[at] as usize..].starts_with(c));
            }
        }
    }
}
