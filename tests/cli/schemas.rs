//! The published schemas, and the committed copies of them.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::run::Dai;

const ALL: [&str; 5] = ["dai", "exchange", "orchestra", "brief", "report"];

fn schema(name: &str) -> String {
    Dai::at(".").args(["schema", name]).run().exits(0).out().to_owned()
}

#[test]
fn the_committed_schemas_are_what_the_program_prints() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema");
    for name in ALL {
        let file = folder.join(format!("{name}.schema.json"));
        let committed = fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(committed, schema(name), "run: dai schema {name} > docs/schema/{name}.schema.json");
    }
    let files = fs::read_dir(folder).unwrap().count();
    assert_eq!(files, ALL.len(), "a schema that no command prints");
}

#[test]
fn every_schema_is_one_and_says_which_draft() {
    for name in ALL {
        let schema: Value = serde_json::from_str(&schema(name)).unwrap();
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
        jsonschema::meta::validate(&schema).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// What a strict validator refuses to compile: a `format` that the specification does not name.
#[test]
fn every_schema_compiles_in_a_strict_validator() {
    for name in ALL {
        let schema: Value = serde_json::from_str(&schema(name)).unwrap();
        let strict = jsonschema::options().should_validate_formats(true).should_ignore_unknown_formats(false);
        strict.build(&schema).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let odd = serde_json::json!({ "type": "integer", "format": "uint32" });
    let strict = jsonschema::options().should_validate_formats(true).should_ignore_unknown_formats(false);
    assert!(strict.build(&odd).is_err(), "the validator is not strict");
}

/// The codes that programs match on are in the schema, in the help and in the README, the same in each.
#[test]
fn codes_are_enumerations_in_the_schema_and_the_readme_has_a_row_for_each() {
    let schema: Value = serde_json::from_str(&schema("report")).unwrap();
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("the README");
    let page = Dai::at(std::env::temp_dir()).args(["help", "reasons"]).run().exits(0);
    let lines: Vec<&str> = page.out().lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    for (name, head) in
        [("ReasonCode", "| `reason.code` of a finding | it is |"), ("Code", "| `code` of a warning | it says |")]
    {
        let codes: Vec<&str> =
            schema["$defs"][name]["enum"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let table = readme.split(head).nth(1).expect("the table").split("\n\n").next().expect("rows");
        let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | "));
        let rows: Vec<(&str, &str)> = rows.collect();
        assert_eq!(rows.iter().map(|(code, _)| *code).collect::<Vec<_>>(), codes, "{name}");
        for (code, meaning) in rows {
            assert!(lines.windows(2).any(|pair| pair == [code, meaning]), "{code}: {meaning}\n{page}");
        }
    }
}

/// Each invalid sample says in `expect` at which pointer the schema refuses it.
#[test]
fn samples_of_reports_are_accepted_and_refused() {
    let schema: Value = serde_json::from_str(&schema("report")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let samples = |folder: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/report").join(folder);
        let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        let read = |path: std::path::PathBuf| (path.clone(), serde_json::from_slice(&fs::read(path).unwrap()).unwrap());
        entries.map(read).collect::<Vec<(_, Value)>>()
    };
    for (path, sample) in samples("valid") {
        let refused: Vec<_> = validator.iter_errors(&sample).map(|error| error.to_string()).collect();
        assert!(refused.is_empty(), "{path:?}: {refused:?}");
    }
    for (path, mut sample) in samples("invalid") {
        let expect = sample.as_object_mut().unwrap().remove("expect").unwrap();
        let mut refused: Vec<_> =
            validator.iter_errors(&sample).map(|error| error.instance_path().as_str().to_owned()).collect();
        refused.sort_unstable();
        refused.dedup();
        assert_eq!(serde_json::json!(refused), expect, "{path:?}");
    }
}
