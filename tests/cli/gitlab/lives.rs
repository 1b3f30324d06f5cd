//! Where a GitLab lives, how its request is named, and which token goes there.

use serde_json::json;

use super::ground::{Ground, PROJECT, TOKEN};
use crate::support::gitlab::Source;
use crate::support::repo::{Cloned, Repo};
use crate::support::run::Dai;
use crate::support::server::Tls;

/// Posts with these arguments and variables alone, from this clone.
pub fn post(ground: &Ground, clone: &Repo, args: &[&str], variables: &[(&str, &str)]) -> Dai {
    clone.write(".dai/reviews/7.json", ground.review());
    let dai = variables.iter().fold(Dai::in_repo(clone), |dai, (name, value)| dai.env(name, value));
    dai.args(["forge", "review"]).args(args.iter().copied()).args(["--yes", "--format", "json"])
}

pub fn one() -> Ground {
    let ground = Ground::plain();
    ground.find("a.rs", 5, "Here it is.");
    ground
}

/// `http://127.0.0.1:<port>/gitlab`
pub fn home(ground: &Ground) -> String {
    ground.forge.api_url().replace("/api/v4", "")
}

#[test]
fn c39_a_sub_path_and_a_port_are_found_by_every_way_to_say_them() {
    let ground = one();
    let (home, api) = (home(&ground), ground.forge.api_url());
    let bare = home.replace("http://", "");
    let (host, _) = bare.split_once('/').expect("a sub-path");
    let page = ground.forge.page_url(PROJECT, 7);
    let api_path = format!("--api-url={api}");
    let ci = [("GITLAB_CI", "true"), ("CI", "true"), ("CI_SERVER_URL", home.as_str()), ("CI_API_V4_URL", api.as_str())];
    for (args, variables) in [
        (vec!["7"], vec![("GITLAB_HOST", home.as_str())]),
        // A host without a scheme is https, unless the remote is http to this machine.
        (vec!["7"], vec![("GITLAB_HOST", bare.as_str()), ("CI_API_V4_URL", api.as_str())]),
        (vec!["!7"], vec![("GITLAB_HOST", host), ("CI_API_V4_URL", api.as_str())]),
        (vec!["7", "--forge", "gitlab", &api_path], vec![("GITLAB_HOST", host)]),
        (vec!["group/sub/widgets!7"], vec![("GITLAB_HOST", home.as_str())]),
        (vec!["7", "-R", "group/sub/widgets"], vec![("GITLAB_HOST", home.as_str())]),
        (vec![page.as_str()], vec![("GITLAB_HOST", home.as_str())]),
        (vec!["7"], ci.to_vec()),
    ] {
        let mut variables = variables;
        variables.push(("GITLAB_TOKEN", TOKEN));
        let report = post(&ground, &ground.clone, &args, &variables).run().exits(0).json();
        assert_eq!(
            (&report["project"], &report["forge"]),
            (&json!(PROJECT), &json!("gitlab")),
            "{args:?} {variables:?}"
        );
    }
    assert_eq!(ground.times("Here it is."), 1, "one request, whatever it is called");
}

#[test]
fn a_page_s_url_is_taken_in_each_shape() {
    let ground = one();
    let page = ground.forge.page_url(PROJECT, 7);
    for page in [
        page.clone(),
        format!("{page}/diffs"),
        format!("{page}/diffs?view=inline&commit_id=abc#note_1"),
        format!("{page}#note_303"),
        format!("{page}/"),
        page.replace("/-/", "/"),
        format!("{page}/commits"),
    ] {
        let run = ground.dai().args([page.as_str(), "--format", "json"]).run();
        assert_eq!(run.clone().exits(0).json()["number"], 7, "{page}\n{run}");
    }
}

#[test]
fn a_page_of_another_project_or_server_is_no_request_of_this_clone() {
    let ground = one();
    let other = ground.forge.page_url("group/other", 7);
    let foreign = "https://gitlab.example/group/sub/widgets/-/merge_requests/7";
    let run = ground.dai().arg(&other).run().exits(2);
    assert!(run.err().contains("group/other"), "{run}");
    let run = ground.dai().arg(foreign).run().exits(2);
    assert!(run.err().contains("gitlab.example"), "{run}");
    assert_eq!(ground.forge.requests(), []);
}

