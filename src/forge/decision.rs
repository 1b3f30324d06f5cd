//! How something was decided, so that `-v` and a later diagnosis can say so.

use std::fmt;

/// What settled one fact of a [`Site`](super::Site).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// An option of the command line, by its name.
    Flag(&'static str),
    /// A variable of the real environment, by its name.
    Variable(&'static str),
    /// REF names it.
    Reference,
    /// A person was asked.
    Asked,
    /// CI's own variables name it.
    Ci,
    /// There is no other project among the remotes.
    OnlyProject,
    /// `gh repo set-default` marked it: `remote.NAME.gh-resolved`.
    GhResolved,
    /// github.com, `*.ghe.com`, gitlab.com.
    KnownHost,
    /// It follows from the remote's host.
    Host,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Decision::Flag(name) | Decision::Variable(name) => return write!(f, "by {name}"),
            Decision::Reference => "by REF",
            Decision::Asked => "chosen when asked",
            Decision::Ci => "by CI's own variables",
            Decision::OnlyProject => "the only project among the remotes",
            Decision::GhResolved => "marked by `gh repo set-default`",
            Decision::KnownHost => "a known host",
            Decision::Host => "from the remote's host",
        })
    }
}
