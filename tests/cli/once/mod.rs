//! Exactly once: whatever happens to a run, a rerun completes the review and repeats nothing.

mod binding;
mod deleted;
mod ground;
mod histories;
mod interrupts;
mod kept_back;
mod lagging;
mod lists;
mod lock;
mod moved;
mod odd;
mod pages;
mod people;
mod pushed;
mod readback;
mod receipt;
mod refusal;
mod rerun;
mod reviews;
mod storm;
mod strangers;
mod twins;
mod unknown;
