//! Random trouble over random reviews: run, lose, kill, run again until it is done. Then each finding that can be posted
//! stands once, the summary once, nothing else was written, and the last report says what the forge has.
//!
//! In some worlds the head moves between two runs: equal lines are added above, files are renamed again. In some the forge's lists
//! show a write some reads late, never later than the program is patient. In some another clone posts the same review, between the runs
//! or at the same time as the first one: then what both of them wrote is named, and that run ends in 6.
//!
//! `DAI_STORM_PLANS` says how many plans are run (60; 1,000 by hand), `DAI_STORM_SEED` which is the first (1). A plan that fails names its
//! seed: `DAI_STORM_PLANS=1 DAI_STORM_SEED=… cargo test --test cli storm` runs it alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::ground::{BOTH, Lab, NUMBER, Summary, Which, changed};
use super::lists::lag;
use crate::support::faults::Fault;
use crate::support::github;
use crate::support::gitlab;
use crate::support::repo::Repo;
use crate::support::run::{Answer, Running, Signal, send};
use crate::support::server::Response;

/// Runs beyond one for each fault: on a loaded machine a time-out comes by itself.
const SPARE: usize = 4;

/// `splitmix64`: a plan is its seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(from.len() as u64)).expect("a small number")]
    }

    fn chance(&mut self, of_ten: u64) -> bool {
        self.below(10) < of_ten
    }
}

/// Places that take a comment on either forge: path, side, first and last line.
const PLACES: [(&str, &str, u32, u32); 14] = [
    ("a.rs", "RIGHT", 2, 2),
    ("a.rs", "RIGHT", 5, 5),
    ("a.rs", "RIGHT", 5, 6),
    ("a.rs", "RIGHT", 9, 9),
    ("a.rs", "LEFT", 5, 5),
    ("a.rs", "LEFT", 30, 30),
    ("a.rs", "RIGHT", 51, 51),
    ("a.rs", "RIGHT", 48, 54),
    ("new.rs", "RIGHT", 10, 10),
    ("old.rs", "LEFT", 10, 10),
    ("gone.rs", "LEFT", 1, 2),
    ("gone.rs", "LEFT", 2, 2),
    ("made.rs", "RIGHT", 1, 1),
    ("made.rs", "RIGHT", 1, 2),
];

/// Places that take none.
const NOWHERE: [(&str, &str, u32, u32); 4] =
    [("a.rs", "RIGHT", 20, 20), ("a.rs", "RIGHT", 9, 28), ("made.rs", "RIGHT", 3, 3), ("gone.rs", "RIGHT", 1, 1)];

struct Plan {
    which: Which,
    findings: Vec<Value>,
    /// The word of each finding that can be posted.
    postable: BTreeSet<String>,
    cap: Option<usize>,
    troubles: Vec<Trouble>,
    /// Before how many of the runs after the first one the head moves.
    pushes: usize,
    world: World,
}

/// What else is other than on one machine with a forge that is up to date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum World {
    Plain,
    /// Lists show a write this many reads late.
    Lagging(usize),
    /// Another clone posts before each of so many of the runs after the first one.
    Alternating(usize),
    /// Another clone posts at the same time as the first run; the troubles come after it.
    AtOnce,
}

#[derive(Debug, Clone, Copy)]
struct Trouble {
    method: &'static str,
    nth: usize,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    RefusedBefore(u16),
    CutBefore,
    SilentBefore,
    Slower(usize),
    FailedAfter(u16),
    CutAfter,
    HalfAfter,
    SilentAfter,
    /// The process gets a signal, and the call is done all the same.
    SignalBefore(Signal),
    SignalAfter(Signal),
    /// The process is gone before the forge hears of the call.
    KilledUnheard,
    /// GitHub stores the summary without its comments, and refuses; on GitLab the comment alone is refused.
    Orphan,
}

