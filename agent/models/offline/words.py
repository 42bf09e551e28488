"""The answer in words, from the rows that were shown and nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

import inflection

from agent.models.offline.frame import Figure, Frame
from agent.models.offline.known import Ran

NAMED = 3
"""Rows that the text names; the table shows the rest."""


def write_answer(frame: Frame, ran: Ran) -> str:
    """Return one to three sentences that say what the rows say."""
    if not ran.rows and ran.count == 0:
        body = _nothing(frame)
    elif frame.exists and not frame.figures:
        body = f"Yes: {_amount(ran.count, frame.subject_words, ran)}{_scope(frame)}."
    elif frame.share == "part":
        body = _part(frame, ran)
    elif frame.figures and (not frame.dimensions or frame.figures[0].outer):
        body = _single(frame, ran)
    elif frame.figures:
        body = _groups(frame, ran)
    else:
        body = _listing(frame, ran)
    notes = [note for note in frame.notes]
    if notes:
        body += f" Read as: {'; '.join(notes)}."
    return body


def _nothing(frame: Frame) -> str:
    if frame.exists:
        return f"No: I found no {plural(frame.subject_words)}{_scope(frame)}."
    return f"The data holds no {plural(frame.subject_words)}{_scope(frame)}."


def _scope(frame: Frame) -> str:
    """Say which rows were looked at: the filters and the period."""
    parts = [
        test.words
        for test in frame.tests
        if test.words and test.op not in ("range", "months", "weekdays")
    ]
    parts += [p.words for p in frame.presences if p.words]
    parts += [g.words for g in frame.group_tests if g.words]
    period = f" ({frame.period})" if frame.period else ""
    return (f" where {' and '.join(dict.fromkeys(parts))}" if parts else "") + period


def _single(frame: Frame, ran: Ran) -> str:
    row = ran.rows[0]
    sentences = []
    for figure, cell in zip(frame.figures, row, strict=False):
        if cell is None:
            sentences.append(f"There is no {figure.words}{_scope(frame)}: no row has a value")
        elif figure.outer:
            what = {"avg": "average", "max": "highest", "min": "lowest", "sum": "total"}.get(
                figure.outer, figure.outer
            )
            each = f" per {frame.dimensions[-1].words}" if frame.dimensions else ""
            sentences.append(
                f"The {what} {_said(figure)}{each}{_scope(frame)} is {number(cell, figure)}"
            )
        elif figure.agg == "count":
            verb = "is" if _is_one(cell) else "are"
            kind = "different " if figure.distinct else ""
            noun = figure.words if _is_one(cell) else plural(figure.words)
            sentences.append(f"There {verb} {number(cell, figure)} {kind}{noun}{_scope(frame)}")
        else:
            unit = f" {plural(figure.unit)}" if figure.unit else ""
            sentences.append(f"The {figure.words}{_scope(frame)} is {number(cell, figure)}{unit}")
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
        return f"There are no {said}{_scope(frame)}, so there is no share to give."
    return f"{number(percent, None)} % of the {said}{_scope(frame)}: {number(part, figure)} of {number(whole, figure)}, where {what}."


def _groups(frame: Frame, ran: Ran) -> str:
    size = len(frame.dimensions)
    figure = frame.figures[0]
    index = _figure_column(frame, ran, 0)
    if frame.partition:
        return f"The {'highest' if frame.order and frame.order[0].desc else 'lowest'} by {_said(figure)} for each {frame.dimensions[0].words}{_scope(frame)}: {ran.count} rows, in the table."
    names = [_name(row[:size], frame) for row in ran.rows]
    if any(d.grain for d in frame.dimensions) and not frame.superlative:
        return _series(frame, ran, names, index)
    if frame.superlative and frame.limit == 1:
        return _winner(frame, ran, names, index)
    pairs = [f"{n} ({number(row[index], figure)})" for n, row in zip(names, ran.rows, strict=True)][
        :NAMED
    ]
    lead = f"{_said(figure).capitalize()} by {' and '.join(d.words for d in frame.dimensions)}{_scope(frame)}"
    more = f"; {_amount(ran.count, 'row', ran)} in all" if ran.count > NAMED else ""
    order = _order_said(frame)
    tie = _tie_note(frame, ran)
    return f"{lead}{order}: {', '.join(pairs)}{more}.{tie}"


def _order_said(frame: Frame) -> str:
    if not frame.order or frame.order[0].kind != "figure":
        return ""
    return ", highest first" if frame.order[0].desc else ", lowest first"


def _tie_note(frame: Frame, ran: Ran) -> str:
    if frame.limit is not None and ran.count > frame.limit:
        return f" The last place is tied, so {ran.count} rows are shown instead of {frame.limit}."
    return ""


def _winner(frame: Frame, ran: Ran, names: Sequence[str], index: int) -> str:
    figure = frame.figures[0]
    most = "most" if not frame.order or frame.order[0].desc else "fewest"
    if figure.agg != "count":
        most = "highest" if most == "most" else "lowest"
    value = number(ran.rows[0][index], figure)
    said = plural(figure.words) if figure.agg == "count" else figure.words
    if len(names) > 1:
        listed = _joined(names[:NAMED]) + (" and others" if len(names) > NAMED else "")
        return (
            f"{len(names)} tie for the {most} {said}{_scope(frame)}, with {value} each: {listed}."
        )
    if figure.agg == "count":
        noun = figure.words if value == "1" else plural(figure.words)
        return f"{names[0]} has the {most} {said}{_scope(frame)}: {value} {noun}."
    return f"{names[0]} has the {most} {said}{_scope(frame)}: {value}."


def _series(frame: Frame, ran: Ran, names: Sequence[str], index: int) -> str:
    figure = frame.figures[0]
    rows = [
        (n, row[index])
        for n, row in zip(names, ran.rows, strict=True)
        if _as_float(row[index]) is not None
    ]
    lead = f"{_said(figure).capitalize()} by {' and '.join(d.words for d in frame.dimensions)}{_scope(frame)}"
    if len(rows) < 2 or len(rows) < ran.count:
        shown = ", ".join(f"{n} ({number(v, figure)})" for n, v in rows[:NAMED])
        return f"{lead}: {shown}; {_amount(ran.count, 'row', ran)} in all."
    if len(rows) <= 4:
        return f"{lead}: {', '.join(f'{n} {number(v, figure)}' for n, v in rows)}."
    top = max(rows, key=lambda r: _as_float(r[1]) or 0.0)
    low = min(rows, key=lambda r: _as_float(r[1]) or 0.0)
    return f"{lead}, from {rows[0][0]} to {rows[-1][0]}: highest in {top[0]} ({number(top[1], figure)}), lowest in {low[0]} ({number(low[1], figure)})."


def _listing(frame: Frame, ran: Ran) -> str:
    noun = frame.subject_words
    if frame.distinct and frame.shown:
        column = frame.shown[0].column.strip('"').replace("_", " ")
        values = [str(row[0]) for row in ran.rows if row[0] is not None]
        shown = ", ".join(values[:12]) + (" and more" if len(values) > 12 else "")
        return f"There {'is' if len(values) == 1 else 'are'} {_amount(ran.count, f'different {column}', ran)}{_scope(frame)}: {shown}."
    names = [_label(row, frame, ran) for row in ran.rows[:NAMED]]
    if frame.superlative and frame.order and frame.order[0].spot is not None:
        return _ranked_list(frame, ran, names)
    if ran.count == 1:
        details = ", ".join(
            f"{c.replace('_', ' ')} {_cell(v)}"
            for c, v in zip(ran.columns, ran.rows[0], strict=True)
            if v is not None
        )
        return f"One {noun}{_scope(frame)}: {details[:400]}."
    more = " and more, all in the table" if ran.count > NAMED else ""
    return f"{_amount(ran.count, noun, ran).capitalize()}{_scope(frame)}: {', '.join(names)}{more}."


def _ranked_list(frame: Frame, ran: Ran, names: Sequence[str]) -> str:
    spot = frame.order[0].spot
    assert spot is not None
    label = spot.column.strip('"')
    index = next(
        (n for n, c in enumerate(ran.columns) if c == label or c.endswith(f"_{label}")), None
    )
    values = [_cell(row[index]) for row in ran.rows] if index is not None else []
    word = "highest" if frame.order[0].desc else "lowest"
    said = label.replace("_", " ")
    if not values:
        return f"By {said}: {', '.join(names)}."
    first = values[0]
    tied = sum(value == first for value in values)
    if frame.limit == 1 and ran.count > 1:
        return f"{ran.count} {plural(frame.subject_words)} tie for the {word} {said}{_scope(frame)}, {first}: {', '.join(names)}{' and others' if ran.count > NAMED else ''}."
    if frame.limit == 1:
        return f"{names[0]} has the {word} {said}{_scope(frame)}: {first}."
    pairs = [f"{n} ({v})" for n, v in zip(names, values, strict=False)]
    tie = (
        f" {tied} share the first place."
        if tied > 1 and ran.count == len(values) and tied < 60
        else ""
    )
    return f"By {said}{_scope(frame)}, {word} first: {', '.join(pairs)}{' and more' if ran.count > NAMED else ''}.{tie}{_tie_note(frame, ran)}"


def _label(row: Sequence[Any], frame: Frame, ran: Ran) -> str:
    texts = [(c, v) for c, v in zip(ran.columns, row, strict=True) if v is not None]
    names = [
        str(v)
        for c, v in texts
        if c in ("first_name", "last_name", "firstname", "surname", "lastname")
    ]
    if len(names) >= 2:
        return (
            " ".join(names[:2])
            if ran.columns.index("surname" if "surname" in ran.columns else ran.columns[0]) < 99
            else names[0]
        )
    words = [
        str(v)
        for c, v in texts
        if not c.endswith("id") and isinstance(v, str) and not re.fullmatch(r"[\d.:+\- ]+", v)
    ]
    return words[0] if words else " ".join(_cell(v) for _, v in texts[:2])


def _name(cells: Sequence[Any], frame: Frame) -> str:
    named = []
    for cell, dimension in zip(cells, frame.dimensions, strict=False):
        named.append(
            _period_name(cell, dimension.grain)
            if dimension.grain
            else ("no value" if cell is None else _cell(cell))
        )
    return " / ".join(named)


def _period_name(cell: Any, grain: str) -> str:
    if cell is None:
        return "no date"
    if grain in ("month", "quarter", "week") and re.fullmatch(r"\d{4}-\d\d-\d\d", str(cell)):
        day = date.fromisoformat(str(cell))
        if grain == "month":
            return f"{day:%B %Y}"
        return (
            f"Q{(day.month - 1) // 3 + 1} {day.year}"
            if grain == "quarter"
            else f"the week of {cell}"
        )
    if grain == "hour":
        return f"{int(cell):02d}:00"
    if grain == "monthofyear":
        return f"{date(2000, int(cell), 1):%B}"
    return str(cell)


def _figure_column(frame: Frame, ran: Ran, number: int) -> int:
    label = frame.figures[number].label
    return ran.columns.index(label) if label in ran.columns else len(frame.dimensions) + number


def _amount(count: int, noun: str, ran: Ran) -> str:
    cut = any("only the first" in note or "more rows" in note for note in ran.notes)
    text = f"{count:,}" if count != 1 else "1"
    return f"{'at least ' if cut else ''}{text} {noun if count == 1 else plural(noun)}"


def number(cell: Any, figure: Figure | None) -> str:
    """Return a figure as people write it: thousands apart, money with two decimals."""
    value = _as_float(cell)
    if value is None:
        return "none" if cell is None else str(cell)
    if figure is not None and figure.money:
        return f"{value:,.2f}"
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.2f}" if abs(value) >= 0.1 else f"{value:.4g}"


def _as_float(cell: Any) -> float | None:
    if isinstance(cell, bool) or cell is None:
        return None
    try:
        return float(cell)
    except (TypeError, ValueError):
        return None


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def plural(noun: str) -> str:
    """Return the plural of a noun that may be one already."""
    head, _, last = noun.rpartition(" ")
    if not last or not last[-1].isalpha():
        return noun
    many = last if last in ("staff", "data") else inflection.pluralize(last)
    return f"{head} {many}".strip()
