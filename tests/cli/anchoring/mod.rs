//! Where findings land between two local revisions, by the program's own report.

mod deltas;
mod lines;
mod names;
mod snippets;
