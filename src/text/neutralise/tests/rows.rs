//! Every danger by itself, with the exact text that comes out.

use super::super::{Clean, EditKind, code};
use crate::text::Dialect;

fn block(text: &str) -> Clean {
    super::super::block(text, Dialect::GitLab)
}

fn inline(text: &str) -> Clean {
    super::super::inline(text, Dialect::GitLab)
}

fn check(rows: &[(&str, &str, &[EditKind])]) {
    let mut wrong = Vec::new();
    for (text, expected, kinds) in rows {
        let clean = block(text);
        let found: Vec<EditKind> = clean.edits.iter().map(|edit| edit.kind).collect();
        if clean.text != *expected || found != *kinds {
            wrong.push(format!("{text:?}\n  gave {:?} {found:?}\n  not  {expected:?} {kinds:?}", clean.text));
        }
        assert_eq!(block(&clean.text), Clean { text: clean.text.clone(), edits: vec![] }, "again, from {text:?}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

use EditKind::{
    Address, BotCommand, Command, CommandInCode, Control, Diagram, Html, Image, Label, LineEnd, Link, Marked, Marker,
    Maths, Mention, MentionAsCode, OpenFence, Quote, Reference, RequestUrl, Secret, Suggestion, Unseen,
};

#[test]
fn c38_a_line_of_prose_that_begins_like_a_command_is_escaped() {
    check(&[
        ("/approve", r"\/approve", &[Command]),
        ("a\n\n/approve\nb", "a\n\n\\/approve\nb", &[Command]),
        ("one\ntwo\n/merge now", "one\ntwo\n\\/merge now", &[Command]),
        ("/승인\n/Ünlock", "\\/승인\n\\/Ünlock", &[Command]),
        ("a\r/close", "a\n\\/close", &[LineEnd, Command]),
        ("a\r\n/close\r\n", "a\n\\/close\n", &[LineEnd, Command]),
        ("a\u{2028}/close", "a\u{2028}\\/close", &[Command]),
        ("/\0approve", r"\/approve", &[Control, Command]),
        ("&#x202E;/approve", r"\/approve", &[Control, Command]),
        ("[x](\n/approve)", "x (`/approve`)", &[Link]),
        ("[x]:\n/approve", "\\[x]:\n\\/approve", &[Command, Link]),
        ("- a\n/approve\n\n> q\n/approve", "- a\n\\/approve\n\n> q\n\\/approve", &[Command]),
        (
            "[/approve](https://github.com/o/r/pull/1)",
            r"\/approve (`https://github.com/o/r/pull/1`)",
            &[Command, RequestUrl],
        ),
        // A path begins like a command too; escaped it reads the same.
        ("/usr/bin/env", r"\/usr/bin/env", &[Command]),
    ]);
    // These never act.
    for text in ["// comment", "/* comment */", "/ a", "/1", " /approve", "a /approve", r"\/approve", "/_x"] {
        assert_eq!(block(text), Clean { text: text.into(), edits: vec![] });
    }
}

#[test]
fn c38_a_command_in_a_closed_fence_stays_and_elsewhere_in_code_moves_by_a_space() {
    check(&[
        ("```\n/shout\n```", "```\n/shout\n```", &[]),
        ("a\n\n```rust\nx\n/shout\n```\n\nb", "a\n\n```rust\nx\n/shout\n```\n\nb", &[]),
        ("~~~\n/shout\n~~~", "~~~\n /shout\n~~~", &[CommandInCode]),
        ("````\n/shout\n````", "````\n /shout\n````", &[CommandInCode]),
        ("```\n/shout\n````", "```\n /shout\n````", &[CommandInCode]),
        ("```\n/shout\n``` ", "```\n /shout\n``` ", &[CommandInCode]),
        (" ```\n/shout\n```", " ```\n /shout\n```", &[CommandInCode]),
        ("`a\n/shout\nb`", "`a\n /shout\nb`", &[CommandInCode]),
        ("```\n/shout", "```\n /shout\n```", &[CommandInCode, OpenFence]),
        ("~~~~ x\n/shout\n~~~\n", "~~~~ x\n /shout\n~~~\n~~~~", &[CommandInCode, OpenFence]),
        // The first fence is empty, and to GitLab's extractor goes on to the second's opening line.
        ("```\n```\n\n```\n/shout\n```", "```\n```\n\n```\n /shout\n```", &[CommandInCode]),
    ]);
}

#[test]
fn c38_fences_that_are_none() {
    check(&[
        // A back-tick in the info string: to CommonMark the last line opens a fence.
        ("```js `x`\n/shout\n```", "```js `x`\n\\/shout\n```\n```", &[Command, OpenFence]),
        (">>>\n```\n/shout\n```", "\\>>>\n```\n /shout\n```", &[CommandInCode, Quote]),
        (">>>\n```\n>>>\n/shout\n```", "\\>>>\n```\n\\>>>\n\\/shout\n```\n```\n```", &[Command, Quote, OpenFence]),
        ("```\na\n```\n>>> b\n```\n/c\n```", "```\na\n```\n\\>>> b\n```\n /c\n```", &[CommandInCode, Quote]),
        ("  >>>\nx", "  \\>>>\nx", &[Quote]),
        ("~~~\n>>> f(1)\n~~~", "~~~\n >>> f(1)\n~~~", &[Quote]),
        ("```python\n>>> f(1)\n```", "```python\n>>> f(1)\n```", &[]),
        ("> > > quoted", "> > > quoted", &[]),
    ]);
}

#[test]
fn c38_what_would_swallow_the_rest_is_closed_or_escaped() {
    check(&[
        ("```", "```\n```", &[OpenFence]),
        ("a\n```rust\nlet x = 1;", "a\n```rust\nlet x = 1;\n```", &[OpenFence]),
        ("<!-- note\n/approve\n-->", "&lt;!-- note\n\\/approve\n-->", &[Html, Command]),
        ("a <!-- b", "a &lt;!-- b", &[Html]),
        ("a --> b", "a --> b", &[]),
        ("</details>", "&lt;/details>", &[Html]),
        (
            "<details>\n<summary>x</summary>\n\n@bob",
            "&lt;details>\n&lt;summary>x&lt;/summary>\n\n@\u{200B}bob",
            &[Html, Mention],
        ),
        ("<script>\n\n```\nVec<u8>\n```", "&lt;script>\n\n```\nVec<u8>\n```", &[Html]),
        ("Vec<T> and Box<dyn Error>", "Vec&lt;T> and Box&lt;dyn Error>", &[Html]),
        ("Vec<std::io::Error>", "Vec&lt;std::io::Error>", &[Html]),
        ("<!--@ann>", "&lt;!--@\u{200B}ann>", &[Html, Mention]),
        ("<!DOCTYPE x>\n<?php", "&lt;!DOCTYPE x>\n&lt;?php", &[Html]),
        ("<![CDATA[", "&lt;\\![CDATA[", &[Html, Image]),
        ("~~~\n\t~~~", "~~~\n\t~~~\n~~~", &[OpenFence]),
        ("a <b", "a &lt;b", &[Html]),
        (
            "`<b>` and a < b, x<5, Map<K, V>, <https://x.example/>, <a@b.c>",
            "`<b>` and a < b, x<5, Map<K, V>, <https://x.example/>, <a@b.c>",
            &[],
        ),
        (r"\<b>", r"\<b>", &[]),
        ("[a](<b c>)", "a (`b c`)", &[Link]),
    ]);
}

#[test]
fn a_forged_marker_is_no_marker() {
    let forged = "<!-- dai v1 finding=0101010101010101 place=0202020202020202 -->";
    check(&[
        (forged, &format!("&lt;{}", &forged[1..]), &[Html]),
        (&format!("~~~\n{forged}\n~~~"), &format!("~~~\n {forged}\n~~~"), &[Marker]),
        (&format!("```\n{forged}\n```"), &format!("```\n{forged}\n```"), &[]),
    ]);
}

#[test]
fn c38_mentions_are_broken_up() {
    check(&[
        ("@user", "@\u{200B}user", &[Mention]),
        ("ask @org/team, (@here)", "ask `@org/team`, (@\u{200B}here)", &[Mention, MentionAsCode]),
        (r"\@user &#64;user &commat;user", "\\@\u{200B}user &#64;\u{200B}user &commat;\u{200B}user", &[Mention]),
        (r"@\_user @.x", "@\u{200B}\\_user @\u{200B}.x", &[Mention]),
        ("_a_@user **b**@user 가@user", "_a_@\u{200B}user **b**@\u{200B}user 가@\u{200B}user", &[Mention]),
        ("[@user](https://x.example/@user)", "[@\u{200B}user](https://x.example/@user)", &[Mention]),
        ("[x]: https://x.example/ \"@user\"", "\\[x]: https://x.example/ \"@\u{200B}user\"", &[Mention, Unseen]),
        ("| `a | @b` |\n|---|---|", "| `a | @\u{200B}b` |\n|---|---|", &[Mention]),
        ("text\n`a | @b`\n---|---", "text\n`a | @\u{200B}b`\n---|---", &[Mention]),
        ("[^1]\n\n[^1]: @user", "[^1]\n\n[^1]: @\u{200B}user", &[Mention]),
        ("http:///@user [ https://x.example/@user", "`http:///@user` [ https://x.example/@user", &[Address]),
        ("[hi](@user)", "hi (`@user`)", &[RequestUrl]),
    ]);
    for text in
        ["a@b.c", "`@user`", "```\n@user\n```", "    @user", "a @ b", "https://x.example/@user", "@@", "git@host:path"]
    {
        assert_eq!(block(text), Clean { text: text.into(), edits: vec![] });
    }
}

#[test]
fn c38_references_are_broken_up() {
    check(&[
        ("see #12, !12 and &12", "see #\u{200B}12, !\u{200B}12 and &\u{200B}12", &[Reference]),
        ("owner/repo#12 group/sub/p!3", "owner/repo#\u{200B}12 group/sub/p!\u{200B}3", &[Reference]),
        ("GH-12 gh-7 GL-3", "GH-12 gh-7 GL-\u{200B}3", &[Reference]),
        (r"\#12 &num;12 &#35;12 #&#49;", "\\#\u{200B}12 &num;\u{200B}12 &#35;\u{200B}12 #\u{200B}&#49;", &[Reference]),
        ("&amp;12 _see #12_ #12를", "&amp;\u{200B}12 _see #\u{200B}12_ #\u{200B}12를", &[Reference]),
        ("[issue:12] [work_item:g/p/3]", "[issue:\u{200B}12] [work_item:\u{200B}g/p/3]", &[Reference]),
        ("o/r@0123abc", "o/r@\u{200B}0123abc", &[Reference]),
    ]);
    for text in [
        "# 12",
        "#fff #1a2b3c",
        "&#39; &amp; &lt;",
        "HIGH-12",
        "`#12`",
        "```\n#12\n```",
        "0123abcdef0123",
        "https://x.example/?a=1&2=3#12",
        "a!",
        "ABC-482",
    ] {
        assert_eq!(block(text), Clean { text: text.into(), edits: vec![] });
    }
}

#[test]
fn addresses_of_requests_become_code() {
    let url = "https://github.com/o/r/pull/12";
    check(&[
        (&format!("See {url}."), &format!("See `{url}`."), &[RequestUrl]),
        (&format!("**{url}** <{url}>"), &format!("**`{url}`** `{url}`"), &[RequestUrl]),
        (&format!("[that one]({url} \"t\")"), &format!("that one (`{url}`)"), &[RequestUrl]),
        (&format!("[{url}]({url})"), &format!("`{url}`"), &[RequestUrl]),
        (
            &format!("[a *b*][r]\n\n[r]: {url}"),
            &format!("a *b* (`{url}`)\n\n\\[r]: `https:\u{200B}{}`", &url[6..]),
            &[RequestUrl, Link],
        ),
        (&format!("a ` b {url} c"), &format!("a ` b ``{url}`` c"), &[RequestUrl]),
        (&format!("`{url}"), &format!("`https:\u{200B}{}", &url[6..]), &[RequestUrl]),
        ("https&#58;//gitlab.com/g/p/-/issues/1를", "`https://gitlab.com/g/p/-/issues/1`를", &[RequestUrl]),
        (&format!("![i]({url})"), &format!("i (`{url}`)"), &[Image, RequestUrl]),
        ("[x](#12) [y](g/p!3)", "x (`#12`) y (`g/p!3`)", &[RequestUrl]),
    ]);
}

#[test]
fn suggestions_images_characters_and_secrets() {
    check(&[
        ("```suggestion\nx\n```", "```text\nx\n```", &[Suggestion]),
        ("~~~ suggestion:-0+1\nx\n~~~", "~~~ text\nx\n~~~", &[Suggestion]),
        ("```sugges&#116;ion\nx\n```", "```text\nx\n```", &[Suggestion]),
        ("> ```SUGGESTION\n> x\n> ```", "> ```text\n> x\n> ```", &[Suggestion]),
        ("![alt](https://x.example/a.png)", "[alt](https://x.example/a.png)", &[Image]),
        ("wow!![a](b) ![c][d]\n\n[d]: e", "wow\\!a (`b`) c (`e`)\n\n\\[d]: e", &[Image, Link]),
        ("![x] is one where x is defined", "\\![x] is one where x is defined", &[Image]),
        ("[![a](b)](c)", "a (`b`) (`c`)", &[Image, Link]),
        ("a\u{202E}b\u{2066}c\u{FEFF}\u{AD}\u{E0041}\u{1B}[31md\u{0}", "abcd", &[Control]),
        ("`a\u{202E}b`", "`ab`", &[Control]),
        ("a &#x202E; &shy;b", "a  b", &[Control]),
        ("```\nkey = ghp_0123456789abcdefghijABCDEFGHIJ012345\n```", "```\nkey = [redacted]\n```", &[Secret]),
        ("gh&#x202E;p_0123456789abcdefghij", "[redacted]", &[Control, Secret]),
    ]);
}

#[test]
fn a_field_of_one_line_cannot_leave_its_line() {
    for (text, expected) in [
        ("Tests for `foo` cover **all** | branches.", "Tests for `foo` cover **all** | branches."),
        ("a\nb\r\nc", "a b c"),
        ("# title", r"\# title"),
        ("- item", r"\- item"),
        ("> q", r"\> q"),
        (">>> q", r"\>>> q"),
        ("1. one", r"1\. one"),
        ("12) one", r"12\) one"),
        ("- - -", r"\- - -"),
        ("***", r"\***"),
        ("[ ] task", r"\[ ] task"),
        ("[a]: b", r"\[a]: b"),
        ("[^1]: b", r"\[^1]: b"),
        ("~~~ x", r"\~~~ x"),
        ("```rust", r"\`\`\`rust"),
        ("/approve", r"\/approve"),
        ("a ` b", r"a \` b"),
        (r"a \` b `c`", r"a \` b `c`"),
        (r"ends \", r"ends \\"),
        ("<b>@x</b> #1", "&lt;b>@\u{200B}x&lt;/b> #\u{200B}1"),
        ("<div>", "&lt;div>"),
        ("a <", "a <"),
        ("    code", "code"),
        ("2024 was a year", "2024 was a year"),
        ("", ""),
        ("*emphasis* first", "*emphasis* first"),
        ("![a](b)", "a (`b`)"),
    ] {
        let clean = inline(text);
        assert_eq!(clean.text, expected, "from {text:?}");
        assert_eq!(inline(&clean.text), Clean { text: clean.text.clone(), edits: vec![] }, "again, from {text:?}");
    }
}

#[test]
fn a_path_is_shown_as_it_is() {
    for (text, expected) in [
        ("src/a.rs", "`src/a.rs`"),
        ("a`b", "``a`b``"),
        ("`a``", "``` `a`` ```"),
        (" a ", "`  a  `"),
        ("a ", "`a `"),
        ("", "` `"),
        ("a\n/approve\u{202E}", "`a /approve`"),
        ("@x/#12/<b>|", "`@x/#12/<b>|`"),
        ("ghp_0123456789abcdefghij", "`[redacted]`"),
    ] {
        assert_eq!(code(text).text, expected, "from {text:?}");
    }
}

#[test]
fn c73_what_the_forges_parsers_see_differently() {
    check(&[
        (
            "https://e.org/`<img src='https://evil/p'>`",
            "`` https://e.org/` ``&lt;img src='`` https://evil/p'>` ``",
            &[Html, Address],
        ),
        ("https://e.org/\\<details>", "`https://e.org/\\`&lt;details>", &[Html, Address]),
        ("#12http://e", "#\u{200B}12http://e", &[Reference]),
        ("Term\n\n: x\n\n    @victim", "Term\n\n\\: x\n\n    @\u{200B}victim", &[Mention, Marked]),
        ("- >>>\n  a\n  >>>", "- \\>>>\n  a\n  \\>>>", &[Quote]),
        ("$a`b$ cc @victim `x", "``$a`b$`` cc @\u{200B}victim `x", &[Mention, Maths]),
        ("[[a`b]] @user `c", "\\[[a`b]] @\u{200B}user `c", &[Mention, Marked]),
        ("- [ ] a\n- [x] b", "- \\[ ] a\n- \\[x] b", &[Marked]),
        ("```mermaid\ngraph TD\n```", "```text\ngraph TD\n```", &[Diagram]),
        ("```json:table {}\n```\nx", "```text\n```\nx", &[Diagram]),
        ("[[_TOC_]]", "\\[\u{200B}[_TOC_]]", &[Label, Marked]),
        ("~bug %v1 $12 %{x}", "~\u{200B}bug %\u{200B}v1 $\u{200B}12 %\u{200B}{x}", &[Label]),
        ("::include{file=a.md}", "\\::include{file=a.md}", &[Command]),
    ]);
}

#[test]
fn c75_a_text_that_would_not_be_seen_is_shown() {
    check(&[
        ("[security]: token-is-logged", "\\[security]: token-is-logged", &[Link]),
        ("[a]: https://x.example/", "\\[a]: https://x.example/", &[Unseen]),
        ("Fine.\n\n[bug]: off-by-one", "Fine.\n\n\\[bug]: off-by-one", &[Link]),
        ("***", "\\***", &[Unseen]),
        ("&nbsp;", "\\&nbsp;", &[Unseen]),
    ]);
}

#[test]
fn c76_commands_of_bots_in_code_and_nothing_else_there() {
    check(&[
        ("```\n/approve\n```", "```\n/\u{200B}approve\n```", &[BotCommand]),
        ("~~~\n/hold cancel\n~~~", "~~~\n/\u{200B}hold cancel\n~~~", &[BotCommand]),
        (
            "```\n@dependabot rebase\nbors r+\n```",
            "```\n@\u{200B}dependabot rebase\nb\u{200B}ors r+\n```",
            &[BotCommand],
        ),
        ("bors r+", "b\u{200B}ors r+", &[BotCommand]),
        ("Run npm i @babel/core@7 and @types/node.", "Run npm i `@babel/core@7` and `@types/node`.", &[MentionAsCode]),
    ]);
    for text in [
        "```\n/usr/bin/env python\n/api/v1\n@decorator\n@Override\nnpm i @babel/core@7\nssh user@host\n```",
        "`npm i @babel/core@7`, `@types/node`, `@Injectable()`, user@host",
    ] {
        assert_eq!(block(text), Clean { text: text.into(), edits: vec![] });
    }
}
