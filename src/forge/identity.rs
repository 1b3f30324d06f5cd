//! Who posts with this token, and so which comments are its own.

/// The token's account, as far as the forge tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Identity {
    User {
        id: u64,
        login: String,
    },
    /// The token is good, and may not ask who it is: tokens of GitHub Apps and of Actions.
    Unnamed,
    /// There is no token.
    Anonymous,
}

/// Who wrote something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    pub id: u64,
    pub login: String,
    /// Only GitHub tells.
    pub bot: bool,
}

impl Identity {
    /// Whether a text of this author counts as written with this token. An App or Actions token cannot
    /// know its own name, so there every bot does.
    pub fn owns(&self, author: &Author) -> bool {
        match self {
            Identity::User { id, .. } => *id == author.id,
            Identity::Unnamed => author.bot,
            Identity::Anonymous => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c46_a_nameless_token_owns_what_bots_wrote_and_nothing_of_people() {
        let author = |id, bot| Author { id, login: "x".into(), bot };
        let user = Identity::User { id: 7, login: "me".into() };
        for (identity, author, owns) in [
            (&user, author(7, false), true),
            (&user, author(8, false), false),
            (&user, author(8, true), false),
            (&Identity::Unnamed, author(41_898_282, true), true),
            (&Identity::Unnamed, author(7, false), false),
            (&Identity::Anonymous, author(7, true), false),
        ] {
            assert_eq!(identity.owns(&author), owns, "{identity:?} {author:?}");
        }
    }
}
