"""The warnings that stand on a card, in the words in which they stand there."""

from __future__ import annotations

from typing import Final

NO_QUERY_WARNING: Final = (
    "No query was run for this answer: it comes from the model, not from your data."
)
FAILED_WARNING: Final = "This run failed. Do not rely on anything below as an answer."
