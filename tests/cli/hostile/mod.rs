//! Hostile texts, hostile repositories, hostile servers: nothing of the change, of the review file or of an answer acts.

mod answers;
mod configuration;
mod environment;
mod keys;
mod links;
mod runners;
mod scene;
mod size;
mod terminal;
mod text;
mod tokens;
