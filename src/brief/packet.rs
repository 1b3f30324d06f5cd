//! The packet as a document. Its shape is published, so the schema is made from these types.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;

use super::cut::LeftOut;

/// The evidence for an independent reviewer, and what to do with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(title = "The packet of dai review brief", extend("$id" = "dai.brief/1"))]
pub struct Packet {
    /// The full id of the commit that the diff starts from: the merge base.
    pub base_sha: String,
    /// The full id of the commit that is judged.
    pub result_sha: String,
    /// The unified diff from the one to the other, at most 256 KiB, cut between files or hunks.
    pub diff: String,
    /// The same diff to quote places from: in front of each line of a hunk its number in the old image and in the new
    /// one, then `|`, such as `   12    14 | text`. A number is blank where the line is not in that image. Without
    /// everything up to the first `|` of those lines it is `diff` again.
    pub diff_numbered: String,
    /// Whether the diff was cut. The review then covers only what is there.
    pub diff_truncated: bool,
    /// The files that are not in the diff, or not whole; empty where it is not cut.
    pub diff_left_out: Vec<LeftOut>,
    /// The command that was run at the result commit; null where none was.
    pub gate_command: Option<String>,
    /// Its exit code; 128 and the signal's number where a signal ended it.
    pub gate_exit: Option<i32>,
    /// The last 8 KiB of what it said on both its streams.
    pub gate_output: Option<String>,
    /// What to judge, in which order, and where and in which format to write the findings.
    pub brief: String,
    /// What was handed in to judge by: the contract, the decisions, the accepted plan, by file name.
    pub with: BTreeMap<String, String>,
}

/// What a gate came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    pub command: String,
    pub exit: i32,
    pub output: String,
}

impl Packet {
    /// One JSON document with a newline at the end.
    pub fn to_json(&self) -> String {
        // Only a map with keys that are no texts could make this fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The published schema, of what is written: every key is always there.
    pub fn schema() -> serde_json::Value {
        crate::schema::of::<Packet>(SchemaSettings::draft2020_12().for_serialize())
    }
}
