"""What the tests of the card share: results to render, and a reader of cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import pytest

from agent.messages import AgentResult, Chart, Column, Outcome, QueryResult
from bot.render import Card

CATEGORIES = QueryResult(
    sql="SELECT name, sum(amount) AS revenue FROM category GROUP BY name LIMIT 4",
    columns=(Column("category", "text"), Column("revenue", "numeric")),
    rows=(
        ("Sports", Decimal("5314.21")),
        ("Sci-Fi", Decimal("4756.98")),
        (None, Decimal("12.00")),
        ("Drama", Decimal("3.00")),
    ),
)


@pytest.fixture
def categories() -> QueryResult:
    """Four rows of revenue by category, one without a name."""
    return CATEGORIES


@pytest.fixture
def chart() -> Chart:
    return Chart("Revenue by category", 1, {}, b"png", "Bar chart: Sports 5,314.21 down to 12.00")


@pytest.fixture
def make_result() -> Callable[..., AgentResult]:
    """Return a factory of results: an answer from one query, changed as told."""

    def make(outcome: Outcome = Outcome.ANSWERED, **changes: Any) -> AgentResult:
        values: dict[str, Any] = {
            "question": "revenue by category",
            "failed": outcome in (Outcome.FAILED, Outcome.SYSTEM_FAULT),
            "answer": "Sports earned the most.",
            "summary": "I looked at category and ran 1 query.",
            "results": (CATEGORIES,),
            "charts": (),
            "warnings": (),
            "trail": (),
            "model": "offline",
            "hops": 3,
            "duration_ms": 12_345,
            "tables": ("category", "payment"),
        }
        return AgentResult(outcome=outcome, **{**values, **changes})

    return make


@pytest.fixture
def read() -> Callable[[Card], list[str]]:
    """Return a reader: a card -> the lines that a person sees, in order."""

    def lines(card: Card) -> list[str]:
        return [line for block in card.blocks for line in _read_block(block)]

    return lines


def _read_block(block: dict[str, Any]) -> Sequence[str]:
    match block["type"]:
        case "section":
            return str(block["text"]["text"]).split("\n")
        case "context":
            return [f"({block['elements'][0]['text']})"]
        case "actions":
            return [" ".join(f"[{each['text']['text']}]" for each in block["elements"])]
        case "context_actions":
            return ["[👍] [👎]"]
        case "image":
            return [f"[picture {block['slack_file']['id']}: {block['alt_text']}]"]
        case "table":
            return [" | ".join(cell["text"] for cell in row) for row in block["rows"]]
    raise AssertionError(f"no reader for a block of type {block['type']}")
