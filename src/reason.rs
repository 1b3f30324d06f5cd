//! Why a finding is not posted.

use crate::codes::codes;

codes! {
    /// A reason's code, in the order in which reasons are looked for; the first that holds is given.
    ReasonCode {
        Dismissed = "dismissed", "a person rejected it";
        Orphaned = "orphaned", "in that state in the file: its place is not in the patch that it was written for";
        Stale = "stale", "in that state in the file, or its lines were edited since";
        UnclearField = "unclear_field", "it has a field that looks like a known one and is none: a place or a state would be lost";
        PathOutside = "path_outside", "an absolute path that is not below the repository's root";
        PathNotUtf8 = "path_not_utf8", "the path spells a name that is not UTF-8";
        FileNotInDiff = "file_not_in_diff", "the change does not touch the file";
        BinaryFile = "binary_file", "the file is binary and takes no comment at a line";
        NoTextDiff = "no_text_diff", "the file has no diff of text";
        WrongSide = "wrong_side", "the line is in the diff on the other side only";
        LineNotInDiff = "line_not_in_diff", "the diff does not show the line";
        RangeReversed = "range_reversed", "the range ends before it begins";
        RangeAcrossHunks = "range_across_hunks", "the range is not within one hunk";
        SnippetMismatch = "snippet_mismatch", "its snippet is not at its line";
        SnippetAmbiguous = "snippet_ambiguous", "its snippet is not at its line, and at several others";
        Duplicate = "duplicate", "the same words at the same place as an earlier finding";
        BodyTooLong = "body_too_long", "longer than the forge takes";
        ForgeDisagrees = "forge_disagrees", "the forge's own patch lacks the place";
        BelowMinSeverity = "below_min_severity", "kept back by --min-severity";
        BelowMinConfidence = "below_min_confidence", "kept back by --min-confidence";
        OverMaxComments = "over_max_comments", "kept back by --max-comments";
        AlreadyCommented = "already_commented", "your earlier comment at that place has other words, or was deleted";
        ForgeRefused = "forge_refused", "the forge refused it, or the whole review";
        Demoted = "demoted", "stored without its line";
        NoAnswer = "no_answer", "the outcome of the call could not be learned";
        HeadMoved = "head_moved", "not attempted: the head is another commit by now";
        DigestDiffers = "digest_differs", "not attempted: the plan is not the one that was meant";
        RateLimited = "rate_limited", "not attempted: the forge takes no more calls for now";
        Interrupted = "interrupted", "not attempted: the run was interrupted";
        NotCompared = "not_compared", "its place was not looked up (only in a check without a change)";
    }
}
