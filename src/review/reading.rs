//! One reading of a document: fields taken out by rule, and everything that is wrong collected.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::defect::Defect;
use super::document::Document;
use super::meant::{meaning, misnamed};
use super::node::{Kind, Member, Node};
use super::problem::{Allowed, Fault, Pointer, Problem};
use super::problems::Problems;
use super::quote::quoted;
use super::rule;
use crate::warning::{Code, Warning};

/// How many remarks on unknown fields are made; what is beyond is counted.
const REMARKS: usize = 200;

/// The most findings of one file, in any format.
pub(super) const MAX_FINDINGS: usize = 5_000;

/// Which unknown fields are worth a remark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unknown {
    /// Every one.
    Every,
    /// Those that are nearly a known one; the format ignores the others on purpose.
    NearMiss,
}

/// What a reading collects.
pub(super) struct Reading<'d> {
    document: &'d Document,
    unknown: Unknown,
    /// The pointers of the fields that `null` leaves out.
    pub(super) nulls: BTreeSet<String>,
    problems: Vec<Problem>,
    pub(super) warnings: Vec<Warning>,
    /// On unknown fields, each with where its key begins.
    remarks: Vec<(usize, Warning)>,
    unsaid: usize,
}

/// What makes a document no review, and what else is to be said of it.
#[derive(Debug)]
pub struct Refused {
    problems: Vec<Problem>,
    warnings: Vec<Warning>,
}

/// An object of the document, opened.
#[derive(Clone)]
pub(super) struct Object<'d> {
    pub(super) pointer: String,
    node: &'d Node,
}

impl<'d> Object<'d> {
    pub(super) fn get(&self, field: &str) -> Option<&'d Node> {
        self.node.get(field).map(|member| &member.value)
    }

    pub(super) fn pointer_to(&self, field: &str) -> String {
        format!("{}/{}", self.pointer, field.replace('~', "~0").replace('/', "~1"))
    }
}

/// What came of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Got<T> {
    Absent,
    /// It is there and wrong, and has been told.
    Bad,
    Is(T),
}

impl<T> Got<T> {
    pub(super) fn ok(self) -> Option<T> {
        if let Got::Is(value) = self { Some(value) } else { None }
    }

    pub(super) fn is_absent(&self) -> bool {
        matches!(self, Got::Absent)
    }
}

impl<'d> Reading<'d> {
    /// Begins with what holds in the whole tree whatever it means: no key stands twice.
    pub(super) fn new(document: &'d Document, unknown: Unknown) -> Self {
        let mut reading = Self {
            document,
            unknown,
            nulls: BTreeSet::new(),
            problems: Vec::new(),
            warnings: Vec::new(),
            remarks: Vec::new(),
            unsaid: 0,
        };
        reading.duplicates(document.root(), &mut String::new());
        reading
    }

    fn duplicates(&mut self, node: &'d Node, pointer: &mut String) {
        let length = pointer.len();
        for (at, item) in node.items().iter().enumerate() {
            if matches!(item.kind, Kind::List(_) | Kind::Object(_)) {
                pointer.push_str(&format!("/{at}"));
                self.duplicates(item, pointer);
                pointer.truncate(length);
            }
        }
        let mut seen: HashMap<&str, &Member> = HashMap::with_capacity(node.members().len());
        for member in node.members() {
            pointer.push('/');
            pointer.push_str(&member.key.replace('~', "~0").replace('/', "~1"));
            if let Some(first) = seen.insert(&member.key, member) {
                seen.insert(&member.key, first);
                let first = self.document.source().position(first.key_span().start);
                self.fault(&**pointer, member.key_span(), Fault::DuplicateKey { key: member.key.to_string(), first });
            }
            self.duplicates(&member.value, pointer);
            pointer.truncate(length);
        }
    }

