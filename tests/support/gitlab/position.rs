//! Whether a position names a line of the diff.

use serde_json::{Map, Value};
use sha1::{Digest, Sha1};

use super::world::{MergeRequest, RENAMES};
use crate::support::diff::{FileDiff, Line, LineKind, between};
use crate::support::repo::Upstream;

/// Why a position is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Names of parameters that are missing or of a wrong type, as Grape says it.
    Parameters(String),
    /// "can't be blank", "must be a valid line code".
    LineCode,
    /// "must be a valid json schema".
    LineRange,
    /// The server fails, and has stored nothing.
    Fails,
}

/// A position that is taken.
#[derive(Debug)]
pub(super) struct Taken {
    pub position: Value,
    /// Whether its three commits are those of one version; if not, the server fails after it has stored the note.
    pub of_a_version: bool,
    /// What the page would show wrong.
    pub wrong_range: Option<String>,
}

/// `sha1(path)_old_new`, with both running counters.
pub fn line_code(path: &str, line: &Line) -> String {
    format!("{}_{}_{}", hex::encode(Sha1::digest(path)), line.old, line.new)
}

fn kind_word(kind: LineKind) -> Option<&'static str> {
    match kind {
        LineKind::Added => Some("new"),
        LineKind::Deleted => Some("old"),
        LineKind::Context => None,
    }
}

/// An absent, null or (in a form) empty value is none.
fn text<'a>(object: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    object.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

fn number(position: &Map<String, Value>, key: &str) -> Result<Option<u32>, Refusal> {
    let number = match position.get(key) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) if text.is_empty() => return Ok(None),
        Some(Value::String(text)) => text.parse().ok(),
        Some(value) => value.as_u64().and_then(|n| u32::try_from(n).ok()),
    };
    number.map(Some).ok_or_else(|| Refusal::Parameters(format!("position[{key}] is invalid")))
}

pub(super) const KEYS: [&str; 9] = [
    "position_type",
    "base_sha",
    "start_sha",
    "head_sha",
    "old_path",
    "new_path",
    "old_line",
    "new_line",
    "line_range",
];

pub(super) fn check(
    position: &Map<String, Value>,
    request: &MergeRequest,
    upstream: &Upstream,
) -> Result<Taken, Refusal> {
    let required = ["base_sha", "start_sha", "head_sha", "position_type"];
    let missing: Vec<_> = required
        .iter()
        .filter(|key| !position.contains_key(**key))
        .map(|key| format!("position[{key}] is missing"))
        .collect();
    if !missing.is_empty() {
        return Err(Refusal::Parameters(missing.join(", ")));
    }
    if text(position, "position_type") != Some("text") {
        return Err(Refusal::Parameters("position[position_type] does not have a valid value".to_owned()));
    }
    let (old_line, new_line) = (number(position, "old_line")?, number(position, "new_line")?);
    let commits = ["base_sha", "start_sha", "head_sha"].map(|key| text(position, key));
    let [Some(base), Some(start), Some(head)] = commits else { return Err(Refusal::Fails) };
    let ends = position.get("line_range").map(range_ends).transpose()?.flatten();
    let mut paths: Vec<&str> = ["old_path", "new_path"].iter().filter_map(|key| text(position, key)).collect();
    paths.dedup();
    // git takes no path outside the repository, `/dev/null` included.
    let outside = paths.iter().any(|p| p.starts_with('/') || p.split('/').any(|part| part == ".."));
    if paths.is_empty() || outside || [base, start, head].iter().any(|c| upstream.commit(c).as_deref() != Some(*c)) {
        return Err(Refusal::LineCode);
    }
    let files = between(upstream.path(), base, head, RENAMES, &paths);
    let file = files.first().filter(|f| commentable(f, request)).ok_or(Refusal::LineCode)?;
    let fits = |line: &&Line| match line.kind {
        LineKind::Added => old_line.is_none() && new_line == Some(line.new),
        LineKind::Deleted => new_line.is_none() && old_line == Some(line.old),
        LineKind::Context => old_line == Some(line.old) && new_line == Some(line.new),
    };
    let line = file.lines().find(fits).ok_or(Refusal::LineCode)?;
    let path = file.new_path_text();
    let told_otherwise =
        [new_line, old_line].into_iter().flatten().any(|n| request.refused.contains(&(path.clone(), n)));
    if told_otherwise {
        return Err(Refusal::LineCode);
    }
    let of_a_version =
        request.versions.iter().any(|v| (v.base.as_str(), v.start.as_str(), v.head.as_str()) == (base, start, head));
    let wrong_range = ends.and_then(|ends| wrong_range(&ends, file, line));
    Ok(Taken { position: Value::Object(position.clone()), of_a_version, wrong_range })
}

fn commentable(file: &FileDiff, request: &MergeRequest) -> bool {
    let path = file.new_path_text();
    file.has_text() && !request.too_large.contains(&path) && !request.without_diff.contains(&path)
}

struct End {
    code: String,
    kind: Option<String>,
}

/// Start and end of a range, by its schema: `line_code` and `type`, and nothing that is a number.
fn range_ends(range: &Value) -> Result<Option<[End; 2]>, Refusal> {
    let range = match range {
        Value::Null => return Ok(None),
        Value::Object(range) => range,
        _ => return Err(Refusal::LineRange),
    };
    let end = |key: &str| {
        let end = range.get(key).and_then(Value::as_object).ok_or(Refusal::LineRange)?;
        if end.keys().any(|k| !["line_code", "type"].contains(&k.as_str())) {
            return Err(Refusal::LineRange);
        }
        let kind = match end.get("type") {
            None | Some(Value::Null) => None,
            Some(Value::String(kind)) if ["old", "new"].contains(&kind.as_str()) => Some(kind.clone()),
            Some(_) => return Err(Refusal::LineRange),
        };
        let code = text(end, "line_code").ok_or(Refusal::LineRange)?.to_owned();
        Ok(End { code, kind })
    };
    Ok(Some([end("start")?, end("end")?]))
}

/// The server takes any code; the page shows the range wrong, or not at all, unless both are codes of the file's lines in
/// their order and the end is the position's own line.
fn wrong_range([start, end]: &[End; 2], file: &FileDiff, line: &Line) -> Option<String> {
    let path = file.new_path_text();
    let lines: Vec<&Line> = file.lines().collect();
    let place = |code: &str| lines.iter().position(|l| line_code(&path, l) == code);
    let (Some(first), Some(last)) = (place(&start.code), place(&end.code)) else {
        return Some(format!("a line_range of {path} with a line code of no line: {} to {}", start.code, end.code));
    };
    if lines[last] != line || first > last {
        return Some(format!("a line_range of {path} that does not end at its position's line"));
    }
    let wrong = [(start, first), (end, last)].into_iter().find(|(e, n)| e.kind.as_deref() != kind_word(lines[*n].kind));
    wrong.map(|(e, _)| format!("a line_range of {path} with the type {:?} at {}", e.kind, e.code))
}
