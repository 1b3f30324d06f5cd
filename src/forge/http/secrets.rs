//! What must never be seen, and the pass that takes it out of a text.

use secrecy::{ExposeSecret, SecretString};

/// The values that no message may hold.
#[derive(Clone, Default)]
pub struct Secrets(Vec<SecretString>);

impl Secrets {
    pub fn new(values: impl IntoIterator<Item = SecretString>) -> Self {
        Self(values.into_iter().filter(|value| !value.expose_secret().trim().is_empty()).collect())
    }

    /// The text with every secret replaced; a server may echo what it was sent.
    pub fn hide(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret.expose_secret().trim(), "[redacted]"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_secret_is_taken_out_and_an_empty_one_matches_nothing() {
        let secrets = Secrets::new(["t0ken".to_owned().into(), String::new().into()]);
        assert_eq!(secrets.hide("bad t0ken, t0ken!"), "bad [redacted], [redacted]!");
        assert_eq!(secrets.hide("plain"), "plain");
    }
}
