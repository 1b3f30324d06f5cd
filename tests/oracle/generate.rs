//! Histories made to be awkward, from a seed, written by one `git fast-import`.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Stdio;

use dai::change::CommitId;

use crate::lab::{Lab, Work};

/// A small generator of our own (SplitMix64): a seed gives the same history everywhere.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.roll() % n.max(1) as u64).unwrap()
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// What a path holds.
#[derive(Clone, PartialEq, Eq)]
enum Node {
    File { lines: Vec<Vec<u8>>, end: bool, executable: bool },
    Link(String),
    Submodule(u8),
}

/// A repository with `ranges` pairs of commits, each of about `files` changed files.
pub fn repository(lab: &Lab, name: &str, seed: u64, ranges: usize, files: usize) -> (Work, Vec<(CommitId, CommitId)>) {
    let work = lab.init_with(name, &["--bare"]);
    let mut dice = Dice(seed);
    let mut stream = Vec::new();
    for range in 0..ranges {
        let mut before = Vec::new();
        let mut after = Vec::new();
        for number in 0..files {
            file(&mut dice, number, &mut before, &mut after);
        }
        let branch = format!("refs/heads/r{range}");
        write_commit(&mut stream, &branch, &before);
        write_commit(&mut stream, &branch, &after);
    }
    let mut import = work.command(&["fast-import", "--quiet", "--force"]).stdin(Stdio::piped()).spawn().unwrap();
    import.stdin.take().unwrap().write_all(&stream).unwrap();
    assert!(import.wait().unwrap().success());
    let ids = (0..ranges).map(|n| (work.id(&format!("r{n}~1")), work.id(&format!("r{n}")))).collect();
    (work, ids)
}

/// A commit whose whole tree is the given one.
fn write_commit(stream: &mut Vec<u8>, branch: &str, tree: &[(Vec<u8>, Node)]) {
    let head = format!("commit {branch}\ncommitter Ada <ada@example.org> 1700000000 +0000\ndata 1\nx\ndeleteall\n");
    stream.extend_from_slice(head.as_bytes());
    for (path, node) in tree {
        let (mode, content) = match node {
            Node::File { lines, end, executable } => {
                let mut content = lines.join(&b'\n');
                content.extend_from_slice(if *end && !lines.is_empty() { b"\n" } else { b"" });
                (if *executable { "100755" } else { "100644" }, content)
            }
            Node::Link(to) => ("120000", to.clone().into_bytes()),
            Node::Submodule(n) => {
                stream.extend_from_slice(format!("M 160000 {} ", format!("{n:02x}").repeat(20)).as_bytes());
                quote(stream, path);
                continue;
            }
        };
        stream.extend_from_slice(format!("M {mode} inline ").as_bytes());
        quote(stream, path);
        stream.extend_from_slice(format!("data {}\n", content.len()).as_bytes());
        stream.extend_from_slice(&content);
        stream.push(b'\n');
    }
}

fn quote(stream: &mut Vec<u8>, path: &[u8]) {
    let mut quoted = String::from("\"");
    for byte in path {
        let _ = write!(quoted, "\\{byte:03o}");
    }
    stream.extend_from_slice(quoted.as_bytes());
    stream.extend_from_slice(b"\"\n");
}

/// One file's fate: its entries go into both trees.
fn file(dice: &mut Dice, number: usize, before: &mut Vec<(Vec<u8>, Node)>, after: &mut Vec<(Vec<u8>, Node)>) {
    let path = name(dice, number);
    let node = text(dice, number);
    match dice.below(100) {
        0..45 => {
            before.push((path.clone(), node.clone()));
            after.push((path, edited(dice, node)));
        }
        45..70 => {
            let other = renamed(dice, &path, number);
            // Around both thresholds, and everywhere else.
            let kept = match dice.below(4) {
                0 => 26 + dice.below(9),
                1 => 46 + dice.below(9),
                2 => 100 - dice.below(12),
                _ => dice.below(101),
            };
            before.push((path, node.clone()));
            after.push((other, alike(dice, node, kept)));
        }
        70..76 => after.push((path, node)),
        76..82 => before.push((path, node)),
        82..86 => {
            before.push((path.clone(), node.clone()));
            after.push((path, special(dice)));
        }
        86..89 => {
            before.push((path.clone(), special(dice)));
            after.push((path, node));
        }
        89..91 => {
            before.push((path.clone(), special(dice)));
            after.push((path, special(dice)));
        }
        91..94 => {
            // A file that gives way to a directory, or the other way round.
            let mut inside = path.clone();
            inside.extend_from_slice(b"/inside");
            let (old, new) = if dice.one_in(2) { (path, inside) } else { (inside, path) };
            before.push((old, node));
            after.push((new, text(dice, number + 1)));
        }
        94..97 => {
            let Node::File { lines, end, .. } = node else { return };
            let mode = |executable| Node::File { lines: lines.clone(), end, executable };
            before.push((path.clone(), mode(false)));
            after.push((path, mode(true)));
        }
        _ => {
            before.push((path.clone(), node.clone()));
            after.push((path, node));
        }
    }
}

