use super::*;

#[test]
fn c36_a_rerun_posts_nothing() {
    let findings = || vec![at(4, "one"), at(5, "two")];
    let mut plan = planned(findings(), &ten_lines(), &Options::default());
    let standing = posted(&plan, &[0, 1]);
    plan.stand(&standing, Again::No);
    assert_eq!(statuses(&plan), ["already_posted", "already_posted"]);
    let url = Some("https://forge.example/c/1".to_owned());
    assert_eq!(plan.items[1].fate, Fate::AlreadyPosted { url, stands: Stands::AtLine });
    // `--again` is for other wordings: the same finding is not repeated.
    plan.stand(&standing, Again::Yes);
    assert_eq!(statuses(&plan), ["already_posted", "already_posted"]);
    // A later look that finds them gone makes them ready again.
    plan.stand(&Standing::default(), Again::No);
    assert_eq!(statuses(&plan), ["ready", "ready"]);
}

#[test]
fn an_earlier_wording_keeps_its_place_unless_again() {
    let change = ten_lines();
    let before = planned(vec![at(4, "the old words")], &change, &Options::default());
    let mut plan = planned(vec![at(4, "the new words"), at(5, "elsewhere")], &change, &Options::default());
    plan.stand(&posted(&before, &[0]), Again::No);
    assert_eq!(statuses(&plan), ["already_commented", "ready"]);
    assert_eq!(status(&plan.items[0].fate), "suppressed");
    plan.stand(&posted(&before, &[0]), Again::Yes);
    assert_eq!(statuses(&plan), ["ready", "ready"]);
}

#[test]
fn c41_of_two_findings_on_one_line_the_refused_one_is_posted_by_the_rerun() {
    let mut plan = planned(vec![at(4, "one"), at(4, "two")], &ten_lines(), &Options::default());
    plan.stand(&posted(&plan.clone(), &[0]), Again::No);
    assert_eq!(statuses(&plan), ["already_posted", "ready"]);
}

#[test]
fn a_comment_of_a_finding_that_is_kept_back_now_is_no_earlier_wording() {
    use crate::review::State;
    let change = ten_lines();
    let before = planned(vec![at(4, "one")], &change, &Options::default());
    for state in [State::Dismissed, State::Orphaned, State::Stale] {
        let findings = vec![Finding { state, ..at(4, "one") }, at(4, "two")];
        let mut plan = planned(findings, &change, &Options::default());
        plan.stand(&posted(&before, &[0]), Again::No);
        assert_eq!(statuses(&plan), [state.as_str(), "ready"]);
    }
    let low = Finding { severity: Some(Severity::Low), ..at(4, "one") };
    let options = Options { min_severity: Some(Severity::Medium), ..Options::default() };
    let mut plan = planned(vec![low, at(4, "two")], &change, &options);
    plan.stand(&posted(&before, &[0]), Again::No);
    assert_eq!(statuses(&plan), ["below_min_severity", "ready"]);
}

#[test]
fn a_comment_made_under_the_other_name_of_a_renamed_file_counts() {
    let script = &["+a", "+b"];
    let before = sample::change(vec![sample::modified("was", script)]);
    let after = sample::change(vec![sample::renamed("was", "is", script)]);
    let on = |path: &str, line, body: &str| Finding { body: body.into(), ..sample::finding(path, R, line, line) };
    let first = planned(vec![on("was", 1, "same"), on("was", 2, "old words")], &before, &Options::default());
    let standing = posted(&first, &[0, 1]);
    let mut plan =
        planned(vec![on("is", 1, "same"), on("is", 2, "new words"), on("is", 1, "more")], &after, &Options::default());
    plan.stand(&standing, Again::No);
    assert_eq!(statuses(&plan), ["already_posted", "already_commented", "ready"]);
}

#[test]
fn c42_the_cap_keeps_its_slots_over_reruns() {
    let findings = || (1..=5).map(|n| at(n, &format!("number {n}"))).collect::<Vec<_>>();
    let options = Options { max_comments: Some(3), ..Options::default() };
    let mut standing = Standing::default();
    for run in 0..3 {
        let mut plan = planned(findings(), &ten_lines(), &options);
        plan.stand(&standing, Again::No);
        let new = ready(&plan);
        assert_eq!(new.len(), if run == 0 { 3 } else { 0 });
        standing.comments.extend(posted(&plan, &new).comments);
        assert_eq!(standing.comments.len(), 3, "run {run}");
        assert_eq!(&statuses(&plan)[3..], ["over_max_comments", "over_max_comments"]);
    }
}

#[test]
fn what_was_posted_is_not_taken_back_by_a_later_look() {
    let mut plan = planned(vec![at(4, "one")], &ten_lines(), &Options::default());
    let standing = posted(&plan, &[0]);
    plan.items[0].fate = Fate::Posted { url: None };
    plan.stand(&standing, Again::No);
    assert_eq!(statuses(&plan), ["posted"]);
}
