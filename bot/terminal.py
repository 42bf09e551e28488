"""An `AgentResult` on a terminal: warnings, answer, table, how it was found."""

from __future__ import annotations

import sys
from decimal import Decimal

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from agent.messages import AgentResult, Cell, Outcome, QueryResult
from bot.render.counting import cost, counted
from bot.render.endings import CLAIMS_AN_ANSWER
from bot.render.how import MIN_PLAN, checks

MAX_ROWS = 40
"""Rows of a table on the terminal; --json has all of them."""
MAX_CELL = 500
"""Characters of a cell on the terminal; --json has them all."""


def print_result(result: AgentResult) -> None:
    """Print `result` to standard output, for a person."""
    console = Console(highlight=False, soft_wrap=True)
    for warning in result.warnings:
        console.print(f"[bold red]⚠️  {escape(printable(warning))}[/]")
    has_no_answer = result.failed or result.outcome in (Outcome.CANCELLED, Outcome.ESCALATED)
    if has_no_answer:
        console.print(escape(printable(result.summary)))
    if result.answer and result.outcome is not Outcome.ESCALATED:
        console.print(escape(printable(result.answer)))
    for option in result.clarification.options if result.clarification else ():
        console.print(f"  • {escape(printable(option))}")
    shown = _result_to_show(result)
    if shown is not None:
        if has_no_answer:
            console.print("\nFound so far:")
        # rich measures wide characters; the width must not depend on the terminal of a pipe
        Console(highlight=False, width=None if sys.stdout.isatty() else 200).print(_table(shown))
    for line in (_plan(result), _how(result), _note(result)):
        if line:
            console.print(f"[dim]{escape(printable(line))}[/]")


def _result_to_show(result: AgentResult) -> QueryResult | None:
    with_rows = [each for each in result.results if each.rows]
    if not with_rows or result.outcome in (Outcome.NO_DATA, Outcome.NEEDS_CLARIFICATION):
        return None
    return with_rows[-1]


def _table(result: QueryResult) -> Table:
    table = Table(show_edge=False, pad_edge=False)
    for position, column in enumerate(result.columns):
        numeric = any(_is_number(row[position]) for row in result.rows)
        table.add_column(
            escape(printable(column.name)), justify="right" if numeric else "left", overflow="fold"
        )
    for row in result.rows[:MAX_ROWS]:
        table.add_row(*(escape(printable(_cell(cell))) for cell in row))
    cut = len(result.rows) - MAX_ROWS
    if cut > 0 or result.truncated:
        more = f"{cut:,} more rows" if cut > 0 else "more rows exist than were read"
        table.caption = f"… {more}"
        table.caption_justify = "left"
    return table


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float | Decimal) and not isinstance(cell, bool)


def _cell(cell: Cell) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    text = f"{cell:f}" if isinstance(cell, Decimal) else str(cell)
    text = text.removesuffix(".0") if isinstance(cell, float) else text
    return text if len(text) <= MAX_CELL else f"{text[: MAX_CELL - 1]}…"


def printable(text: str) -> str:
    """Return text without control characters: what a database holds must not steer the terminal."""
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)


def _plan(result: AgentResult) -> str:
    steps = (f"{number}. {step}" for number, step in enumerate(result.plan, 1))
    return f"Plan: {' · '.join(steps)}" if len(result.plan) >= MIN_PLAN else ""


def _how(result: AgentResult) -> str:
    parts = [
        ", ".join(result.tables) or "no table",
        counted(result.n_queries, "query"),
        *(checks(result) if result.outcome in CLAIMS_AN_ANSWER else ()),
        counted(result.hops, "step"),
        f"{result.duration_ms / 1000:.1f} s",
        cost(result.cost_usd, result.usage),
        result.model,
    ]
    return f"How: {' · '.join(part for part in parts if part)}"


def _note(result: AgentResult) -> str:
    return f"Note: {' '.join(result.caveats)}" if result.caveats else ""
