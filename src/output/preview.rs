//! The preview for people, and the result of a post: what goes where, what is kept back and why, and
//! the command that does it.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::excerpt::{Row, code_lines, excerpt};
use super::heading::{Part, heading};
use super::report::{Finding, Mode, Report, Status, SummaryStatus};
use super::{Paint, clip, fold, visible, width};
use crate::change::Change;
use crate::gate::Item;
use crate::text::{Dialect, block};
use crate::{parallel, review};

/// Of a long comment this many lines are shown; `--format markdown` has all.
const BODY_LINES: usize = 12;
/// What stands before each line of a comment.
const BAR: &str = "   │ ";
/// A near line is cut at this many columns.
const NEAR_COLUMNS: usize = 90;

/// What the report does not hold, for the human form of it.
#[derive(Debug)]
pub struct Extras<'a> {
    /// As in the file, for the words of those that have no place.
    pub findings: &'a [review::Finding],
    pub items: &'a [Item],
    /// For the hunk around each place; `None` where there is no change to take it from.
    pub change: Option<&'a Change>,
    /// The order of posting.
    pub order: Vec<usize>,
    /// What the review was read from.
    pub source: String,
    /// How the change was taken, where it was not the forge's word.
    pub origin: Option<String>,
    /// The command that posts exactly this, or goes on with it.
    pub command: Option<String>,
    /// How wide the terminal is; `None` where stdout is none, and lines may be as long as they are.
    pub columns: Option<usize>,
    /// The review is an exchange, which is bound to its patch and not to a commit.
    pub own_patch: bool,
    pub dialect: Dialect,
}

impl Extras<'_> {
    /// The hunk around the place of a finding.
    fn rows(&self, finding: &Finding) -> Vec<Row> {
        let spot = self.items.get(finding.index).and_then(|item| item.spot.as_ref());
        self.change.zip(spot).map(|(change, spot)| excerpt(change, &spot.anchor)).unwrap_or_default()
    }

    /// The comment's text as it would be read, without badge and marker.
    fn text(&self, finding: &Finding) -> Cow<'_, str> {
        match self.items.get(finding.index).and_then(|item| item.spot.as_ref()) {
            Some(spot) => Cow::Borrowed(&spot.body),
            None => self
                .findings
                .get(finding.index)
                .map(|finding| Cow::Owned(block(&finding.body, self.dialect).text))
                .unwrap_or_default(),
        }
    }
}

/// The whole text for stdout.
pub fn render(report: &Report, extras: &Extras<'_>, paint: Paint) -> String {
    let mut page = Page::new(report, extras, paint);
    page.head();
    page.going_out();
    page.summary();
    page.in_the_summary();
    page.kept_back();
    page.foot();
    page.out
}

struct Page<'a> {
    out: String,
    paint: Paint,
    report: &'a Report,
    extras: &'a Extras<'a>,
}

impl<'a> Page<'a> {
    fn new(report: &'a Report, extras: &'a Extras<'a>, paint: Paint) -> Self {
        Self { out: String::new(), paint, report, extras }
    }

