//! GitHub's JSON, as far as it is read. Whatever may be null or absent somewhere is optional here.

use serde::{Deserialize, Deserializer};

use crate::forge::Author;
use crate::forge::http::Numbered;

/// `null` as the field that is left out: one odd item of somebody else's must not stop a run.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// An account that lacks what accounts have is nobody's.
fn if_readable<'de, D: Deserializer<'de>>(from: D) -> Result<Option<User>, D::Error> {
    Ok(User::deserialize(serde_json::Value::deserialize(from)?).ok())
}

#[derive(Debug, Deserialize)]
pub struct Pull {
    pub number: u64,
    pub html_url: String,
    #[serde(default)]
    pub title: String,
    pub state: String,
    #[serde(default)]
    pub draft: bool,
    #[serde(default)]
    pub locked: bool,
    pub merged_at: Option<String>,
    pub head: Branch,
    pub base: Branch,
}

impl Pull {
    /// Whether the project that it is in takes no writes any more.
    pub fn is_archived(&self) -> bool {
        self.base.repo.as_ref().is_some_and(|repo| repo.archived)
    }
}

#[derive(Debug, Deserialize)]
pub struct Branch {
    #[serde(rename = "ref")]
    pub name: String,
    pub sha: String,
    /// Null where a fork was deleted.
    pub repo: Option<Repository>,
}

#[derive(Debug, Deserialize)]
pub struct Repository {
    pub full_name: String,
    #[serde(default)]
    pub archived: bool,
}

#[derive(Debug, Clone, Deserialize)]
pub struct User {
    pub id: u64,
    pub login: String,
    #[serde(rename = "type", default)]
    pub kind: String,
}

impl From<User> for Author {
    fn from(user: User) -> Self {
        Author { id: user.id, login: user.login, bot: user.kind == "Bot" }
    }
}

#[derive(Debug, Clone, Deserialize)]
pub struct Review {
    pub id: u64,
    /// Null where the account is gone.
    #[serde(default, deserialize_with = "if_readable")]
    pub user: Option<User>,
    pub body: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub state: String,
    pub html_url: Option<String>,
}

impl Review {
    /// A draft, which only its author sees.
    pub fn is_pending(&self) -> bool {
        self.state == "PENDING"
    }

    pub fn text(&self) -> &str {
        self.body.as_deref().unwrap_or_default()
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
pub struct Comment {
    pub id: u64,
    #[serde(default, deserialize_with = "if_readable")]
    pub user: Option<User>,
    pub body: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub path: String,
    /// Null once the comment is outdated; `original_line` stays.
    pub line: Option<u32>,
    pub original_line: Option<u32>,
    pub start_line: Option<u32>,
    pub original_start_line: Option<u32>,
    /// The head when it was made.
    pub original_commit_id: Option<String>,
    pub side: Option<String>,
    pub original_side: Option<String>,
    /// The review that it came with.
    pub pull_request_review_id: Option<u64>,
    pub html_url: Option<String>,
}

impl Numbered for Review {
    fn number(&self) -> u64 {
        self.id
    }
}

impl Numbered for Comment {
    fn number(&self) -> u64 {
        self.id
    }
}

impl Comment {
    pub fn text(&self) -> &str {
        self.body.as_deref().unwrap_or_default()
    }
}

#[derive(Debug, Deserialize)]
pub struct File {
    pub filename: String,
    pub patch: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Comparison {
    pub merge_base_commit: Commit,
}

#[derive(Debug, Deserialize)]
pub struct Commit {
    pub sha: String,
}

/// A refusal's body. `errors` is strings, objects, or one string, by the age of the server.
#[derive(Debug, Default, Deserialize)]
pub struct Refusal {
    #[serde(default)]
    pub message: String,
    #[serde(default)]
    pub errors: serde_json::Value,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Comment, Review};

    #[test]
    fn a_field_that_is_null_in_somebody_elses_text_stops_nothing() {
        let comment = json!({ "id": 7, "user": null, "body": null, "path": null, "html_url": null });
        let comment: Comment = serde_json::from_value(comment).unwrap();
        assert_eq!((comment.id, comment.path.as_str(), comment.text()), (7, "", ""));
        assert!(comment.user.is_none());
        let review = json!({ "id": 8, "user": { "login": "ghost" }, "body": null, "state": null, "html_url": null });
        let review: Review = serde_json::from_value(review).unwrap();
        assert!(review.user.is_none() && !review.is_pending());
        let whole: Comment = serde_json::from_value(json!({ "id": 9, "user": { "id": 1, "login": "ann" } })).unwrap();
        assert_eq!(whole.user.unwrap().login, "ann");
    }
}
