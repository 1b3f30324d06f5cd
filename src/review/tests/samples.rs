//! Every sample under `fixtures/review`, held against the reader and against the published schema
//! by an independent validator.

use std::fs;
use std::path::{Path, PathBuf};

use crate::review::{Format, ReviewError, read, schema};

fn samples(folder: &str) -> Vec<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/review").join(folder);
    let mut paths: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() > 2, "{folder}");
    paths
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

fn valid(folder: &str, format: Format) {
    let validator = jsonschema::validator_for(&schema(format)).unwrap();
    for path in samples(&format!("{folder}/valid")) {
        let bytes = fs::read(&path).unwrap();
        let (review, document) = read(&bytes, name(&path)).unwrap_or_else(|error| panic!("{path:?}: {error:?}"));
        assert_eq!(review.format, format, "{path:?}");
        let value = serde_json::from_str(document.json()).unwrap();
        let refused: Vec<_> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(refused.is_empty(), "{path:?}: {refused:?}");
    }
}

/// Each sample says its faults in `expect`, one `pointer line:column` each; a fault that a schema
/// cannot express has `!` in front.
fn invalid(folder: &str, format: Format) {
    let validator = jsonschema::validator_for(&schema(format)).unwrap();
    for path in samples(&format!("{folder}/invalid")) {
        let bytes = fs::read(&path).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        let expect: Vec<_> = value["expect"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
        let problems = match read(&bytes, name(&path)) {
            Err(ReviewError::Invalid(problems)) => problems,
            other => panic!("{path:?}: {other:?}"),
        };
        let found: Vec<_> = problems
            .list()
            .iter()
            .map(|problem| format!("{} {}:{}", problem.pointer, problem.at.line, problem.at.column))
            .collect();
        let wanted: Vec<_> = expect.iter().map(|line| line.trim_start_matches('!')).collect();
        assert_eq!(found, wanted, "{path:?}");
        let refused: Vec<_> =
            validator.iter_errors(&value).map(|error| error.instance_path().as_str().to_owned()).collect();
        for line in expect {
            let pointer = line.split(' ').next().unwrap();
            if let Some(pointer) = pointer.strip_prefix('!') {
                assert!(!refused.iter().any(|at| at == pointer), "{path:?}: the schema does say {pointer}");
            } else {
                assert!(
                    refused.iter().any(|at| at == pointer),
                    "{path:?}: the schema lets {pointer} pass: {refused:?}"
                );
            }
        }
    }
}

#[test]
fn valid_dai_samples_are_read_and_pass_the_schema() {
    valid("dai", Format::Dai);
}

#[test]
fn invalid_dai_samples_are_refused_by_reader_and_schema_alike() {
    invalid("dai", Format::Dai);
}

#[test]
fn valid_exchange_samples_are_read_and_pass_the_schema() {
    valid("exchange", Format::Exchange);
}

#[test]
fn invalid_exchange_samples_are_refused_by_reader_and_schema_alike() {
    invalid("exchange", Format::Exchange);
}

#[test]
fn valid_orchestra_samples_are_read_and_pass_the_schema() {
    valid("orchestra", Format::Orchestra);
}

#[test]
fn invalid_orchestra_samples_are_refused_by_reader_and_schema_alike() {
    invalid("orchestra", Format::Orchestra);
}
