//! The preview for people, the report for programs, progress. Decides nothing.
