//! The names in a diff's headers: quoted as in C, with a prefix of any kind or none.

use super::patch::FileChange;

/// Which of a header's two names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Old,
    New,
}

/// What a file's headers say it is called, as far as they say it.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The rest of `diff --git`, not yet cut in two.
    git: Option<Vec<u8>>,
    /// Behind `---` and `+++`, prefix included; `/dev/null` is kept.
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
    /// Behind `rename from`, `rename to` and `copy`, where git writes no prefix.
    moved_old: Option<Vec<u8>>,
    moved_new: Option<Vec<u8>>,
}

const NULL: &[u8] = b"/dev/null";

impl Names {
    pub(super) fn of_git(rest: &[u8]) -> Self {
        Self { git: Some(rest.to_vec()), ..Self::default() }
    }

    /// A name behind `--- ` or `+++ `. A tab ends it: git puts one behind names with a space, other
    /// tools put the time there.
    pub(super) fn header(&mut self, side: Side, rest: &[u8]) {
        let name = match unquote(rest) {
            Some((name, _)) => name,
            None => {
                let rest = rest.strip_suffix(b"\r").unwrap_or(rest);
                rest.split(|b| *b == b'\t').next().unwrap_or_default().to_vec()
            }
        };
        match side {
            Side::Old => self.old = Some(name),
            Side::New => self.new = Some(name),
        }
    }

    pub(super) fn moved(&mut self, side: Side, rest: &[u8]) {
        let name = unquote(rest).map_or_else(|| rest.to_vec(), |(name, _)| name);
        match side {
            Side::Old => self.moved_old = Some(name),
            Side::New => self.moved_new = Some(name),
        }
    }

    /// Whether this header shows that the diff was made without prefixes: both names are the same.
    pub(super) fn are_plain(&self) -> bool {
        let headers = self.old.is_some() && self.old == self.new;
        headers || self.git.as_deref().and_then(halves).is_some_and(|(old, new)| old == new)
    }

    /// Both names without prefix, `None` for the side where there is no file. `plain`: some header
    /// of the diff shows that it has no prefixes.
    pub(super) fn settle(&self, change: FileChange, plain: bool) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
        if let (Some(old), Some(new)) = (&self.moved_old, &self.moved_new) {
            return (Some(old.clone()), Some(new.clone()));
        }
        let is_null = |name: &Option<Vec<u8>>| name.as_deref() == Some(NULL);
        let added = change == FileChange::Added || is_null(&self.old);
        let deleted = change == FileChange::Deleted || is_null(&self.new);
        let one = || {
            let (old, new) = self.git.as_deref().and_then(halves)?;
            common(&old, &new).or_else(|| shared_end(&old, &new))
        };
        match (&self.old, &self.new) {
            (Some(old), Some(new)) if !is_null(&self.old) && !is_null(&self.new) => match common(old, new) {
                Some(name) => (Some(name.clone()), Some(name)),
                // Prefixes that git does not write by itself; it names a rename in lines of its own.
                None if self.git.is_some() && strip(old) == *old && strip(new) == *new && !plain => {
                    let name = shared_end(old, new);
                    (name.clone(), name)
                }
                None if plain => (Some(old.clone()), Some(new.clone())),
                None => (Some(strip(old)), Some(strip(new))),
            },
            (old, new) => {
                let headed = if added { new } else { old }.as_ref().filter(|name| ***name != *NULL);
                let bare = |name: &Vec<u8>| if plain { name.clone() } else { strip(name) };
                let name = one().or_else(|| headed.map(bare));
                (name.clone().filter(|_| !added), name.filter(|_| !deleted))
            }
        }
    }
}

/// The name that two headers share behind their prefixes: the whole where there are none, else what
/// follows the first part of both.
fn common(old: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    if old == new {
        return Some(old.to_vec());
    }
    let (one, other) = (behind_slash(old)?, behind_slash(new)?);
    (one == other).then(|| one.to_vec())
}

/// The longest end that two names share behind a `/`: prefixes may have several parts.
fn shared_end(old: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let same = old.iter().rev().zip(new.iter().rev()).take_while(|(one, other)| one == other).count();
    behind_slash(&old[old.len() - same..]).map(<[u8]>::to_vec)
}

fn behind_slash(name: &[u8]) -> Option<&[u8]> {
    let slash = name.iter().position(|b| *b == b'/')?;
    Some(&name[slash + 1..]).filter(|rest| !rest.is_empty())
}

/// Takes away one of the prefixes that git is known to write: `a/` and `b/`, and the mnemonic ones.
fn strip(name: &[u8]) -> Vec<u8> {
    let known = matches!(name, [b'a' | b'b' | b'c' | b'i' | b'o' | b'w' | b'1' | b'2', b'/', _, ..]);
    if known { name[2..].to_vec() } else { name.to_vec() }
}

/// Cuts the rest of `diff --git` in two. Names with a space are not quoted, so the cut is the one
/// that leaves one name on both sides; a rename's names stand in lines of their own.
fn halves(rest: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    if let Some((old, after)) = unquote(rest) {
        let after = after.strip_prefix(b" ")?;
        let new = unquote(after).map_or_else(|| after.to_vec(), |(name, _)| name);
        return Some((old, new));
    }
    let spaces = || rest.iter().enumerate().filter(|(_, b)| **b == b' ').map(|(at, _)| at);
    let cut = |at: usize| {
        let after = &rest[at + 1..];
        (rest[..at].to_vec(), unquote(after).map_or_else(|| after.to_vec(), |(name, _)| name))
    };
    // Prefixes are mostly of one length, and then the middle is right even if others would do.
    let middle = Some(rest.len() / 2).filter(|at| rest.len() % 2 == 1 && rest[*at] == b' ');
    let cuts = || middle.into_iter().chain(spaces()).map(cut);
    let one_name = cuts().find(|(old, new)| common(old, new).is_some());
    one_name.or_else(|| cuts().find(|(old, new)| shared_end(old, new).is_some()))
}

/// A name in double quotes with C's escapes, and what follows it; `None` where it is not one.
fn unquote(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text.strip_prefix(b"\"")?;
    let mut name = Vec::new();
    loop {
        let (first, after) = rest.split_first()?;
        rest = after;
        match first {
            b'"' => return Some((name, rest)),
            b'\\' => {
                let (escape, after) = rest.split_first()?;
                rest = after;
                name.push(match escape {
                    b'a' => 0x07,
                    b'b' => 0x08,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 0x0b,
                    b'f' => 0x0c,
                    b'r' => b'\r',
                    b'"' | b'\\' => *escape,
                    b'0'..=b'3' => {
                        let digits = [*escape, *rest.first()?, *rest.get(1)?];
                        rest = &rest[2..];
                        u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 8).ok()?
                    }
                    _ => return None,
                });
            }
            byte => name.push(*byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unquote;

    #[test]
    fn names_are_unquoted_as_c_does() {
        for (text, name, rest) in [
            (&b"\"a/\\303\\261\\t\\\"x\\\\\" \"b\""[..], &b"a/\xc3\xb1\t\"x\\"[..], &b" \"b\""[..]),
            (b"\"\\001\\377\\a\\b\\v\\f\\r\\n\"", b"\x01\xff\x07\x08\x0b\x0c\r\n", b""),
        ] {
            assert_eq!(unquote(text), Some((name.to_vec(), rest)));
        }
        for text in [&b"plain"[..], b"\"open", b"\"\\400\"", b"\"\\x\"", b"\"\\30\"", b"\"\\"] {
            assert_eq!(unquote(text), None, "{text:?}");
        }
    }
}
