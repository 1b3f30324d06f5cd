//! Finding a part of a line in a big text, many times over.

/// The length of the sampled pieces, and how far apart they are taken. Every text of
/// [`MIN_PART`] bytes holds one whole sample, wherever it stands.
const GRAM: usize = 6;
const STEP: usize = 7;

/// The shortest part of a line that says which line is meant, in characters.
pub(super) const MIN_PART: usize = GRAM + STEP - 1;

/// The most buckets; of a small text no more than it has samples, since thousands of files may be asked.
const BUCKETS: usize = 1 << 16;

/// Lines joined in one buffer, with every seventh six-byte piece filed by its hash. A question then
/// reads the few places that share a piece with it, and not the text.
#[derive(Debug)]
pub(super) struct Grams {
    buffer: String,
    /// Where each line begins in the buffer.
    lines: Vec<usize>,
    /// Bucket `b` is `samples[heads[b]..heads[b + 1]]`, ascending; a power of two of them.
    heads: Vec<u32>,
    samples: Vec<u32>,
}

fn bucket(gram: &[u8], buckets: usize) -> usize {
    let hash = gram
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
    ((hash >> 24) as usize) % buckets
}

impl Grams {
    /// `None` for more than 4 GiB, which no diff has.
    pub(super) fn new<'t>(texts: impl IntoIterator<Item = std::borrow::Cow<'t, str>>) -> Option<Self> {
        let (mut buffer, mut lines) = (String::new(), Vec::new());
        for text in texts {
            lines.push(buffer.len());
            buffer.push_str(&text);
            buffer.push('\n');
        }
        u32::try_from(buffer.len()).ok()?;

        let sampled = || buffer.as_bytes().windows(GRAM).enumerate().step_by(STEP);
        let buckets = sampled().len().next_power_of_two().min(BUCKETS);
        let mut heads = vec![0u32; buckets + 1];
        for (_, gram) in sampled() {
            heads[bucket(gram, buckets) + 1] += 1;
        }
        for at in 1..heads.len() {
            heads[at] += heads[at - 1];
        }
        let mut next = heads.clone();
        let mut samples = vec![0u32; *heads.last()? as usize];
        for (at, gram) in sampled() {
            let slot = &mut next[bucket(gram, buckets)];
            samples[*slot as usize] = at as u32;
            *slot += 1;
        }
        Some(Self { buffer, lines, heads, samples })
    }

    /// Every place whose sample has this piece's hash, ascending.
    fn samples_like(&self, gram: &[u8]) -> &[u32] {
        let at = bucket(gram, self.heads.len() - 1);
        &self.samples[self.heads[at] as usize..self.heads[at + 1] as usize]
    }

    /// The lines from `low` to `high`, both included, that hold `part`; ascending, and no more than
    /// about `limit` of them. `part` has at least [`MIN_PART`] characters and no `\n`.
    pub(super) fn lines_with(&self, part: &str, low: usize, high: usize, limit: usize) -> Vec<usize> {
        let (text, part) = (self.buffer.as_bytes(), part.as_bytes());
        let begin = self.lines.get(low).copied().unwrap_or(text.len());
        let end = self.lines.get(high.saturating_add(1)).copied().unwrap_or(text.len());
        let mut found = Vec::new();
        for phase in 0..STEP.min(part.len().saturating_sub(GRAM - 1)) {
            // Wherever the part stands in this phase, all these pieces of it are samples: the rarest one has
            // the fewest places to look at.
            let pieces = part.windows(GRAM).enumerate().skip(phase).step_by(STEP);
            let filed = pieces.map(|(offset, gram)| (offset, self.samples_like(gram)));
            let Some((offset, bucket)) = filed.min_by_key(|(_, samples)| samples.len()) else { break };
            let from = bucket.partition_point(|sample| (*sample as usize) < begin + offset);
            for sample in &bucket[from..] {
                let start = *sample as usize - offset;
                if start >= end || found.len() > limit {
                    break;
                }
                if text[start..].starts_with(part) {
                    let line = self.lines.partition_point(|line| *line <= start) - 1;
                    if found.last() != Some(&line) {
                        found.push(line);
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Grams, MIN_PART};

    #[test]
    fn a_part_needs_twelve_characters() {
        assert_eq!(MIN_PART, 12);
    }

    proptest! {
        #[test]
        fn finds_what_a_plain_scan_finds(
            lines in prop::collection::vec("[abé]{0,40}", 1..20),
            pick in any::<prop::sample::Index>(),
            cut in any::<prop::sample::Index>(),
            stranger in "[ab]{12,14}",
            low in 0usize..20,
            span in 0usize..20,
        ) {
            let line: Vec<char> = pick.get(&lines).chars().collect();
            let from = cut.index(line.len().max(1)).min(line.len().saturating_sub(MIN_PART));
            let own: String = line[from..].iter().collect();
            for part in [own, stranger] {
                if part.chars().count() < MIN_PART {
                    continue;
                }
                let plain: Vec<usize> = (0..lines.len())
                    .filter(|at| (low..=low + span).contains(at) && lines[*at].contains(&part))
                    .collect();
                let grams = Grams::new(lines.iter().map(|line| line.as_str().into())).unwrap();
                prop_assert_eq!(grams.lines_with(&part, low, low + span, 1_000), plain);
            }
        }
    }
}
