//! From the bytes of a file to a review, whatever the format.

use super::document::Document;
use super::error::ReviewError;
use super::finding::{Format, Review};
use super::load::MAX_BYTES;
use super::node::Node;
use super::problem::{Fault, Problem};
use super::problems::Problems;
use super::reading::done;
use super::source::Source;
use super::{dai, exchange, orchestra};

/// Reads a review of any format; which one is told by the content.
///
/// `name` is what messages call the file. The document comes back too, for edits that replace only
/// the bytes of a value.
///
/// # Errors
///
/// [`ReviewError::Invalid`] with every fault of the file; a fault of syntax stands alone.
pub fn read(bytes: &[u8], name: &str) -> Result<(Review, Document), ReviewError> {
    let document = document(bytes, name).map_err(Box::new)?;
    let read = match sniff(document.root()) {
        Format::Dai => dai::read,
        Format::Exchange => exchange::read_review,
        Format::Orchestra => orchestra::read,
    };
    Ok(done(document, read).map_err(Box::new)?)
}

/// The bytes as JSON, strictly read.
pub(super) fn document(bytes: &[u8], name: &str) -> Result<Document, Problems> {
    let source = source(bytes, name)?;
    Document::parse(source).map_err(|refused| {
        let (source, problem) = *refused;
        Problems::new(source, vec![problem])
    })
}

fn source(bytes: &[u8], name: &str) -> Result<Source, Problems> {
    let refuse = |text: String, offset: usize, fault| {
        let source = Source::new(name, text);
        let problem = Problem::new(&source, "", offset..source.text().len().min(offset + 1), fault);
        Err(Problems::new(source, vec![problem]))
    };
    if bytes.len() > MAX_BYTES {
        return refuse(String::new(), 0, Fault::TooLarge { limit: MAX_BYTES });
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(name, text)),
        Err(error) => {
            let offset = error.valid_up_to();
            let wide = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
            let fault = if wide { Fault::WideText } else { Fault::NotUtf8 { offset, byte: bytes[offset] } };
            // What comes before the first wrong byte keeps its offsets.
            refuse(String::from_utf8_lossy(bytes).into_owned(), offset, fault)
        }
    }
}

/// Tells the formats apart: the key `leanreview_review` is an exchange; findings with `file` and
/// `claim`, and not with our own fields beside them, are Orchestra's; all else is ours.
pub fn sniff(root: &Node) -> Format {
    if root.get("leanreview_review").is_some() {
        return Format::Exchange;
    }
    let findings = root.get("findings").map_or(&[][..], |member| member.value.items());
    let has = |node: &Node, one, two| node.get(one).is_some() && node.get(two).is_some();
    let theirs = |node: &Node| has(node, "file", "claim") && !has(node, "path", "body");
    if findings.iter().any(theirs) { Format::Orchestra } else { Format::Dai }
}
