//! The same work for many things, on every core, with the results in the things' order.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread;

/// For fewer things a thread costs more than it saves.
const ENOUGH: usize = 128;

/// The fewest that a run has: what it begins with may be a process, and a machine may have many cores.
const LEAST: usize = 32;

/// The result for each item.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    runs(items, |run| run.iter().map(&work).collect())
}

/// The results for runs of items, one run a core, put together again; for work that begins with
/// something of its own.
pub(crate) fn runs<T: Sync, R: Send>(items: &[T], work: impl Fn(&[T]) -> Vec<R> + Sync) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    if items.len() < ENOUGH || cores == 1 {
        return work(items);
    }
    let mut parts = items.chunks(items.len().div_ceil(cores).max(LEAST));
    let own = parts.next().unwrap_or_default();
    thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> =
            parts.map(|part| (part, thread::Builder::new().spawn_scoped(scope, move || work(part)))).collect();
        let mut results = work(own);
        results.reserve(items.len() - own.len());
        for (part, other) in others {
            results.extend(match other {
                Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                // No thread to be had: then here.
                Err(_) => work(part),
            });
        }
        results
    })
}

#[cfg(test)]
mod tests {
    use super::{ENOUGH, map, runs};

    #[test]
    fn the_order_is_kept_and_nothing_is_left_out() {
        for count in [0, 1, ENOUGH - 1, ENOUGH, ENOUGH + 1, 10 * ENOUGH + 7] {
            let items: Vec<usize> = (0..count).collect();
            assert_eq!(map(&items, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
            assert_eq!(runs(&items, <[usize]>::to_vec), items);
        }
    }
}
