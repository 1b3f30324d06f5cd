//! Repositories that are odd, broken, or somebody else's, and what git tracks in them.

use std::fs;
use std::path::Path;

use dai::change::git::{GitError, Network, Repo};

use crate::lab::{Lab, between, open};

#[test]
fn a_sparse_split_or_broken_index_is_no_obstacle() {
    let lab = Lab::new();
    let work = lab.init("w");
    work.write("a", "a\n").commit("first");
    work.write("dir/a", "a\n").write(".env", "tracked\n");
    work.commit("more");
    let plain = {
        let repo = open(&work.path);
        assert!(repo.is_tracked(".env") && repo.is_tracked("dir/a") && !repo.is_tracked("dir/b"));
        assert!(!repo.is_tracked(".env.dai"));
        (work.id("HEAD~1"), work.id("HEAD"))
    };
    let changed = || {
        let names = ["dir/a".to_owned()].into();
        open(&work.path).change(&between(&plain.0, &plain.1), &names, 50).unwrap().0.deltas().len()
    };
    work.git(&["update-index", "--split-index"]);
    let repo = open(&work.path);
    assert!(repo.is_tracked(".env") && repo.is_tracked("dir/a") && !repo.is_tracked("dir/b"));
    assert_eq!(changed(), 1);
    work.git(&["update-index", "--no-split-index"]);
    work.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "elsewhere"]);
    let repo = open(&work.path);
    assert!(repo.is_tracked(".env") && repo.is_tracked("dir/a") && !repo.is_tracked("dir/b"));
    assert_eq!(changed(), 1);
    fs::write(work.path.join(".git/index"), "no index").unwrap();
    // Nobody can tell, so the file is not to be read.
    assert!(open(&work.path).is_tracked(".env.dai"));
    assert_eq!(changed(), 1);
}

#[test]
fn c45_a_file_behind_a_tracked_link_is_tracked() {
    let lab = Lab::new();
    let work = lab.init("w");
    work.write("evil/reviews/22.json", "{}");
    std::os::unix::fs::symlink("evil", work.path.join(".dai")).unwrap();
    let head = work.commit("a review of its own");
    let repo = open(&work.path);
    assert!(repo.is_tracked(".dai/reviews/22.json"));
    assert!(repo.commit_has_path(&head, ".dai/reviews/22.json", &head).unwrap());
    assert!(repo.commit_has_path(&head, "evil/reviews/22.json", &head).unwrap());
    assert!(!repo.commit_has_path(&head, "evil/reviews/23.json", &head).unwrap());
    assert!(!repo.commit_has_path(&head, "evil", &head).unwrap(), "a directory is no file");
}

#[test]
fn a_repository_of_another_owner_is_opened_only_on_its_users_word() {
    let lab = Lab::new();
    let work = lab.init("w");
    if std::os::unix::fs::chown(work.path.join(".git"), Some(12345), None).is_err() {
        // Only root can give a directory away.
        return;
    }
    std::os::unix::fs::chown(&work.path, Some(12345), None).unwrap();
    let error = Repo::discover(&work.path, Network::Forbidden).err().unwrap();
    assert!(matches!(error, GitError::OtherOwner { .. }), "{error:?}");
    assert!(error.help().unwrap().contains("safe.directory"), "{error:?}");
}

#[test]
fn what_cannot_be_opened_says_what_to_do() {
    let lab = Lab::new();
    let gone = |path: &Path| Repo::discover(path, Network::Forbidden).err().unwrap();
    // A temporary directory may itself lie in a repository; its root does not.
    assert!(matches!(gone(Path::new("/")), GitError::NoRepository { .. }));
    let reftable = lab.init_with("reftable", &["--ref-format=reftable"]);
    let error = gone(&reftable.path);
    assert!(matches!(&error, GitError::Unsupported { what, .. } if what == "extensions.refstorage"), "{error:?}");
    assert!(error.help().unwrap().contains("--ref-format=files"));
    let odd = lab.init("odd");
    odd.git(&["config", "core.repositoryFormatVersion", "1"]);
    odd.git(&["config", "extensions.future", "x"]);
    assert!(matches!(gone(&odd.path), GitError::Unsupported { what, .. } if what == "extensions.future"));
    let broken = lab.init("broken");
    fs::write(broken.path.join(".git/config"), "[core\n").unwrap();
    assert!(matches!(gone(&broken.path), GitError::Open { .. }));
}
