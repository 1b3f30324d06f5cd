//! The texts that a change is to be judged by, by name.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::Failure;
use crate::output::visible;

/// The longest text that is handed in, in bytes.
const MAX: u64 = 256 << 10;

/// Reads every file. A name is the path as it was given, of an absolute one the last part: the packet
/// leaves this machine.
///
/// # Errors
///
/// Exit 2: no regular file, too long, not UTF-8, or two of one name.
pub fn read(files: &[PathBuf], dir: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let mut texts = BTreeMap::new();
    for file in files {
        let shown = visible(&file.display().to_string()).into_owned();
        let refuse = |what: &str, help: &str| Failure::usage(format!("--with {shown}: {what}"), help);
        let path = dir.join(file);
        let meta =
            fs::metadata(&path).map_err(|fault| refuse("cannot be read", "name a file that can").cause(fault))?;
        if !meta.is_file() {
            return Err(refuse("is not a regular file", "name one file at a time"));
        }
        if meta.len() > MAX {
            return Err(refuse(
                &format!("is longer than {} KiB, the limit", MAX >> 10),
                "hand in the part that the change is to be judged by",
            ));
        }
        let bytes = fs::read(&path).map_err(|fault| refuse("cannot be read", "name a file that can").cause(fault))?;
        let text = String::from_utf8(bytes).map_err(|_| refuse("is not UTF-8 text", "hand in a text"))?;
        if texts.insert(name(file), text).is_some() {
            return Err(refuse("another text of this name is handed in", "rename one of them"));
        }
    }
    Ok(texts)
}

fn name(file: &Path) -> String {
    let plain = if file.is_absolute() { file.file_name().map(Path::new).unwrap_or(file) } else { file };
    let text = plain.to_string_lossy();
    text.strip_prefix("./").unwrap_or(&text).to_owned()
}
