//! What comes with the change is obeyed nowhere, and of the owner's own configuration nothing that runs a program: only
//! `git fetch` is the owner's.

use std::fs;

use serde_json::{Value, json};

use super::scene::{Canary, Hub, Lab, author, executable, finding};
use crate::support::repo::{Cloned, Repo};
use crate::support::run::{Answer, Dai};

/// The statuses of the report's findings.
fn statuses(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().expect("findings");
    findings.iter().map(|finding| finding["status"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Puts every hook of git into a folder, each of which wakes the canary.
fn every_hook(folder: &std::path::Path, canary: &Canary) {
    fs::create_dir_all(folder).expect("the folder of hooks");
    for hook in [
        "applypatch-msg",
        "pre-applypatch",
        "post-applypatch",
        "pre-commit",
        "pre-merge-commit",
        "prepare-commit-msg",
        "commit-msg",
        "post-commit",
        "pre-rebase",
        "post-checkout",
        "post-merge",
        "pre-push",
        "pre-receive",
        "update",
        "proc-receive",
        "post-receive",
        "post-update",
        "reference-transaction",
        "push-to-checkout",
        "pre-auto-gc",
        "post-rewrite",
        "sendemail-validate",
        "fsmonitor-watchman",
        "post-index-change",
        "p4-changelist",
    ] {
        executable(&folder.join(hook), &format!("#!/bin/sh\n{}\n", canary.command()));
    }
}

/// Every setting that makes some git command start a program, none of which has a part in a fetch over HTTP.
fn programs(repo: &Repo, canary: &Canary) {
    let program = canary.program();
    for key in [
        "core.fsmonitor",
        "core.editor",
        "core.pager",
        "core.sshCommand",
        "core.gitProxy",
        "sequence.editor",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "merge.evil.driver",
        "gpg.program",
        "interactive.diffFilter",
        "pager.diff-tree",
        "pager.fetch",
        "pager.ls-files",
        "core.alternateRefsCommand",
        "uploadpack.packObjectsHook",
        "alias.diff-tree",
        "trailer.evil.command",
        "difftool.evil.cmd",
        "mergetool.evil.cmd",
        "sendemail.smtpServer",
        "web.browser",
        "notes.rewriteRef",
        "guitool.evil.cmd",
        "remote.origin.uploadpack",
        "remote.origin.receivepack",
    ] {
        repo.config(key, &program);
    }
    repo.config("diff.evil.cachetextconv", "false").config("filter.evil.required", "true");
}

fn assert_posts(answer: Answer, comments: usize) {
    let report = answer.exits(0).json();
    assert_eq!(report["counts"]["posted"], comments, "{report:#}");
}

#[test]
fn hooks_run_for_nothing_that_the_program_does_itself() {
    let hub = Hub::of(author(|author| {
        author.write("gone.rs", "x\n");
    }));
    let canary = Canary::new();
    hub.review(&[finding(5, "A fault.")]);
    // The commits are here already: no fetch takes place, and what writes `refs/dai/` is the program.
    hub.clone.git(&["fetch", "--quiet", "origin", "topic"]);
    every_hook(&hub.clone.path().join(".git/hooks"), &canary);
    let before = hub.clone.fingerprint();
    hub.run(&[]).run().exits(0);
    canary.assert_asleep();
    before.assert_same_but(&hub.clone.fingerprint(), &["ref refs/dai/"]);
    assert_posts(hub.run(&["--yes", "--format", "json"]).run(), 1);
    canary.assert_asleep();
    hub.clone.git(&["update-ref", "refs/heads/trap", "HEAD"]);
    canary.assert_awake();
}

#[test]
fn a_fetch_is_the_owners_and_may_run_the_owners_hooks() {
    let hub = Hub::new();
    let canary = Canary::new();
    hub.review(&[finding(5, "A fault.")]);
    every_hook(&hub.clone.path().join(".git/hooks"), &canary);
    let upstream = hub.forge.upstream(super::scene::HUB_PROJECT);
    hub.author.switch("topic");
    let moved = hub.author.write("b.rs", "one\n").commit("not here yet");
    upstream.push_request(&hub.author, &moved, "refs/pull/22/head");
    hub.run(&["--trace"]).run().exits(0);
    canary.assert_awake();
}

#[test]
fn the_owners_programs_are_not_started_either() {
    let hub = Hub::of(author(|author| {
        author.write(".gitattributes", "* diff=evil filter=evil merge=evil\n*.rs -text\n");
    }));
    let canary = Canary::new();
    hub.review(&[finding(5, "A fault."), json!({ "path": "new.rs", "line": 1, "severity": "low", "body": "x" })]);
    hub.clone.git(&["fetch", "--quiet", "origin", "topic"]);
    programs(&hub.clone, &canary);
    hub.clone.write(".git/info/attributes", "* diff=evil filter=evil\n");
    let before = hub.clone.fingerprint();
    assert_posts(hub.run(&["--yes", "--format", "json"]).run(), 1);
    canary.assert_asleep();
    before.assert_same_but(&hub.clone.fingerprint(), &["ref refs/dai/", "file .dai/reviews/22.posted.json"]);
    hub.clone.write("a.rs", "changed\n").try_git(&["diff"]);
    canary.assert_awake();
}

/// The attributes of a change take away its diff, make it binary, convert it, re-encode it.
#[test]
fn c19_attributes_from_everywhere_change_nothing() {
    for attributes in [
        "* -diff\n",
        "* binary\n",
        "* diff=evil\n",
        "*.rs text eol=crlf\n",
        "[attr]evil -diff\n* evil\n",
        "* -diff -text export-ignore export-subst linguist-generated\n",
        "* filter=lfs diff=lfs merge=lfs -text\n",
    ] {
        let lab = Lab::of(author(|author| {
            author.write(".gitattributes", attributes).write("dir/.gitattributes", attributes);
        }));
        lab.clone.write(".git/info/attributes", attributes);
        lab.clone.user_config("core.attributesFile", "~/.attributes");
        fs::write(lab.clone.home().join(".attributes"), attributes).expect("the owner's attributes");
        lab.review(&[finding(5, "A fault."), finding(20, "Not in the diff.")]);
        let before = lab.clone.fingerprint();
        let local = ["--base", "origin/main", "--head", "origin/topic", "--format", "json"];
        let report = lab.run(&local).run().exits(0).json();
        assert_eq!(statuses(&report), ["ready", "rejected"], "{attributes:?}: {report:#}");
        before.assert_same_but(&lab.clone.fingerprint(), &[]);
    }
}

#[test]
fn submodules_of_a_change_are_neither_fetched_nor_read() {
    let canary = Canary::new();
    let url = format!("ext::sh -c {}% ", canary.command().replace(' ', "% "));
    let modules = format!(
        "[submodule \"evil\"]\n\tpath = evil\n\turl = {url}\n\tupdate = !{0}\n\tfetchRecurseSubmodules = true\n\
         [submodule \"x/../../.git/hooks\"]\n\tpath = up\n\turl = --upload-pack={0}\n",
        canary.command()
    );
    let hub = Hub::of(author(|author| {
        author.write(".gitmodules", &modules);
        author.gitlink("evil", &"1".repeat(40)).gitlink("up", &"2".repeat(40));
    }));
    hub.clone.config("fetch.recurseSubmodules", "true").config("submodule.recurse", "true");
    hub.review(&[
        finding(5, "A fault."),
        json!({ "path": "evil", "line": 1, "severity": "high", "body": "In the submodule." }),
        json!({ "path": ".gitmodules", "line": 2, "severity": "high", "body": "It runs a program." }),
    ]);
    let before = hub.clone.fingerprint();
    let report = hub.run(&["--yes", "--format", "json"]).run().exits(0).json();
    assert_eq!(statuses(&report), ["posted", "rejected", "posted"], "{report:#}");
    assert_eq!(report["findings"][1]["reason"]["code"], "no_text_diff");
    canary.assert_asleep();
    before.assert_same_but(&hub.clone.fingerprint(), &["ref refs/dai/", "file .dai/reviews/22.posted.json"]);
}

/// Names that a branch's owner chooses: of options, of shell commands, of what a refspec or a URL means.
#[test]
fn names_of_branches_are_only_names() {
    for name in ["-x", "--upload-pack=touch", "$(touch;x)", "a;touch,x", "a&b=c#d", "+refs", "ü/한", "a'b\"c", "%2e%2e"]
    {
        let author = author(|_| ());
        let head = author.rev("topic");
        let hub = Hub::new();
        let reference = format!("refs/heads/{name}");
        hub.forge.upstream(super::scene::HUB_PROJECT).set_ref(&reference, &head);
        hub.forge.stage.pull(22, |pull| pull.head.branch = name.to_owned());
        hub.review(&[finding(5, "A fault.")]);
        hub.clone.git(&["fetch", "--quiet", "origin", &format!("+{reference}:refs/remotes/origin/{name}")]);
        hub.clone.git(&["update-ref", &format!("refs/heads/{name}"), "HEAD"]);
        let before = hub.clone.fingerprint();
        hub.run(&[]).run().exits(0);
        before.assert_same_but(&hub.clone.fingerprint(), &["ref refs/dai/"]);
        // The branch that is checked out is looked for by its name.
        hub.clone.git(&["symbolic-ref", "HEAD", &format!("refs/heads/{name}")]);
        hub.clone.git(&["config", &format!("branch.{name}.remote"), "origin"]);
        hub.clone.git(&["config", &format!("branch.{name}.merge"), &reference]);
        let answer = hub.dai().args(["forge", "review", "--format", "json"]).run().exits(0);
        assert_eq!(answer.json()["number"], 22, "{name}");
    }
}

/// Addresses that make git run something, as a remote's own, by `insteadOf`, and typed.
#[test]
fn an_address_that_would_run_a_program_is_refused() {
    let canary = Canary::new();
    let (command, program) = (canary.command(), canary.program());
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    let good = hub.forge.clone_url(super::scene::HUB_PROJECT);
    let local = ["--base", "main", "--remote", "origin"];
    for address in [
        format!("ext::sh -c {}", command.replace(' ', "% ")),
        format!("ext::{program} acme/widgets"),
        "fd::17/acme/widgets".to_owned(),
        format!("-oProxyCommand={program}:acme/widgets"),
        format!("ssh://-oProxyCommand={program}/acme/widgets"),
        format!("ssh://git@-oProxyCommand={program}/acme/widgets"),
        format!("--upload-pack={program}"),
        format!("file://{}", hub.forge.upstream(super::scene::HUB_PROJECT).path().display()).replace("file", "evil"),
    ] {
        for by_instead_of in [false, true] {
            let clone = Cloned::of(&good).make();
            clone.write(".dai/reviews/22.json", fs::read(hub.clone.path().join(".dai/reviews/22.json")).expect("it"));
            match by_instead_of {
                true => clone.config(&format!("url.{address}.insteadOf"), &good),
                false => clone.config("remote.origin.url", &address),
            };
            clone.config("protocol.allow", "always").config("protocol.ext.allow", "always");
            let before = clone.fingerprint();
            for args in [&local[..], &[], &["--yes"]] {
                let run = Dai::in_repo(&clone).env("GH_ENTERPRISE_TOKEN", super::scene::TOKEN);
                let run = run.env("GITHUB_API_URL", hub.forge.api_url()).env("DAI_FORGE", "github");
                let answer = run.args(["forge", "review", "22"]).args(args.iter().copied()).run();
                assert!(matches!(answer.code(), 2 | 4), "{address}\n{answer}");
                canary.assert_asleep();
                before.assert_same_but(&clone.fingerprint(), &["ref refs/dai/"]);
            }
        }
    }
    assert_eq!(hub.forge.writes(), []);
}

/// `remote.NAME.vcs` and `remote.NAME.uploadpack` are the owner's, and the address still must be one.
#[test]
fn an_option_in_the_place_of_an_argument_is_none() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    let canary = Canary::new();
    let upload = format!("--upload-pack={}", canary.program());
    for args in [
        vec!["--base", &upload, "--head", "origin/topic"],
        vec!["--base", "origin/main", "--head", &upload],
        vec!["--base", "--output=x", "--head", "-"],
        vec!["--remote", &upload],
        vec!["-R", &upload],
    ] {
        let args: Vec<String> = args.chunks(2).map(|pair| pair.join("=")).collect();
        // `-R=x` is the value `=x`, which is no project either.
        let answer = hub.dai().args(["forge", "review", "22"]).args(args.clone()).run();
        assert!(matches!(answer.code(), 2 | 4), "{args:?}\n{answer}");
    }
    for reference in [upload.as_str(), "-x", "--exec=touch", "-oProxyCommand=x"] {
        let answer = hub.dai().args(["forge", "review", "--", reference]).run();
        assert_eq!(answer.code(), 2, "{answer}");
        let answer = hub.dai().args(["forge", "review", reference]).run();
        assert_eq!(answer.code(), 2, "{answer}");
    }
    canary.assert_asleep();
    assert_eq!(hub.forge.requests(), []);
}

/// A folder of a branch that is a git directory to whoever stands in it, with a configuration of the branch's making.
#[test]
fn a_git_directory_among_the_files_of_a_change_is_not_obeyed() {
    let canary = Canary::new();
    let program = canary.program();
    for tree in ["bare = true", "bare = false\n\tworktree = .."] {
        let config = format!(
            "[core]\n\trepositoryformatversion = 0\n\t{tree}\n\tsshCommand = {program}\n\
             [remote \"origin\"]\n\turl = git@github.com:acme/widgets.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n"
        );
        let hub = Hub::of(author(|author| {
            author.write("docs/HEAD", "ref: refs/heads/main\n").write("docs/config", &config).write("docs/deep/a", "");
            author.write("docs/objects/keep", "").write("docs/refs/keep", "");
            author.write("docs/.dai/reviews/22.json", json!({ "findings": [finding(5, "A fault.")] }).to_string());
        }));
        hub.review(&[finding(5, "A fault.")]);
        hub.clone.git(&["fetch", "--quiet", "origin", "topic"]);
        hub.clone.git(&["checkout", "--quiet", "--detach", &hub.head]);
        hub.forge.forget_requests();
        for folder in ["docs", "docs/deep"] {
            for args in [&["22", "--yes"][..], &["22"], &["22", "--base", "HEAD"], &["22", "--offline"]] {
                let run = hub.dai().args(["-C", folder, "forge", "review"]).args(args.iter().copied());
                let answer = run.run().exits(4).says("comes with a change");
                assert_eq!(answer.out(), "");
                canary.assert_asleep();
            }
        }
        hub.dai().args(["-C", "docs", "init"]).run().exits(4);
        assert_eq!(hub.forge.requests(), []);
        // A bare repository that is nobody's file is as good as any other, wherever it lies.
        hub.clone.git(&["clone", "--quiet", "--bare", ".", "mirror.git"]);
        let mirror = ["-C", "mirror.git", "forge", "review", "--from", "../.dai/reviews/22.json"];
        hub.dai().args(mirror).args(["--base", "HEAD~1", "--head", "HEAD"]).run().exits(0);
        std::process::Command::new("git")
            .args(["fetch", "--quiet", "origin"])
            .current_dir(hub.clone.path().join("docs"))
            .output()
            .expect("git can be started");
        canary.assert_awake();
    }
}

/// Needs to be root: only root can give a folder away.
#[test]
fn a_repository_of_another_owner_is_not_opened() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    let canary = Canary::new();
    hub.clone.config("core.fsmonitor", &canary.program());
    let given = std::process::Command::new("chown").args(["-R", "12345:12345"]).arg(hub.clone.path()).output();
    if !given.expect("chown can be started").status.success() {
        return;
    }
    for args in [&["forge", "review", "22"][..], &["forge", "review", "22", "--yes"], &["init"]] {
        let answer = hub.dai().args(args.iter().copied()).run().exits(4);
        assert!(answer.err().contains("safe.directory"), "{answer}");
        assert_eq!(answer.out(), "");
    }
    canary.assert_asleep();
    assert_eq!(hub.forge.requests(), []);
    fs::write(hub.clone.home().join(".gitconfig"), format!("[safe]\n\tdirectory = {}\n", hub.clone.path().display()))
        .expect("the owner's configuration");
    hub.run(&[]).run().exits(0);
    canary.assert_asleep();
}
