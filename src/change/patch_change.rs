//! A unified diff as a change of its own, so that findings are anchored in it as in git's.

use std::collections::HashMap;

use super::commits::{CommitId, Commits};
use super::delta::{Content, FileDelta, Image, Text};
use super::patch::{Patch, PatchFile};
use super::set::Change;

impl Patch {
    /// What the diff says of its files. It lies between no commits, which git spells with the null
    /// id, and there are no images: only what the hunks show is known.
    ///
    /// A file whose name could not be read, or is not UTF-8, is left out.
    pub fn change(&self) -> Change {
        let commits = Commits { base: None, merge_base: CommitId::null(), head: CommitId::null() };
        Change::new(commits, self.files.iter().filter_map(delta).collect(), HashMap::new())
    }
}

fn delta(file: &PatchFile) -> Option<FileDelta> {
    let content = match file.no_text() {
        Some(why) => Content::None(why),
        None if file.binary => Content::Binary,
        None => Content::Text(Text { old: Image::default(), new: Image::default(), hunks: file.hunks.clone() }),
    };
    Some(FileDelta { paths: file.paths()?, content })
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use crate::change::{Content, NoText, patch};
    use crate::review::Side;

    #[test]
    fn files_and_lines_are_found_by_name_and_number() {
        let text = "diff --git a/old b/new\nsimilarity index 90%\nrename from old\nrename to new\n\
                    --- a/old\n+++ b/new\n@@ -3 +3,2 @@\n-x\n+y\n+z\n\
                    diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n\
                    diff --git a/run b/run\nold mode 100644\nnew mode 100755\n";
        let change = patch::parse(&Bytes::from_static(text.as_bytes())).change();
        let (_, renamed) = change.by_old_path("old").unwrap();
        assert_eq!(renamed.new_path(), Some("new"));
        assert_eq!(renamed.line(Side::Right, 4).unwrap().lossy(), "z");
        assert_eq!(renamed.line(Side::Left, 3).unwrap().lossy(), "x");
        assert_eq!(change.by_new_path("p.png").unwrap().1.content, Content::Binary);
        assert_eq!(change.by_new_path("run").unwrap().1.content, Content::None(NoText::ModeOnly));
    }
}
