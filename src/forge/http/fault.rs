//! The ways in which a call brings no answer, told apart by what they say of a write.

use std::error::Error;

/// How the other side was not reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreached {
    /// The name does not resolve.
    Name,
    /// Nothing accepts connections there, or the network is down.
    Connection,
    /// The connection was not made in time.
    TimedOut,
    /// The certificate, or TLS itself, is not acceptable.
    Certificate,
}

/// A call without a usable answer. The texts are free of secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// No request left this machine: a write provably did not happen.
    #[error("{host} cannot be reached: {cause}")]
    NotSent { host: String, why: Unreached, cause: String },
    /// The request may have arrived; what became of it is not known.
    #[error("{host} gave no whole answer: {cause}")]
    NoAnswer { host: String, timed_out: bool, cause: String },
    /// The answer was given up on; a write with this status may stand.
    #[error("{host} answered {status} with more than {limit} bytes")]
    TooLarge { host: String, status: u16, limit: usize },
    /// A list was given up on.
    #[error("{host} answered with a list that does not end within {pages} pages")]
    TooLong { host: String, pages: usize },
    /// The answer points somewhere that is not followed.
    #[error("{host} answered {status} and points to {to}, which is not followed")]
    Redirected { host: String, status: u16, to: String },
    /// Refused before sending: a URL, often a page link of an answer, that is not the API's.
    #[error("{host} named {to} as its next page, which is another server")]
    Foreign { host: String, to: String },
    /// No client or no request could be made.
    #[error("no HTTP client can be made: {cause}")]
    Unusable { cause: String },
    /// Stopped before sending, by a signal.
    #[error("interrupted")]
    Interrupted,
}

impl Fault {
    /// Whether a write that ended so certainly did not happen, since it never left.
    pub fn never_happened(&self) -> bool {
        match self {
            Fault::NotSent { .. } | Fault::Foreign { .. } | Fault::Unusable { .. } | Fault::Interrupted => true,
            Fault::Redirected { .. } | Fault::NoAnswer { .. } | Fault::TooLarge { .. } | Fault::TooLong { .. } => false,
        }
    }

    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            Fault::NotSent { why: Unreached::Name, .. } => "check the host's name, the network, and HTTPS_PROXY",
            Fault::NotSent { why: Unreached::Certificate, .. } => {
                "name the authority's certificate with SSL_CERT_FILE or SSL_CERT_DIR; verification cannot be turned off"
            }
            Fault::NotSent { .. } => "check the network, HTTPS_PROXY and NO_PROXY, and run again",
            Fault::NoAnswer { .. } => "run again: what already stands is recognised and not repeated",
            Fault::TooLarge { .. } | Fault::TooLong { .. } => "check that the API base is a forge's",
            Fault::Redirected { .. } => {
                "check the API base: a token is shown to no other server than the one it is for"
            }
            Fault::Foreign { .. } => "check the API base: --api-url must be the address the forge itself answers with",
            Fault::Unusable { .. } => "check the system's CA certificates, SSL_CERT_FILE and SSL_CERT_DIR",
            Fault::Interrupted => "run again to go on: what already stands is not repeated",
        }
    }

    pub(super) fn of(error: reqwest::Error, host: &str) -> Self {
        let error = error.without_url();
        let lines = chain(&error);
        let cause = lines.join(": ");
        let host = host.to_owned();
        if error.is_builder() {
            return Fault::Unusable { cause };
        }
        if !error.is_connect() {
            return Fault::NoAnswer { host, timed_out: error.is_timeout(), cause };
        }
        let said = |word: &str| lines.iter().any(|line| line.to_ascii_lowercase().contains(word));
        let why = if error.is_timeout() {
            Unreached::TimedOut
        } else if said("certificate") || said("tls") {
            Unreached::Certificate
        } else if said("dns error") || said("lookup address") {
            Unreached::Name
        } else {
            Unreached::Connection
        };
        Fault::NotSent { host, why, cause }
    }
}

/// An error and its sources, one line each, without repetitions.
fn chain(error: &dyn Error) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let line = error.to_string().lines().next().unwrap_or_default().to_owned();
        if !lines.iter().any(|seen| seen.contains(&line)) {
            lines.push(line);
        }
        next = error.source();
    }
    lines
}
