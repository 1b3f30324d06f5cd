//! What must hold for any bytes at all. The same checks are the fuzz targets of `fuzz/`, which needs a nightly toolchain; here
//! they run on that crate's seeds, on parts of them put together anew, and on what `proptest` makes up.

#[path = "../acting/mod.rs"]
mod acting;
mod anchoring;
#[path = "../acting/grammar.rs"]
mod grammar;
mod neutralising;
mod patches;
mod reading;

use std::fs;
use std::path::Path;

use proptest::prelude::*;

/// The seeds of one target.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let mut files: Vec<_> = fs::read_dir(&folder).expect("the seeds").flatten().map(|entry| entry.path()).collect();
    files.sort();
    assert!(!files.is_empty(), "no seeds in {}", folder.display());
    files.iter().map(|file| fs::read(file).expect("a seed")).collect()
}

/// Parts of the seeds, cut and put together, with some bytes changed.
fn mutants(target: &str) -> impl Strategy<Value = Vec<u8>> + use<> {
    let seeds = seeds(target);
    let part = (prop::sample::select(seeds), any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map(
        |(seed, one, other)| {
            let (one, other) = (one.index(seed.len() + 1), other.index(seed.len() + 1));
            seed[one.min(other)..one.max(other)].to_vec()
        },
    );
    let noise = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4);
    (prop::collection::vec(part, 1..4), noise).prop_map(|(parts, noise)| {
        let mut bytes = parts.concat();
        for (at, byte) in noise {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
        }
        bytes
    })
}

macro_rules! properties {
    ($($target:ident),*) => {
        $(mod $target {
            use super::*;

            #[test]
            fn the_seeds_hold() {
                for seed in seeds(stringify!($target)) {
                    crate::$target::check(&seed);
                }
            }

            proptest! {
                #![proptest_config(ProptestConfig::with_cases(400))]

                #[test]
                fn parts_of_the_seeds_hold(bytes in mutants(stringify!($target))) {
                    crate::$target::check(&bytes);
                }

                #[test]
                fn any_bytes_hold(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
                    crate::$target::check(&bytes);
                }
            }
        })*
    };
}

mod cases {
    use super::*;

    properties!(reading, patches, neutralising, anchoring);
}