    pub(super) fn document(&self) -> &'d Document {
        self.document
    }

    pub(super) fn fault(&mut self, pointer: impl Into<String>, span: Range<usize>, fault: Fault) {
        self.problems.push(Problem::new(self.document.source(), pointer, span, fault));
    }

    pub(super) fn wrong(&mut self, pointer: impl Into<String>, node: &Node, allowed: Allowed) {
        let found = self.document.found(node);
        self.fault(pointer, node.span(), Fault::Value { found, allowed });
    }

    /// The value as an object, its unknown fields remarked on.
    pub(super) fn object(
        &mut self,
        node: &'d Node,
        pointer: impl Into<String>,
        allowed: Allowed,
        known: &[&str],
        finding: Option<usize>,
    ) -> Option<Object<'d>> {
        let object = Object { pointer: pointer.into(), node };
        if !matches!(node.kind, Kind::Object(_)) {
            self.wrong(object.pointer, node, allowed);
            return None;
        }
        for member in node.members() {
            if !known.contains(&&*member.key) {
                self.unknown(&object, member, known, finding);
            }
        }
        Some(object)
    }

    fn unknown(&mut self, object: &Object<'d>, member: &Member, known: &[&str], finding: Option<usize>) {
        if self.remarks.len() >= REMARKS {
            self.unsaid += usize::from(self.unknown == Unknown::Every);
            return;
        }
        let near = meaning(&member.key, known).map(|(near, _)| near);
        if self.unknown == Unknown::NearMiss && near.is_none() {
            return;
        }
        let at = self.document.source().position(member.key_span().start);
        let place = if object.pointer.is_empty() { "/" } else { &*object.pointer };
        let hint = near.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
        let message = format!("unknown field {} in {} ({at}) is not read{hint}", quoted(&member.key), Pointer(place));
        self.remarks.push((member.key_span().start, Warning { code: Code::UnknownField, message, finding }));
    }

    /// What is said of the key elsewhere is not said here again.
    fn unremark(&mut self, member: &Member) {
        let start = member.key_span().start;
        self.remarks.retain(|(at, _)| *at != start);
    }

    /// The unknown field of a finding with which something would be lost.
    pub(super) fn unclear(&mut self, object: &Object<'d>, known: &[&'static str]) -> Option<Defect> {
        let mut found = misnamed(self.document, object.node, known).into_iter();
        let first = found.next()?;
        self.unremark(first.member);
        let sure = first.sure && found.all(|other| other.sure);
        Some(Defect::UnclearField { field: first.member.key.to_string(), known: first.known, sure })
    }

    /// A field by a rule that gives `None` for what is not allowed; `null` is absent.
    pub(super) fn field<T>(
        &mut self,
        object: &Object<'d>,
        field: &str,
        allowed: Allowed,
        rule: impl FnOnce(&'d Document, &'d Node) -> Option<T>,
    ) -> Got<T> {
        if object.get(field).is_some_and(|node| matches!(node.kind, Kind::Null)) {
            self.nulls.insert(object.pointer_to(field));
            return Got::Absent;
        }
        self.value(object, field, allowed, rule)
    }

    fn value<T>(
        &mut self,
        object: &Object<'d>,
        field: &str,
        allowed: Allowed,
        rule: impl FnOnce(&'d Document, &'d Node) -> Option<T>,
    ) -> Got<T> {
        let Some(node) = object.get(field) else { return Got::Absent };
        match rule(self.document, node) {
            Some(value) => Got::Is(value),
            None => {
                self.wrong(object.pointer_to(field), node, allowed);
                Got::Bad
            }
        }
    }

    /// The elements of a list of texts; each that is none is told.
    pub(super) fn texts(&mut self, list: &'d [Node], pointer: &str) -> Vec<&'d str> {
        let mut texts = Vec::with_capacity(list.len());
        for (at, item) in list.iter().enumerate() {
            match rule::text(self.document, item) {
                Some(text) => texts.push(text),
                None => self.wrong(format!("{pointer}/{at}"), item, Allowed::Text),
            }
        }
        texts
    }

    /// Like [`Reading::field`], and absent is a fault of the object; `null` is one of the field.
    pub(super) fn required<T>(
        &mut self,
        object: &Object<'d>,
        field: &'static str,
        allowed: Allowed,
        rule: impl FnOnce(&'d Document, &'d Node) -> Option<T>,
    ) -> Got<T> {
        let got = self.value(object, field, allowed, rule);
        if got.is_absent() {
            self.missing(object, field, allowed);
        }
        got
    }

    pub(super) fn missing(&mut self, object: &Object<'d>, field: &'static str, allowed: Allowed) {
        // The brace that opens the object: the object itself may be the whole file.
        let start = object.node.span().start;
        let near = object.node.members().iter().find(|member| meaning(&member.key, &[field]).is_some());
        if let Some(member) = near {
            self.unremark(member);
        }
        let near = near.map(|member| member.key.to_string());
        self.fault(&*object.pointer, start..start + 1, Fault::Missing { field, allowed, near });
    }

    /// A field that has two names: either, or both with one value.
    pub(super) fn either<T: PartialEq>(
        &mut self,
        object: &Object<'d>,
        [name, other]: [&'static str; 2],
        allowed: Allowed,
        rule: impl Fn(&'d Document, &'d Node) -> Option<T>,
    ) -> Got<T> {
        let one = self.field(object, name, allowed, &rule);
        let two = self.field(object, other, allowed, &rule);
        match (one, two) {
            (Got::Absent, got) | (got, Got::Absent) => got,
            (Got::Is(one), Got::Is(two)) if one == two => Got::Is(one),
            (Got::Is(_), Got::Is(_)) => {
                if let (Some(first), Some(second)) = (object.get(name), object.get(other)) {
                    let (found, other_found) = (self.document.found(first), self.document.found(second));
                    let fault = Fault::TwoNames { field: name, found, other, other_found };
                    self.fault(object.pointer_to(other), second.span(), fault);
                }
                Got::Bad
            }
            (Got::Bad, _) | (_, Got::Bad) => Got::Bad,
        }
    }

    /// The warnings of a reading without a fault, else every fault, and the warnings with them.
    pub(super) fn finish(mut self) -> Result<Vec<Warning>, Refused> {
        if self.unsaid > 0 {
            let message = format!("{} more unknown fields are not read", self.unsaid);
            self.warnings.push(Warning::run(Code::UnknownField, message));
        }
        self.warnings.splice(0..0, self.remarks.into_iter().map(|(_, warning)| warning));
        if self.problems.is_empty() {
            Ok(self.warnings)
        } else {
            Err(Refused { problems: self.problems, warnings: self.warnings })
        }
    }
}

/// An id that no finding before it has.
pub(super) fn id<'d>(
    reading: &mut Reading<'d>,
    object: &Object<'d>,
    index: usize,
    ids: &mut HashMap<&'d str, usize>,
) -> Option<&'d str> {
    let id = reading.field(object, "id", Allowed::Id, rule::id).ok()?;
    let first = *ids.entry(id).or_insert(index);
    if first != index {
        let list = object.pointer.rsplit_once('/').map_or("", |(list, _)| list);
        let fault = Fault::DuplicateId { id: id.to_owned(), first: format!("{list}/{first}") };
        let span = object.get("id").map(Node::span).unwrap_or_default();
        reading.fault(object.pointer_to("id"), span, fault);
    }
    Some(id)
}

/// Gives the document back with the review, or its text with the faults.
pub(super) fn done<T>(
    document: Document,
    read: impl FnOnce(&Document) -> Result<T, Refused>,
) -> Result<(T, Document), Problems> {
    match read(&document) {
        Ok(value) => Ok((value, document)),
        Err(Refused { problems, warnings }) => {
            Err(Problems::new(document.into_source(), problems).with_warnings(warnings))
        }
    }
}
