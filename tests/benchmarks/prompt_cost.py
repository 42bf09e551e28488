"""What a question costs in prompts: ours, LangChain's SQL toolkit agent, a plain pydantic-ai agent.

All of them get the same course of one question (`trajectory.py`) on the same PostgreSQL server and
send it to the same stand-in of the Messages API over real HTTP. Whole request bodies are counted.
Run by name: `make bench-prompts`.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent))

from cache_share import (
    BYTES_PER_TOKEN,
    Served,
    served_by_itself,
    served_by_marks,
    share_after_first,
    weigh,
)
from packages import require_packages, set_up_environment
from recording_api import MODEL, RecordingApi
from sides_langchain import run_langchain
from sides_ours import run_ours
from sides_pydantic_ai import run_pydantic_ai
from trajectory import QUESTION, top_five
from wide_database import FURTHER_TABLES, both_databases

from agent.charts.renderer import ProcessRenderer
from agent.prices import published_prices

OURS: Final = "db-agent"
LANGCHAIN: Final = "LangChain, create_agent"
AIM_BYTES, AIM_CACHED = 0.40, 0.80
WAYS: Final = {True: "in one turn", False: "each in a turn of its own"}
ANOTHER: Final = "How many discs does each of the three stores hold?"
"""A question that nothing of a conversation is shared with but what comes before it."""


@dataclass(frozen=True)
class Sent:
    """What one side sent for the question."""

    name: str
    bodies: tuple[bytes, ...]
    asides: tuple[bool, ...]

    @property
    def size(self) -> int:
        """Bytes of all request bodies."""
        return sum(map(len, self.bodies))

    @property
    def requests(self) -> list[dict[str, Any]]:
        return [json.loads(body) for body in self.bodies]

    @property
    def course(self) -> list[dict[str, Any]]:
        """The requests of the conversation itself, without a judge's or a checker's."""
        pairs = zip(self.requests, self.asides, strict=True)
        return [body for body, is_aside in pairs if not is_aside]

    @property
    def by_marks(self) -> float:
        return share_after_first(served_by_marks(self.course))

    @property
    def by_itself(self) -> float:
        return share_after_first(served_by_itself(self.course))

    @property
    def paid(self) -> float:
        """Bytes at the full price that would cost the same, with the marks that are set."""
        return self.size + self._saved(served_by_marks(self.requests))

    @property
    def paid_again(self) -> float:
        """The same for a question that another one precedes by less than the cache keeps."""
        other = [
            json.loads(body.replace(QUESTION.encode(), ANOTHER.encode())) for body in self.bodies
        ]
        return self.size + self._saved(served_by_marks([*other, *self.requests])[len(other) :])

    def _saved(self, served: list[Served]) -> float:
        price = published_prices().price(MODEL)
        assert price is not None
        read, write = (float(p / price.input) for p in (price.cache_read, price.cache_write))
        return sum(each.read * (read - 1) + each.written * (write - 1) for each in served)


def main() -> None:
    set_up_environment()
    require_packages("bench-prompts")
    renderer = ProcessRenderer()
    sizes: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
    try:
        with both_databases() as databases:
            for database, url in databases.items():
                for together in sizes:
                    measured = _measure(url, renderer, together=together)
                    print(f"\n{database}; the three schemas {WAYS[together]}")
                    _print_table(measured)
                    if together:
                        _print_ours(measured[0])
                    sizes[together].append((measured[0].size, _langchain_of(measured).size))
    finally:
        renderer.close()
    print()
    for together, ((ours, theirs), (ours_wide, theirs_wide)) in sizes.items():
        growth = [
            (wide - small) / FURTHER_TABLES
            for small, wide in ((ours, ours_wide), (theirs, theirs_wide))
        ]
        tables = (ours - AIM_BYTES * theirs) / (AIM_BYTES * growth[1] - growth[0])
        print(
            f"schemas {WAYS[together]}: each further table adds {growth[0]:.1f} bytes to ours, "
            f"{growth[1]:.1f} to LangChain's; ours is {AIM_BYTES:.0%} of it from {tables:,.0f} on"
        )


def _langchain_of(measured: list[Sent]) -> Sent:
    return next(sent for sent in measured if sent.name == LANGCHAIN)


def _measure(url: str, renderer: ProcessRenderer, *, together: bool) -> list[Sent]:
    rows = top_five(url)

    def langchain(**options: Any) -> RecordingApi:
        return run_langchain(url, rows, renderer, together=together, **options)

    def pydantic_ai(**options: Any) -> RecordingApi:
        return run_pydantic_ai(url, rows, renderer, together=together, **options)

    sides: dict[str, Callable[[], RecordingApi]] = {
        OURS: lambda: run_ours(url, rows, together=together),
        LANGCHAIN: langchain,
        "  without its query checker": lambda: langchain(checked=False),
        "  with its caching middleware": lambda: langchain(kind="with caching"),
        "LangChain, create_sql_agent": lambda: langchain(kind="create_sql_agent"),
        "pydantic-ai, our tools": pydantic_ai,
        "  with its cache settings": lambda: pydantic_ai(caching=True),
    }
    measured = []
    for name, run in sides.items():
        api = run()
        measured.append(Sent(name, tuple(api.bodies), tuple(api.is_aside)))
    return measured


def _print_table(measured: list[Sent]) -> None:
    base = _langchain_of(measured)
    print(
        f"{'':30}{'requests':>9}{'bytes':>9}{'~tokens':>9}{'of LC':>7}"
        f"{'cached':>8}{'unasked':>9}{'paid as':>9}{'of LC':>7}{'again':>9}{'of LC':>7}"
    )
    for sent in measured:
        asides = f"+{sum(sent.asides)}" if any(sent.asides) else ""
        print(
            f"{sent.name:30}{f'{len(sent.course)}{asides}':>9}{sent.size:>9,}"
            f"{sent.size // BYTES_PER_TOKEN:>9,}{sent.size / base.size:>7.0%}"
            f"{sent.by_marks:>8.0%}{sent.by_itself:>9.0%}"
            f"{sent.paid:>9,.0f}{sent.paid / base.paid:>7.0%}"
            f"{sent.paid_again:>9,.0f}{sent.paid_again / base.paid_again:>7.0%}"
        )
    ours = measured[0]
    turns = ", ".join(f"{s.read / s.size:.0%}" for s in served_by_marks(ours.course))
    print(f"ours from the cache, turn by turn: {turns}")
    for what, value, aim, good in (
        (
            "bytes of LangChain's",
            ours.size / base.size,
            AIM_BYTES,
            ours.size <= AIM_BYTES * base.size,
        ),
        (
            "of ours cached after the first turn",
            ours.by_marks,
            AIM_CACHED,
            ours.by_marks >= AIM_CACHED,
        ),
    ):
        print(f"aim {aim:.0%} {what}: {value:.0%}, {'met' if good else 'NOT met'}")


def _print_ours(sent: Sent) -> None:
    """Say what our bytes are made of, the heaviest first."""
    weights: Counter[str] = weigh(sent.course)
    judge = sum(
        len(body) for body, is_aside in zip(sent.bodies, sent.asides, strict=True) if is_aside
    )
    print("what our bytes are, over all turns:")
    for label, weight in [*weights.most_common(), ("the judge's request", judge)]:
        print(f"  {label:34}{weight:>8,}{weight / sent.size:>6.0%}")


if __name__ == "__main__":
    main()
