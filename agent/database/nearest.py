"""The names that look most like one that does not exist."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz, process


def nearest(name: str, known: Iterable[str], *, limit: int, at_least: int = 60) -> list[str]:
    """Return up to `limit` of the known names, best first, with a likeness of `at_least` percent.

    Parts count ("categories" finds film_category), the whole name counts more.
    """
    hits = process.extract(
        name, list(known), scorer=fuzz.WRatio, processor=str.casefold,
        limit=8 * limit, score_cutoff=at_least,
    )  # fmt: skip
    folded = name.casefold()
    hits.sort(key=lambda hit: -fuzz.ratio(folded, hit[0].casefold()) - hit[1])
    return [match for match, _, _ in hits[:limit]]