fn plan(seed: u64) -> Plan {
    let mut random = Random(seed);
    let which = random.pick(&BOTH);
    let mut findings = Vec::new();
    let mut postable = BTreeSet::new();
    let severities = ["low", "medium", "high"];
    let finding = |(path, side, line, end): (&str, &str, u32, u32), severity: &str, body: &str| json!({"path": path, "side": side, "line": line, "end_line": end, "severity": severity, "body": body});
    for n in 0..random.below(7) {
        let word = format!("word-{n}-of-{seed}.");
        let place = random.pick(&PLACES);
        findings.push(finding(place, random.pick(&severities), &word));
        if random.chance(1) {
            findings.push(finding(place, random.pick(&severities), &word));
        }
        postable.insert(word);
    }
    for n in 0..random.below(3) {
        findings.push(finding(random.pick(&NOWHERE), random.pick(&severities), &format!("nowhere-{n}.")));
    }
    if random.chance(3) {
        findings.push(json!({"path": "a.rs", "severity": "low", "body": "the file as a whole"}));
    }
    if random.chance(2) {
        let mut dismissed = finding(PLACES[0], "high", "dismissed.");
        dismissed["state"] = "dismissed".into();
        findings.push(dismissed);
    }
    let cap = random.chance(2).then(|| usize::try_from(random.below(4)).expect("a small number"));
    let signals = [Signal::Kill, Signal::Terminate, Signal::Interrupt];
    let trouble = |random: &mut Random| {
        let (method, calls) = random.pick(&[("*", 40), ("*", 14), ("POST", 2), ("POST", 9), ("PUT", 1)]);
        let kind = match random.below(15) {
            0 | 1 => Kind::RefusedBefore(random.pick(&[500, 502, 503])),
            2 => Kind::CutBefore,
            3 => Kind::SilentBefore,
            4 | 5 => Kind::Slower(usize::try_from(random.below(6)).expect("a small number")),
            6 | 7 => Kind::FailedAfter(random.pick(&[500, 502, 504])),
            8 => Kind::CutAfter,
            9 => Kind::HalfAfter,
            10 => Kind::SilentAfter,
            11 => Kind::SignalBefore(random.pick(&signals)),
            12 => Kind::SignalAfter(random.pick(&signals)),
            13 => Kind::Orphan,
            _ => Kind::KilledUnheard,
        };
        Trouble { method, nth: usize::try_from(random.below(calls)).expect("a small number") + 1, kind }
    };
    let troubles = (0..random.below(9)).map(|_| trouble(&mut random)).collect();
    let pushes = if random.chance(4) { usize::try_from(random.below(3)).expect("a small number") + 1 } else { 0 };
    let few = |random: &mut Random| usize::try_from(random.below(4)).expect("a small number") + 1;
    let world = match random.below(10) {
        0..3 => World::Lagging(few(&mut random)),
        3 | 4 => World::Alternating(few(&mut random)),
        5 => World::AtOnce,
        _ => World::Plain,
    };
    Plan { which, findings, postable, cap, troubles, pushes, world }
}

/// Heads one after another that leave every line of [`PLACES`] as it is: equal lines above it, its file renamed, both.
fn pushes(lab: &Lab) -> Vec<String> {
    let mut text = changed();
    let mut insert = |after: &str, more: &str| {
        text = text.replacen(after, &format!("{after}{more}"), 1);
        text.clone()
    };
    let mut commits = Vec::new();
    lab.work.write("a.rs", insert("line 3\n", "line 8\nadded fifty\nline five\n"));
    commits.push(lab.work.commit("equal lines"));
    lab.work.rename("made.rs", "made2.rs").rename("new.rs", "newer.rs");
    commits.push(lab.work.commit("renamed again"));
    lab.work.write("a.rs", insert("line 1\n", "line 2\nline 6\n")).rename("made2.rs", "made3.rs");
    lab.work.write("made3.rs", "one\ntwo\none\n");
    commits.push(lab.work.commit("both"));
    lab.work.git(&["reset", "--quiet", "--hard", &lab.head]);
    commits
}

fn throttle(which: Which, manner: usize) -> Response {
    use github::Throttle as Hub;
    use gitlab::Throttle as Lab;
    match which {
        Which::GitHub => {
            let manners = [
                Hub::Secondary403(2),
                Hub::Secondary429(2),
                Hub::Used403(1),
                Hub::Used429(1),
                Hub::TooQuickly,
                Hub::Abuse,
            ];
            manners[manner % manners.len()].response()
        }
        Which::GitLab => {
            let manners = [Lab::WithHeaders(2), Lab::OfEndpoint, Lab::Plain];
            manners[manner % manners.len()].response()
        }
    }
}

/// The process that is running now.
type Child = Arc<Mutex<Option<u32>>>;

