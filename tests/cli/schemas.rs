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