#[test]
fn c39_an_ssh_remote_an_alias_and_instead_of_lead_to_the_same_place() {
    let ground = one();
    let clone_url = ground.forge.clone_url(PROJECT);
    let (home, api) = (home(&ground), ground.forge.api_url());
    // What git fetches by ssh is served by http here: `GIT_SSH_COMMAND` cannot be, so `insteadOf` stands for the way there.
    let rewritten = format!("url.{}/.insteadOf", home);
    let clone = Cloned::of(&clone_url).make();
    clone.config(&rewritten, "git@work:").git(&["remote", "set-url", "origin", "git@work:group/sub/widgets.git"]);
    let variables = [("GITLAB_HOST", home.as_str()), ("GITLAB_TOKEN", TOKEN)];
    let report = post(&ground, &clone, &["7"], &variables).run().exits(0).json();
    assert_eq!(report["counts"]["posted"], 1);

    // An alias that nothing rewrites is asked for, and no token leaves.
    let clone = Cloned::of(&clone_url).make();
    clone.git(&["remote", "set-url", "origin", "git@work:group/sub/widgets.git"]);
    let run = post(&ground, &clone, &["7"], &variables).run().exits(2);
    insta::assert_snapshot!("alias_errors", ground.normal().apply(run.err()));
    // The API's place does not say whose alias it is: the token is for another host.
    let run = post(&ground, &clone, &["7", "--forge", "gitlab", "--api-url", &api], &variables).run().exits(8);
    insta::assert_snapshot!("alias_token_errors", ground.normal().apply(run.err()));
    assert!(ground.forge.writes().len() == 2, "a comment and a summary of the first run");
}

#[test]
fn a_nested_group_is_one_segment_and_a_numeric_id_in_ci_is_asked_for_by_number() {
    let ground = one();
    ground.post().exits(0);
    let nested = ground
        .forge
        .requests()
        .iter()
        .all(|r| r.request.path.contains("/projects/group%2Fsub%2Fwidgets") || r.request.path.ends_with("/user"));
    assert!(nested, "{:?}", ground.forge.requests().iter().map(|r| r.line()).collect::<Vec<_>>());
    let id = ground.forge.stage.project(PROJECT, |project| project.id).to_string();
    ground.forge.forget_requests();
    post(&ground, &ground.clone, &[], &ci(&ground, &id)).run().exits(0);
    let by_number = format!("/projects/{id}/merge_requests/7");
    assert!(ground.forge.requests().iter().any(|r| r.request.path.contains(&by_number)));
}

/// The variables of a merge-request pipeline that runs in a fork.
pub fn ci<'a>(ground: &Ground, id: &'a str) -> Vec<(&'static str, &'a str)> {
    let home: &'static str = Box::leak(home(ground).into_boxed_str());
    let api: &'static str = Box::leak(ground.forge.api_url().into_boxed_str());
    vec![
        ("CI", "true"),
        ("GITLAB_CI", "true"),
        ("CI_SERVER_URL", home),
        ("CI_SERVER_HOST", "127.0.0.1"),
        ("CI_API_V4_URL", api),
        ("CI_PROJECT_ID", "4711"),
        ("CI_PROJECT_PATH", "fork/widgets"),
        ("CI_MERGE_REQUEST_IID", "7"),
        ("CI_MERGE_REQUEST_PROJECT_ID", id),
        ("CI_MERGE_REQUEST_PROJECT_PATH", PROJECT),
        ("CI_JOB_TOKEN", "glcbt-job"),
        ("GITLAB_TOKEN", TOKEN),
    ]
}

#[test]
fn c23_a_pipeline_of_a_fork_posts_to_the_target_project() {
    let ground = one();
    ground.forge.stage.request(7, |request| request.source = Source::Fork(4711));
    let id = ground.forge.stage.project(PROJECT, |project| project.id).to_string();
    // Depth 20 of one branch, a detached commit: what the runner has.
    let clone = Cloned::of(ground.forge.clone_url(PROJECT)).shallow(1).make();
    clone.git(&["checkout", "--quiet", "--detach"]);
    let report = post(&ground, &clone, &[], &ci(&ground, &id)).run().exits(0).json();
    assert_eq!((&report["project"], &report["number"]), (&json!(PROJECT), &json!(7)));
    assert_eq!(ground.times("Here it is."), 1);
    assert_eq!(ground.forge.violations(), Vec::<String>::new());
}

#[test]
fn a_pipeline_that_is_of_no_request_is_told_how_to_be_one() {
    let ground = one();
    let variables = ci(&ground, "301");
    let variables: Vec<_> = variables.into_iter().filter(|(name, _)| !name.starts_with("CI_MERGE_REQUEST")).collect();
    ground.clone.git(&["checkout", "--quiet", "--detach"]);
    let run = post(&ground, &ground.clone, &[], &variables).run().exits(2);
    insta::assert_snapshot!("no_request_errors", ground.normal().apply(run.err()));
    assert_eq!(ground.forge.requests(), []);
}

