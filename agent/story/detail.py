"""How much of what others said a story tells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Detail:
    """The less there is of it, the shorter the story."""

    quote: int = 200
    """Characters of one quoted sentence."""
    plan: int = 5
    """Steps of the plan that are named; 0: they are only counted."""
    notes: int = 3
    """Remarks on the rows of one query."""
    tables: int = 6
    """Tables that are named in one sentence."""
