//! What a person should know although the run goes on.

use crate::codes::codes;

/// One remark of a run, with the code that programs match on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    pub code: Code,
    /// A sentence for people; it may hold text from outside and is escaped where it is shown.
    pub message: String,
    /// The finding it is about, by its index in the file.
    pub finding: Option<usize>,
}

impl Warning {
    /// A remark on the run as a whole.
    pub fn run(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), finding: None }
    }

    /// A remark on one finding.
    pub fn finding(code: Code, index: usize, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), finding: Some(index) }
    }
}

codes! {
    /// The kinds of remark.
    Code {
        Unbound = "unbound", "the review names no commit, so it cannot be told whether the head is the reviewed one";
        HeadMoved = "head_moved", "the review is of another commit than the request's head";
        UnknownField = "unknown_field", "a field the format does not know";
        UnknownWord = "unknown_word", "a word the format reads leniently (an exchange's side)";
        NotCompared = "not_compared", "what stands on the forge, its own patch or its merge base could not be read";
        MarkedByOther = "marked_by_other", "a comment of another account carries this program's marker";
        ChangedByPerson = "changed_by_person", "a person changed the words of the summary, which is left as it is";
        OtherReview = "other_review", "this account posted another review to the request too";
        Draft = "draft_review", "a pending review of this account's stands in the way of a post";
        Locked = "locked", "the conversation is locked, which stands in the way of a post";
        Archived = "archived", "the project is archived, which stands in the way of a post";
        Closed = "closed", "the request is closed";
        Merged = "merged", "the request is merged";
        RenameLimit = "rename_limit", "more than git's limit of renames: only exact ones were paired";
        NoGit = "no_git", "no git on the PATH: renames were paired by libgit2, which may differ from the forge";
        NotKept = "not_kept", "the commits could not be kept for --offline";
        MergeBases = "merge_bases", "several merge bases, and the forge's own could not be asked";
        EnvIgnored = "env_ignored", "an environment variable that is not obeyed";
        DotenvIgnored = "dotenv_ignored", "a dot-env file that was not read";
        Neutralised = "neutralised", "a posted text was changed so that it cannot act";
        Redacted = "redacted", "a secret in a text was replaced";
        ReadBack = "read_back", "the stored text or place differs from what was sent";
        PostedTwice = "posted_twice", "another run posted the same at the same time, so that it is there twice";
        NoUrl = "no_url", "the forge named no URL for something it stored";
        Receipt = "receipt", "the receipt could not be written";
        ManyComments = "many_comments", "more comments than one review can carry";
        Lenient = "lenient", "something in a file or a patch was read leniently";
        Cut = "cut", "the summary was cut to the forge's limit";
        ExistingComments = "existing_comments", "the file has no findings, and comments of an earlier run exist: the summary that tells of them is left";
    }
}
