//! The exchange: what stands in the patch, what is given on writing, and that files come back.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::arbitrary::{path, words};
use crate::review::exchange::{self, Answer, Comment, Comments, Exchange, Given, Mended, Spelling};
use crate::review::{Document, Edits, Format, Review, Side, Source, State, dai, read};
use crate::warning::Code;

const CANONICAL: [&str; 4] = [
    include_str!("../../../fixtures/review/exchange/valid/canonical.json"),
    include_str!("../../../fixtures/review/exchange/valid/no-comments.json"),
    include_str!("../../../fixtures/review/exchange/valid/two-spellings.json"),
    include_str!("../../../fixtures/review/exchange/valid/nulls.json"),
];
const BY_HAND: &str = include_str!("../../../fixtures/review/exchange/valid/by-hand.json");

fn exchange(text: &str) -> Exchange {
    let document = Document::parse(Source::new("x.json", text)).unwrap();
    exchange::read(&document).unwrap().0
}

fn review(text: &str) -> Review {
    read(text.as_bytes(), "x.json").unwrap().0
}

#[test]
fn canonical_files_come_back_byte_for_byte() {
    for text in CANONICAL {
        assert_eq!(exchange(text).write(), text);
    }
}

#[test]
fn mending_a_canonical_file_gives_only_what_is_missing() {
    let mut first = exchange(CANONICAL[0]);
    assert_eq!(first.mend(), [Mended { comment: 1, given: Given::Snippet("    old();".into()) }]);
    assert_eq!(first.mend(), []);
}

#[test]
fn a_file_made_by_hand_is_written_in_order_and_loses_only_unknown_fields() {
    let mut exchange = exchange(BY_HAND);
    let plain = "{\n  \"leanreview_review\": 1,\n  \"patch\": [\n    \"--- a/a\",\n    \"+++ b/a\",\n    \"@@ -1 +1,3 @@\",\n    \"-x\",\n    \"+y\"\n  ],\n  \"comments\": [\n    {\n      \"path\": \"a\",\n      \"side\": \"RIGHT\",\n      \"start_line\": 1,\n      \"body\": \"x\"\n    }\n  ]\n}\n";
    assert_eq!(exchange.write(), plain);
    let given = exchange.mend();
    assert!(
        matches!(&given[..], [Mended { given: Given::Id(id), .. }, Mended { given: Given::Snippet(text), .. }] if id.len() == 16 && text == "y")
    );
    assert_eq!(self::exchange(&exchange.write()), exchange);
}

#[test]
fn what_is_read_leniently_is_said() {
    let review = review(BY_HAND);
    let said: Vec<_> = review.warnings.iter().map(|w| (w.code, w.finding, w.message.as_str())).collect();
    assert_eq!(
        said,
        [
            (Code::UnknownWord, Some(0), "/comments/0/side: the side \"new\" is read as RIGHT"),
            (
                Code::Lenient,
                None,
                "/patch: line 3 of the patch, \"a\", hunk 1 (\"@@ -1 +1,3 @@\"): cut short, 0 old and 2 new lines are missing"
            ),
        ]
    );
    assert_eq!(review.findings[0].state, State::Active);
}

const PATCH: &str = "--- a/a\n+++ b/b\n@@ -3,2 +3,3 @@\n c\n-old\n+new\n+more\n";

