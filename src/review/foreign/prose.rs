//! A body out of the several texts that other formats have for one finding.

/// Paragraphs of a body, in the order in which they are added.
#[derive(Debug, Default)]
pub(super) struct Prose(Vec<String>);

impl Prose {
    pub fn paragraph(&mut self, text: Option<&str>) -> &mut Self {
        self.0.extend(text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned));
        self
    }

    /// `**Fails when:** …`
    pub fn labelled(&mut self, label: &str, text: Option<&str>) -> &mut Self {
        let text = text.map(str::trim).filter(|text| !text.is_empty());
        self.0.extend(text.map(|text| format!("**{label}:** {text}")));
        self
    }

    /// In bold, on a line of its own.
    pub fn title(&mut self, text: Option<&str>) -> &mut Self {
        let text = text.map(str::trim).filter(|text| !text.is_empty());
        self.0.extend(text.map(|text| format!("**{}**", text.replace(['\n', '\r'], " "))));
        self
    }

    /// As code in a fence that it cannot close; never as a suggestion that a click applies.
    pub fn code(&mut self, label: &str, text: Option<&str>) -> &mut Self {
        let Some(text) = text.filter(|text| !text.is_empty()) else { return self };
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        let text = text.strip_suffix('\n').unwrap_or(text);
        self.0.push(format!("**{label}:**\n\n{fence}\n{text}\n{fence}"));
        self
    }

    pub fn finish(&self) -> String {
        self.0.join("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::Prose;

    #[test]
    fn what_is_there_becomes_a_paragraph_each() {
        let mut prose = Prose::default();
        prose.title(Some("A\nB")).paragraph(Some(" one ")).labelled("Do", None).labelled("Do", Some("two"));
        prose.code("Instead", Some("```\nx\n"));
        assert_eq!(prose.finish(), "**A B**\n\none\n\n**Do:** two\n\n**Instead:**\n\n````\n```\nx\n````");
    }
}
