"""The plan that stands before the first step, in words for people who know no database.

No table has been seen when a plan is due: it says what the words of the question ask for, and
nothing of where that will be found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from agent.models.offline.aside import is_about_tables
from agent.models.offline.atlas import Atlas
from agent.models.offline.item import Item
from agent.models.offline.items import read_items
from agent.models.offline.known import Known
from agent.models.offline.link import Linker
from agent.models.offline.rewording import reword
from agent.models.offline.saying import singular
from agent.plan import MAX_STEP_CHARS

_AGGREGATES: Final = {
    "avg": "work out the average",
    "median": "find the middle one",
    "min": "find the smallest",
    "max": "find the largest",
    "sum": "add {} up",
}
_GRAINS: Final = {"monthofyear": "month of the year", "hour": "hour of the day"}
_CHARTS: Final = {"bar": "a bar chart", "line": "a line chart", "arc": "a pie chart"}
_RANKING: Final = ("top", "rank", "common")
_NARROWING: Final = frozenset(
    {"cmp", "than", "between", "neg", "contains", "starts", "ends", "whether", "ormore", "orless"}
)
"""Kinds of items that say which of the things are meant."""
_DRAWN: Final = re.compile(r"\b(?:chart|plot|graph|draw|diagram|pie|bars)\b", re.IGNORECASE)
_MAX_VALUES: Final = 3


def write_plan(known: Known, today: date) -> str:
    """Return the plan as a model writes it, headed "Plan:"."""
    if is_about_tables(known.question):
        return "Plan: See which tables there are."
    if known.earlier:
        said = _cut(known.question, MAX_STEP_CHARS - 80)
        if known.endings[-1:] == ("asked_back",):
            return f"Plan: Take “{said}” as the answer to my question, and go on from there."
        return f"Plan: Read “{said}” together with the question before."
    items = read_items(reword(known.question), Linker(Atlas(Known())), today)
    parts = (_spelling(items), _figures(items), _chart(items, known.question))
    steps = [step for step in parts if step]
    if len(steps) == 1:
        return f"Plan: {steps[0]}"
    return "\n".join(["Plan:", *(f"{n}. {step}" for n, step in enumerate(steps, start=1))])


def _spelling(items: Sequence[Item]) -> str:
    """Return the step that looks up names as the data write them."""
    values = [i.text for i in items if i.kind == "quoted"]
    values += [" ".join(run) for run in _capital_runs(items)]
    named = [f"“{_cut(value, 40)}”" for value in dict.fromkeys(values)][:_MAX_VALUES]
    if not named:
        return ""
    verb = "is" if len(named) == 1 else "are"
    return f"Look up how {_listed(named)} {verb} written in the data."


def _capital_runs(items: Sequence[Item]) -> Iterator[list[str]]:
    """Yield names of one or more words with a capital; the first word of a text has it anyway."""
    run: list[str] = []
    for position, item in enumerate(items):
        if item.kind == "unknown" and item.capital and position > 0:
            run.append(item.text)
        else:
            if run:
                yield run
            run = []
    if run:
        yield run


def _figures(items: Sequence[Item]) -> str:
    what = _thing(items)
    if not what:
        return "Look up what the question asks for."
    narrowed = {item.kind for item in items} & _NARROWING
    which = ", only those that the question is about" if narrowed else ""
    done = [part for part in (_aggregate(items, what), *_order(items)) if part]
    step = f"Look up the {what}{_period(items)}{which}"
    if which or not done:
        return f"{step}, and {_listed(done)}." if done else f"{step}."
    return f"{step}{', ' if len(done) > 1 else ' and '}{_listed(done)}."


def _thing(items: Sequence[Item]) -> str:
    """Return the first words that name something, as the question writes them."""
    words: list[str] = []
    for position, item in enumerate(items):
        if item.kind in ("unknown", "noun") and not (item.capital and position > 0):
            first = not position and item.text[1:].islower()
            words.append(item.text.lower() if first else item.text)
        elif words:
            break
    return _cut(" ".join(words), 60)


def _period(items: Sequence[Item]) -> str:
    said = [item.text for item in items if item.kind == "period"][:2]
    if not said:
        return ""
    led = said[0] if re.match(r"[a-zA-Z]", said[0]) else f"of {said[0]}"
    return " ".join(["", led, *(f"and {text.removeprefix('in ')}" for text in said[1:])])


def _aggregate(items: Sequence[Item], what: str) -> str:
    """Return what is made of the things, for each of what they are split by."""
    kinds, each = [item.kind for item in items], _groups(items)
    them = "them" if what.endswith("s") else "it"
    if "share" in kinds:
        return f"work out the share{each}"
    if "count" in kinds:
        return f"count {them}{each}"
    named = next((_AGGREGATES[i.value] for i in items if i.kind == "agg"), "")
    money = items[0].kind == "noun" or (each and "noun" in kinds)
    adds = "much" in kinds or (money and not set(kinds) & _NARROWING)
    if named or adds:
        return (named or _AGGREGATES["sum"]).format(them) + each
    return f"give one line{each}" if each else ""


def _groups(items: Sequence[Item]) -> str:
    """Return what there is one figure for: for each category."""
    ranked = any(item.kind in _RANKING for item in items)
    said: list[str] = []
    for position, item in enumerate(items):
        after = items[position + 1 :]
        if item.kind == "grain":
            said.append(_GRAINS.get(item.value, item.value))
        elif item.kind == "by" and not (ranked and _is_figure(after)):
            said += _names(after)
    return f" for each {' and '.join(dict.fromkeys(said[:3]))}" if said else ""


def _names(items: Sequence[Item]) -> list[str]:
    """Return the names of a list: store, city and year."""
    found: list[list[str]] = [[]]
    for item in items:
        if item.kind in ("unknown", "noun") and not item.capital:
            found[-1].append(item.text)
        elif item.kind in ("and", "punct", "grain"):
            found.append([])
        else:
            break
    return [_cut(singular(" ".join(words[:2])), 40) for words in found if words]


def _is_figure(items: Sequence[Item]) -> bool:
    """Whether "by" says what the order is by, not what there is one figure for."""
    return bool(items) and items[0].kind in ("noun", "count", "agg")


def _order(items: Sequence[Item]) -> tuple[str, ...]:
    if not any(item.kind in _RANKING for item in items):
        return ()
    number = next((i.text for i in items if i.kind == "num"), "")
    return ("put them in order", f"take the first {number}" if number else "see which comes first")


def _chart(items: Sequence[Item], question: str) -> str:
    chart = next((item for item in items if item.kind == "chart"), None)
    # A line may be one of an invoice.
    if chart is None or not _DRAWN.search(question):
        return ""
    return f"Draw it as {_CHARTS.get(chart.value, 'a chart')}."


def _listed(words: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def _cut(text: str, length: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1]}…"