fn name(dice: &mut Dice, number: usize) -> Vec<u8> {
    let odd: [&[u8]; 16] = [
        b"a b",
        b"q\"uote",
        b"t\tab",
        b" b/x",
        "파일".as_bytes(),
        "ñ".as_bytes(),
        b"trailing ",
        b"back\\slash",
        b"new\nline",
        b"-dash",
        b":(top)*[x]",
        b"caf\xe9",
        b"dir with space/x",
        b"%25",
        b"{a => b}",
        b"\\303\\261",
    ];
    let stem = if dice.one_in(6) { dice.pick(&odd).to_vec() } else { b"file".to_vec() };
    let dir = format!("d{}/e{}/", dice.below(7), dice.below(5));
    // Unique by its number, in a directory; sometimes at the top.
    let mut path = if dice.one_in(5) { Vec::new() } else { dir.into_bytes() };
    path.extend_from_slice(format!("n{number}-").as_bytes());
    path.extend_from_slice(&stem);
    path.extend_from_slice(dice.pick(&[".rs", ".txt", "", ".C"]).as_bytes());
    path
}

fn renamed(dice: &mut Dice, path: &[u8], number: usize) -> Vec<u8> {
    match dice.below(4) {
        // The same name in another directory, which git tries first.
        0 => [b"moved/", path].concat(),
        1 => path.to_ascii_uppercase().into_iter().chain(*b"_").collect(),
        2 => {
            let upper = path.to_ascii_uppercase();
            if upper == path { [path, b"2"].concat() } else { upper }
        }
        _ => [b"to-", &name(dice, number)[..]].concat(),
    }
}

fn special(dice: &mut Dice) -> Node {
    if dice.one_in(3) { Node::Submodule(dice.roll() as u8 | 1) } else { Node::Link(format!("to/{}", dice.below(9))) }
}

fn text(dice: &mut Dice, number: usize) -> Node {
    let count = match dice.below(40) {
        0 => 0,
        1 | 2 => 1,
        3..15 => 2 + dice.below(20),
        15..35 => 30 + dice.below(120),
        35..39 => 300 + dice.below(500),
        _ => 4000 + dice.below(4000),
    };
    let crlf = dice.one_in(8);
    // Many equal lines make many equally short edits, and the choice among them is git's.
    let vocabulary = if dice.one_in(3) { 6 } else { 4000 };
    let mut lines: Vec<Vec<u8>> = (0..count).map(|_| line(dice, number, vocabulary, crlf)).collect();
    if dice.one_in(25) && count > 0 {
        // A NUL just inside or just outside of what git looks at.
        let at = if dice.one_in(2) { 7999 } else { 8000 };
        let first = &mut lines[0];
        first.resize(at, b'x');
        first.extend_from_slice(b"\0y");
    }
    Node::File { lines, end: !dice.one_in(6), executable: dice.one_in(20) }
}

fn line(dice: &mut Dice, number: usize, vocabulary: usize, crlf: bool) -> Vec<u8> {
    let word = dice.below(vocabulary);
    let indent = "    ".repeat(dice.below(4));
    let mut line = match dice.below(30) {
        0..5 => Vec::new(),
        5..8 => format!("{indent}}}").into_bytes(),
        8 => b"-- drop old".to_vec(),
        9 => b"++ i".to_vec(),
        10 => b"@@ -1,2 +3,4 @@ fn".to_vec(),
        11 => b"diff --git a/x b/x".to_vec(),
        12 => format!("one{word}\rstill one").into_bytes(),
        13 => format!("u{word}\u{2028}\u{85}\u{c}\u{b}").into_bytes(),
        14 => vec![0xff, 0xfe, b'a', word as u8 | 1, 0xe9],
        15 if dice.one_in(20) => format!("long{word} ").repeat(900).into_bytes(),
        16 => b"\\ No newline at end of file".to_vec(),
        _ => format!("{indent}let v{word} = call{number}({word});").into_bytes(),
    };
    line.retain(|byte| *byte != b'\n' && *byte != 0);
    if crlf {
        line.push(b'\r');
    }
    line
}

fn edited(dice: &mut Dice, node: Node) -> Node {
    let Node::File { mut lines, mut end, executable } = node else { return node };
    for _ in 0..=dice.below(6) {
        let at = dice.below(lines.len() + 1);
        let to = (at + 1 + dice.below(8)).min(lines.len());
        match dice.below(9) {
            0 => drop(lines.drain(at..to)),
            1 => lines.insert(at, line(dice, 1, 6, false)),
            2 => lines.splice(at..at, (0..5).map(|_| line(dice, 2, 4000, false)).collect::<Vec<_>>()).for_each(drop),
            3 => lines[at..to].iter_mut().for_each(|line| line.push(b'!')),
            4 => {
                let block: Vec<_> = lines.drain(at..to).collect();
                let at = dice.below(lines.len() + 1);
                lines.splice(at..at, block).for_each(drop);
            }
            5 => {
                let block = lines[at..to].to_vec();
                lines.splice(to..to, block).for_each(drop);
            }
            6 if dice.one_in(4) => lines.iter_mut().for_each(|line| match line.last() {
                Some(b'\r') => drop(line.pop()),
                _ => line.push(b'\r'),
            }),
            7 => end = !end,
            8 if dice.one_in(10) => lines.clear(),
            _ => {}
        }
    }
    Node::File { lines, end, executable: executable ^ dice.one_in(15) }
}

/// About `percent` of the lines, the rest replaced.
fn alike(dice: &mut Dice, node: Node, percent: usize) -> Node {
    let Node::File { mut lines, end, executable } = node else { return node };
    let scattered = dice.one_in(2);
    let keep = lines.len() * percent / 100;
    for (at, kept) in lines.iter_mut().enumerate() {
        let replaced = if scattered { dice.below(100) >= percent } else { at >= keep };
        if replaced {
            *kept = line(dice, 99_999, 4000, false);
        }
    }
    Node::File { lines, end, executable }
}