fn set(lab: &Lab, trouble: &Trouble, child: &Child) {
    let on = || Fault::on(trouble.method, "**").nth(trouble.nth);
    let signal = |signal: Signal| {
        let child = Arc::clone(child);
        move || {
            if let Some(id) = *child.lock().expect("a lock") {
                send(signal, id);
            }
        }
    };
    let forge = lab.desk();
    match trouble.kind {
        Kind::RefusedBefore(status) => forge.fault(on().instead(Response::html(status))),
        Kind::CutBefore => forge.fault(on().cut_before()),
        Kind::SilentBefore => forge.fault(on().hang_before(Duration::from_secs(20))),
        Kind::Slower(manner) => forge.fault(on().instead(throttle(lab.which(), manner))),
        Kind::FailedAfter(status) => forge.fault(on().after_write(Response::html(status))),
        Kind::CutAfter => forge.fault(on().cut_after()),
        Kind::HalfAfter => forge.fault(on().half_after()),
        Kind::SilentAfter => forge.fault(on().hang_after(Duration::from_secs(20))),
        Kind::SignalBefore(which) => forge.fault(on().before(signal(which))),
        Kind::SignalAfter(which) => forge.fault(on().after(signal(which))),
        Kind::Orphan => match lab.which() {
            Which::GitHub => forge.fault(lab.on_comments().nth(trouble.nth.min(2)).orphan()),
            Which::GitLab => forge.fault(on().instead(Response::html(400))),
        },
        Kind::KilledUnheard => {
            forge.fault(on().before(signal(Signal::Kill)));
            forge.fault(on().cut_before());
        }
    }
}

fn start(lab: &Lab, clone: &Repo, plan: &Plan) -> Running {
    let cap = plan.cap.map(|cap| cap.to_string());
    let trace = (plan.pushes > 0).then_some("--trace");
    let args = ["--yes"].into_iter().chain(trace).chain(cap.iter().flat_map(|cap| ["--max-comments", cap.as_str()]));
    lab.dai_in(clone, args).patience(Duration::from_secs(180)).spawn()
}

fn run(lab: &Lab, clone: &Repo, plan: &Plan, child: &Child) -> Answer {
    let mut held = child.lock().expect("a lock");
    let running = start(lab, clone, plan);
    *held = Some(running.id());
    drop(held);
    let answer = running.wait();
    *child.lock().expect("a lock") = None;
    answer
}

/// Two runs that write at the same time, where both come to it. Gives what they said of texts that both of them wrote.
fn race(lab: &Lab, other: &Repo, plan: &Plan) -> Result<Twins, String> {
    let arrived = Arc::new(AtomicU64::new(0));
    for nth in [1, 2] {
        let arrived = Arc::clone(&arrived);
        lab.desk().fault(Fault::on("POST", "**").nth(nth).before(move || {
            arrived.fetch_add(1, Ordering::SeqCst);
            // The other one may have nothing left to write.
            for _ in 0..20 {
                if arrived.load(Ordering::SeqCst) < 2 {
                    thread::sleep(Duration::from_millis(10));
                }
            }
        }));
    }
    let answers = [&lab.clone, other].map(|clone| start(lab, clone, plan)).map(Running::wait);
    lab.desk().clear_faults();
    let mut twins = Twins::default();
    for answer in answers {
        if ![0, 5, 6].contains(&answer.code()) {
            return Err(format!("exit code {}\n{answer}", answer.code()));
        }
        twins.hear(&answer)?;
    }
    Ok(twins)
}

fn says(answer: &Answer, code: &str) -> bool {
    answer.json()["warnings"].as_array().expect("warnings").iter().any(|warning| warning["code"] == code)
}

/// What runs have said of texts that stand twice.
#[derive(Default)]
struct Twins(Vec<String>);

impl Twins {
    /// # Errors
    ///
    /// Where they are named, and the run does not end in 6.
    fn hear(&mut self, answer: &Answer) -> Result<(), String> {
        // A run that wrote nothing has nothing to name.
        if ![0, 6].contains(&answer.code()) {
            return Ok(());
        }
        let report = answer.json();
        let named = report["warnings"].as_array().expect("warnings").iter().filter(|w| w["code"] == "posted_twice");
        let named: Vec<_> = named.map(|w| w["message"].as_str().expect("a text").to_owned()).collect();
        if !named.is_empty() && answer.code() != 6 {
            return Err(format!("named twins, and not exit 6\n{answer}"));
        }
        self.0.extend(named);
        Ok(())
    }

    fn name(&self, ids: &[u64]) -> bool {
        let names = |said: &String, id: &u64| said.split([' ', ',']).any(|word| ends(word, *id));
        self.0.iter().any(|said| ids.iter().all(|id| names(said, id)))
    }

    /// How many of these are the second one of a named pair.
    fn of(&self, ids: &[u64]) -> usize {
        let second = |at: &usize| ids[..*at].iter().any(|first| self.name(&[*first, ids[*at]]));
        (0..ids.len()).filter(second).count()
    }

