//! How far a list is read: a server decides where its pages lead, and not for how long they are followed.

use super::{Answer, Fault};

/// The most pages of one list. A hundred to a page, this is more than any request has comments.
const PAGES: usize = 2_000;
/// The most bytes of one list, all its pages together.
const BYTES: usize = 256 * 1024 * 1024;

/// What of a list was read so far.
#[derive(Debug, Default)]
pub struct Extent {
    pages: usize,
    bytes: usize,
}

impl Extent {
    pub fn pages(&self) -> usize {
        self.pages
    }

    /// Counts a page in.
    ///
    /// # Errors
    ///
    /// [`Fault::TooLong`] and [`Fault::TooLarge`]: what was read of such a list is no list, and must not be
    /// taken for one.
    pub fn count(&mut self, page: &Answer, host: &str) -> Result<(), Fault> {
        self.pages += 1;
        self.bytes += page.body.len();
        if self.bytes > BYTES {
            return Err(Fault::TooLarge { host: host.to_owned(), status: page.status.as_u16(), limit: BYTES });
        }
        match self.pages > PAGES {
            true => Err(Fault::TooLong { host: host.to_owned(), pages: PAGES }),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{HeaderMap, StatusCode};

    use super::*;

    #[test]
    fn a_list_is_followed_for_so_many_pages_and_so_many_bytes() {
        let page = |bytes: usize| Answer {
            status: StatusCode::OK,
            headers: HeaderMap::new(),
            body: Bytes::from(vec![b' '; bytes]),
        };
        let read = |page: &Answer| {
            let mut extent = Extent::default();
            (1..).find_map(|n| extent.count(page, "h").err().map(|fault| (n, fault)))
        };
        assert_eq!(read(&page(2)), Some((2_001, Fault::TooLong { host: "h".into(), pages: 2_000 })));
        let large = Fault::TooLarge { host: "h".into(), status: 200, limit: BYTES };
        assert_eq!(read(&page(64 << 20)), Some((5, large)));
    }
}
