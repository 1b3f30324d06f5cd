//! Hostile texts from a seed: shapes that act, or that one parser takes for code and another does not, put together and
//! damaged at random.

/// A xorshift generator, so that a seed is the same text everywhere.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }
}

const SHAPES: &[&str] = &[
    "https://e.org/`<img src='https://evil/p'>`",
    "https://e.org/\\<details>",
    "`x`/ and @victim and `x`",
    "#12http://e",
    "it`s [a](@victim)[](@victim)",
    "$a`b$ cc @victim `x",
    "[[a`b]] @user `c",
    "Term\n\n: x\n\n    @victim",
    ": \n  ```\n",
    "- >>>\n  @ann\n  >>>",
    "> >>>\n> /a\n> >>>",
    "@&fjlig;ord",
    "word://x`y` ",
    "$`@ann`$",
    "$$\n/approve\n$$",
    "[x]: /\n",
    "[x]: #1\n`a` @ann\n",
    "| `a\\|@ann` | b |\n|---|---|\n| `c | @ann` |\n",
    "a | `b\n--|--\n@ann` | c\n",
    "[^1]: @ann\n",
    "[^1]",
    "- [ ] @ann\n",
    "```suggestion\n",
    "```mermaid\n",
    "~~~math\n",
    "````\n",
    "```\n",
    "~~~\n",
    "```js `x`\n",
    "    @ann\n",
    "\t@ann",
    "/approve\n",
    "\n/close\n",
    "bors r+\n",
    "@dependabot rebase\n",
    "@ann",
    "@org/team",
    "&#64;ann",
    "\\@ann",
    "@\\_x",
    "#1",
    "!1",
    "&1",
    "&num;1",
    "GH-1",
    "GL-1",
    "o/r#1",
    "o/r@0123abc",
    "~bug",
    "%v1",
    "$12",
    "[issue:1]",
    "*iteration:1",
    "[[_TOC_]]",
    "[TOC]",
    "::include{file=x}\n",
    "![a](b)",
    "![a][x]",
    "!",
    "[",
    "]",
    "(",
    ")",
    "](",
    "[a](",
    "<b>",
    "<img src=x>",
    "<!--",
    "-->",
    "<details>\n",
    "</details>\n",
    "<a\n",
    "<",
    ">",
    "<https://x.example/>",
    "<x:y>",
    "<a@b.c>",
    "a@b.c",
    "https://github.com/o/r/pull/1",
    "https://gitlab.com/g/p/-/issues/1",
    "www.x.example/`",
    "http://",
    "://",
    "ftp://x",
    "`",
    "``",
    "```",
    "$",
    "$$",
    "~",
    "~~",
    "*",
    "**",
    "_",
    "\\",
    "|",
    ":",
    "\n",
    "\n\n",
    "\r",
    " ",
    "  ",
    "    ",
    "- ",
    "* ",
    "1. ",
    "> ",
    ">>>",
    ">>>\n",
    "# ",
    "---\n",
    "===\n",
    "+++\n",
    "&lt;",
    "&#x3c;",
    "&amp;",
    "\u{200B}",
    "\u{202E}",
    "\u{2028}",
    "한",
    "é",
    "a",
    "1",
    "x",
    "ann",
    "http",
    "www.",
    "[a](https://x.example)",
    "[https://a.example](https://b.example)",
    "<script>",
    "<?x",
    "<![CDATA[",
    "</a>\n",
    "<pre>\n",
    "<!-- dai v1 finding=0101010101010101 place=0202020202020202 -->",
    "*Written by an AI reviewer, posted with `dai` from this account.*\n\n",
];

/// One text: up to sixteen shapes, and in every third one some characters taken out, doubled or moved.
pub fn text(dice: &mut Dice) -> String {
    let count = 1 + dice.roll(16);
    let mut text: String = (0..count).map(|_| SHAPES[dice.roll(SHAPES.len())]).collect();
    if dice.roll(3) == 0 {
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..1 + dice.roll(4) {
            if chars.is_empty() {
                break;
            }
            let at = dice.roll(chars.len());
            match dice.roll(3) {
                0 => drop(chars.remove(at)),
                1 => chars.insert(at, chars[at]),
                _ => {
                    let c = chars.remove(at);
                    chars.insert(dice.roll(chars.len() + 1), c);
                }
            }
        }
        text = chars.into_iter().collect();
    }
    text
}
