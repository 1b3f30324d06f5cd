//! The one writer of both streams. Whoever prints, and whatever it is: no secret of the run leaves, and nothing that a CI
//! runner would obey.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::panic::PanicHookInfo;
use std::sync::{Arc, PoisonError, RwLock};

use super::{runner, visible};
use crate::forge::Secrets;
use crate::text::without_keys;

/// What kind of result is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// For people; what is foreign in it is visible already.
    Text,
    /// Exactly what would be posted.
    Markdown,
    Json,
    /// A JSON document of a person's own file or change, in which a key may be the finding.
    Document,
    /// The same as Markdown.
    Page,
}

/// stdout and stderr.
#[derive(Debug, Clone)]
pub struct Console {
    /// Whether a runner looks for commands in what is printed.
    watched: bool,
    /// Taken out of everything that is printed, whoever says it.
    secrets: Arc<RwLock<Secrets>>,
}

impl Console {
    /// `var` gives a non-empty environment variable.
    pub fn new(var: impl Fn(&str) -> Option<String>) -> Self {
        let watched = runner::VARIABLES.iter().any(|name| var(name).is_some());
        Self { watched, secrets: Arc::default() }
    }

    pub fn is_watched(&self) -> bool {
        self.watched
    }

    /// From now on these are not printed, in the place of those that were hidden before.
    pub fn hide(&self, secrets: Secrets) {
        *self.secrets.write().unwrap_or_else(PoisonError::into_inner) = secrets;
    }

    /// A message without secrets.
    pub fn clean(&self, text: &str) -> String {
        lines_without_keys(&self.secrets.read().unwrap_or_else(PoisonError::into_inner).redact(text)).into_owned()
    }

    /// A result, on stdout. A closed pipe is quiet; any other fault of stdout is returned.
    pub fn out(&self, text: &str, form: Form) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let text = self.result(text, form, out.is_terminal());
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(fault) if fault.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    fn result(&self, text: &str, form: Form, is_terminal: bool) -> String {
        let secrets = self.secrets.read().unwrap_or_else(PoisonError::into_inner);
        let text = secrets.redact_content(text).map_or(Cow::Borrowed(text), Cow::Owned);
        let text = match form {
            Form::Text | Form::Markdown | Form::Json => lines_without_keys(&text),
            Form::Document | Form::Page => text,
        };
        match form {
            Form::Json | Form::Document => runner::json(&text).into_owned(),
            Form::Markdown | Form::Page if is_terminal => self.unobeyed(&every_line_visible(&text)),
            Form::Text | Form::Markdown | Form::Page => self.unobeyed(&text),
        }
    }

    /// A message, on stderr. Nothing can be said about a stderr that does not take it.
    pub fn err(&self, text: &str) {
        let _ = io::stderr().lock().write_all(self.unobeyed(&self.clean(text)).as_bytes());
    }

    /// Every write begins a line, so that no command is put together from two of them.
    fn unobeyed(&self, text: &str) -> String {
        if !self.watched {
            return text.to_owned();
        }
        let mut text = runner::without_commands(text).into_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }

    /// From now on a fault of this program is printed here too.
    pub fn take_panics(&self) {
        let console = self.clone();
        std::panic::set_hook(Box::new(move |fault| console.err(&panicked(fault))));
    }
}

/// Line by line, so that what begins in one text cannot swallow the next.
fn lines_without_keys(text: &str) -> Cow<'_, str> {
    let mut clean: Option<String> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        match (without_keys(line), &mut clean) {
            (Cow::Borrowed(line), Some(clean)) => clean.push_str(line),
            (Cow::Borrowed(_), None) => {}
            (Cow::Owned(line), Some(clean)) => clean.push_str(&line),
            (Cow::Owned(line), none) => *none = Some(format!("{}{line}", &text[..at])),
        }
        at += line.len();
    }
    clean.map_or(Cow::Borrowed(text), Cow::Owned)
}

fn every_line_visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        shown.push_str(&visible(line.strip_suffix('\n').unwrap_or(line)));
        shown.push_str(if line.ends_with('\n') { "\n" } else { "" });
    }
    shown
}

fn panicked(fault: &PanicHookInfo<'_>) -> String {
    let mut text = "error: a fault of dai itself".to_owned();
    if let Some(place) = fault.location() {
        // Writing into a string cannot fail.
        let _ = write!(text, ", at {place}");
    }
    for line in fault.payload_as_str().unwrap_or_default().lines() {
        let _ = write!(text, "\n  cause: {}", visible(line));
    }
    let trace = std::backtrace::Backtrace::capture();
    if trace.status() == std::backtrace::BacktraceStatus::Captured {
        let _ = write!(text, "\n{trace}");
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn console(watched: bool) -> Console {
        Console::new(|name| (watched && name == "TF_BUILD").then(|| "True".to_owned()))
    }

    #[test]
    fn text_forms_change_only_where_a_runner_reads_and_json_is_the_same_everywhere() {
        let text = "a ##[x]\n::y::\n";
        for form in [Form::Text, Form::Markdown, Form::Page] {
            assert_eq!(console(false).result(text, form, false), text);
            assert_eq!(console(true).result(text, form, false), "a ##\u{200b}[x]\n\u{200b}::y::\n");
        }
        for form in [Form::Json, Form::Document] {
            let document = "{\n  \"a\": \"##[x]\"\n}\n";
            let shown = "{\n  \"a\": \"##\\u005bx]\"\n}\n";
            assert_eq!([console(false), console(true)].map(|console| console.result(document, form, true)), [shown; 2]);
        }
    }

    #[test]
    fn what_is_exact_elsewhere_is_visible_at_a_terminal() {
        let text = "a\u{1b}[31m\u{200e}b\n\u{202e}\n";
        assert_eq!(console(false).result(text, Form::Page, false), text);
        for form in [Form::Page, Form::Markdown] {
            assert_eq!(console(false).result(text, form, true), "a\\u{1b}[31m\\u{200e}b\n\\u{202e}\n");
        }
    }

    #[test]
    fn a_key_in_one_line_does_not_take_the_next_with_it() {
        let text = "-----BEGIN PRIVATE KEY-----\nsecond\n-----END PRIVATE KEY-----\nghp_A1b2C3d4E5f6G7h8\n";
        let shown = console(false).result(text, Form::Text, false);
        assert_eq!(shown, "[redacted]\nsecond\n-----END PRIVATE KEY-----\n[redacted]\n");
        assert_eq!(console(false).result(text, Form::Document, false), text);
    }

    #[test]
    fn a_message_ends_its_line_and_no_secret_becomes_a_command() {
        let console = console(true);
        console.hide(Secrets::default());
        assert_eq!(console.unobeyed("## and"), "## and\n");
        assert_eq!(console.unobeyed(&console.clean("##ghp_A1b2C3d4E5f6G7h8")), "##\u{200b}[redacted]\n");
    }
}