    fn name_pair(&self, ids: &[u64]) -> bool {
        ids.len() == 2 && self.name(ids)
    }
}

/// Whether a URL is that of this comment, note or review.
fn ends(url: &str, id: u64) -> bool {
    url.ends_with(&format!("-{id}")) || url.ends_with(&format!("_{id}")) || url.ends_with(&format!("_r{id}"))
}

/// A request, the heads that it may get, and another clone of it.
struct Ground {
    lab: Lab,
    pushes: Vec<String>,
    other: Repo,
}

impl Ground {
    fn new(which: Which) -> Self {
        let lab = Lab::new(which);
        let (pushes, other) = (pushes(&lab), lab.another_clone());
        std::fs::create_dir_all(other.path().join(".dai/reviews")).expect("the folder of reviews");
        Self { lab, pushes, other }
    }

    fn begin(&self, plan: &Plan) {
        let Self { lab, other, .. } = self;
        lab.wipe();
        lab.push(&lab.head);
        lab.review(&plan.findings);
        let folder = other.path().join(".dai/reviews");
        std::fs::copy(lab.file(), folder.join(format!("{NUMBER}.json"))).expect("the review");
        std::fs::remove_file(lab.receipt()).ok();
        std::fs::remove_file(folder.join(format!("{NUMBER}.posted.json"))).ok();
    }
}

/// Runs a plan to its end.
///
/// # Errors
///
/// What did not hold.
fn ride(ground: &Ground, plan: &Plan) -> Result<usize, String> {
    let Ground { lab, pushes, other } = ground;
    ground.begin(plan);
    let mut twins = if plan.world == World::AtOnce { race(lab, other, plan)? } else { Twins::default() };
    once_at_most(lab, plan, &twins)?;
    let child = Child::default();
    if let World::Lagging(reads) = plan.world {
        lag(lab, reads);
    }
    plan.troubles.iter().for_each(|trouble| set(lab, trouble, &child));
    let others = if let World::Alternating(others) = plan.world { others } else { 0 };
    let mut told = Vec::new();
    for runs in 1..=plan.troubles.len() + 1 + SPARE + plan.pushes {
        let pushed = (runs - 1).min(plan.pushes);
        if runs > 1 && pushed == runs - 1 {
            lab.push(&pushes[pushed - 1]);
        }
        let clones = if (2..2 + others).contains(&runs) { vec![other, &lab.clone] } else { vec![&lab.clone] };
        for clone in clones {
            let answer = run(lab, clone, plan, &child);
            told.push(format!("{}: {}", answer.code(), answer.err()));
            twins.hear(&answer)?;
            once_at_most(lab, plan, &twins).map_err(|why| format!("{why}\n{}", told.join("\n")))?;
            match answer.code() {
                0 if pushed < plan.pushes || std::ptr::eq(clone, other) => {}
                // What was taken, and is not listed yet: the next run finds it.
                0 if matches!(plan.world, World::Lagging(_)) && says(&answer, "no_url") => {}
                0 => {
                    let settled = settled(lab, plan, &answer, &twins);
                    return settled.map(|()| told.len()).map_err(|why| format!("{why}\n{}\n{answer}", told.join("\n")));
                }
                5 | 6 | 130 | 137 | 143 => {}
                other => return Err(format!("exit code {other}\n{answer}")),
            }
        }
    }
    Err(format!("not done after all runs:\n{}", told.join("\n")))
}

fn same<T: PartialEq + Debug>(what: &str, got: T, wanted: T) -> Result<(), String> {
    if got == wanted { Ok(()) } else { Err(format!("{what}: {got:?}, and not {wanted:?}")) }
}

/// The comments with each word.
fn words(lab: &Lab, plan: &Plan) -> BTreeMap<String, Vec<u64>> {
    let comments = lab.comments();
    let ids = |word: &String| comments.iter().filter(|c| c.body.contains(word)).map(|c| c.id).collect();
    plan.postable.iter().map(|word| (word.clone(), ids(word))).collect()
}

/// What a forge stored without its comments has lost its marker, and counts as nothing.
fn summaries(lab: &Lab) -> Vec<Summary> {
    let mut all = lab.summaries();
    all.retain(|summary| summary.body.contains("<!-- dai v1 review="));
    all
}