    /// What is written about each, each behind an empty line. Thousands take their time, so every core
    /// writes its own.
    fn each<T: Sync>(&mut self, things: &[T], write: impl Fn(&mut Self, &T) + Sync) {
        let (report, extras, paint) = (self.report, self.extras, self.paint);
        let written = parallel::map(things, |thing| {
            let mut page = Self::new(report, extras, paint);
            page.line("");
            write(&mut page, thing);
            page.out
        });
        self.out.extend(written);
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// One line of a text from outside behind `lead`, which stands before every row that a terminal makes of it.
    fn foreign(&mut self, lead: &str, text: &str) {
        let room = self.extras.columns.map_or(usize::MAX, |columns| columns.saturating_sub(width(lead)).max(20));
        for piece in fold(&visible(text), room) {
            self.line(format!("{lead}{piece}").trim_end());
        }
    }

    fn head(&mut self) {
        let report = self.report;
        if let (Some(project), Some(number)) = (&report.project, report.number) {
            let sigil = if report.forge == Some("gitlab") { '!' } else { '#' };
            let mut title = self.paint.bold(&visible(&format!("{project}{sigil}{number}")));
            let draft = if report.draft == Some(true) { ", draft" } else { "" };
            if let Some(state) = report.state {
                let _ = write!(title, "  {state}{draft}");
            }
            if let Some(url) = &report.url {
                let _ = write!(title, "  {}", self.paint.dim(&visible(url)));
            }
            self.line(&title);
        }
        let commits = &report.commits;
        let short = |id: &Option<String>| id.as_deref().map_or("?", |id| &id[..id.len().min(10)]).to_owned();
        let between =
            commits.head.is_some().then(|| format!("{}..{}", short(&commits.merge_base), short(&commits.head)));
        let range = match (between, &self.extras.origin) {
            (Some(between), Some(origin)) => format!("change  {between}  ({})", visible(origin)),
            (Some(between), None) => format!("change  {between}"),
            (None, origin) => format!("change  {}", visible(origin.as_deref().unwrap_or("none"))),
        };
        self.line(&range);
        let of = match &commits.reviewed {
            Some(reviewed) if Some(reviewed) == commits.head.as_ref() => " of this head".to_owned(),
            Some(_) => format!(" of {}", short(&commits.reviewed)),
            None if self.extras.own_patch => ", bound to its own patch".to_owned(),
            None => ", bound to no commit".to_owned(),
        };
        let count = match report.findings.len() {
            0 => "the file has no findings".to_owned(),
            some => plural(some, "finding"),
        };
        self.line(&format!("review  {}{of}, {count}", visible(&self.extras.source)));
    }

    fn going_out(&mut self) {
        let goes = |f: &Finding| !matches!(f.status, Status::Suppressed | Status::Rejected | Status::Summary);
        let findings: Vec<_> = self.extras.order.iter().map(|at| &self.report.findings[*at]).collect();
        let shown: Vec<_> = findings.into_iter().filter(|f| goes(f)).collect();
        let heading = match (self.report.mode, shown.len()) {
            (Mode::Post, 0) => "no comment at a line".to_owned(),
            (Mode::Post, n) => plural(n, "comment"),
            (Mode::Check, n) if n > 0 && shown.iter().all(|f| f.status == Status::NotAttempted) => {
                format!("{} at a line, not looked up", plural(n, "finding"))
            }
            (Mode::Check, n) => format!("{} at a line of the change", plural(n, "finding")),
            (_, 0) => "no comment would be posted at a line".to_owned(),
            (_, n) => {
                let standing = shown.iter().filter(|f| f.status == Status::AlreadyPosted).count();
                match (n - standing, standing) {
                    (new, 0) => format!("{} would be posted", plural(new, "comment")),
                    (new, old) => format!("{} would be posted, {old} already there", plural(new, "comment")),
                }
            }
        };
        self.line("");
        self.line(&self.paint.bold(&heading));
        let numbered: Vec<(usize, &Finding)> = (1..).zip(shown).collect();
        self.each(&numbered, |page, (number, finding)| page.finding(*number, finding));
    }

    fn finding(&mut self, number: usize, finding: &Finding) {
        let status = match finding.status {
            Status::NotAttempted if self.report.mode == Mode::Check => None,
            status => posted_as(status),
        };
        self.heading(&format!("{number}. "), finding, status);
        if let Some(written) = &finding.written {
            let place = format!("{}:{} {}", written.path, lines(written.line, written.end_line), written.side);
            self.foreign("   ", &format!("written as {place}"));
        }
        for line in code_lines(&self.extras.rows(finding), self.paint, self.extras.columns) {
            self.line(&line);
        }
        if let Some(reason) = &finding.reason {
            self.foreign("   ", &format!("{}: {}", reason.code.as_str(), reason.message));
        }
        self.body(&self.extras.text(finding), BODY_LINES);
        if let Some(url) = &finding.url {
            self.line(&self.paint.dim(&format!("   {}", visible(url))));
        }
    }

    /// Behind a bar, so that no line of it can be taken for a place, a reason or a line of code.
    fn body(&mut self, text: &str, most: usize) {
        let all: Vec<_> = text.trim_end().split('\n').collect();
        for line in all.iter().take(most) {
            self.foreign(BAR, line.trim_end_matches('\r'));
        }
        if all.len() > most {
            let more = format!("   … {} more", plural(all.len() - most, "line"));
            self.line(&self.paint.dim(&more));
        }
    }

    /// What becomes of the summary, where there is a request to post it to.
    fn summary(&mut self) {
        let summary = &self.report.summary;
        let text = match (self.report.mode, summary.status, &summary.url) {
            _ if self.report.number.is_none() => return,
            (Mode::Preview, SummaryStatus::Ready, None) => "the summary would be posted".to_owned(),
            (Mode::Preview, SummaryStatus::Ready, Some(url)) => format!("the summary would be edited: {url}"),
            (Mode::Preview, SummaryStatus::AlreadyPosted, Some(url)) => format!("the summary stands already: {url}"),
            _ => return,
        };
        self.line("");
        self.line(&self.paint.bold(&visible(&text)));
        self.line(&self.paint.dim("   every text as it is posted: --format markdown"));
    }

    fn in_the_summary(&mut self) {
        let whole: Vec<_> = self.report.findings.iter().filter(|f| f.status == Status::Summary).collect();
        if whole.is_empty() {
            return;
        }
        self.line("");
        self.line(&self.paint.bold(&format!("{} without a line, in the summary", plural(whole.len(), "finding"))));
        self.each(&whole, |page, finding| {
            page.heading("-  ", finding, None);
            page.body(&page.extras.text(finding), BODY_LINES);
        });
    }

    fn kept_back(&mut self) {
        let held = |f: &&Finding| matches!(f.status, Status::Suppressed | Status::Rejected);
        let held: Vec<_> = self.report.findings.iter().filter(held).collect();
        if held.is_empty() {
            return;
        }
        self.line("");
        self.line(&self.paint.bold(&format!("{} kept back", plural(held.len(), "finding"))));
        self.each(&held, |page, finding| page.held(finding));
    }

    fn held(&mut self, finding: &Finding) {
        let code = finding.reason.as_ref().map_or("", |reason| reason.code.as_str());
        let paint = if finding.status == Status::Rejected { Paint::error } else { Paint::warning };
        self.heading("-  ", finding, Some(Part::painted(code, paint)));
        if let Some(reason) = &finding.reason {
            self.foreign("   ", &reason.message);
        }
        if let Some(proposal) = &finding.proposal {
            let place = format!("{}:{} {}", proposal.path, lines(proposal.line, proposal.end_line), proposal.side);
            self.foreign("   ", &format!("proposal: {place} ({})", proposal.why));
        }
        if self.report.mode == Mode::Check {
            self.nearest(finding);
        }
        self.body(&self.extras.text(finding), 3);
        if let Some(url) = &finding.url {
            self.foreign("   ", &format!("a comment of it is there: {url}"));
        }
    }

    /// The closest commentable lines, for whoever mends the file.
    fn nearest(&mut self, finding: &Finding) {
        for near in &finding.nearest {
            let text = visible(near.text.trim_end()).into_owned();
            let line = format!("   near: {} {}: {}", near.side, near.line, clip(&text, NEAR_COLUMNS));
            self.line(&self.paint.dim(line.trim_end()));
        }
    }

    fn foot(&mut self) {
        let report = self.report;
        let counts = report.counts;
        self.line("");
        match report.mode {
            Mode::Check => {
                let parts = [
                    (counts.ready, "at a line"),
                    (counts.not_attempted, "not looked up"),
                    (counts.summary, "for the summary"),
                    (counts.suppressed, "suppressed"),
                    (counts.rejected, "rejected"),
                ];
                let told: Vec<_> =
                    parts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
                let told = if told.is_empty() { "no findings".to_owned() } else { told.join(", ") };
                self.line(&self.paint.bold(&told));
            }
            Mode::Preview => {
                let nothing_new = counts.ready == 0 && report.summary.status == SummaryStatus::AlreadyPosted;
                let text = if nothing_new {
                    "nothing new: everything that passes the gate stands already"
                } else {
                    "nothing was posted"
                };
                self.line(&self.paint.bold(text));
                if let Some(command) = &self.extras.command {
                    self.line("to post exactly this:");
                    self.line(&format!("  {}", visible(command)));
                }
            }
            Mode::Post => {
                self.line(&self.paint.bold(&posted(report)));
                if let Some(url) = &report.summary.url {
                    self.line(&format!("summary {}: {}", report.summary.status.as_str(), visible(url)));
                } else {
                    self.line(&format!("summary {}", report.summary.status.as_str()));
                }
                if let Some(command) = &self.extras.command {
                    self.line("to complete it, run the same again:");
                    self.line(&format!("  {}", visible(command)));
                }
            }
        }
    }

    fn heading(&mut self, lead: &str, finding: &Finding, fate: Option<Part>) {
        let place = Part::painted(visible(&place(finding)), Paint::place);
        let name = Part::painted(visible(&called(finding)), Paint::dim);
        let parts: Vec<_> = [place, Part::plain(grade(finding)), name].into_iter().chain(fate).collect();
        self.line(&heading(lead, &parts, self.paint, self.extras.columns));
    }
}

/// What a post made of it, where that is a word of its own.
fn posted_as(status: Status) -> Option<Part> {
    Some(match status {
        Status::Posted => Part::painted("posted", Paint::good),
        Status::AlreadyPosted => Part::painted("already posted", Paint::good),
        Status::Failed => Part::painted("failed", Paint::error),
        Status::Unknown => Part::painted("unknown", Paint::error),
        Status::NotAttempted => Part::painted("not attempted", Paint::warning),
        Status::Ready | Status::Summary | Status::Suppressed | Status::Rejected => return None,
    })
}

fn place(finding: &Finding) -> String {
    let renamed = finding.old_path.as_ref().map(|old| format!(" (was {old})")).unwrap_or_default();
    match (finding.line, finding.end_line, finding.side) {
        (Some(line), Some(end), Some(side)) => format!("{}:{}{renamed} {side}", finding.path, lines(line, end)),
        _ => format!("{}{renamed} (the file as a whole)", finding.path),
    }
}

/// What a finding is called: by its pointer, which finds it in the file, and by its id where it has one.
pub fn called(finding: &Finding) -> String {
    let id = finding.id.as_ref().map(|id| format!(" ({id})")).unwrap_or_default();
    format!("{}{id}", finding.pointer)
}

fn grade(finding: &Finding) -> String {
    let confidence = finding.confidence.map_or("no confidence".to_owned(), |c| format!("confidence {c}"));
    format!("{}, {confidence}", finding.severity.unwrap_or("no severity"))
}

fn lines(line: u32, end: u32) -> String {
    if line == end { line.to_string() } else { format!("{line}-{end}") }
}

fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn posted(report: &Report) -> String {
    let counts = report.counts;
    let mut parts = Vec::new();
    for (count, word) in [
        (counts.posted, "posted"),
        (counts.already_posted, "already there"),
        (counts.failed, "failed"),
        (counts.unknown, "unknown"),
        (counts.not_attempted, "not attempted"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {word}"));
        }
    }
    if parts.is_empty() { "no comment was to be posted".to_owned() } else { parts.join(", ") }
}
