//! What a person should know although the run goes on.

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

/// The kinds of remark. `as_str` is the published spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// The review names no commit, so it cannot be told whether the head is the reviewed one.
    Unbound,
    /// The review is of another commit than the request's head.
    HeadMoved,
    /// A field the format does not know.
    UnknownField,
    /// A word the format reads leniently (an exchange's side).
    UnknownWord,
    /// What stands on the forge, its own patch or its merge base could not be read.
    NotCompared,
    /// A comment of another account carries this program's marker.
    MarkedByOther,
    /// This account posted another review to the request too.
    OtherReview,
    /// An unfinished review of this account's stands in the way of a post.
    Draft,
    /// The conversation is locked, which stands in the way of a post.
    Locked,
    /// The project is archived, which stands in the way of a post.
    Archived,
    /// The request is closed.
    Closed,
    /// The request is merged.
    Merged,
    /// More than git's limit of renames: only exact ones were paired.
    RenameLimit,
    /// No `git` on the PATH: renames were paired by libgit2, which may differ from the forge.
    NoGit,
    /// The commits could not be kept for `--offline`.
    NotKept,
    /// Several merge bases, and the forge's own could not be asked.
    MergeBases,
    /// An environment variable that is not obeyed.
    EnvIgnored,
    /// A dot-env file that was not read.
    DotenvIgnored,
    /// A posted text was changed so that it cannot act.
    Neutralised,
    /// A secret in a text was replaced.
    Redacted,
    /// The stored text or place differs from what was sent.
    ReadBack,
    /// Another run posted the same at the same time, so that it is there twice.
    PostedTwice,
    /// The forge named no URL for something it stored.
    NoUrl,
    /// The receipt could not be written.
    Receipt,
    /// More comments than one review can carry.
    ManyComments,
    /// Something in a file or a patch was read leniently.
    Lenient,
    /// The summary was cut to the forge's limit.
    Cut,
    /// The file has no findings, and comments of an earlier run exist: the summary that tells of them is left.
    ExistingComments,
}

impl Code {
    pub fn as_str(self) -> &'static str {
        match self {
            Code::Unbound => "unbound",
            Code::HeadMoved => "head_moved",
            Code::UnknownField => "unknown_field",
            Code::UnknownWord => "unknown_word",
            Code::NotCompared => "not_compared",
            Code::MarkedByOther => "marked_by_other",
            Code::OtherReview => "other_review",
            Code::Draft => "draft_review",
            Code::Locked => "locked",
            Code::Archived => "archived",
            Code::Closed => "closed",
            Code::Merged => "merged",
            Code::RenameLimit => "rename_limit",
            Code::NoGit => "no_git",
            Code::NotKept => "not_kept",
            Code::MergeBases => "merge_bases",
            Code::EnvIgnored => "env_ignored",
            Code::DotenvIgnored => "dotenv_ignored",
            Code::Neutralised => "neutralised",
            Code::Redacted => "redacted",
            Code::ReadBack => "read_back",
            Code::PostedTwice => "posted_twice",
            Code::NoUrl => "no_url",
            Code::Receipt => "receipt",
            Code::ManyComments => "many_comments",
            Code::Lenient => "lenient",
            Code::Cut => "cut",
            Code::ExistingComments => "existing_comments",
        }
    }
}
