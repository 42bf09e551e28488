"""Everyday wordings and the plain ones that stand for them: of groups, order, and who did it."""

from __future__ import annotations

from typing import Final

_EACH_ONE: Final = r"(?:a|an|one|each|every|the average|an average|the typical|a typical)"
_OF_EACH: Final = r"(?:how many|what number)(?: are there)? (?:of each|of them each|each)\b"
_SMALL: Final = r"(?:lowest|smallest|least|fewest)"
_BIG: Final = r"(?:highest|largest|biggest|greatest|most)"

GROUPS: Final[tuple[tuple[str, str], ...]] = (
    # The average of what each one has.
    (r"^\W*on average,? (how many .+?)\W*$", r"\1 on average"),
    (
        rf"\bhow many (\w+) (?:does|do|did|has|have) {_EACH_ONE} (\w+)"
        r"(?: (?:get|make|made|have|has|had|appear|appears|star|hold|own|do|place|give))?"
        r"(?: in)?(?=[^?]* on average\b)",
        r"how many \1 per \2",
    ),
    # Two sides of one thing, each with its number.
    (r"\b(?:in|un|non-?|not )(\w{4,}) (vs\.?|versus|and|or|/) (?=\1\b)\1", r"\1 \2 in\1"),
    (
        rf"^\W*(\w+) (?:vs\.?|versus|and|or|/) (?:in|un|non-?|not )\1 (\w+)\W+{_OF_EACH}.*$",
        r"number of \2 by \1",
    ),
    (
        r"\bhow many (?:are )?(\w+) (?:vs\.?|versus|and) (?:in|un|non-?|not )\1 (\w+)\b"
        r"(?: are there| do we have| have we)?",
        r"number of \2 by \1",
    ),
    (
        r"^\W*how many (\w+) are (\w+),? and how many (?:of them )?(?:are )?"
        r"(?:not|aren't|in\2|un\2|not \2)\W*$",
        r"number of \1 by \2",
    ),
    (rf"^(.+?)\W+{_OF_EACH}\W*$", r"compare the number of \1"),
    (r"\bhow many (\w+) of each\W*$", r"number of \1 by each"),
    (r"^\W*(.+?): number of (\w+) by each\W*$", r"compare the number of \1 \2"),
    # The order of an answer.
    (rf"\b(?:from )?(?:the )?{_BIG} to (?:the )?{_SMALL}\b", "highest first"),
    (rf"\b(?:from )?(?:the )?{_SMALL} to (?:the )?{_BIG}\b", "lowest first"),
    (r"\b(?:with the )?(?:fewest|least) (?:ones )?first\b", "lowest first"),
    # Whose deeds: customers' rentals.
    (r"\b(number|count) of (?:all |the |our )?(\w+s)['’] (\w+s)\b", r"\1 of \3 of \2"),
    (r"\bhow many (\w+s)['’] (\w+s)\b", r"how many \2 of \1"),
    # Who is above whom.
    (r"\bwho (?:does|do|did) (.+?) report to\b", r"reports to of employee \1"),
    # What is said beside the question.
    (r"\b(?:do we |we )?(?:have |has |had )?(?:got )?on (?:file|record|the books)\b", " "),
    (
        r"\b(?:do|does|did) (?:we|the company) (?:currently |actually )?"
        r"(?:run|operate|manage|maintain)(?=\W*$)",
        " ",
    ),
    (r"(?<=\w )(?:that )?we (?:currently |now )?(?:charge|ask for|run|operate|own)(?=\W*$)", " "),
    (r"\bruns? (?=(?:for )?(?:longer|shorter|over|more|less|under|at least)\b)", "are "),
    # Follow-ups that split further.
    (
        r"^\W*(?:and |now |ok |okay |please )*(?:break|split)(?: (?:that|it|this|them|these))?"
        r"\s*(?:down|up|out)?\s*(?=by\b)",
        "also ",
    ),
    (
        r"^\W*(?:and |now |ok |okay |please )*(?:broken (?:down|out|up)|divided|separated|"
        r"segmented)(?: further)?\s*(?=by\b)",
        "also ",
    ),
)
"""Patterns and what takes their place, in this order, before all other figures' wordings."""
