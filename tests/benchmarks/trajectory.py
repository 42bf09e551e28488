"""The course of one question, the same for all who are compared: what the model says and calls.

The five categories with the most revenue: a look for tables, three schemas, a query that fails, one
that works, a chart, the answer. Each side gets it in its own tools' names and arguments.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import psycopg

QUESTION: Final = "Which five film categories brought in the most revenue? Show it as a chart too."
WORDS: Final = "film category payment revenue"
TABLES: Final = ("category", "film_category", "payment")
PLAN: Final = (
    "Plan:\n"
    "1. Add up the payments for each film category.\n"
    "2. Show the five with the most revenue as a bar chart."
)
TITLE: Final = "Revenue by category"
GOOD_SQL: Final = """SELECT c.name AS category, SUM(p.amount) AS revenue
FROM payment p
JOIN rental r ON r.rental_id = p.rental_id
JOIN inventory i ON i.inventory_id = r.inventory_id
JOIN film_category fc ON fc.film_id = i.film_id
JOIN category c ON c.category_id = fc.category_id
GROUP BY c.name
ORDER BY revenue DESC
LIMIT 5"""
FAILING_SQL: Final = GOOD_SQL.replace("c.name", "c.category_name")


@dataclass(frozen=True)
class Said:
    """One turn of the model: words, and tool calls by name and arguments."""

    text: str = ""
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()

    def blocks(self) -> list[dict[str, Any]]:
        """Return it as the Messages API gives it, with ids as long as its own."""
        text = [{"type": "text", "text": self.text}] if self.text else []
        calls = [
            {"type": "tool_use", "id": new_id(), "name": name, "input": dict(arguments)}
            for name, arguments in self.calls
        ]
        return [*text, *calls]


def new_id() -> str:
    """Return an id for a tool call."""
    return f"toolu_{uuid.uuid4().hex[:24]}"


def top_five(database_url: str) -> list[tuple[str, float]]:
    """Return the true rows, from the server itself."""
    with psycopg.connect(database_url) as connection:
        return [(name, float(money)) for name, money in connection.execute(GOOD_SQL).fetchall()]


def answer_of(rows: list[tuple[str, float]]) -> str:
    """Return the answer in words, as all sides end."""
    first, *rest = [f"{name} (${money:,.2f})" for name, money in rows]
    return (
        f"{first} brought in the most revenue, followed by {', '.join(rest[:-1])} and {rest[-1]}. "
        "All payments that belong to a rental are counted."
    )


def turns_ours(rows: list[tuple[str, float]], *, together: bool) -> list[Said]:
    """Return the turns in the names of our tools; `together`: all schemas in one turn."""
    schemas = [("get_schema", {"table_name": table}) for table in TABLES]
    chart = {
        "result": 1,
        "title": TITLE,
        "mark": "bar",
        "encoding": {"x": {"field": "category"}, "y": {"field": "revenue"}},
    }
    return [
        Said(PLAN, (("find_tables", {"words": WORDS}),)),
        *_in_turns(schemas, together),
        Said(calls=(("execute_read_only_sql", {"query": FAILING_SQL}),)),
        Said(calls=(("execute_read_only_sql", {"query": GOOD_SQL}),)),
        Said(calls=(("generate_chart", {"spec": chart}),)),
        Said(answer_of(rows)),
    ]


def turns_langchain(
    rows: list[tuple[str, float]], *, together: bool, checked: bool = True
) -> list[Said]:
    """Return the turns in the names of the SQL toolkit's tools.

    Its schema tool takes several tables in one call. `checked`: each query goes before the
    toolkit's checker first, as its prompt demands.
    """
    named = [", ".join(TABLES)] if together else TABLES
    chart = {"title": TITLE, "labels": [r[0] for r in rows], "values": [r[1] for r in rows]}
    turns = [
        Said(calls=(("sql_db_list_tables", {"tool_input": ""}),)),
        *(Said(calls=(("sql_db_schema", {"table_names": names}),)) for names in named),
    ]
    for query in (FAILING_SQL, GOOD_SQL):
        if checked:
            turns.append(Said(calls=(("sql_db_query_checker", {"query": query}),)))
        turns.append(Said(calls=(("sql_db_query", {"query": query}),)))
    return [*turns, Said(calls=(("draw_bar_chart", chart),)), Said(answer_of(rows))]


def _in_turns(calls: list[tuple[str, dict[str, Any]]], together: bool) -> list[Said]:
    return [Said(calls=tuple(calls))] if together else [Said(calls=(call,)) for call in calls]
