//! The misnamed fields of a file that may be renamed without a person: on the document itself, since a
//! file that lacks a required field for it is no review yet.

use super::document::Document;
use super::finding::Format;
use super::meant::{meaning, misnamed};
use super::node::{Member, Node};
use super::spec::sniff;
use super::{dai, exchange, orchestra};

/// A key of an object that gets another name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rename {
    /// The object's JSON pointer.
    pub pointer: String,
    pub from: String,
    pub to: &'static str,
}

/// Every rename that is sure, in the file's order.
pub fn renames(document: &Document) -> Vec<Rename> {
    let (list, known): (&'static str, &[&'static str]) = match sniff(document.root()) {
        Format::Dai => ("findings", &dai::FINDING),
        Format::Exchange => ("comments", &exchange::COMMENT),
        Format::Orchestra => ("findings", &orchestra::FINDING),
        Format::Foreign(_) => return Vec::new(),
    };
    let root = document.root();
    let mut found = Vec::new();
    let means_list = |member: &&Member| !member.value.items().is_empty() && meaning(&member.key, &[list]).is_some();
    let misplaced: Vec<&Member> = root.members().iter().filter(means_list).collect();
    let (key, items): (&str, &[Node]) = match (root.get(list), &misplaced[..]) {
        (Some(member), _) => (list, member.value.items()),
        (None, [one]) => {
            found.push(Rename { pointer: String::new(), from: one.key.to_string(), to: list });
            (&one.key, one.value.items())
        }
        (None, _) => return found,
    };
    let key = key.replace('~', "~0").replace('/', "~1");
    for (at, node) in items.iter().enumerate() {
        let sure = misnamed(document, node, known).into_iter().filter(|one| one.sure);
        found.extend(sure.map(|one| Rename {
            pointer: format!("/{key}/{at}"),
            from: one.member.key.to_string(),
            to: one.known,
        }));
    }
    found
}
