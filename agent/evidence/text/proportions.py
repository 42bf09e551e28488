"""Figures that are no plain numbers: fractions, multiples, places, lengths of time in words."""

from __future__ import annotations

from collections.abc import Sequence

from agent.evidence.text.fractions import FRACTION, read_fraction
from agent.evidence.text.lengths import find_lengths
from agent.evidence.text.mentions import Mention
from agent.evidence.text.multiples import MULTIPLE, read_multiple
from agent.evidence.text.ordinals import ORDINAL, read_ordinal

_READERS = ((MULTIPLE, read_multiple), (FRACTION, read_fraction), (ORDINAL, read_ordinal))


def find_proportions(text: str, taken: Sequence[tuple[int, int]]) -> list[Mention]:
    """Return the fractions, multiples, ordinals and lengths of `text` outside `taken` spans."""
    found = find_lengths(text, taken)
    spans = [*taken, *((m.start, m.end) for m in found)]
    for pattern, read in _READERS:
        for match in pattern.finditer(text):
            if any(start < match.end() and match.start() < end for start, end in spans):
                continue
            made = read(text, match)
            if made is not None:
                found.append(made)
                spans.append(match.span())
    return sorted(found, key=lambda m: m.start)
