//! `dai review …`: the reviewer's packet, the verdict, the questions, and the whole loop.

mod brief;
mod fields;
mod foreign;
mod gate;
mod review_loop;
mod triage;
mod verdict;
