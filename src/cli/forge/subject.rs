//! The change that is under review, for commands that read no review file of it.

use super::run::Run;
use super::scene::{self, RequestPlace, not_compared};
use super::session::Session;
use super::{ReviewArgs, options, which};
use crate::change::Commits;
use crate::change::git::{LOCAL_LIMIT, NETWORK_LIMIT, Network, Repo};
use crate::cli::{Failure, Place, interrupt, variables};
use crate::forge::{Interrupt, Kind, Reference, Secrets};
use crate::output::{Ui, Verbosity};
use crate::settings::{Env, Settings, dotenv, refused_consent};
use crate::warning::Warning;

/// A change, named by REF, by CI, by the current branch, or by two revisions.
pub struct Subject {
    pub repo: Repo,
    pub commits: Commits,
    pub kind: Kind,
    /// The request's number, where a request is named.
    pub number: Option<u64>,
    /// How the change was taken, where it was not the forge's word.
    pub origin: Option<String>,
    pub secrets: Secrets,
    /// Raised by signals, which have lost their usual effect once a forge was talked to or a gate was run.
    interrupt: Interrupt,
    /// What is still to be said.
    pub warnings: Vec<Warning>,
}

impl Subject {
    /// Takes what of the arguments names the change; the rest plays no part. `command` is what was typed,
    /// for messages.
    ///
    /// # Errors
    ///
    /// Those of `dai forge review` on the way to its change.
    pub fn find(
        command: &'static str,
        typed: &ReviewArgs,
        place: &Place<'_>,
        env: &Env,
        ui: &Ui,
    ) -> Result<Self, Failure> {
        let mut run = run(command, typed, place, env, ui)?;
        let (scene, mut warnings) = match (run.args.base.clone(), run.args.head.clone()) {
            (Some(base), Some(head)) => scene::local(&run, &base, &head)?,
            (Some(base), None) => {
                let request = request(&run)?;
                scene::fetched(&mut run, request, &base)?
            }
            _ if run.args.offline => scene::kept(&run, request(&run)?)?,
            _ => {
                let (site, number) = which::site(&run)?;
                let session = Session::open(&site, &run.settings, run.secrets.clone(), ui)?;
                let number = match number {
                    Some(number) => number,
                    None => which::of_branch(&run, &site, &session)?,
                };
                scene::online(&mut run, RequestPlace { site, number }, session)?
            }
        };
        scene::expected_head(run.args.expect_head.as_ref(), &scene.commits.head, None)?;
        warnings.extend(not_compared(&Vec::from_iter(scene.unread_merge_base())));
        let named = run.reference.as_ref().map(Reference::number);
        Ok(Self {
            number: scene.place.as_ref().map(|place| place.number).or(named),
            kind: scene.kind,
            commits: scene.commits,
            origin: scene.origin,
            repo: run.repo,
            secrets: run.secrets,
            interrupt: scene.session.map(|session| session.interrupt).unwrap_or_default(),
            warnings,
        })
    }

    /// Before a command is run that no terminal's signal reaches.
    pub fn listen_for_another(&mut self, ui: &Ui) {
        let before = std::mem::replace(&mut self.interrupt, interrupt::listen_for_another(ui));
        if before.is_raised() {
            self.interrupt.raise();
        }
    }

    pub fn is_interrupted(&self) -> bool {
        self.interrupt.is_raised()
    }
}

/// What an earlier run kept of the request of this number, and its forge's kind; `None` where that
/// cannot be told without asking anybody.
pub fn kept_commits(number: u64, place: &Place<'_>, env: &Env, ui: &Ui) -> Option<(Commits, Kind)> {
    let typed = ReviewArgs { reference: Some(number.to_string()), offline: true, ..ReviewArgs::default() };
    let quiet = ui.unasking();
    let run = run("dai review triage", &typed, place, env, &quiet).ok()?;
    let (scene, _) = scene::kept(&run, request(&run).ok()?).ok()?;
    Some((scene.commits, scene.kind))
}

/// What was typed, with the environment and the dot-env files under it, in the repository. What is to
/// be said of those is said at once: it may be why the run fails.
pub(super) fn run<'a>(
    command: &'static str,
    typed: &ReviewArgs,
    place: &Place<'a>,
    env: &Env,
    ui: &'a Ui,
) -> Result<Run<'a>, Failure> {
    // What is typed may be an address with a token in it, and is repeated where it is wrong.
    ui.hide(Secrets::of(&Settings::new(env.clone(), Vec::new()), addresses(typed)));
    // Usage comes before everything else, so it is judged before the dot-env files can be found.
    let args = options::resolve(typed, &Settings::new(env.clone(), Vec::new()))?;
    let reference = args.reference.as_deref().map(parse).transpose()?;
    let network = if args.head.is_some() || args.offline { Network::Forbidden } else { Network::Allowed };
    let repo = Repo::discover_by(place.dir, network, place.named_by)?;
    let seconds = (LOCAL_LIMIT.as_secs(), NETWORK_LIMIT.as_secs());
    let limits = format!("git may take {} s to read, {} s to fetch", seconds.0, seconds.1);
    ui.trace(Verbosity::Verbose, &format!("repository {}; {limits}", repo.git_dir().display()));
    let (files, mut told) = dotenv::load(repo.root(), |path| repo.is_tracked(path));
    let settings = Settings::new(env.clone(), files);
    told.extend(refused_consent(env));
    let remotes = repo.remotes().unwrap_or_default();
    let urls = remotes.iter().map(|remote| remote.url.as_str());
    let secrets = Secrets::of(&settings, urls.chain(addresses(typed)).chain(addresses(&args)));
    ui.hide(secrets.clone());
    told.iter().for_each(|warning| ui.warn(warning));
    // Said before the command began, for every command.
    told.extend(variables::unknown(env));
    let args = options::resolve(typed, &settings)?;
    Ok(Run { command, args, dir: place.dir, directory: place.typed, ui, settings, repo, secrets, reference, told })
}

/// The arguments in which an address may stand.
fn addresses(args: &ReviewArgs) -> impl Iterator<Item = &str> {
    [&args.reference, &args.remote, &args.project, &args.api_url].into_iter().flatten().map(String::as_str)
}

/// The request's address, where no API is asked.
pub(super) fn request(run: &Run<'_>) -> Result<RequestPlace, Failure> {
    let (site, number) = which::site(run)?;
    let number = number.ok_or_else(|| which::not_named(run, None))?;
    Ok(RequestPlace { site, number })
}

fn parse(text: &str) -> Result<Reference, Failure> {
    text.parse().map_err(|error: crate::forge::ReferenceError| {
        Failure::usage(format!("{text:?} names no request: {error}"), error.help())
    })
}
