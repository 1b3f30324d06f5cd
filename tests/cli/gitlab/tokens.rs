//! Which token goes where, and what is said where none may.

use super::ground::{PROJECT, TOKEN};
use super::lives::{ci, home, one, post};
use crate::support::gitlab::{Access, Account};
use crate::support::run::Dai;

#[test]
fn c39_a_host_that_looks_like_a_gitlab_is_asked_for_and_sees_no_token() {
    let ground = one();
    ground.clone.git(&["remote", "set-url", "origin", "https://gitlab.company.example/group/sub/widgets.git"]);
    let run = post(&ground, &ground.clone, &["7"], &[("GITLAB_TOKEN", TOKEN)]).run().exits(2);
    insta::assert_snapshot!("unknown_host_errors", run.err());
    let args = ["7", "--forge", "gitlab"];
    let run = post(&ground, &ground.clone, &args, &[("GITLAB_TOKEN", TOKEN)]).run().exits(8);
    insta::assert_snapshot!("other_host_errors", run.err());
    assert!(!run.err().contains(TOKEN));
}

#[test]
fn http_goes_to_this_machine_only() {
    let ground = one();
    ground.clone.git(&["remote", "set-url", "origin", "http://git.company.example:8080/group/sub/widgets.git"]);
    let host = [("GITLAB_HOST", "git.company.example:8080"), ("GITLAB_TOKEN", TOKEN)];
    let run = post(&ground, &ground.clone, &["7"], &host).run().exits(2);
    insta::assert_snapshot!("http_port_errors", run.err());
    let api = "http://git.company.example/api/v4";
    let run = post(&ground, &ground.clone, &["7", "--api-url", api], &host).run().exits(2);
    insta::assert_snapshot!("http_api_errors", run.err());
    let with_http = [("GITLAB_HOST", "http://git.company.example:8080"), ("GITLAB_TOKEN", TOKEN)];
    post(&ground, &ground.clone, &["7"], &with_http).run().exits(2).says("https only");
}

#[test]
fn a_token_is_for_the_host_of_gitlab_host_and_the_help_says_which_to_set() {
    let ground = one();
    let api = ground.forge.api_url();
    // Known as a GitLab by a flag: that names no host for the token, which is then gitlab.com's.
    let args = ["7", "--forge", "gitlab", "--api-url", &api];
    let run = post(&ground, &ground.clone, &args, &[("GITLAB_TOKEN", TOKEN)]).run().exits(8);
    insta::assert_snapshot!("unbound_token_errors", ground.normal().apply(run.err()));
    let elsewhere = [("GITLAB_HOST", "gitlab.company.example"), ("GITLAB_TOKEN", TOKEN)];
    let run = post(&ground, &ground.clone, &args, &elsewhere).run().exits(8);
    assert!(run.err().contains("is for gitlab.company.example"), "{run}");
    assert_eq!(ground.forge.requests(), []);
    // The second name of the variable, bound as the help says.
    let home = home(&ground);
    let bound = [("GITLAB_HOST", home.as_str()), ("GITLAB_ACCESS_TOKEN", TOKEN)];
    post(&ground, &ground.clone, &["7"], &bound).run().exits(0);
    assert!(ground.forge.requests().iter().all(|r| r.request.header("private-token") == Some(TOKEN)));
}

#[test]
fn a_job_s_token_alone_is_refused_with_a_clear_word() {
    let ground = one();
    let id = ground.forge.stage.project(PROJECT, |project| project.id).to_string();
    let variables: Vec<_> = ci(&ground, &id).into_iter().filter(|(name, _)| *name != "GITLAB_TOKEN").collect();
    let run = post(&ground, &ground.clone, &[], &variables).run().exits(8);
    insta::assert_snapshot!("job_token_errors", ground.normal().apply(run.err()));
    assert!(!run.err().contains("glcbt-job"));
    assert_eq!(ground.forge.writes(), []);
    // `GITLAB_TOKEN: $CI_JOB_TOKEN`
    let mut variables = variables;
    variables.push(("GITLAB_TOKEN", "glcbt-job"));
    let run = post(&ground, &ground.clone, &[], &variables).run().exits(8);
    insta::assert_snapshot!("job_token_as_token_errors", ground.normal().apply(run.err()));
}

#[test]
fn no_token_at_all_is_8_before_anything_is_asked_and_a_public_preview_works() {
    let ground = one();
    let home = home(&ground);
    let run = post(&ground, &ground.clone, &["7"], &[("GITLAB_HOST", &home)]).run().exits(8);
    insta::assert_snapshot!("no_token_errors", ground.normal().apply(run.err()));
    assert_eq!(ground.forge.requests(), []);
    let preview = Dai::in_repo(&ground.clone).env("GITLAB_HOST", &home).args(["forge", "review", "7"]).run().exits(0);
    preview.says("there is no token");
    ground.forge.stage.project(PROJECT, |project| project.private = true);
    let run = ground.bare().env("GITLAB_TOKEN", "glpat-unknown").args(["forge", "review", "7"]).run().exits(8);
    insta::assert_snapshot!("bad_token_errors", ground.normal().apply(run.err()));
    ground.forge.stage.account("glpat-outsider", Account::person("eve").with(Access::Outsider));
    let run = ground.bare().env("GITLAB_TOKEN", "glpat-outsider").args(["forge", "review", "7"]).run().exits(8);
    insta::assert_snapshot!("outsider_errors", ground.normal().apply(run.err()));
}
