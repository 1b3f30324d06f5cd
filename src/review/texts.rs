//! Every text of a review that somebody may get to read.

use super::finding::{Finding, Heading, Reply, Review};

impl Review {
    /// Puts `replace`'s text in the place of each that it gives one for; says whether there was any.
    pub fn replace_texts(&mut self, replace: impl Fn(&str) -> Option<String>) -> bool {
        let mut any = false;
        let mut text = |text: &mut String| {
            if let Some(new) = replace(text) {
                *text = new;
                any = true;
            }
        };
        let Heading { title, reviewer, us, version, check_status, dod, summary, good } = &mut self.heading;
        [title, reviewer, us, version, check_status, dod, summary].into_iter().flatten().for_each(&mut text);
        good.iter_mut().for_each(&mut text);
        for Finding { id, path, body, snippet, replies, .. } in &mut self.findings {
            [id, snippet].into_iter().flatten().for_each(&mut text);
            [path, body].into_iter().for_each(&mut text);
            for Reply { author, body } in replies {
                author.iter_mut().for_each(&mut text);
                text(body);
            }
        }
        any
    }
}