#[test]
fn states_follow_the_patch_and_a_person_outranks_it() {
    use State::{Active, Dismissed, Orphaned, Stale};
    // Path, side, start, end, state as written; state as read; state after mending.
    for (path, side, start, end, state, reads, mends) in [
        ("b", Side::Right, 4, 5, None, Active, Active),
        ("b", Side::Right, 4, 9, Some(Active), Active, Active),
        ("b", Side::Right, 6, 6, None, Orphaned, Orphaned),
        ("b", Side::Right, 2, 4, None, Orphaned, Orphaned),
        ("a", Side::Left, 4, 4, None, Active, Active),
        ("a", Side::Right, 4, 4, None, Orphaned, Orphaned),
        ("b", Side::Left, 4, 4, None, Orphaned, Orphaned),
        ("b", Side::Right, 4, 4, Some(Stale), Stale, Active),
        ("b", Side::Right, 9, 9, Some(Stale), Stale, Orphaned),
        ("b", Side::Right, 9, 9, Some(Dismissed), Dismissed, Dismissed),
        ("b", Side::Right, 4, 4, Some(Dismissed), Dismissed, Dismissed),
        ("b", Side::Right, 4, 4, Some(Orphaned), Orphaned, Orphaned),
        ("b", Side::Right, 0, 0, None, Active, Active),
        ("a", Side::Right, 0, 0, None, Active, Active),
        ("c", Side::Right, 0, 0, None, Orphaned, Orphaned),
    ] {
        let comment = Comment {
            path: path.into(),
            side: Some(side),
            start_line: Some(start),
            end_line: Some(end),
            body: "x".into(),
            state,
            ..Comment::default()
        };
        let patch = PATCH.trim_end().split('\n').map(str::to_owned).collect();
        let mut exchange = Exchange { patch, comments: Comments::List(vec![comment]), ..Exchange::default() };
        let what = format!("{path} {side} {start}-{end} {state:?}");
        let review = exchange::review(&exchange);
        assert_eq!(review.findings[0].state, reads, "{what}");
        let off = review.warnings.iter().any(|w| w.message.contains("ends at a line"));
        assert_eq!(off, end == 9 && start == 4, "{what}");
        exchange.mend();
        assert_eq!(exchange.comments()[0].state.unwrap_or_default(), mends, "{what}");
        assert_eq!(exchange.mend(), [], "{what}");
    }
}

#[test]
fn given_ids_differ_where_comments_are_equal_and_are_the_same_in_every_run() {
    let comment = |line| Comment { path: "b".into(), start_line: Some(line), body: "x".into(), ..Comment::default() };
    let make =
        || Exchange { comments: Comments::List(vec![comment(1), comment(1), comment(2)]), ..Exchange::default() };
    let ids = |mut exchange: Exchange| {
        exchange.mend();
        exchange.comments().iter().map(|comment| comment.id.clone().unwrap()).collect::<Vec<_>>()
    };
    let first = ids(make());
    assert_eq!(first[1], format!("{}-2", first[0]));
    assert_ne!(first[2], first[0]);
    assert_eq!(ids(make()), first);
}

#[test]
fn strings_are_escaped_as_go_does() {
    for (text, written) in [
        ("<a> & 'b' / é \u{7f}", "<a> & 'b' / é \u{7f}"),
        ("\"\\\n\r\t", "\\\"\\\\\\n\\r\\t"),
        ("\u{8}\u{c}\u{0}\u{1f}", "\\b\\f\\u0000\\u001f"),
        ("\u{2028}\u{2029}", "\\u2028\\u2029"),
        ("\u{fffd}", "\u{fffd}"),
    ] {
        let exchange = Exchange { title: Some(text.to_owned()), ..Exchange::default() };
        let line = exchange.write().lines().nth(2).unwrap().to_owned();
        assert_eq!(line, format!("  \"title\": \"{written}\","));
    }
}

/// A whole document as Go writes it, with these two texts as they are spelled.
fn spelled(body: &str, snippet: &str) -> String {
    let start = "{\n  \"leanreview_review\": 1,\n  \"patch\": [],\n  \"comments\": [\n    {\n      \"path\": \"a\",\n";
    format!("{start}      \"body\": \"{body}\",\n      \"snippet\": \"{snippet}\"\n    }}\n  ]\n}}\n")
}

#[test]
fn both_spellings_of_go_come_back_whatever_else_the_text_says() {
    for (body, snippet) in [
        (r"an older Go's \u0008 and \u000c", "x"),
        (r"a newer one's \b and \f", "x"),
        (r"code that says \\u0008 or \\u000c, with a \f", r"\b"),
        (r"code that says \\\\u0008, with a \f", r"\\\f"),
        ("a character that was read, \u{fffd}", "\u{fffd}"),
        (r"bytes that were none, \ufffd\ufffd", r"\ufffd"),
        ("one that was read \u{fffd} beside one that was none \\ufffd and again \u{fffd}", "\u{fffd}"),
        ("code that says \\\\ufffd, and the character \u{fffd}", r"\ufffd"),
        // The same text once so and once so.
        ("\u{fffd}", r"\ufffd"),
        (r"\ufffd", "\u{fffd}"),
    ] {
        let text = spelled(body, snippet);
        assert_eq!(exchange(&text).write(), text);
    }
}

