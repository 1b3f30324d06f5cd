//! A forge to talk to: the token for its host, the runtime, the interrupt. Made only where a run
//! needs the network.

use std::future::Future;
use std::sync::Arc;

use tokio::runtime::Runtime;

use crate::cli::{Failure, interrupt};
use crate::exit::Exit;
use crate::forge::{
    Access, Forge, ForgeError, GitHub, GitLab, HURRY, Interrupt, Kind, Origin, Pace, Secrets, Site, TokenError, token,
};
use crate::output::{Reporter, Ui, Verbosity};
use crate::settings::Settings;

pub struct Session {
    pub forge: Box<dyn Forge>,
    pub interrupt: Interrupt,
    pub pace: Pace,
    /// Why the calls carry no token, where they do not.
    absence: Option<TokenError>,
    runtime: Runtime,
    reporter: Arc<Reporter>,
}

impl Session {
    /// # Errors
    ///
    /// A token that cannot be one; a runtime that cannot start. None at all, or one that is for another
    /// host, is the session's [`Session::absence`].
    pub fn open(site: &Site, settings: &Settings, secrets: Secrets, ui: &Ui) -> Result<Self, Failure> {
        let (found, absence) = match token::find(settings, site) {
            Ok(Some(token)) => (Some(token), None),
            Ok(None) => (None, Some(TokenError::missing(settings, site))),
            Err(error) if error.is_absence() => (None, Some(error)),
            Err(error) => return Err(error.into()),
        };
        let variable = found.as_ref().map_or(token::variable(site), |token| token.variable).to_owned();
        ui.trace(
            Verbosity::Verbose,
            &format!(
                "{} at {} ({}), {} (remote {}, {}), token: {}",
                site.kind,
                site.api,
                site.decided.api,
                site.project,
                site.remote,
                site.decided.remote,
                found.as_ref().map_or("none", |token| token.variable),
            ),
        );
        let reporter = Arc::new(Reporter::new(ui));
        let interrupt = interrupt::listen(ui);
        let pace = pace(&Origin::of(&site.api), settings);
        let access = Access {
            base: site.api.clone(),
            project: match site.project_id {
                Some(id) => id.to_string(),
                None => site.project.clone(),
            },
            token: found.as_ref().map(token::Token::secret),
            secrets,
            variable,
            user_agent: concat!("dai/", env!("CARGO_PKG_VERSION")).to_owned(),
            pace: pace.clone(),
            progress: reporter.clone(),
            interrupt: interrupt.clone(),
        };
        let forge: Box<dyn Forge> = match site.kind {
            Kind::GitHub => Box::new(GitHub::new(&access)?),
            Kind::GitLab => Box::new(GitLab::new(&access)?),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|fault| {
            Failure::new(Exit::Forge, "cannot start the network runtime")
                .cause(fault)
                .help("see whether the process may open more files")
        })?;
        Ok(Self { forge, interrupt, pace, absence, runtime, reporter })
    }

    /// Waits for a read, with a spinner, and gives up when interrupted.
    pub fn wait<T>(&self, doing: &str, call: impl Future<Output = Result<T, ForgeError>>) -> Result<T, Failure> {
        self.interrupted()?;
        self.reporter.start(doing);
        let answer = self.runtime.block_on(async {
            tokio::select! {
                answer = call => Some(answer),
                () = self.interrupt.raised() => None,
            }
        });
        self.reporter.stop();
        match answer {
            Some(Err(_)) if self.interrupt.is_raised() => Err(interrupted()),
            Some(Err(error)) => Err(self.refused(error)),
            Some(Ok(answer)) => Ok(answer),
            None => Err(interrupted()),
        }
    }

    /// Where a token would have helped, why there was none is what helps.
    pub fn refused(&self, error: ForgeError) -> Failure {
        match self.absence.clone() {
            Some(absence) if error.exit() == Exit::Token => Failure::from(absence).cause(error),
            _ => error.into(),
        }
    }

    /// Waits for a post, which looks at the interrupt itself: what is in flight is always awaited.
    pub fn post<T>(&self, call: impl Future<Output = T>) -> T {
        self.reporter.start("posting");
        let answer = self.runtime.block_on(call);
        self.reporter.stop();
        answer
    }

    /// Between steps that cannot be cut short.
    pub fn interrupted(&self) -> Result<(), Failure> {
        if self.interrupt.is_raised() { Err(interrupted()) } else { Ok(()) }
    }

    /// Why there is no token, where there is none.
    pub fn absence(&self) -> Option<&TokenError> {
        self.absence.as_ref()
    }
}

/// The real environment alone may hurry, and only where the API is this machine's own.
fn pace(api: &Origin, settings: &Settings) -> Pace {
    let factor = settings.env().text(HURRY).ok().flatten().and_then(|text| text.parse().ok());
    match factor.filter(|_| api.is_loopback()) {
        Some(factor) => Pace::default().hurried(factor),
        None => Pace::default(),
    }
}

fn interrupted() -> Failure {
    Failure::new(Exit::Interrupted, "interrupted; nothing was posted").help("run the same command again")
}
