//! Ordinary reviews pass byte for byte.

use super::super::{Clean, block, inline};
use crate::text::Dialect;

const REVIEWS: &[&str] = &[
    "The lock is taken twice here: `refresh()` calls `get()`, which locks `self.cache` again.\n\n\
     Consider taking the guard once:\n\n```rust\nlet mut cache = self.cache.lock();\nif cache.is_stale() {\n    \
     cache.refresh();\n}\n```\n\nThat also saves the second look-up.\n",
    "이 함수는 `null`을 반환할 수 있습니다. 호출부에서 확인하지 않으면 *예외*가 발생합니다.\n\n\
     1. 먼저 값을 확인하고\n2. 없으면 기본값을 쓰세요.\n\n> 참고: 문서의 3장을 보세요.\n",
    "| input | result |\n|:------|-------:|\n| `\"\"` | 0 |\n| `a\\|b` | **1** |\n\nThe third row is missing.\n",
    "- outer\n  - inner with `code`\n    - deeper\n\n      paragraph in it\n- done\n- open\n\n***\n\n1) one\n2) two\n",
    "The sum is O(n^2) &mdash; not O(n&nbsp;log&nbsp;n) &amp; so on.\n",
    "See [the docs](https://doc.rust-lang.org/std/vec/struct.Vec.html#method.drain \"drain\"), <https://example.com/a?b=c&d=e#f>, \
     and https://medium.com/@ann/post-1. Mail a.b@c.example.\n\n[ref]: https://example.com/x_(y)\n\nAlso [ref] and [text][ref].\n",
    "```diff\n- old\n+ new\n@@ -1,2 +1,2 @@\n```\n\n```html\n<div class=\"x\">@user #12</div>\n<!-- comment -->\n```\n\n\
     ```sh\n/usr/bin/env python\necho $HOME # 12\n```\n\n```\n![image](x.png)\n```\n",
    "If `a < b && c > d` then x < y, p->q, 3 <= 4, a <- b, i << 2, and HashMap<String, u32> or fn(A, B) -> C.\n",
    "Heading\n=======\n\nSub\n---\n\n### Third ###\n\n    indented code @user #12 <b>\n\nText with trailing spaces  \nand a break\\\nhere.\n",
    "~~struck~~ **bold *nested* bold** __under__ snake_case_name a*b*c 2 * 3 * 4 \\*escaped\\* !important #hash &copy;\n",
    "> quoted\n> ```rust\n> let x: Vec<u8> = vec![];\n> ```\n> > twice\n\n~~~python\nprint(\"```\")\n~~~\n\n````md\n```rust\nx\n```\n````\n",
    "Footnote[^1] here.\n\n[^1]: The note, with `code`.\n\n> [!NOTE]\n> An alert.\n",
    "Costs 5 or 10 %; use ~/path, C:\\dir\\file, a/b/c, //server, http, `a`, ``b ` c``, \"quotes\" — dashes… 日本語 العربية 🙂 👩‍💻.\n",
    "Emoji :tada: and a colon: 12:30. 100% [sic] (see above) {braces} a|b ^caret = equals + plus\n",
    "",
    "\n\n  leading blank lines and spaces stay\n\n",
];

#[test]
fn ordinary_reviews_pass_byte_for_byte() {
    for review in REVIEWS {
        for dialect in [Dialect::GitHub, Dialect::GitLab] {
            assert_eq!(block(review, dialect), Clean { text: (*review).into(), edits: vec![] });
        }
    }
}

#[test]
fn all_of_them_together_pass_too() {
    // Side by side nothing of one may change the view of another.
    let all = REVIEWS.join("\n\n");
    assert_eq!(block(&all, Dialect::GitHub), Clean { text: all.clone(), edits: vec![] });
}

#[test]
fn ordinary_lines_pass_byte_for_byte() {
    for line in [
        "Small, well-named commits.",
        "`foo::bar` is tested with **real** data; see [docs](https://example.com/a_b).",
        "결제 흐름의 테스트가 충실합니다.",
        "4/5",
        "ABC-482",
        "up to date",
        "line 7 is not in the diff (nearest: 12)",
        "a | b | c, 100 %, x < y, p -> q",
        "*Nice* error messages",
        "2.5 times faster",
        "v1",
    ] {
        assert_eq!(inline(line, Dialect::GitHub), Clean { text: line.into(), edits: vec![] });
    }
}
