//! Absolute paths, read relative to the repository's root.

use std::path::{Path, PathBuf};

use super::defect::Defect;
use super::finding::Review;
use super::rule::is_absolute;

impl Review {
    /// Whether a finding's path must be compared with the root.
    pub fn has_absolute_path(&self) -> bool {
        self.findings.iter().any(|finding| is_absolute(&finding.path))
    }

    /// Reads each absolute path relative to `root`, both resolved; one that is elsewhere holds its
    /// finding back. `real` resolves links, and gives `None` for what is not there.
    pub fn below(&mut self, root: Option<&Path>, real: impl Fn(&Path) -> Option<PathBuf>) {
        let roots: Vec<PathBuf> =
            root.into_iter().flat_map(|root| [Some(root.to_owned()), real(root)]).flatten().collect();
        for finding in self.findings.iter_mut().filter(|finding| is_absolute(&finding.path)) {
            let written = PathBuf::from(&finding.path);
            // A file that the change deletes is not there any more: its folder may be.
            let resolved = real(&written).or_else(|| Some(real(written.parent()?)?.join(written.file_name()?)));
            let below = |path: &Path| roots.iter().find_map(|root| relative(path, root));
            match below(&written).or_else(|| resolved.as_deref().and_then(below)) {
                Some(path) => finding.path = path,
                None => {
                    let root = root.map(|root| root.display().to_string());
                    let outside = Defect::PathOutside { path: finding.path.clone(), root };
                    finding.defect.get_or_insert(outside);
                }
            }
        }
    }
}

fn relative(path: &Path, root: &Path) -> Option<String> {
    let below = path.strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
    parts.filter(|parts| !parts.is_empty()).map(|parts| parts.join("/"))
}
