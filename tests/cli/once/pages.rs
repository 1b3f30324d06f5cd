//! Lists of several pages, as they come through a proxy.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use super::ground::{BOTH, Forge, Lab, NUMBER, Which, at, statuses};
use crate::support::faults::Fault;
use crate::support::github::{self, Place, Side};
use crate::support::gitlab::{self, NoteKind};
use crate::support::server::Response;

/// A hundred and thirty comments of a colleague, before anything of ours; the number of the first.
fn crowd(lab: &Lab) -> u64 {
    let ids: Vec<u64> = (0..130)
        .map(|n| match &lab.forge {
            Forge::GitHub(forge) => {
                let place = Place { path: "a.rs".into(), side: Side::Right, start_line: None, line: 3 };
                let user = github::User::person("colleague");
                forge.stage.review(NUMBER, user.clone(), github::ReviewState::Commented, &format!("review {n}"));
                forge.stage.comment(NUMBER, None, user, place, &format!("comment {n}"))
            }
            Forge::GitLab(forge) => {
                let user = gitlab::User::person("colleague");
                forge.stage.note(NUMBER, user, NoteKind::Plain, &format!("note {n}"))
            }
        })
        .collect();
    ids[0]
}

fn paging(response: &mut Response, link: Option<&dyn Fn(&str) -> String>) {
    let old = response.headers.iter().find(|(name, _)| name == "link").map(|(_, value)| value.clone());
    response.headers.retain(|(name, _)| !["link", "x-next-page"].contains(&name.as_str()));
    if let (Some(link), Some(old)) = (link, old) {
        response.headers.push(("link".to_owned(), link(&old)));
    }
}

/// The target of the link to the next page.
fn next(links: &str) -> Option<&str> {
    let link = links.split(", ").find(|link| link.ends_with("rel=\"next\""))?;
    link.split_once('<')?.1.split_once('>').map(|(target, _)| target)
}

fn absent(response: &mut Response) {
    paging(response, None);
}

fn relative(response: &mut Response) {
    paging(
        response,
        Some(&|links| {
            let below = |target: &str| target.splitn(4, '/').nth(3).map(|path| format!("/{path}")).expect("a path");
            next(links).map_or_else(|| links.to_owned(), |target| format!("<{}>; rel=\"next\"", below(target)))
        }),
    );
}

fn same_page(response: &mut Response) {
    paging(
        response,
        Some(&|links| {
            next(links)
                .map_or_else(|| links.to_owned(), |to| format!("<{}>; rel=\"next\"", to.replace("page=2", "page=1")))
        }),
    );
}

fn another_host(response: &mut Response) {
    paging(response, Some(&|links| links.replace("http://127.0.0.1", "https://forge.example")));
}

#[test]
fn c59_all_pages_are_read_whatever_a_proxy_makes_of_the_link() {
    for which in BOTH {
        for (how, shape) in [
            ("absent", absent as fn(&mut Response)),
            ("relative", relative),
            ("the same", same_page),
            ("another host", another_host),
        ] {
            let lab = Lab::new(which);
            crowd(&lab);
            lab.review(&[at(3, "alpha"), at(6, "beta")]);
            lab.desk().fault(Fault::on("GET", "**").every().reshaped(shape));
            lab.post().exits(0);
            lab.desk().forget_requests();
            let again = lab.post().exits(0);
            assert_eq!(statuses(&again), ["already_posted", "already_posted"], "{which:?}, {how}\n{again}");
            assert_eq!(lab.desk().writes(), [], "{which:?}, {how}");
        }
    }
}

/// What is deleted between two pages moves the first item of the second page to the first, which was read already.
#[test]
fn c59_items_that_move_between_two_pages_are_seen_all_the_same() {
    for which in BOTH {
        let lab = Lab::new(which);
        let first = crowd(&lab);
        // Thirty more of the colleague's go, so that ours come right behind the hundredth.
        let cut = |lab: &Lab, keep: usize| match &lab.forge {
            Forge::GitHub(forge) => forge.stage.pull(NUMBER, |pull| pull.comments.truncate(keep)),
            Forge::GitLab(forge) => forge.stage.request(NUMBER, |request| request.discussions.truncate(keep)),
        };
        cut(&lab, 100);
        lab.review(&[at(3, "alpha")]);
        lab.post().exits(0);
        let list = match which {
            Which::GitHub => "/repos/*/*/pulls/*/comments",
            Which::GitLab => "/projects/*/merge_requests/*/discussions",
        };
        let done = AtomicBool::new(false);
        let delete: Box<dyn Fn() + Send + Sync> = match &lab.forge {
            Forge::GitHub(forge) => {
                let stage = forge.stage.clone();
                Box::new(move || stage.pull(NUMBER, |pull| pull.comments.retain(|c| c.id != first)))
            }
            Forge::GitLab(forge) => {
                let stage = forge.stage.clone();
                Box::new(move || {
                    stage.request(NUMBER, |request| request.discussions.retain(|d| d.notes[0].id != first))
                })
            }
        };
        lab.desk().fault(Fault::on("GET", list).nth(1).after(move || {
            if !done.swap(true, Ordering::Relaxed) {
                delete();
            }
        }));
        // GitLab lists notes twice over; only one of the two lists is read while it shrinks.
        if which == Which::GitLab {
            let without = |response: &mut Response| response.body = b"[]".to_vec();
            lab.desk().fault(Fault::on("GET", "/projects/*/merge_requests/*/notes").every().reshaped(without));
        }
        lab.desk().forget_requests();
        let again = lab.post().exits(0);
        assert_eq!(statuses(&again), ["already_posted"], "{which:?}\n{again}");
        let comments: Vec<Value> = lab.desk().writes().iter().map(|write| write.request.json()).collect();
        assert_eq!(comments, Vec::<Value>::new(), "{which:?}");
    }
}
