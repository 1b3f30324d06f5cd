//! What an independent reviewer is given: the change, what the gate said, what was asked for, and how to
//! judge it. Nothing that its author says of it: no commit message, no title, no description. Pure.

mod cut;
mod markdown;
mod numbered;
mod packet;
mod words;

pub use cut::{Cut, LeftOut, MAX_DIFF, cut};
pub use numbered::numbered;
pub use packet::{Gate, Packet};
pub use words::{Facts, brief};