#[test]
fn lines_that_kept_their_ends_are_the_same_lines() {
    let lines = ["--- a/a\n", "+++ b/a\n", "@@ -1,2 +1,3 @@\n", " a\n", "-b\n", "+c\n", "+d"];
    let exchange = exchange(
        &json!({ "leanreview_review": 1, "patch": lines, "comments": [{ "path": "a", "start_line": 2, "body": "x" }] })
            .to_string(),
    );
    let plain: Vec<_> = lines.iter().map(|line| line.trim_end_matches('\n')).collect();
    assert_eq!(exchange.patch, plain);
    let mut exchange = exchange;
    assert!(exchange.mend().iter().any(|mended| mended.given == Given::Snippet("c".into())), "{exchange:?}");
}

#[test]
fn empty_lines_at_a_patchs_end_stay_where_a_hunk_counts_them() {
    let write = |patch: &str| {
        let exchange =
            exchange(&json!({ "leanreview_review": 1, "patch": patch.split('\n').collect::<Vec<_>>() }).to_string());
        assert_eq!(self::exchange(&exchange.write()).write(), exchange.write());
        self::exchange(&exchange.write()).patch.join("\n")
    };
    let hunk = "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-a\n+b\n";
    assert_eq!(write(&format!("{hunk} c\n\n\n")), format!("{hunk} c"));
    assert_eq!(write(&format!("{hunk}\n\n")), hunk);
}

#[test]
fn a_review_becomes_an_exchange_and_names_what_has_no_place() {
    let text = include_str!("../../../fixtures/review/dai/valid/whole.json");
    let (exchange, left_out) = exchange::from_review(&review(text), PATCH);
    let named: Vec<_> = left_out.iter().map(ToString::to_string).collect();
    let fields = ["head", "reviewer", "us", "version", "checkStatus", "dod", "good"];
    let (head, orphan) = named.split_at(fields.len());
    assert_eq!(head, fields.map(|field| format!("\"{field}\": the format has no such field")));
    assert_eq!(
        orphan,
        ["/findings/1: its file is not in the change's diff: it is written as orphaned, which is never posted"]
    );
    assert_eq!(exchange.comments().len(), 2);
    assert_eq!(exchange.comments()[0].state, Some(State::Dismissed));
    let again = review(&exchange.write());
    assert_eq!(again.format, Format::Exchange);
    // And back by itself: a severity is never made up.
    let (_, left_out) = dai::write(&again);
    assert_eq!(left_out.len(), 2);
    assert!(left_out[0].to_string().ends_with("it has no severity, which the format requires"));
    // With what the conversion put into the authors, everything comes back.
    let (graded, left_out) = exchange::graded(&self::exchange(&exchange.write()));
    assert_eq!(left_out, []);
    let before = review(text);
    for (before, after) in before.findings.iter().zip(&graded.findings) {
        assert_eq!((before.severity, before.confidence), (after.severity, after.confidence));
        assert_eq!((&before.body, before.place, &before.id), (&after.body, after.place, &after.id));
    }
    assert_eq!(graded.findings[0].state, State::Dismissed);
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), words().prop_map(|text| text.replace('\n', " ")), Just("@@ -1 +1 @@".to_owned())]
}

fn answer() -> impl Strategy<Value = Answer> {
    (prop::option::of(words()), words(), prop::option::of(words())).prop_map(|(author, body, at)| Answer {
        author,
        body,
        at,
    })
}

fn comment() -> impl Strategy<Value = Comment> {
    let text = || prop::option::of(words());
    let line = || prop::option::of(0u32..9);
    let side = prop::option::of(prop_oneof![Just(Side::Left), Just(Side::Right)]);
    let state = prop::option::of(prop::sample::select(&State::ALL[..]));
    let replies = prop::option::of(prop::collection::vec(answer(), 0..3));
    ((path(), side, line(), line(), words(), state), (text(), text(), text(), replies)).prop_map(
        |((path, side, start_line, end_line, body, state), (author, snippet, at, replies))| Comment {
            id: None,
            author,
            path,
            side,
            start_line,
            end_line,
            body,
            state,
            snippet,
            at,
            replies,
        },
    )
}

fn any_exchange() -> impl Strategy<Value = Exchange> {
    let text = || prop::option::of(words());
    let comments = prop_oneof![
        1 => Just(Comments::Absent),
        1 => Just(Comments::Null),
        4 => prop::collection::vec(comment(), 0..4).prop_map(Comments::List),
    ];
    (text(), text(), prop::collection::vec(line(), 0..6), comments).prop_map(|(title, summary, mut patch, comments)| {
        while patch.last().is_some_and(String::is_empty) {
            patch.pop();
        }
        Exchange { title, summary, patch, comments, spelling: Spelling::default() }
    })
}

