//! The name that was probably meant.

/// The known name a writer probably meant, by its [`distance`].
pub(crate) fn nearest<'k>(field: &str, known: &[&'k str]) -> Option<&'k str> {
    let field = field.to_ascii_lowercase().replace('-', "_");
    let distances = known.iter().filter_map(|known| Some((distance(&field, &known.to_ascii_lowercase())?, *known)));
    distances.min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}

/// How many letters are off: one at most in a short name, up to three in a long one, else `None`.
pub(crate) fn distance(typed: &str, known: &str) -> Option<usize> {
    let length = typed.chars().count();
    let limit = match length {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        9..=100 => 3,
        // The distance costs the product of both lengths.
        _ => return None,
    };
    if known.chars().count().abs_diff(length) > limit {
        return None;
    }
    let distance = strsim::damerau_levenshtein(typed, known);
    (distance <= limit).then_some(distance)
}
