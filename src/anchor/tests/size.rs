use super::super::Resolver;
use super::sample::*;
use super::*;

/// A search that reads the file once a finding takes minutes here; one that looks up takes well
/// under a second.
#[test]
fn thousands_of_findings_on_a_big_file_are_looked_up_and_not_searched_for() {
    let lines: Vec<String> = (0..100_000)
        .map(|n| match n % 4 {
            0 => "+    }".to_owned(),
            1 => "+    return nil".to_owned(),
            _ => format!("+    let value_{n} = compute_something({n});"),
        })
        .collect();
    let script: Vec<&str> = lines.iter().map(String::as_str).collect();
    let change = change(vec![modified("big.rs", &script)]);
    let snippets = [
        "no such line stands anywhere in this file",
        "}\nreturn nil\nlet value_2 = compute_something(2);\nnot this",
        "return nil",
        "compute_something(77",
        "+    let value_6 = compute_something(6);\n+    let value_7 = compute_something(7);",
    ];

    let resolver = Resolver::new(&change);
    for n in 0..5_000u32 {
        let snippet = format!("{}{}", snippets[n as usize % 5], if n % 5 == 0 { n.to_string() } else { String::new() });
        let wide = if n % 2 == 0 { 90_000 } else { 0 };
        let finding = quoting(finding("big.rs", R, 1 + n, 1 + n + wide), &snippet);
        let verdict = resolver.resolve(&finding, Relocate::Sure);
        let missed = matches!(&verdict, Verdict::Rejected(no) if matches!(no.fault, Fault::SnippetMismatch { .. }));
        if n % 5 == 0 {
            assert!(missed, "{n}: {verdict:?}");
        }
    }
}