/// Holds at any moment.
fn once_at_most(lab: &Lab, plan: &Plan, twins: &Twins) -> Result<(), String> {
    let words = words(lab, plan);
    if let Some((word, ids)) = words.iter().find(|(_, ids)| ids.len() > 1 && !twins.name_pair(ids)) {
        return Err(format!("{word} stands {} times, and {:?} was said", ids.len(), twins.0));
    }
    same("comments of anything else", lab.comments().len() - words.values().map(Vec::len).sum::<usize>(), 0)?;
    let summaries: Vec<_> = summaries(lab).iter().map(|summary| summary.id).collect();
    // A head has one summary of its own.
    let most = 1 + plan.pushes + twins.of(&summaries);
    same("more summaries than heads", summaries.len() > most, false)
}

/// Holds once a run has said that all is done.
fn settled(lab: &Lab, plan: &Plan, answer: &Answer, twins: &Twins) -> Result<(), String> {
    let report = answer.json();
    let comments = lab.comments();
    let wanted = plan.cap.map_or(plan.postable.len(), |cap| cap.min(plan.postable.len()));
    let doubled = words(lab, plan).values().filter(|ids| twins.name_pair(ids)).count();
    same("comments", comments.len() - doubled, wanted)?;
    let summaries = summaries(lab);
    let url = |of: &Value| of["url"].as_str().unwrap_or("none").to_owned();
    if plan.pushes == 0 {
        let ids: Vec<_> = summaries.iter().map(|summary| summary.id).collect();
        same("summaries", ids.len(), 1 + twins.of(&ids))?;
    }
    let named = url(&report["summary"]);
    let Some(summary) = summaries.iter().rfind(|summary| ends(&named, summary.id)) else {
        return Err(format!("no summary has the URL {named}: {summaries:?}"));
    };
    // After a push alone what was written at an older head stays.
    if plan.pushes == 0 || report["summary"]["status"] != "already_posted" {
        same("the summary", report["summary"]["body"].as_str().map(str::trim_end), Some(summary.body.trim_end()))?;
    }
    let mut told = BTreeSet::new();
    for finding in report["findings"].as_array().expect("findings") {
        let status = finding["status"].as_str().expect("a status");
        match status {
            "posted" | "already_posted" => {}
            "summary" | "suppressed" | "rejected" => continue,
            other => return Err(format!("a finding is {other} after a run that is done")),
        }
        let stored: Vec<_> = comments.iter().filter(|c| ends(&url(finding), c.id)).collect();
        let [stored] = stored[..] else { return Err(format!("no comment has the URL {}", url(finding))) };
        let body = finding["body"].as_str().expect("a text");
        if plan.pushes == 0 {
            same("a text", body.trim_end(), stored.body.trim_end())?;
            same("a path", finding["path"].as_str(), Some(stored.path.as_str()))?;
        } else {
            // Place and marker are those of the head that it was posted at.
            let word = plan.postable.iter().find(|word| body.contains(*word)).expect("a word of each finding");
            same("a text", stored.body.contains(word), true)?;
        }
        told.insert(stored.id);
    }
    same("the comments that the report tells of", told.len(), comments.len() - doubled)?;
    let held = report["findings"].as_array().expect("findings").len();
    same("findings of the report", held, plan.findings.len())
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

#[test]
#[expect(clippy::print_stdout, reason = "the seed is told, so that any run of it can be had again")]
fn whatever_happens_everything_stands_once_in_the_end() {
    let (first, plans) = (number("DAI_STORM_SEED", 1), number("DAI_STORM_PLANS", 60));
    let (next, runs, failed) = (AtomicU64::new(0), AtomicU64::new(0), Mutex::new(Vec::new()));
    // Most of the time is spent in waiting and in git.
    let workers = thread::available_parallelism().map_or(4, |n| n.get() * 2);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let grounds = BOTH.map(Ground::new);
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= plans || failed.lock().expect("a lock").len() >= 5 {
                        return;
                    }
                    let seed = first + at;
                    let plan = plan(seed);
                    let ground =
                        grounds.iter().find(|ground| ground.lab.which() == plan.which).expect("both are there");
                    match ride(ground, &plan) {
                        Ok(count) => drop(runs.fetch_add(count as u64, Ordering::Relaxed)),
                        Err(why) => failed.lock().expect("a lock").push(format!(
                            "DAI_STORM_PLANS=1 DAI_STORM_SEED={seed}, {:?}, {:?}\n{why}",
                            plan.which,
                            (plan.world, plan.pushes, &plan.troubles)
                        )),
                    }
                }
            });
        }
    });
    println!("{plans} plans from the seed {first} on, {} runs", runs.into_inner());
    let failed = failed.into_inner().expect("a lock");
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}