#[test]
fn ref_left_out_is_the_request_of_the_current_branch() {
    let ground = one();
    let clone = Cloned::of(ground.forge.clone_url(PROJECT)).branch("topic").make();
    clone.write(".dai/reviews/7.json", ground.review());
    let home = home(&ground);
    let run = || Dai::in_repo(&clone).env("GITLAB_HOST", &home).env("GITLAB_TOKEN", TOKEN).args(["forge", "review"]);
    let preview = run().run().exits(0);
    assert!(preview.out().contains("group/sub/widgets!7"), "{preview}");
    assert!(preview.out().contains("dai forge review 'group/sub/widgets!7'"), "{preview}");
    // The project was read on the way, and says what a post will be refused for.
    assert!(!preview.err().contains("archived"), "{preview}");
    ground.forge.stage.project(PROJECT, |project| project.archived = true);
    let warned = "warning: the project is archived and so read-only, which stands in the way of a post";
    run().run().exits(0).says(warned);
    run().arg("--yes").run().exits(5).says("archived");
    ground.forge.stage.project(PROJECT, |project| project.archived = false);
    // A fork's branch of the same name is another request.
    ground.forge.stage.open(PROJECT, 8, "topic", "main");
    ground.forge.stage.request(8, |request| request.source = Source::Fork(4711));
    assert!(run().run().exits(0).out().contains("widgets!7"));
    // As is one of a fork that is gone.
    ground.forge.stage.request(8, |request| request.source = Source::Deleted);
    assert!(run().run().exits(0).out().contains("widgets!7"));
    // Two of the same branch are asked about, or named.
    ground.forge.stage.request(8, |request| request.source = Source::Same);
    let run_of_two = run().run().exits(2);
    insta::assert_snapshot!("several_requests_errors", ground.normal().apply(run_of_two.err()));
    clone.git(&["checkout", "--quiet", "main"]);
    run().run().exits(2).says("no open request is of the branch main");
}

#[test]
fn a_renamed_project_is_posted_to_where_it_is_now() {
    let ground = one();
    ground.forge.stage.rename(PROJECT, "group/gadgets");
    let report = ground.report(0);
    assert_eq!(report["counts"]["posted"], 1);
    assert_eq!(ground.notes().len(), 2);
}

#[test]
fn a_private_authority_is_trusted_where_it_is_named_and_nowhere_else() {
    let ground = one();
    let plain = ground.forge.api_url().replace("/gitlab/api/v4", "").replace("http://", "");
    let tls = Tls::before(plain.parse().expect("an address"));
    let remote = format!("{}/gitlab/{PROJECT}.git", tls.origin());
    let authority = tls.authority().display().to_string();
    // git has its own way to be told of it.
    ground.clone.config("http.sslCAInfo", &authority).git(&["remote", "set-url", "origin", &remote]);
    let home = format!("{}/gitlab", tls.origin());
    let variables = [("GITLAB_HOST", home.as_str()), ("GITLAB_TOKEN", TOKEN)];
    let run = post(&ground, &ground.clone, &["7"], &variables).env("DAI_TEST_HURRY", "0.005").run().exits(5);
    insta::assert_snapshot!("unknown_authority_errors", ground.normal().apply(run.err()));
    assert_eq!(ground.forge.requests(), []);
    let named = post(&ground, &ground.clone, &["7"], &variables).env("SSL_CERT_FILE", &authority);
    let report = named.run().exits(0).json();
    assert_eq!(report["counts"]["posted"], 1);
    assert_eq!(ground.times("Here it is."), 1);
}

/// The command of the README's job, in a fork's pipeline and in the target project's.
#[test]
fn the_job_of_the_readme_posts_from_the_target_s_pipeline_and_not_from_a_fork_s() {
    let ground = one();
    let readme = include_str!("../../../README.md");
    let (_, job) = readme.split_once("resource_group:").expect("a job of GitLab CI");
    let command = job.lines().find_map(|line| line.trim().strip_prefix("- dai ")).expect("its command");
    let args: Vec<&str> = command.split(' ').skip(2).filter(|word| *word != "--yes").collect();
    assert!(command.starts_with("forge review ") && command.contains("--yes"), "{command}");
    let id = ground.forge.stage.project(PROJECT, |project| project.id).to_string();
    let variables = ci(&ground, &id);
    let clone = |project: &str| {
        let clone = Cloned::of(ground.forge.clone_url(project)).shallow(1).make();
        clone.git(&["checkout", "--quiet", "--detach"]);
        clone.write("review.json", ground.review());
        clone
    };
    ground.forge.upstream("fork/widgets").push(&ground.work, &["main", "topic"]);
    let fork = clone("fork/widgets");
    let run = post(&ground, &fork, &args, &variables).run().exits(2);
    insta::assert_snapshot!("fork_pipeline_errors", ground.normal().apply(run.err()));
    // A remote of the target is all that lacks.
    fork.remote("target", &ground.forge.clone_url(PROJECT));
    assert_eq!(post(&ground, &fork, &args, &variables).run().exits(0).json()["project"], PROJECT);
    let target = clone(PROJECT);
    let again = post(&ground, &target, &args, &variables).run().exits(0).json();
    assert_eq!(again["counts"]["already_posted"], 1);
}
