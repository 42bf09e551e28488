"""Who comes first, in words: overall by name, and within each group."""

from __future__ import annotations

from agent.models.offline.frame import Figure, Frame
from agent.models.offline.saying import as_float, plural
from agent.models.offline.scoping import say_scope


def say_tops(frame: Frame, figure: Figure, amount: str) -> str:
    """Return what is ranked within each group: the 5 customers with the most rentals.

    `amount` is how many rows there are, in words.
    """
    each, ranked = frame.dimensions[: frame.partition], frame.dimensions[frame.partition :]
    first = bool(frame.order) and frame.order[0].desc
    most = ("most" if first else "fewest") if figure.agg == "count" else ""
    most = most or ("highest" if first else "lowest")
    what = " and ".join(d.words for d in ranked) or "row"
    whose = what if frame.limit == 1 else f"{frame.limit} {plural(what)}"
    said = plural(figure.words) if figure.agg == "count" else figure.words
    return (
        f"The {whose} with the {most} {said} for each "
        f"{' and '.join(d.words for d in each)}{say_scope(frame)}: {amount}."
    )


def name_by_number(frame: Frame, name: str) -> str:
    """Return the winner's name; a bare number is told with what it is the number of: Store 2."""
    one = frame.dimensions[0] if len(frame.dimensions) == 1 else None
    if one is None or one.grain or as_float(name) is None:
        return name
    words = f"{one.words} {name}"
    return words[:1].upper() + words[1:]
