//! The commits of a request, kept under refs of our own so that a later run finds them.

use std::time::{Duration, SystemTime};

use git2::Oid;

use super::error::GitError;
use super::fetch::Slot;
use super::repo::Repo;
use crate::change::CommitId;
use crate::warning::{Code, Warning};

/// Where one request's commits are kept: `refs/dai/<host>/<project>/<n>/head` and `…/base`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestRefs {
    prefix: String,
}

impl RequestRefs {
    /// What a ref's name cannot hold is percent-encoded: a port's `:`, a leading dot.
    pub fn new(host: &str, project: &str, number: u64) -> Self {
        let project: Vec<String> = project.split('/').map(component).collect();
        Self { prefix: format!("refs/dai/{}/{}/{number}", component(&host.to_ascii_lowercase()), project.join("/")) }
    }

    pub fn name(&self, slot: Slot) -> String {
        format!("{}/{}", self.prefix, slot.as_str())
    }
}

fn component(text: &str) -> String {
    let escape = |byte: u8| format!("%{byte:02X}");
    // A project of this name would stand where another's ref is a file.
    if text.is_empty() || Slot::ALL.iter().any(|slot| slot.as_str() == text) {
        return text.bytes().next().map_or_else(|| "%".to_owned(), |first| escape(first) + &text[1..]);
    }
    let lock = text.len().checked_sub(5).filter(|_| text.to_ascii_lowercase().ends_with(".lock"));
    let bytes = text.as_bytes();
    let fits = |at: usize, byte: u8| match byte {
        b'.' => at > 0 && at + 1 < bytes.len() && bytes[at - 1] != b'.' && lock != Some(at),
        _ => byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_',
    };
    bytes
        .iter()
        .enumerate()
        .map(|(at, byte)| if fits(at, *byte) { char::from(*byte).to_string() } else { escape(*byte) })
        .collect()
}

/// What an earlier run kept of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub head: CommitId,
    /// The merge base, where the run had come so far.
    pub base: Option<CommitId>,
    /// Since the head was written; `None` where git has packed the ref.
    pub age: Option<Duration>,
}

impl Repo {
    /// Keeps the commits, which are here, over whatever an earlier run kept; says so where that cannot be written,
    /// as in a read-only git directory, since nothing but `--offline` needs it.
    pub fn keep(
        &self,
        refs: &RequestRefs,
        head: &CommitId,
        merge_base: &CommitId,
    ) -> Result<Option<Warning>, GitError> {
        let (head, base) = (self.commit(head)?.id(), self.commit(merge_base)?.id());
        let kept = self.set_ref(&refs.name(Slot::Head), Some(head));
        let kept = kept.and_then(|()| self.set_ref(&refs.name(Slot::Base), Some(base)));
        Ok(kept.err().map(|why| Warning::run(Code::NotKept, format!("nothing was kept for --offline: {why}"))))
    }

    /// What is kept of the request; `None` where nothing is, or its head is no longer here.
    pub fn kept(&self, refs: &RequestRefs) -> Option<Kept> {
        let id = |slot| {
            let id = self.inner.refname_to_id(&refs.name(slot)).ok()?;
            self.commit_id(id).ok().filter(|id| self.has_commit(id))
        };
        let head = id(Slot::Head)?;
        let written = std::fs::metadata(self.common_dir.join(refs.name(Slot::Head))).and_then(|file| file.modified());
        let age = written.ok().and_then(|at| SystemTime::now().duration_since(at).ok());
        Some(Kept { head, base: id(Slot::Base), age })
    }

    /// Sets one of our refs; `None` takes it away.
    pub(super) fn set_ref(&self, name: &str, to: Option<Oid>) -> Result<(), GitError> {
        let set = match to {
            Some(id) => self.inner.reference(name, id, true, "").map(drop),
            None => self.inner.find_reference(name).and_then(|mut found| found.delete()),
        };
        set.map_err(|error| GitError::object(format!("the ref {name}"), &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_request_has_the_refs_that_its_address_spells() {
        let refs = RequestRefs::new("GitHub.com", "acme/widgets.js", 22);
        assert_eq!(refs.name(Slot::Head), "refs/dai/github.com/acme/widgets.js/22/head");
        assert_eq!(refs.name(Slot::Base), "refs/dai/github.com/acme/widgets.js/22/base");
        let refs = RequestRefs::new("git.example:8443", "a/.b/c.lock/d..e/head/reviewed", 1);
        assert_eq!(
            refs.name(Slot::Head),
            "refs/dai/git.example%3A8443/a/%2Eb/c%2Elock/d.%2Ee/%68ead/%72eviewed/1/head"
        );
    }

    proptest! {
        #[test]
        fn every_address_is_a_ref_of_its_own(
            one in ("\\PC{1,12}", "[^/]{1,8}(/[^/]{1,8}){0,2}"),
            two in ("\\PC{1,12}", "[^/]{1,8}(/[^/]{1,8}){0,2}"),
        ) {
            let name = |(host, project): &(String, String)| RequestRefs::new(host, project, 7).name(Slot::Head);
            prop_assert!(git2::Reference::is_valid_name(&name(&one)), "{}", name(&one));
            let lower = |(host, project): &(String, String)| (host.to_ascii_lowercase(), project.clone());
            prop_assume!(!one.0.contains('/') && !two.0.contains('/'));
            prop_assert_eq!(name(&one) == name(&two), lower(&one) == lower(&two));
        }
    }
}
