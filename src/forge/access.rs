//! What a forge's client is made from: plain values, settled before.

use std::sync::Arc;

use http::{HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::{Doing, ForgeError, Http, Interrupt, Origin, Pace, Progress, Secrets, Setup, Trouble};

/// Where, as whom, and how patiently.
pub struct Access {
    /// The API's base, ending in `/`: `https://api.github.com/`, `https://gitlab.com/api/v4/`.
    pub base: Url,
    /// `owner/repo`; for GitLab the full path or the number.
    pub project: String,
    pub token: Option<SecretString>,
    /// What no message may hold, the token among it.
    pub secrets: Secrets,
    /// The variable the token was taken from, or should be set in.
    pub variable: String,
    /// `dai/<version>`.
    pub user_agent: String,
    pub pace: Pace,
    pub progress: Arc<dyn Progress>,
    pub interrupt: Interrupt,
}

impl Access {
    /// The HTTP layer, with the token under this name and after this word.
    pub(super) fn http(&self, header: HeaderName, scheme: &str) -> Result<Http, ForgeError> {
        let value = |token: &SecretString| {
            let token = token.expose_secret().trim();
            // `HeaderValue` takes more than ASCII; no token holds it, nor a space.
            let plain = !token.is_empty() && token.bytes().all(|b| b.is_ascii_graphic());
            plain.then(|| HeaderValue::from_str(&format!("{scheme}{token}")).ok())?
        };
        let token = match &self.token {
            None => None,
            Some(token) => match value(token) {
                Some(value) => Some((header, value)),
                None => {
                    let message = "it is empty, or holds characters that no token has".to_owned();
                    return Err(self.error(Doing::reading("use the token"), Trouble::BadToken { message }));
                }
            },
        };
        Ok(Http::new(Setup {
            base: self.base.clone(),
            user_agent: self.user_agent.clone(),
            token,
            secrets: self.secrets.clone(),
            pace: self.pace.clone(),
            progress: self.progress.clone(),
            interrupt: self.interrupt.clone(),
        }))
    }

    pub(super) fn error(&self, doing: Doing, trouble: Trouble) -> ForgeError {
        let host = Origin::of(&self.base).authority().into();
        ForgeError { host, doing, trouble, variable: self.variable.as_str().into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Exit;
    use crate::forge::loopback::Silent;

    #[test]
    fn a_malformed_token_is_an_error_that_does_not_show_it() {
        for (token, good) in
            [("ghp_x", true), (" ghp_x\n", true), ("ghp\nx", false), ("", false), ("gh p", false), ("é", false)]
        {
            let access = Access {
                base: "https://api.github.com/".parse().unwrap(),
                project: "o/r".into(),
                token: Some(token.to_owned().into()),
                secrets: Secrets::default(),
                variable: "GH_TOKEN".into(),
                user_agent: "dai/0".into(),
                pace: Pace::default(),
                progress: Arc::new(Silent),
                interrupt: Interrupt::default(),
            };
            match access.http(http::header::AUTHORIZATION, "Bearer ") {
                Ok(_) => assert!(good, "{token:?}"),
                Err(error) => {
                    assert!(!good, "{token:?}");
                    assert_eq!(error.exit(), Exit::Token);
                    assert!(token.is_empty() || !error.to_string().contains(token), "{error}");
                }
            }
        }
    }
}
