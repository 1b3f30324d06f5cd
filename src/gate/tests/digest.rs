use super::*;

fn identity() -> Identity {
    Identity {
        kind: Kind::GitHub,
        host: "github.com".to_owned(),
        project: "acme/widgets".to_owned(),
        number: 22,
        head: sample::commit('b'),
        merge_base: sample::commit('a'),
        again: Again::No,
        review: ReviewId::Default,
    }
}

fn spots() -> Vec<Spot> {
    planned(vec![at(4, "one"), at(5, "two")], &ten_lines(), &Options::default()).spots().cloned().collect()
}

fn of(identity: &Identity, spots: &[Spot], summary: &str) -> String {
    super::super::digest::digest(identity, spots, summary).to_string()
}

#[test]
fn the_digest_is_sixteen_hex_digits_and_the_same_for_the_same_plan() {
    let digest = of(&identity(), &spots(), "summary");
    assert_eq!(digest.len(), 16);
    assert!(digest.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)));
    assert_eq!(of(&identity(), &spots(), "summary"), digest);
}

#[test]
fn the_digest_differs_when_any_part_differs() {
    let spots = spots();
    let mut all = vec![of(&identity(), &spots, "summary")];
    let mut differs = |digest: String| {
        assert!(!all.contains(&digest), "number {}", all.len());
        all.push(digest);
    };
    for change in [
        (|i| i.kind = Kind::GitLab) as fn(&mut Identity),
        |i| i.review = ReviewId::of_file("22.json"),
        |i| i.review = ReviewId::of_reviewer("22.json"),
        |i| i.host = "ghe.example".to_owned(),
        |i| i.project = "acme/gadgets".to_owned(),
        |i| i.number = 23,
        |i| i.head = sample::commit('c'),
        |i| i.merge_base = sample::commit('c'),
        |i| i.again = Again::Yes,
        // A border moved from one field to the next.
        |i| {
            i.host = "github.comacme".to_owned();
            i.project = "/widgets".to_owned();
        },
    ] {
        let mut identity = identity();
        change(&mut identity);
        differs(of(&identity, &spots, "summary"));
    }
    differs(of(&identity(), &spots, "another summary"));
    differs(of(&identity(), &spots[..1], "summary"));
    differs(of(&identity(), &[], "summary"));
    differs(of(&identity(), &[spots[1].clone(), spots[0].clone()], "summary"));
    for change in [
        (|s| s.path = "x".to_owned()) as fn(&mut Spot),
        |s| s.old_path = "x".to_owned(),
        |s| s.new_path = "x".to_owned(),
        |s| s.side = L,
        |s| s.range.start = 3,
        |s| s.range.end = 6,
        |s| s.first.old += 1,
        |s| s.last.new += 1,
        |s| s.comment.text.push('.'),
    ] {
        let mut spots = spots.clone();
        change(&mut spots[0]);
        differs(of(&identity(), &spots, "summary"));
    }
}

#[test]
fn c44_the_digest_is_that_of_the_first_run_whatever_stands() {
    let findings = || vec![at(4, "one"), at(5, "two"), at(6, "three")];
    let options = Options { max_comments: Some(2), ..Options::default() };
    let mut first = planned(findings(), &ten_lines(), &options);
    first.seal(&identity(), "summary");
    assert!(first.digest.is_some());
    let mut second = planned(findings(), &ten_lines(), &options);
    second.stand(&posted(&first, &[0]), Again::No);
    second.seal(&identity(), "summary");
    assert_eq!(second.digest, first.digest);
}

#[test]
fn what_is_kept_back_is_no_part_of_the_digest_but_by_the_summary() {
    let seal = |findings| {
        let mut plan = planned(findings, &ten_lines(), &Options::default());
        plan.seal(&identity(), "summary");
        plan.digest
    };
    assert_eq!(seal(vec![at(4, "one")]), seal(vec![at(4, "one"), at(99, "off")]));
}
