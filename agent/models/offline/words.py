"""The answer in words, from the rows that were shown and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from agent.models.offline.frame import Figure, Frame
from agent.models.offline.said_lists import say_listing
from agent.models.offline.saying import (
    NAMED,
    as_float,
    is_limited,
    join_names,
    name_group,
    number,
    plural,
    say_amount,
    singular,
)
from agent.models.offline.scoping import say_none, say_scope, say_tie
from agent.models.offline.tool_texts import Ran
from agent.models.offline.tops import name_by_number, say_tops


def write_answer(frame: Frame, ran: Ran, latest: tuple[str, str] = ("", "")) -> str:
    """Return one to three sentences that say what the rows say.

    `latest` is what the newest date is of and the date, in ISO form: said where nothing was found.
    """
    if not ran.rows and ran.count == 0:
        body = _nothing(frame)
    elif frame.exists and not frame.figures:
        body = f"Yes: {say_amount(ran.count, frame.subject_words, ran)}{say_scope(frame)}."
    elif frame.share == "part":
        body = _part(frame, ran)
    elif frame.figures and (not frame.dimensions or frame.figures[0].outer):
        body = _single(frame, ran)
    elif frame.figures:
        body = _groups(frame, ran)
    else:
        body = say_listing(frame, ran)
    if latest[1] and _found_nothing(frame, ran):
        body += f" The latest {singular(latest[0])} is of {_day(latest[1])}."
    body += "".join(f" {sentence}" for sentence in frame.told)
    if frame.notes:
        body += f" Read as: {'; '.join(frame.notes)}."
    return body


def _found_nothing(frame: Frame, ran: Ran) -> bool:
    if not ran.rows or any(presence.negated for presence in frame.presences):
        # Who did nothing in a period that the data do not reach: that is everybody.
        return True
    return bool(frame.figures) and len(ran.rows) == 1 and not any(map(as_float, ran.rows[0]))


def _day(iso: str) -> str:
    day = date.fromisoformat(iso[:10])
    return f"{day.day} {day:%b %Y}"


def _nothing(frame: Frame) -> str:
    if frame.exists:
        return f"No: I found no {plural(frame.subject_words)}{say_scope(frame)}."
    return say_none(plural(frame.subject_words), frame)


def _single(frame: Frame, ran: Ran) -> str:
    row = ran.rows[0]
    sentences = []
    for figure, cell in zip(frame.figures, row, strict=False):
        if cell is None:
            sentences.append(f"There is no {figure.words}{say_scope(frame)}: no row has a value")
        elif figure.outer:
            what = {"avg": "average", "max": "highest", "min": "lowest", "sum": "total"}.get(
                figure.outer, figure.outer
            )
            each = f" per {frame.dimensions[-1].words}" if frame.dimensions else ""
            said = _said(figure).removeprefix("total ")
            sentences.append(f"The {what} {said}{each}{say_scope(frame)} is {number(cell, figure)}")
        elif figure.agg == "count":
            verb = "is" if _is_one(cell) else "are"
            if str(cell) == "0":
                sentences.append(say_none(plural(figure.words), frame).removesuffix("."))
                continue
            kind = "different " if figure.distinct else ""
            noun = singular(figure.words) if _is_one(cell) else plural(figure.words)
            sentences.append(f"There {verb} {number(cell, figure)} {kind}{noun}{say_scope(frame)}")
        else:
            unit = f" {plural(figure.unit)}" if figure.unit and not figure.currency else ""
            sentences.append(
                f"The {figure.words}{say_scope(frame)} is {number(cell, figure)}{unit}"
            )
    return ". ".join(sentences) + "."


def _said(figure: Figure) -> str:
    return f"number of {plural(figure.words)}" if figure.agg == "count" else figure.words


def _is_one(cell: Any) -> bool:
    return str(cell) in ("1", "1.0")


def _part(frame: Frame, ran: Ran) -> str:
    part, whole, percent = ran.rows[0][:3]
    figure = (
        frame.figures[0]
        if frame.figures
        else Figure("count", frame.root, words=frame.subject_words)
    )
    what = " and ".join(test.words for test in frame.part)
    said = plural(figure.words) if figure.agg == "count" else figure.words
    if percent is None:
        return f"There are no {said}{say_scope(frame)}, so there is no share to give."
    return (
        f"{number(percent, None)} % of the {said}{say_scope(frame)}: "
        f"{number(part, figure)} of {number(whole, figure)}, where {what}."
    )


def _groups(frame: Frame, ran: Ran) -> str:
    size = len(frame.dimensions)
    ranked = frame.order[0].index if frame.order and frame.order[0].kind == "figure" else 0
    figure = frame.figures[ranked]
    index = _figure_column(frame, ran, ranked)
    if frame.partition:
        return say_tops(frame, figure, _amount(frame, ran))
    names = [name_group(row[:size], frame) for row in ran.rows]
    if any(d.grain for d in frame.dimensions) and not frame.superlative:
        return _series(frame, ran, names, index)
    if frame.superlative and frame.limit == 1:
        return _winner(frame, ran, names, index)
    said = [number(row[index], figure) for row in ran.rows]
    if frame.share == "groups" and "percent" in ran.columns:
        place = ran.columns.index("percent")
        said = [
            f"{number(row[place], None)} %, {value}"
            for row, value in zip(ran.rows, said, strict=True)
        ]
    pairs = [f"{n} ({value})" for n, value in zip(names, said, strict=True)][:NAMED]
    lead = (
        f"{_said(figure).capitalize()} by "
        f"{' and '.join(d.words for d in frame.dimensions)}{say_scope(frame)}"
    )
    more = _in_all(frame, ran) if ran.count > NAMED else ""
    order = _order_said(frame, ran)
    tie = say_tie(frame, ran)
    return f"{lead}{order}: {', '.join(pairs)}{more}.{tie}"


def _amount(frame: Frame, ran: Ran) -> str:
    """Return how many groups there are, by their name where they have one."""
    named = len(frame.dimensions) == 1
    return say_amount(ran.count, frame.dimensions[0].words if named else "row", ran)


def _in_all(frame: Frame, ran: Ran) -> str:
    """Say how many groups exist; where a limit left some out, only that more are shown."""
    return " and more" if is_limited(frame, ran) else f"; {_amount(frame, ran)} in all"


def _order_said(frame: Frame, ran: Ran) -> str:
    order, said = frame.order[0] if frame.order else None, ""
    if order is not None and order.kind == "figure":
        said = "highest" if order.desc else "lowest"
    chosen = f", the {frame.limit} {said}" if said and is_limited(frame, ran) else ""
    if frame.resort is not None:
        return f"{chosen or ','} in the order of {frame.dimensions[frame.resort.index].words}"
    return chosen or (f", {said} first" if said else "")


def _winner(frame: Frame, ran: Ran, names: Sequence[str], index: int) -> str:
    ranked = frame.order[0].index if frame.order and frame.order[0].kind == "figure" else 0
    figure = frame.figures[ranked]
    most = "most" if not frame.order or frame.order[0].desc else "fewest"
    if figure.agg != "count":
        most = "highest" if most == "most" else "lowest"
    value = number(ran.rows[0][index], figure)
    said = plural(figure.words) if figure.agg == "count" else figure.words
    if ran.count > 1:
        listed = join_names(names[:NAMED]) + (" and others" if ran.count > NAMED else "")
        return (
            f"{_amount(frame, ran).capitalize()} tie for the {most} {said}{say_scope(frame)}, "
            f"with {value} each: {listed}."
        )
    who = name_by_number(frame, names[0])
    if figure.agg == "count":
        noun = singular(figure.words) if value == "1" else plural(figure.words)
        return f"{who} has the {most} {said}{say_scope(frame)}: {value} {noun}."
    return f"{who} has the {most} {said}{say_scope(frame)}: {value}."


def _series(frame: Frame, ran: Ran, names: Sequence[str], index: int) -> str:
    figure = frame.figures[0]
    rows = [
        (n, row[index])
        for n, row in zip(names, ran.rows, strict=True)
        if as_float(row[index]) is not None
    ]
    lead = (
        f"{_said(figure).capitalize()} by "
        f"{' and '.join(d.words for d in frame.dimensions)}{say_scope(frame)}"
    )
    if len(rows) < 2 or len(rows) < ran.count:
        shown = ", ".join(f"{n} ({number(v, figure)})" for n, v in rows[:NAMED])
        return f"{lead}: {shown}{_in_all(frame, ran)}."
    if len(rows) <= 4:
        return f"{lead}: {', '.join(f'{n} ({number(v, figure)})' for n, v in rows)}."
    top = max(rows, key=lambda r: as_float(r[1]) or 0.0)
    low = min(rows, key=lambda r: as_float(r[1]) or 0.0)
    when = _WHEN.get(next(d.grain for d in frame.dimensions if d.grain), "in")
    span = f", from {rows[0][0]} to {rows[-1][0]}"
    if len(frame.dimensions) > 1:  # no row of time alone, that a first and a last one could bound
        when, span = "for", ""
    return (
        f"{lead}{span}: highest {when} {top[0]}{_tied(rows, top)} "
        f"({number(top[1], figure)}), lowest {when} {low[0]}{_tied(rows, low)} "
        f"({number(low[1], figure)})."
    )


def _tied(rows: Sequence[tuple[str, Any]], first: tuple[str, Any]) -> str:
    """Say that others share the first or the last place."""
    return " and others" if sum(value == first[1] for _, value in rows) > 1 else ""


_WHEN: Final = {"weekday": "on", "day": "on", "hour": "at"}


def _figure_column(frame: Frame, ran: Ran, number: int) -> int:
    label = frame.figures[number].label
    return ran.columns.index(label) if label in ran.columns else len(frame.dimensions) + number
