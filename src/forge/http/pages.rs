//! Where a list goes on after a page, and when what was read of it can be believed.
//!
//! Source: GitHub REST, "Using pagination in the REST API"; GitLab REST, "Pagination" (`x-next-page`, and a
//! page in the middle may be short). A proxy may drop or rewrite either header, so neither is needed here.

use std::collections::HashSet;

use bytes::Bytes;
use url::Url;

use super::{Answer, Extent, Fault, Origin};

/// Items of a page, as both forges are asked for them.
pub const PAGE: usize = 100;

/// What a page that is not full says of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Short {
    /// It is the last one.
    Last,
    /// Nothing, unless a header says that it is the last one.
    Anywhere,
}

/// The page to be read next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Onward {
    Link(Url),
    Number(u64),
}

/// The way through the pages of one list.
#[derive(Debug)]
pub struct Pages {
    short: Short,
    number: u64,
    visited: HashSet<Url>,
    extent: Extent,
    /// The page read last.
    last: Bytes,
}

/// What an answer says of the page after it.
enum Said {
    Nothing,
    Last,
    Number(u64),
    Link(Url),
    /// There is one, and how it is named is of no use.
    Somewhere,
}

impl Pages {
    pub fn new(short: Short) -> Self {
        Self { short, number: 1, visited: HashSet::new(), extent: Extent::default(), last: Bytes::new() }
    }

    /// Whether this is the page before it once more: the server counts no pages, and has shown all it has. One without
    /// an item says nothing of that.
    pub fn repeats(&self, page: &Answer) -> bool {
        self.count() > 0 && self.last == page.body && page.body.trim_ascii() != b"[]"
    }

    /// How many pages were read.
    pub fn count(&self) -> usize {
        self.extent.pages()
    }

    /// Takes in the page at `url`, with so many items, and says where the list goes on. A link is followed on
    /// the same server, and only to a page that was not read yet; without one the page is asked for by number.
    ///
    /// # Errors
    ///
    /// [`Fault::TooLong`] and [`Fault::TooLarge`], for a list without an end.
    pub fn next(&mut self, url: &Url, page: &Answer, items: usize, host: &str) -> Result<Option<Onward>, Fault> {
        self.extent.count(page, host)?;
        self.visited.insert(url.clone());
        self.last = page.body.clone();
        let counted = self.number + 1;
        let next = match self.said(url, page) {
            Said::Number(number) => Some(Onward::Number(number)),
            Said::Link(link) => Some(Onward::Link(link)),
            Said::Somewhere => (items > 0).then_some(Onward::Number(counted)),
            Said::Nothing if self.short == Short::Anywhere => (items > 0).then_some(Onward::Number(counted)),
            Said::Nothing | Said::Last => (items >= PAGE).then_some(Onward::Number(counted)),
        };
        self.number = match &next {
            Some(Onward::Number(number)) => *number,
            Some(Onward::Link(link)) => number_of(link).unwrap_or(counted),
            None => self.number,
        };
        Ok(next)
    }

    fn said(&self, url: &Url, page: &Answer) -> Said {
        let named = page.header("x-next-page");
        if let Some(number) = named.and_then(|number| number.parse().ok()).filter(|number| *number > self.number) {
            return Said::Number(number);
        }
        let Some(link) = page.next_link() else {
            let links = page.header("link").is_some();
            return match named {
                Some("") => Said::Last,
                Some(_) => Said::Somewhere,
                None if links => Said::Last,
                None => Said::Nothing,
            };
        };
        // The first page is the one without a number.
        let goes_on = |to: &Url| {
            Origin::of(to) == Origin::of(url)
                && !self.visited.contains(to)
                && number_of(to).is_none_or(|number| number > self.number)
        };
        url.join(&link).ok().filter(goes_on).map_or(Said::Somewhere, Said::Link)
    }
}

/// The number of the page that a link leads to.
pub fn number_of(link: &Url) -> Option<u64> {
    link.query_pairs().find(|(name, _)| name == "page")?.1.parse().ok()
}

/// An item of a list that is known again by its number.
pub trait Numbered {
    fn number(&self) -> u64;
}

/// How often a list of several pages is read until two readings agree.
const READINGS: usize = 3;

/// Readings of one list. What is deleted while its pages are read moves the rest, and an item that moves from
/// the page after to the page before is seen on neither.
#[derive(Debug)]
pub struct Readings<T> {
    last: Option<Vec<T>>,
    made: usize,
}

impl<T> Default for Readings<T> {
    fn default() -> Self {
        Self { last: None, made: 0 }
    }
}

impl<T: Numbered> Readings<T> {
    /// Takes in one reading, and gives the list once it is sure; `None`: read it again. One page is one
    /// answer, and sure by itself. Two readings agree where the later one only has more at its end.
    ///
    /// # Errors
    ///
    /// Where no two readings after each other agreed.
    pub fn take(&mut self, read: Vec<T>, pages: usize) -> Result<Option<Vec<T>>, Shifting> {
        self.made += 1;
        let numbers = |list: &[T]| list.iter().map(Numbered::number).collect::<Vec<_>>();
        let agree = self.last.as_ref().is_some_and(|last| numbers(&read).starts_with(&numbers(last)));
        if pages <= 1 || agree {
            return Ok(Some(read));
        }
        self.last = Some(read);
        if self.made < READINGS { Ok(None) } else { Err(Shifting { readings: self.made }) }
    }
}

