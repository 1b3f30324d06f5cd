//! GitLab's JSON, as far as it is read. Whatever may be null or absent somewhere is optional here.

use serde::Deserialize;

use crate::forge::Author;
use crate::forge::http::Numbered;

#[derive(Debug, Deserialize)]
pub struct MergeRequest {
    pub iid: u64,
    pub web_url: String,
    #[serde(default)]
    pub title: String,
    /// `opened`, `closed`, `merged`, and `locked` while it is being merged.
    pub state: String,
    #[serde(default)]
    pub draft: bool,
    pub discussion_locked: Option<bool>,
    /// The source branch's head; null for an empty branch.
    pub sha: Option<String>,
    pub target_branch: String,
    #[serde(default)]
    pub source_branch: String,
    pub source_project_id: Option<u64>,
    pub target_project_id: Option<u64>,
    /// Null until the diff is made.
    pub diff_refs: Option<DiffRefs>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DiffRefs {
    pub base_sha: Option<String>,
    pub start_sha: Option<String>,
    pub head_sha: Option<String>,
}

/// One of `/versions`, the newest first.
#[derive(Debug, Deserialize)]
pub struct Version {
    pub base_commit_sha: Option<String>,
    pub start_commit_sha: Option<String>,
    pub head_commit_sha: Option<String>,
}

impl From<Version> for DiffRefs {
    fn from(version: Version) -> Self {
        DiffRefs {
            base_sha: version.base_commit_sha,
            start_sha: version.start_commit_sha,
            head_sha: version.head_commit_sha,
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
pub struct User {
    pub id: u64,
    pub username: String,
}

impl From<User> for Author {
    fn from(user: User) -> Self {
        Author { id: user.id, login: user.username, bot: false }
    }
}

#[derive(Debug, Clone, Deserialize)]
pub struct Discussion {
    #[serde(default)]
    pub notes: Vec<Note>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Note {
    pub id: u64,
    /// `DiffNote` for a comment at a line.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub body: Option<String>,
    pub author: Option<User>,
    #[serde(default)]
    pub system: bool,
    pub position: Option<StoredPosition>,
}

impl Numbered for Note {
    fn number(&self) -> u64 {
        self.id
    }
}

impl Numbered for Discussion {
    fn number(&self) -> u64 {
        self.notes.first().map_or(0, |note| note.id)
    }
}

impl Note {
    pub fn text(&self) -> &str {
        self.body.as_deref().unwrap_or_default()
    }

    /// One note of two copies of it: whatever one of them leaves out is taken from the other.
    pub fn joined(self, other: Self) -> Self {
        Self {
            id: self.id,
            kind: self.kind.or(other.kind),
            body: self.body.or(other.body),
            author: self.author.or(other.author),
            system: self.system || other.system,
            position: self.position.or(other.position),
        }
    }

    /// Whether it stands at a line, and not as a plain thread.
    pub fn is_at_line(&self) -> bool {
        self.kind.as_deref() == Some("DiffNote") && self.position.is_some()
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
pub struct StoredPosition {
    pub base_sha: Option<String>,
    pub head_sha: Option<String>,
    pub old_path: Option<String>,
    pub new_path: Option<String>,
    pub old_line: Option<u32>,
    pub new_line: Option<u32>,
    /// An object with `start` and `end`; versions differ in what those hold.
    #[serde(default)]
    pub line_range: serde_json::Value,
}

#[derive(Debug, Deserialize)]
pub struct Diff {
    pub new_path: String,
    #[serde(default)]
    pub diff: String,
    pub too_large: Option<bool>,
    pub collapsed: Option<bool>,
}

/// The answer of `…/changes`.
#[derive(Debug, Deserialize)]
pub struct ChangesAnswer {
    pub changes: Vec<Diff>,
    /// Whether files are left out for the sake of GitLab's limits.
    #[serde(default)]
    pub overflow: bool,
}

#[derive(Debug, Deserialize)]
pub struct Project {
    pub id: u64,
    pub path_with_namespace: Option<String>,
    #[serde(default)]
    pub archived: bool,
}