/// Pieces of a text as Go spells them; `<b>` and `<f>` stand for the two controls with two spellings.
const PIECES: [&str; 12] =
    [r"\ufffd", "\u{fffd}", r"\\ufffd", r"\\", r"\\u0008", r"\\u000c", "<b>", "<f>", r"\n", r"\u2028", "u000c", "é"];

/// Puts a field of this name into every object.
fn strangers(value: &mut Value, name: &str) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|one| strangers(one, name)),
        Value::Object(map) => {
            map.values_mut().for_each(|one| strangers(one, name));
            map.insert(name.to_owned(), json!({ "deep": ["\\u0008", null] }));
        }
        _ => {}
    }
}

/// The document by serde_json, which knows nothing of the writer.
fn value(exchange: &Exchange) -> Value {
    let object = |fields: Vec<(&str, Option<Value>)>| {
        Value::Object(
            fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect::<Map<_, _>>(),
        )
    };
    let text = |text: &Option<String>| text.as_ref().map(|text| json!(text));
    let answer =
        |a: &Answer| object(vec![("author", text(&a.author)), ("body", Some(json!(a.body))), ("at", text(&a.at))]);
    let comment = |c: &Comment| {
        object(vec![
            ("id", text(&c.id)),
            ("author", text(&c.author)),
            ("path", Some(json!(c.path))),
            ("side", c.side.map(|side| json!(side.as_str()))),
            ("start_line", c.start_line.map(Value::from)),
            ("end_line", c.end_line.map(Value::from)),
            ("body", Some(json!(c.body))),
            ("state", c.state.map(|state| json!(state.as_str()))),
            ("snippet", text(&c.snippet)),
            ("at", text(&c.at)),
            ("replies", c.replies.as_ref().map(|list| list.iter().map(answer).collect())),
        ])
    };
    let comments = match &exchange.comments {
        Comments::Absent => None,
        Comments::Null => Some(Value::Null),
        Comments::List(list) => Some(list.iter().map(comment).collect()),
    };
    object(vec![
        ("leanreview_review", Some(json!(1))),
        ("title", text(&exchange.title)),
        ("summary", text(&exchange.summary)),
        ("patch", Some(json!(exchange.patch))),
        ("comments", comments),
    ])
}

/// The document as Go writes it, by hand; of each field that is absent `null` says whether it is `null`.
fn go(exchange: &Exchange, mut null: impl FnMut() -> bool) -> String {
    let quoted = |text: &str| json!(text).to_string().replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    let text = |text: &Option<String>| text.as_deref().map(quoted);
    let mut object = |depth: usize, fields: Vec<(&str, Option<String>)>| {
        let lines = fields.into_iter().filter_map(|(key, value)| {
            let value = value.or_else(|| null().then(|| "null".to_owned()));
            Some(format!("\"{key}\": {}", value?))
        });
        block(depth, ['{', '}'], lines.collect())
    };
    let mut comments = Vec::new();
    for c in exchange.comments() {
        let answer = |a: &Answer| {
            object(5, vec![("author", text(&a.author)), ("body", Some(quoted(&a.body))), ("at", text(&a.at))])
        };
        let replies = c.replies.as_ref().map(|list| list.iter().map(answer).collect());
        let fields = vec![
            ("id", text(&c.id)),
            ("author", text(&c.author)),
            ("path", Some(quoted(&c.path))),
            ("side", c.side.map(|side| quoted(side.as_str()))),
            ("start_line", c.start_line.map(|line| line.to_string())),
            ("end_line", c.end_line.map(|line| line.to_string())),
            ("body", Some(quoted(&c.body))),
            ("state", c.state.map(|state| quoted(state.as_str()))),
            ("snippet", text(&c.snippet)),
            ("at", text(&c.at)),
            ("replies", replies.map(|replies| block(4, ['[', ']'], replies))),
        ];
        comments.push(object(3, fields));
    }
    let mut fields = vec![
        ("leanreview_review", Some("1".to_owned())),
        ("title", text(&exchange.title)),
        ("summary", text(&exchange.summary)),
        ("patch", Some(block(2, ['[', ']'], exchange.patch.iter().map(|line| quoted(line)).collect()))),
    ];
    match exchange.comments {
        Comments::Absent => {}
        Comments::Null => fields.push(("comments", Some("null".to_owned()))),
        Comments::List(_) => fields.push(("comments", Some(block(2, ['[', ']'], comments)))),
    }
    object(1, fields) + "\n"
}

