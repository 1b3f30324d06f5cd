//! What the forge layer tells while it works, shown: a spinner's text, a bar, lines under `-vv`.

use std::sync::Mutex;
use std::time::Duration;

use super::ui::{Spinner, Ui, Verbosity};
use crate::forge::{Called, Event, Progress, WaitFor};

/// Shows the events on stderr.
#[derive(Debug)]
pub struct Reporter {
    ui: Ui,
    shown: Mutex<Option<Spinner>>,
}

impl Reporter {
    pub fn new(ui: &Ui) -> Self {
        Self { ui: ui.clone(), shown: Mutex::new(None) }
    }

    /// Starts to show what the run is at; the old spinner goes away.
    pub fn start(&self, message: &str) {
        self.replace(Some(self.ui.spinner(message)));
    }

    pub fn stop(&self) {
        self.replace(None);
    }

    fn replace(&self, next: Option<Spinner>) {
        if let Ok(mut shown) = self.shown.lock() {
            *shown = next;
        }
    }

    fn with(&self, act: impl FnOnce(&Ui)) {
        match self.shown.lock() {
            Ok(shown) => match shown.as_ref() {
                Some(spinner) => spinner.aside(|| act(&self.ui)),
                None => act(&self.ui),
            },
            Err(_) => act(&self.ui),
        }
    }
}

impl Progress for Reporter {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Called { method, url, outcome, took } => {
                let outcome = match outcome {
                    Called::Answered { status, bytes } => format!("{status}, {bytes} bytes"),
                    Called::Failed(why) => why.to_owned(),
                };
                let line = format!("{method} {url}: {outcome} in {} ms", took.as_millis());
                self.with(|ui| ui.trace(Verbosity::Calls, &line));
            }
            Event::Waiting { why, how_long, left, host } => {
                let why = match why {
                    WaitFor::Throttle => "asks for a pause",
                    WaitFor::Retry => "did not answer well; trying again",
                    WaitFor::Look => "left the outcome open; looking again",
                    WaitFor::Diff => "has not made the diff yet",
                    WaitFor::Pacing => "takes only so many comments a minute",
                };
                let line =
                    format!("{host} {why}: waiting {} (this run may wait {} more)", human(how_long), human(left));
                self.with(|ui| ui.note(&line));
            }
            Event::Posting { done, of } => {
                let Ok(mut shown) = self.shown.lock() else { return };
                if done == 0 {
                    *shown = Some(self.ui.bar(of, "posting"));
                } else if let Some(bar) = shown.as_ref() {
                    bar.at(done);
                }
            }
        }
    }
}

/// A duration in words, to the unit that matters.
pub fn human(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0 if time.is_zero() => "0 s".to_owned(),
        0 => format!("{} ms", time.as_millis()),
        1..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_said_in_the_unit_that_matters() {
        for (seconds, said) in
            [(1, "1 s"), (119, "119 s"), (120, "2 min"), (7_199, "119 min"), (7_200, "2 h"), (172_800, "2 days")]
        {
            assert_eq!(human(Duration::from_secs(seconds)), said);
        }
        assert_eq!(human(Duration::from_millis(250)), "250 ms");
    }
}
