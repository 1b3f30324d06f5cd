//! Where a forge's API is served.

use url::Url;

use super::choice::is_alias;
use super::ci::Ci;
use super::host::{Host, Scheme};
use super::instance::Hosts;
use super::target_error::{ApiBaseFault, TargetError};
use super::{Decision, Kind};
use crate::settings::Env;

/// The API base of a host: `--api-url`, then the environment's, then by the host.
///
/// The first two are the user's word that this base serves that host. In CI the variable is the
/// runner's, and is about the runner's own server: for another host it says nothing.
pub(super) fn api_base(
    kind: Kind,
    host: &Host,
    scheme: Scheme,
    flag: Option<&str>,
    env: &Env,
    ci: Option<&Ci>,
    hosts: &Hosts,
) -> Result<(Url, Decision), TargetError> {
    if let Some(text) = flag {
        return Ok((checked(text, FLAG)?, Decision::Flag(FLAG)));
    }
    let variable = match kind {
        Kind::GitHub => "GITHUB_API_URL",
        Kind::GitLab => "CI_API_V4_URL",
    };
    let is_of_another_host = ci.is_some_and(|ci| ci.kind == kind && !ci.server.is(host, scheme));
    let set = env.text(variable).map_err(|_| TargetError::Variable { variable, expected: "a URL" })?;
    if let Some(text) = set.filter(|_| !is_of_another_host) {
        return Ok((checked(text, variable)?, Decision::Variable(variable)));
    }
    Ok((by_host(kind, host, scheme, hosts)?, Decision::Host))
}

const FLAG: &str = "--api-url";

/// The sub-path that the given API base shows the forge to be installed under, without slashes around
/// it: `gitlab` of `https://git.corp/gitlab/api/v4`. Empty where no base is given.
pub(super) fn sub_path(flag: Option<&str>, env: &Env, ci: Option<&Ci>) -> Result<String, TargetError> {
    let base = match flag {
        Some(text) => Some(checked(text, FLAG)?),
        // In CI the server's own address has the sub-path. A base that is none is said where it is used.
        None if ci.is_some() => None,
        None => env.text("CI_API_V4_URL").ok().flatten().and_then(|text| checked(text, "CI_API_V4_URL").ok()),
    };
    let path = base.map(|base| base.path().trim_matches('/').to_owned()).unwrap_or_default();
    let below = ["api/v4", "api/v3"].iter().find_map(|end| path.strip_suffix(end));
    Ok(below.map(|sub_path| sub_path.trim_end_matches('/').to_owned()).unwrap_or_default())
}

/// GitHub Docs: `api.github.com`, `api.SUBDOMAIN.ghe.com`, `HOSTNAME/api/v3`; GitLab Docs: `HOST/api/v4`.
fn by_host(kind: Kind, host: &Host, scheme: Scheme, hosts: &Hosts) -> Result<Url, TargetError> {
    if is_alias(hosts, host, scheme) {
        return Err(TargetError::AliasWithoutApi { host: host.clone() });
    }
    if kind == Kind::GitHub && host.is_github_cloud() {
        return checked(&format!("https://api.{}/", host.name()), "the remote's host");
    }
    let named = match kind {
        Kind::GitHub => hosts.github.as_ref().filter(|instance| instance.is(host, scheme)),
        Kind::GitLab => hosts.gitlab_at(host, scheme),
    };
    let spoken = match named.and_then(|instance| instance.scheme) {
        Some(scheme) => scheme,
        None if scheme == Scheme::Http && host.is_loopback() => Scheme::Http,
        None if scheme == Scheme::Http && host.port().is_some() => {
            return Err(TargetError::HttpPort { host: host.clone() });
        }
        None => Scheme::Https,
    };
    let (host, path) = named.map_or((host, ""), |instance| (&instance.host, instance.path.as_str()));
    let said_by = match (named, kind) {
        (None, _) => "the remote's host",
        (Some(_), Kind::GitHub) => "GH_HOST",
        (Some(instance), Kind::GitLab) if hosts.gitlab.as_ref() == Some(instance) => "GITLAB_HOST",
        (Some(_), Kind::GitLab) => "CI_SERVER_URL",
    };
    let version = match kind {
        Kind::GitHub => "api/v3/",
        Kind::GitLab => "api/v4/",
    };
    let between = if path.is_empty() { "" } else { "/" };
    checked(&format!("{}://{host}{between}{path}/{version}", spoken.as_str()), said_by)
}

/// An API base that a token may be sent to; it ends in `/`.
fn checked(text: &str, said_by: &'static str) -> Result<Url, TargetError> {
    let fault = |fault| TargetError::ApiBase { said_by, fault };
    let text = text.trim();
    // The parser would read on over both, to a host that people do not see.
    if text.contains(|char: char| char.is_control() || char.is_whitespace() || char == '\\') {
        return Err(fault(ApiBaseFault::NotAUrl));
    }
    let mut url = Url::parse(text).map_err(|_| fault(ApiBaseFault::NotAUrl))?;
    if !matches!(url.scheme(), "https" | "http") {
        return Err(fault(ApiBaseFault::Scheme));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(fault(ApiBaseFault::Credentials));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(fault(ApiBaseFault::Query));
    }
    let is_loopback = match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => return Err(fault(ApiBaseFault::NotAUrl)),
    };
    if url.scheme() == "http" && !is_loopback {
        return Err(fault(ApiBaseFault::Insecure));
    }
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    Ok(url)
}

#[cfg(test)]
mod tests;