fn block(depth: usize, [open, close]: [char; 2], inside: Vec<String>) -> String {
    if inside.is_empty() {
        return format!("{open}{close}");
    }
    let (inner, outer) = ("  ".repeat(depth), "  ".repeat(depth - 1));
    format!("{open}\n{inner}{}\n{outer}{close}", inside.join(&format!(",\n{inner}")))
}

proptest! {
    /// A null says nothing that its absence does not, and stays where it was written.
    #[test]
    fn null_is_absent_and_comes_back(exchange in any_exchange(), nulls in prop::collection::vec(any::<bool>(), 1..40)) {
        let mut nulls = nulls.iter().cycle();
        let text = go(&exchange, || *nulls.next().unwrap());
        let read = self::exchange(&text);
        prop_assert_eq!(&Exchange { spelling: Spelling::default(), ..read.clone() }, &exchange);
        prop_assert_eq!(read.write(), &*text);
        prop_assert_eq!(go(&exchange, || false), exchange.write());

        // What is mended takes the place of the null, and no other byte.
        let document = Document::parse(Source::new("x", &*text)).unwrap();
        let (mut mended, mut edits) = (read, Edits::of(&document));
        let given = mended.mend();
        exchange::write_into(&mut edits, &given).unwrap();
        let written = edits.apply();
        prop_assert_eq!(&written, &mended.write());
    }

    #[test]
    fn what_is_written_is_read_as_the_same_and_comes_back(exchange in any_exchange(), pretty in any::<bool>()) {
        let written = exchange.write();
        let value = value(&exchange);
        prop_assert_eq!(&serde_json::from_str::<Value>(&written).unwrap(), &value);
        prop_assert_eq!(&self::exchange(&written), &exchange);
        // However somebody else spells the same document, one writing makes it canonical.
        let other = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        prop_assert_eq!(self::exchange(&other).write(), written);
    }

    /// A canonical file that is mended in place is the canonical file of what it then says.
    #[test]
    fn mending_in_place_is_writing_what_was_mended(exchange in any_exchange()) {
        let text = exchange.write();
        let document = Document::parse(Source::new("x", text)).unwrap();
        let mut mended = exchange::read(&document).unwrap().0;
        let given = mended.mend();
        let mut edits = Edits::of(&document);
        exchange::write_into(&mut edits, &given).unwrap();
        prop_assert_eq!(edits.apply(), mended.write());
    }

    /// From the bytes of Go's writer, not from ours, whichever of its spellings they have.
    #[test]
    fn a_text_comes_back_as_go_spelled_it(
        body in prop::collection::vec(prop::sample::select(&PIECES[..]), 1..6),
        snippet in prop::collection::vec(prop::sample::select(&PIECES[..]), 1..6),
        older in any::<bool>(),
    ) {
        let of = |pieces: &[&str]| {
            let text = format!("{}x", pieces.concat());
            if older { text.replace("<b>", r"\u0008").replace("<f>", r"\u000c") } else { text.replace("<b>", r"\b").replace("<f>", r"\f") }
        };
        let text = spelled(&of(&body), &of(&snippet));
        prop_assert_eq!(exchange(&text).write(), text);
    }

    /// Fields that nobody knows are lost, wherever they stand, and nothing else is.
    #[test]
    fn only_unknown_fields_are_lost(exchange in any_exchange(), name in "x_[a-z]{9}") {
        let mut with = value(&exchange);
        strangers(&mut with, &name);
        let written = self::exchange(&with.to_string()).write();
        prop_assert_eq!(&written, &exchange.write());
        prop_assert_eq!(self::exchange(&written).write(), written);
    }

    #[test]
    fn mending_twice_is_mending_once(mut exchange in any_exchange()) {
        exchange.mend();
        let once = exchange.clone();
        prop_assert_eq!(exchange.mend(), vec![]);
        prop_assert_eq!(&exchange, &once);
        prop_assert_eq!(self::exchange(&exchange.write()), once);
    }
}
