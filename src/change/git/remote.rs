//! The remotes, and which addresses are spoken to.

use super::command::without_credentials;
use super::error::{GitError, RemoteFault};
use super::repo::Repo;

/// The protocols of git that name a server and run nothing else.
pub(super) const PROTOCOLS: &str = "https:http:ssh:git:file";

/// A remote of the repository's configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    pub name: String,
    /// After `url.*.insteadOf`.
    pub url: String,
    /// What `gh repo set-default` left: `base`, or the project's `owner/repo`.
    pub gh_resolved: Option<String>,
}

impl Repo {
    /// Every remote that has a URL, in the order of their names, with the URL that git fetches from.
    pub fn remotes(&self) -> Result<&[Remote], GitError> {
        Ok(&self.config()?.remotes)
    }

    /// The remote of this name.
    pub(super) fn remote(&self, name: &str) -> Result<Option<&Remote>, GitError> {
        Ok(self.remotes()?.iter().find(|remote| remote.name == name))
    }

    /// For commands that a person is told: `origin`, else the first remote.
    pub(super) fn likely_remote(&self) -> Option<String> {
        let remotes = self.remotes().ok()?;
        let origin = remotes.iter().find(|remote| remote.name == "origin");
        origin.or(remotes.first()).map(|remote| remote.name.clone())
    }

    /// Refuses what git would take for an option or a program to run, by the remote's name and by
    /// the URL that it stands for.
    pub(super) fn checked_remote(&self, remote: &str) -> Result<(), GitError> {
        let refused = |fault| GitError::Refused { remote: without_credentials(remote), fault };
        if remote.is_empty() {
            return Err(refused(RemoteFault::Empty));
        }
        if remote.starts_with('-') {
            return Err(refused(RemoteFault::LikeAnOption));
        }
        check_url(remote).map_err(refused)?;
        let url = match self.remote(remote)? {
            Some(named) => Some(named.url.clone()),
            None => self.rewritten(remote)?,
        };
        url.map_or(Ok(()), |url| check_url(&url).map_err(refused))
    }

    /// The address that git makes of one by `insteadOf`; nothing is asked of a server. `None` where there is no `git`.
    fn rewritten(&self, address: &str) -> Result<Option<String>, GitError> {
        let mut git = self.owners_git();
        git.args(["ls-remote", "--get-url", "--end-of-options", address]);
        let said = self.run(git)?.filter(|said| said.status.success());
        Ok(said.map(|said| String::from_utf8_lossy(&said.stdout).trim_end_matches('\n').to_owned()))
    }
}

fn check_url(url: &str) -> Result<(), RemoteFault> {
    if url.starts_with('-') {
        return Err(RemoteFault::LikeAnOption);
    }
    let word = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    if let Some((scheme, rest)) = url.split_once("://").filter(|(scheme, _)| word(scheme)) {
        if !PROTOCOLS.split(':').any(|known| scheme == known) {
            return Err(RemoteFault::Protocol(scheme.to_owned()));
        }
        // The host is an argument of ssh.
        let authority = rest.split('/').next().unwrap_or_default();
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        return if authority.starts_with('-') || host.starts_with('-') {
            Err(RemoteFault::LikeAnOption)
        } else {
            Ok(())
        };
    }
    match url.split_once("::").filter(|(program, _)| word(program)) {
        Some((program, _)) => Err(RemoteFault::Program(program.to_owned())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_that_name_a_server_are_spoken_to() {
        for good in [
            "https://h.example/a/b.git",
            "http://localhost:8080/a",
            "ssh://git@h.example:22/a",
            "git@h.example:a/b",
            "git://h/a",
            "file:///srv/a",
            "/srv/a",
            "../a",
            "origin",
            "alias:group/a::b",
        ] {
            assert_eq!(check_url(good), Ok(()), "{good}");
        }
        let program = |name: &str| Err(RemoteFault::Program(name.to_owned()));
        let protocol = |name: &str| Err(RemoteFault::Protocol(name.to_owned()));
        for (bad, fault) in [
            ("ext::sh -c id", program("ext")),
            ("fd::3", program("fd")),
            ("ext::https://h/a", program("ext")),
            ("ftp://h/a", protocol("ftp")),
            ("ext://h/a", protocol("ext")),
            ("HTTPS://h/a", protocol("HTTPS")),
            ("--upload-pack=id", Err(RemoteFault::LikeAnOption)),
            ("ssh://-oProxyCommand=id/a", Err(RemoteFault::LikeAnOption)),
            ("ssh://git@-oProxyCommand=id/a", Err(RemoteFault::LikeAnOption)),
            ("-oProxyCommand=id:a", Err(RemoteFault::LikeAnOption)),
        ] {
            assert_eq!(check_url(bad), fault, "{bad}");
        }
    }
}
