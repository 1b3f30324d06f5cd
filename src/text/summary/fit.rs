//! Cutting lists so that a text fits, the longest first.

use super::super::neutralise::Tally;

/// A list of the summary whose items can be left out, from the end.
#[derive(Debug, Default)]
pub(super) struct List {
    pub title: String,
    /// Rendered items, as many as could ever fit.
    pub items: Vec<(String, Tally)>,
    /// How many items there are, rendered or not.
    pub total: usize,
    pub gap: &'static str,
    /// What is in it, for the count of what is left out: `suppressed findings`.
    pub noun: &'static str,
}

/// How many items of each list go in.
pub(super) type Kept = Vec<usize>;

impl List {
    /// The list with its first `kept` items and, where that is not all, the exact count of the rest.
    pub(super) fn text(&self, kept: usize) -> String {
        if self.total == 0 {
            return String::new();
        }
        let mut parts: Vec<&str> = self.items[..kept].iter().map(|(text, _)| text.as_str()).collect();
        let note = self.note(self.total - kept);
        if kept < self.total {
            parts.push(&note);
        }
        format!("{}\n\n{}", self.title, parts.join(self.gap))
    }

    /// A list item where the items are such, so that nothing is left open by what was cut.
    fn note(&self, left: usize) -> String {
        let bullet = if self.gap == "\n" { "- " } else { "" };
        format!("{bullet}… and {left} more {} for which there is no room here.", self.noun)
    }

    /// Characters of `text(kept)` and the blank line after it.
    fn size(&self, kept: usize) -> usize {
        if self.total == 0 { 0 } else { self.text(kept).chars().count() + 2 }
    }
}

/// As many items as fit into `budget` characters, taken away from the longest lists first.
///
/// Every list keeps its title and its count, so that nothing is left out unsaid, even should the
/// budget not hold those.
pub(super) fn fit(lists: &[List], budget: usize) -> Kept {
    let costs: Vec<Vec<usize>> = lists.iter().map(costs).collect();
    let all: Kept = lists.iter().map(|list| list.items.len()).collect();
    let complete = lists.iter().all(|list| list.items.len() == list.total);
    if complete && lists.iter().zip(&all).map(|(list, kept)| list.size(*kept)).sum::<usize>() <= budget {
        return all;
    }
    let room = budget.saturating_sub(lists.iter().map(|list| list.size(0)).sum());

    // The level to which the longest lists are cut: the highest at which all of them fit.
    let take = |level: usize| -> Kept { costs.iter().map(|cost| cost.partition_point(|c| *c <= level) - 1).collect() };
    let used = |kept: &[usize]| kept.iter().zip(&costs).map(|(kept, cost)| cost[*kept]).sum::<usize>();
    let (mut low, mut high) = (0, costs.iter().filter_map(|cost| cost.last()).copied().max().unwrap_or(0));
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if used(&take(middle)) <= room { low = middle } else { high = middle - 1 }
    }
    let mut kept = take(low);
    // What the level leaves over goes to whoever's next item still fits.
    let mut left = room.saturating_sub(used(&kept));
    for (kept, cost) in kept.iter_mut().zip(&costs) {
        while let Some(next) = cost.get(*kept + 1).map(|next| next - cost[*kept]).filter(|next| *next <= left) {
            left -= next;
            *kept += 1;
        }
    }
    kept
}

/// What the first n items add to the title and the count, for every n from 0.
fn costs(list: &List) -> Vec<usize> {
    let mut sum = 0;
    let mut costs = vec![0];
    for (text, _) in &list.items {
        sum += text.chars().count() + list.gap.len();
        costs.push(sum);
    }
    costs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn list(sizes: &[usize]) -> List {
        let items = sizes.iter().map(|size| ("x".repeat(*size), Tally::default())).collect::<Vec<_>>();
        List { title: "Title".into(), total: items.len(), items, gap: "\n", noun: "things" }
    }

    #[test]
    fn everything_stays_where_there_is_room_to_the_character() {
        let lists = [list(&[10, 20]), list(&[5])];
        let exact = "Title\n\n".len() * 2 + 10 + 1 + 20 + 5 + 2 * 2;
        assert_eq!(fit(&lists, exact), [2, 1]);
        assert_ne!(fit(&lists, exact - 1), [2, 1]);
    }

    #[test]
    fn the_longest_list_gives_way_first() {
        let lists = [list(&[10; 3]), list(&[10; 1000])];
        let kept = fit(&lists, 1000);
        assert_eq!(kept[0], 3);
        assert!((60..90).contains(&kept[1]), "{kept:?}");
        assert!(
            lists[1]
                .text(kept[1])
                .ends_with(&format!("\n- … and {} more things for which there is no room here.", 1000 - kept[1]))
        );
    }

    proptest! {
        #[test]
        fn what_is_kept_fits_unless_the_counts_alone_do_not(
            sizes in prop::collection::vec(prop::collection::vec(0usize..300, 0..40), 1..5),
            budget in 0usize..5000,
        ) {
            let lists: Vec<List> = sizes.iter().map(|sizes| list(sizes)).collect();
            let kept = fit(&lists, budget);
            let used: usize = lists.iter().zip(&kept).map(|(list, kept)| list.size(*kept)).sum();
            let least: usize = lists.iter().map(|list| list.size(0)).sum();
            prop_assert!(used <= budget.max(least), "{used} of {budget}, {kept:?}");
        }
    }
}
