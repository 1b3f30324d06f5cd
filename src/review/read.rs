//! From the bytes of a file to a review, whatever the format.

use super::document::Document;
use super::envelope;
use super::error::ReviewError;
use super::finding::{Format, Review};
use super::load::MAX_BYTES;
use super::problem::{Fault, Problem};
use super::problems::Problems;
use super::reading::done;
use super::source::Source;
use super::spec::sniff;

/// Reads a review of any format; which one is told by the content.
///
/// `name` is what messages call the file. The document comes back too, for edits that replace only
/// the bytes of a value.
///
/// # Errors
///
/// [`ReviewError::Invalid`] with every fault of the file; a fault of syntax stands alone.
pub fn read(bytes: &[u8], name: &str) -> Result<(Review, Document), ReviewError> {
    read_as(bytes, name, None)
}

/// [`read`], of a format that is not told by the content.
pub fn read_as(bytes: &[u8], name: &str, format: Option<Format>) -> Result<(Review, Document), ReviewError> {
    let document = document(bytes, name).and_then(envelope::open).map_err(Box::new)?;
    let format = format.unwrap_or_else(|| sniff(document.root()));
    Ok(done(document, format.spec().read).map_err(Box::new)?)
}

/// The bytes as JSON, strictly read.
pub(super) fn document(bytes: &[u8], name: &str) -> Result<Document, Problems> {
    let source = source(bytes, name)?;
    Document::parse(source).or_else(|refused| {
        let (source, problem) = *refused;
        match Document::lines(source.clone()) {
            Some(document) if sniff(document.root()) != Format::Dai || envelope::is_stream(&document) => {
                return Ok(document);
            }
            _ => {}
        }
        Err(Problems::new(source, vec![problem]))
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
