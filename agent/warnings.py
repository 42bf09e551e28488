"""The warnings that stand on a card, in the words in which they stand there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

NO_QUERY_WARNING: Final = (
    "No query was run for this answer: it comes from the model, not from your data."
)
FAILED_WARNING: Final = "This run failed. Do not rely on anything below as an answer."
ESCALATED_WARNING: Final = "There is no answer yet: do not rely on anything below as one."
UNCHECKED_WARNING: Final = "The figures of this answer could not be checked."
UNJUDGED_CAVEAT: Final = "The second look at this answer could not be had; its figures are checked."
SILENT_CAVEAT: Final = "These words name nothing that was found: go by the rows."
NO_CHART_CAVEAT: Final = "The chart could not be drawn."
"""Said of an answer that was to have one, unless its model says just this."""

MAX_NAMED: Final = 6


def untraced_warning(figures: Sequence[str]) -> str:
    """Return the sentence about figures that rest on no row: "No row supports 42 or 7 %."."""
    named = [f"“{' '.join(figure.split())}”" for figure in dict.fromkeys(figures)]
    more = len(named) - MAX_NAMED
    if more > 0:
        named = [*named[:MAX_NAMED], f"{more} more figures"]
    listed = " or ".join([part for part in (", ".join(named[:-1]), named[-1]) if part])
    return f"No row of a query supports {listed}."
