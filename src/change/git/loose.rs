//! An object in a file of its own that was cut short, as a crash leaves it.
//!
//! libgit2 waits for ever for the rest of such a file, and fills what a header promises too much with
//! zeros; git refuses both. So the file is looked at before libgit2 reads it.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use git2::{Oid, Repository};
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};

/// As deep as git follows one repository's objects to another's.
const ALTERNATES: usize = 5;

/// Whether libgit2 must not read it: the file ends too early, and no pack has the object. What is damaged
/// in other ways libgit2 refuses by itself.
pub(super) fn is_cut(repo: &Repository, id: Oid) -> bool {
    let id = id.to_string();
    let objects = repo.commondir().join("objects");
    let name = Path::new(&id[..2]).join(&id[2..]);
    let (mut dirs, mut packs) = (VecDeque::from([(objects, 0)]), Vec::new());
    while let Some((dir, depth)) = dirs.pop_front() {
        packs.push(dir.join("pack"));
        // Not there is the usual case.
        if let Ok(file) = fs::read(dir.join(&name)) {
            return ends_early(&file) && !packs.iter().any(|pack| has(pack, &id));
        }
        if depth < ALTERNATES {
            dirs.extend(alternates(&dir).into_iter().map(|other| (other, depth + 1)));
        }
    }
    false
}

fn alternates(objects: &Path) -> Vec<PathBuf> {
    let listed = fs::read_to_string(objects.join("info").join("alternates")).unwrap_or_default();
    listed.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| objects.join(line)).collect()
}

/// Whether the stream has no end, or less in it than its header says.
fn ends_early(file: &[u8]) -> bool {
    let mut state = InflateState::new_boxed(DataFormat::Zlib);
    let mut piece = vec![0; 64 << 10];
    let (mut rest, mut total, mut promised) = (file, 0_u64, None);
    loop {
        let step = inflate(&mut state, rest, &mut piece, MZFlush::None);
        rest = rest.get(step.bytes_consumed..).unwrap_or_default();
        if total == 0 {
            promised = header(&piece[..step.bytes_written]);
        }
        total += step.bytes_written as u64;
        match step.status {
            Ok(MZStatus::StreamEnd) => return promised.is_some_and(|promised| total < promised),
            Ok(_) if step.bytes_written > 0 || step.bytes_consumed > 0 => {}
            // Nothing is left to go on with.
            _ => return rest.is_empty() && !file.is_empty(),
        }
    }
}

/// How much there is with the header, which is `blob 123` and a NUL.
fn header(start: &[u8]) -> Option<u64> {
    let end = start.iter().take(32).position(|byte| *byte == 0)?;
    let size = std::str::from_utf8(&start[..end]).ok()?.split_once(' ')?.1;
    size.parse::<u64>().ok()?.checked_add(end as u64 + 1)
}

/// Whether a pack in this directory has the object, by the packs' indexes.
fn has(packs: &Path, id: &str) -> bool {
    let entries = fs::read_dir(packs).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut indexes = entries.filter(|path| path.extension().is_some_and(|extension| extension == "idx"));
    let Ok(id) = hex::decode(id) else { return false };
    indexes.any(|path| lists(&path, &id).unwrap_or(true))
}

/// An error where it is no index of the second version.
fn lists(index: &Path, id: &[u8]) -> io::Result<bool> {
    let other = || io::Error::from(io::ErrorKind::InvalidData);
    let index = fs::read(index)?;
    let counts = index.strip_prefix(b"\xfftOc\0\0\0\x02").ok_or_else(other)?;
    let (counts, ids) = counts.split_at_checked(256 * 4).ok_or_else(other)?;
    let count = counts.last_chunk().map_or(0, |last| u32::from_be_bytes(*last)) as usize;
    let ids = count.checked_mul(id.len()).and_then(|length| ids.get(..length)).ok_or_else(other)?;
    Ok(ids.chunks_exact(id.len()).any(|listed| listed == id))
}
