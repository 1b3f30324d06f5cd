//! Git over smart HTTP: `git http-backend` as a CGI child, as every forge's front end does it in its own way.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::message::{Request, Response};
use crate::support::repo::environment;

/// Whether the path is one of git's own: `…/info/refs`, `…/git-upload-pack`, `…/git-receive-pack` under a `.git` project (or one
/// without the suffix).
pub(super) fn project_of(path: &str) -> Option<&str> {
    let ends = ["/info/refs", "/git-upload-pack", "/git-receive-pack"];
    let project = ends.iter().find_map(|end| path.strip_suffix(end))?;
    Some(project.trim_start_matches('/').trim_end_matches(".git"))
}

/// Answers for the bare repository at `root/<project>.git`.
pub(super) fn serve(root: &Path, project: &str, request: &Request) -> Response {
    let dir = root.join(format!("{project}.git"));
    if !dir.exists() {
        return Response::text(404, "text/plain", "repository not found");
    }
    let service =
        request.path.rsplit_once(".git/").or_else(|| request.path.rsplit_once(project)).map_or("", |(_, rest)| rest);
    let any_sha = Command::new("git")
        .env_clear()
        .envs(environment(root))
        .args(["-C".as_ref(), dir.as_os_str(), "config".as_ref(), "uploadpack.allowAnySHA1InWant".as_ref()])
        .output()
        .is_ok_and(|o| o.stdout.starts_with(b"true"));
    let mut cgi = Command::new("git");
    cgi.arg("http-backend").env_clear().envs(environment(root));
    cgi.env("GIT_PROJECT_ROOT", root).env("GIT_HTTP_EXPORT_ALL", "1").env("REQUEST_METHOD", &request.method);
    cgi.env("PATH_INFO", format!("/{project}.git/{}", service.trim_start_matches('/')));
    cgi.env("QUERY_STRING", &request.query).env("REMOTE_ADDR", "127.0.0.1");
    cgi.env("CONTENT_LENGTH", request.body.len().to_string());
    // Version 2 takes a want of any object, whatever the configuration says.
    let passed = [
        ("content-type", "CONTENT_TYPE"),
        ("content-encoding", "HTTP_CONTENT_ENCODING"),
        ("git-protocol", "GIT_PROTOCOL"),
    ];
    for (header, variable) in passed {
        if let Some(value) = request.header(header).filter(|_| any_sha || header != "git-protocol") {
            cgi.env(variable, value);
        }
    }
    let mut child =
        cgi.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("git is there");
    let mut input = child.stdin.take().expect("stdin is a pipe");
    let body = request.body.clone();
    let feeding = std::thread::spawn(move || input.write_all(&body).ok());
    let output = child.wait_with_output().expect("the child can be waited for");
    feeding.join().ok();
    from_cgi(&output.stdout)
}

fn from_cgi(output: &[u8]) -> Response {
    let end = output.windows(4).position(|w| w == b"\r\n\r\n").expect("a CGI answer with headers");
    let mut response = Response { status: 200, headers: Vec::new(), body: output[end + 4..].to_vec() };
    for line in String::from_utf8_lossy(&output[..end]).lines() {
        let (name, value) = line.split_once(": ").expect("a header line");
        if name.eq_ignore_ascii_case("status") {
            response.status = value[..3].parse().expect("a status");
        } else {
            response = response.header(&name.to_ascii_lowercase(), value);
        }
    }
    response
}