/// A list that was another one at each reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shifting {
    pub readings: usize,
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{HeaderMap, HeaderName, StatusCode};

    use super::*;

    fn answer(headers: &[(&str, &str)]) -> Answer {
        let pair = |(name, value): &(&str, &str)| (name.parse::<HeaderName>().unwrap(), value.parse().unwrap());
        Answer { status: StatusCode::OK, headers: HeaderMap::from_iter(headers.iter().map(pair)), body: Bytes::new() }
    }

    #[test]
    fn a_next_page_is_followed_where_it_can_be_and_counted_where_it_cannot() {
        let number = |n| Some(Onward::Number(n));
        let link = |text: &str| Some(Onward::Link(text.parse().unwrap()));
        let same = r#"<https://h/x?per_page=100&page=1>; rel="next""#;
        let foreign = r#"<https://other/x?page=2>; rel="next""#;
        for (headers, items, last, anywhere) in [
            (&[][..], 100, number(2), number(2)),
            (&[], 99, None, number(2)),
            (&[], 0, None, None),
            (
                &[("link", r#"<https://h/x?page=2>; rel="next""#)],
                3,
                link("https://h/x?page=2"),
                link("https://h/x?page=2"),
            ),
            (&[("link", r#"<?page=2>; rel="next""#)], 3, link("https://h/x?page=2"), link("https://h/x?page=2")),
            (&[("link", r#"</y?after=Z>; rel="next""#)], 0, link("https://h/y?after=Z"), link("https://h/y?after=Z")),
            (&[("link", r#"<https://h/x?page=1>; rel="next""#)], 100, number(2), number(2)),
            (&[("link", same)], 100, number(2), number(2)),
            (&[("link", same)], 1, number(2), number(2)),
            (&[("link", same)], 0, None, None),
            (&[("link", foreign)], 1, number(2), number(2)),
            (&[("link", r#"<https://h/x?page=1>; rel="first""#)], 99, None, None),
            (&[("link", r#"<https://h/x?page=1>; rel="first""#)], 100, number(2), number(2)),
            (&[("x-next-page", "")], 99, None, None),
            (&[("x-next-page", "")], 100, number(2), number(2)),
            (&[("x-next-page", "2")], 0, number(2), number(2)),
            (&[("x-next-page", "1")], 5, number(2), number(2)),
        ] {
            for (short, expected) in [(Short::Last, last), (Short::Anywhere, anywhere)] {
                let url = "https://h/x?per_page=100&page=1".parse().unwrap();
                let next = Pages::new(short).next(&url, &answer(headers), items, "h");
                assert_eq!(next, Ok(expected), "{headers:?} {items} {short:?}");
            }
        }
    }

    #[test]
    fn a_circle_of_links_is_left_by_counting() {
        let mut pages = Pages::new(Short::Last);
        let url = |page: u64| format!("https://h/x?page={page}").parse::<Url>().unwrap();
        let back = answer(&[("link", r#"<https://h/x?page=1>; rel="next""#)]);
        let on = answer(&[("link", r#"<https://h/x?page=2>; rel="next""#)]);
        assert_eq!(pages.next(&url(1), &on, 100, "h"), Ok(Some(Onward::Link(url(2)))));
        assert_eq!(pages.next(&url(2), &back, 100, "h"), Ok(Some(Onward::Number(3))));
        assert_eq!(pages.next(&url(3), &back, 0, "h"), Ok(None));
    }

    #[derive(Debug, PartialEq)]
    struct Item(u64);

    impl Numbered for Item {
        fn number(&self) -> u64 {
            self.0
        }
    }

    #[test]
    fn a_list_of_several_pages_is_believed_when_two_readings_agree() {
        let list = |numbers: &[u64]| numbers.iter().copied().map(Item).collect::<Vec<_>>();
        let mut one = Readings::default();
        assert_eq!(one.take(list(&[1, 2]), 1), Ok(Some(list(&[1, 2]))));
        let mut grows = Readings::default();
        assert_eq!(grows.take(list(&[1, 2]), 2), Ok(None));
        assert_eq!(grows.take(list(&[1, 2, 3]), 2), Ok(Some(list(&[1, 2, 3]))));
        // Item 1 was deleted while the first page was read, and 3 was on neither.
        let mut shifts = Readings::default();
        assert_eq!(shifts.take(list(&[1, 2, 4]), 2), Ok(None));
        assert_eq!(shifts.take(list(&[2, 3, 4]), 2), Ok(None));
        assert_eq!(shifts.take(list(&[2, 3, 4]), 2), Ok(Some(list(&[2, 3, 4]))));
        let mut never = Readings::default();
        assert_eq!(never.take(list(&[1, 2]), 2), Ok(None));
        assert_eq!(never.take(list(&[2, 3]), 2), Ok(None));
        assert_eq!(never.take(list(&[3, 4]), 2), Err(Shifting { readings: 3 }));
    }
}
