//! Markers by other accounts: never counted, and said.

use std::collections::BTreeMap;

use crate::warning::{Code, Warning};

/// How many each account has, and where the first is.
#[derive(Debug, Default)]
pub struct Strangers(BTreeMap<String, (usize, Option<String>)>);

impl Strangers {
    pub fn note(&mut self, login: Option<String>, url: Option<String>) {
        let login = login.unwrap_or_else(|| "a deleted account".to_owned());
        self.0.entry(login).or_insert((0, url)).0 += 1;
    }

    /// One remark for each account.
    pub fn warnings(self) -> Vec<Warning> {
        let told = |(login, (count, url)): (String, (usize, Option<String>))| {
            let url = url.as_deref().unwrap_or("no URL");
            let message = match count {
                1 => format!(
                    "a text by {login} carries dai's marker; it is not this account's and does not count: {url}"
                ),
                _ => format!(
                    "{count} texts by {login} carry dai's marker; they are not this account's and do not count; \
                     the first: {url}"
                ),
            };
            Warning::run(Code::MarkedByOther, message)
        };
        self.0.into_iter().map(told).collect()
    }
}
