"""Everyday wordings and the plain ones that stand for them: of money, lengths, order, time."""

from __future__ import annotations

from typing import Final

_NOT_MOST_OF: Final = (
    r"(?=\s*(?:$|[?.,;!]|(?:in|during|from|since|last|this|over|at|by|with|among|of)\b))"
)
"""What may follow "made the most" where money is meant: "made the most rentals" counts rentals."""

FIGURES: Final[tuple[tuple[str, str], ...]] = (
    (
        r"\btop (\d+|two|three|four|five|six|seven|eight|nine|ten|twenty) (?=(?:cheapest|longest|"
        r"shortest|most expensive|largest|biggest|oldest|newest)\b)",
        r"\1 ",
    ),
    # Money.
    (
        r"\b(?:earn|make|take|bring|gross|generate|yield)(?:s|ed)?(?: in)?(?: us)? the "
        r"(most|least)(?: (?:money|revenue|cash))?\b" + _NOT_MOST_OF,
        r"has the \1 revenue",
    ),
    (
        r"\b(?:made|brought in|took in) (?:us )?the (most|least)(?: (?:money|revenue))?\b"
        + _NOT_MOST_OF,
        r"has the \1 revenue",
    ),
    (
        r"\b(?:has |have )?(?:spent|spends?|paid|pays?) the (most|least)(?: money)? (?:for|on)\b",
        r"has the \1 revenue from",
    ),
    (
        r"\b(?:spent|spend|spends|paid|pays|pay) the (most|least)(?: money)?\b(?! (?:for|on|per))"
        + _NOT_MOST_OF,
        r"has the \1 revenue",
    ),
    (
        r"\bhow much (?:did|does|do|has|have) (?:each|every) (\w+) "
        r"(?:take|earn|make|bring|sell|sold|earned|made|taken)(?: in)?"
        r"(?= in \d|\W*$| (?:last|this|during|since)\b)",
        r"total revenue per \1",
    ),
    (
        r"\b(?:what|how much) (?:did|do|have|has) (?!we\b|us\b|the company\b)(.+?) "
        r"(?:spend|spent|pay|paid)"
        r"(?: in total| altogether| overall)?(?=\W*$| (?:in|last|this|during|since|between)\b)",
        r"total revenue from \1",
    ),
    (
        r"\b(?:what|how much) (?:did|do|have|has) we (?:sell|sold|earn|earned|make|made|take|taken|"
        r"taken in|take in|turn over|gross)\b(?: in total| altogether| overall)?",
        "total revenue",
    ),
    (r"\bhow much money (?:did|do|have|has) we (?:\w+)(?: in)?\b", "total revenue"),
    (
        r"\b(?:did|do|have) we (?:sell|sold|earn|earned|make|made|take) the (most|least)\b",
        r"has the \1 revenue",
    ),
    (
        r"\b(?:(\d+|two|three|four|five|six|seven|eight|nine|ten|twenty) )?(?:best|top|highest)[- ]"
        r"(?:paying|spending|grossing|earning) (?!by)(\w+)\b(?! by)",
        r"top \1 \2 by revenue",
    ),
    (r"^\W*in which (\w+) has the (most|least)\b", r"which \1 has the \2"),
    (
        r"\bby (?:the )?(?:money|cash) (?:they )?(?:spent|paid|brought in|earned|made)\b",
        "by revenue",
    ),
    (
        r"\b(rent|order|book)s? the (most|least)\b"
        r"(?=\W*$| (?:in|during|since|between|from|on|this|last)\b)",
        r"\1ed the \2",
    ),
    (r"\b(?:longest|highest|largest) (\w+) (length|duration|price|amount)\b", r"maximum \1 \2"),
    (r"\b(?:shortest|lowest|smallest) (\w+) (length|duration|price|amount)\b", r"minimum \1 \2"),
    # What a length is called.
    (r"\b(?:playing|running|run|screen) ?-?times? in (milliseconds)\b", r"\1"),
    (r"\b(?:playing|running|run|screen)[- ]?time", "length"),
    # Order, series and shares.
    (
        r"\b(?:which|what) (\w+) (?:is|are) (?:the )?most (?:common|frequent)(?: one)?"
        r" (?:among|amongst|for|of|in) (?:all |our |the )*(\w+)\W*$",
        r"top 1 \1 by number of \2",
    ),
    (
        r"\b(?:which|what) (\w+) (?:is|are) (?:the )?least (?:common|frequent)(?: one)?"
        r" (?:among|amongst|for|of|in) (?:all |our |the )*(\w+)\W*$",
        r"bottom 1 \1 by number of \2",
    ),
    (
        r"\bhow (?:has|have|did|do|does) (.+?) (?:develop|evolve|change|grow|move|look)(?:e?d|n|s)?"
        r"(?: over time| over the years)?\s*\??$",
        r"\1 over time",
    ),
    (
        r"\bsorted from most to (?:least|fewest)\b|\bfrom most to (?:least|fewest)\b",
        "highest first",
    ),
    (r"\bsorted from (?:least|fewest) to most\b|\bfrom (?:least|fewest) to most\b", "lowest first"),
    (
        r"\bthe date of (?:the|our) (last|latest|most recent|first|earliest|oldest) (\w+)",
        r"the \1 \2 date",
    ),
    # Follow-ups.
    (
        r"^\W*(?:ok |okay |now |and )?(?:restrict|limit|narrow|filter|reduce)(?: (?:that|it|this|"
        r"them|these|the list))?(?: down)? (?:to|on|by|for)\b",
        "only",
    ),
    (
        r"^\W*(?:and |now |ok |okay |please )*group (?:that|it|this|them|these)?\s*(?=by\b)",
        "",
    ),
    (
        r"^\W*make (?:it|that) (?:a |the )?(?:top )?(\d+|two|three|four|five|six|seven|eight|nine|"
        r"ten|twenty)\W*$",
        r"top \1 of these",
    ),
    (r"\bhow many of (?:them|those|these|which)\b(?! by)", "how many of them"),
)
"""Patterns and what takes their place, in this order."""
