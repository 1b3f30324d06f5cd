//! c04, c07 to c09: what a finding quotes.

use serde_json::{Value, json};

use crate::local::{Local, at, fates, message, numbered, quoting, range, with};

fn spread() -> Local {
    Local::file(
        "a.rs",
        numbered(40),
        numbered(40)
            .replace("line 5\n", "    if user.is_none() {\n        return Err(NotFound);\n    }\n")
            .replace("line 30\n", ""),
    )
}

#[test]
fn c04_a_number_of_the_other_side_shows_both_lines_and_proposes() {
    let local = spread();
    // Old line 4 and new line 4 are alike; old line 8 is new line 10, and a new line 8 exists as well.
    let report = local.report(&[quoting("a.rs", 8, "        return Err(NotFound);")]);
    assert_eq!(fates(&report), ["snippet_mismatch"]);
    let told = &report["findings"][0];
    assert_eq!((&told["proposal"]["line"], &told["proposal"]["side"]), (&json!(6), &json!("RIGHT")));
    let said = message(&report, 0);
    assert!(said.contains("`line 6`") && said.contains("`return Err(NotFound);`"), "{said}");
    let moved = local.report_with(&[quoting("a.rs", 8, "        return Err(NotFound);")], &["--relocate"]);
    let told = &moved["findings"][0];
    assert_eq!((&told["status"], &told["line"], &told["written"]["line"]), (&json!("ready"), &json!(6), &json!(8)));
}

#[test]
fn c07_a_snippet_matches_without_indentation_with_a_marker_in_lines_and_in_parts() {
    let long: String = (0..500).map(|n| format!("word{n:03} ")).collect();
    assert!(long.len() > 3990);
    let local = Local::file(
        "a.rs",
        "x\n",
        format!("x\n    if user.is_none() {{\n        return Err(NotFound);\n    }}\n{long}\n"),
    );
    let several = "if user.is_none() {\n    return Err(NotFound);\n}";
    let right = [
        quoting("a.rs", 2, "if user.is_none() {"),
        quoting("a.rs", 2, "+    if user.is_none() {"),
        quoting("a.rs", 2, "\n\n    if user.is_none() {  \n\n"),
        quoting("a.rs", 2, "user.is_none()"),
        quoting("a.rs", 5, "word250 word251 word252"),
        quoting("a.rs", 2, several),
        with(range("a.rs", 2, 4), json!({ "snippet": several })),
        with(range("a.rs", 2, 4), json!({ "snippet": "return Err(NotFound);" })),
        with(range("a.rs", 2, 4), json!({ "snippet": "+if user.is_none() {\r\n+    return Err(NotFound);\r\n+}" })),
    ];
    let numbered = |(n, f): (usize, &Value)| with(f.clone(), json!({ "body": format!("finding {n}") }));
    let report = local.report(&right.iter().enumerate().map(numbered).collect::<Vec<_>>());
    assert_eq!(fates(&report), ["ready"; 9]);
    let wrong = [
        quoting("a.rs", 2, "none() {"),
        with(range("a.rs", 2, 3), json!({ "snippet": "if user.is_none() {\n}" })),
        quoting("a.rs", 3, several.rsplit_once('\n').expect("lines").0.replace("NotFound", "Found").as_str()),
    ];
    assert_eq!(fates(&local.report(&wrong)), ["snippet_mismatch"; 3]);
}

#[test]
fn c08_a_hunk_header_never_matches() {
    let local = spread();
    let header = local.repo.git(&["diff", "main...topic"]);
    let header = header.lines().find(|l| l.starts_with("@@")).expect("a header").to_owned();
    let report = local.report(&[quoting("a.rs", 5, &header), quoting("a.rs", 5, "@@ -2,7 +2,9 @@")]);
    assert_eq!(fates(&report), ["snippet_mismatch"; 2]);
    assert_eq!(report["findings"][0]["proposal"], Value::Null);
}

#[test]
fn c09_a_text_that_stands_twice_is_right_at_its_line_and_ambiguous_elsewhere() {
    let local = Local::file("a.go", "a\n", "a\nreturn nil\nb\nreturn nil\nc\n");
    let report = local.report(&[
        quoting("a.go", 2, "return nil"),
        quoting("a.go", 4, "return nil"),
        quoting("a.go", 3, "return nil"),
    ]);
    assert_eq!(fates(&report), ["ready", "ready", "snippet_ambiguous"]);
    let said = message(&report, 2);
    assert!(said.contains("RIGHT 2") && said.contains("RIGHT 4"), "{said}");
    assert_eq!(report["findings"][2]["proposal"], Value::Null);
}

#[test]
fn a_place_off_the_diff_with_a_snippet_in_it_is_proposed() {
    let local = spread();
    let report = local.report(&[quoting("a.rs", 200, "return Err(NotFound);"), at("a.rs", 200)]);
    assert_eq!(fates(&report), ["line_not_in_diff"; 2]);
    assert_eq!(report["findings"][0]["proposal"]["line"], 6);
}
