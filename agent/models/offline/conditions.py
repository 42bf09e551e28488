"""What rows must be like: numbers, values, texts, periods, and what must not be there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.models.offline.draft import (
    Asked,
    Compare,
    Like,
    Missing,
    Noun,
    Rank,
    RowNumber,
    ValueCond,
)
from agent.models.offline.heads import _compound
from agent.models.offline.items import Item
from agent.models.offline.walk import Walk, noun_of

UNITS: Final = {
    unit: name
    for name, units in {
        "minute": "minute minutes min mins",
        "hour": "hour hours hr hrs h",
        "second": "second seconds sec secs",
        "millisecond": "millisecond milliseconds ms",
        "day": "day days",
        "money": "dollar dollars usd $ eur euro euros € pound pounds £ bucks",
        "percent": "% percent",
        "times": "times time",
    }.items()
    for unit in units.split()
}
_NEGATED_LATER: Final = frozenset({"unknown", "quoted", "num", "cmp", "than", "whether", "period"})
_FLIP: Final = {">": "<=", "<": ">=", ">=": "<", "<=": ">", "=": "!=", "!=": "="}


def on_cmp(walk: Walk) -> None:
    """more than 30 X, over 120 minutes, at least 5."""
    item = walk.items[walk.at]
    negated = walk.take_negation()
    walk.at += 1
    number = walk.peek()
    if (
        number is not None
        and number.low in UNITS
        and UNITS[number.low] in ("hour", "minute", "day", "second")
    ):
        # "under an hour"
        walk.at += 1
        walk.add("compares", Compare(item.value, 1, unit=UNITS[number.low], near=walk.last_table))
        return
    if number is None or number.kind != "num":
        if item.value == "=":
            return
        walk.unread(item)
        return
    walk.at += 1
    op = _FLIP[item.value] if negated else item.value
    _compare(walk, op, number, None)


def on_than(walk: Walk) -> None:
    """longer than 2 hours: the adjective says which column."""
    item = walk.items[walk.at]
    op, _, concept = item.value.partition(" ")
    negated = walk.take_negation()
    walk.at += 1
    number = walk.peek()
    if concept == "date" or number is None or number.number is None:
        if number is not None and number.kind == "period":
            return
        walk.unread(item)
        return
    walk.at += 1
    unit = _unit(walk, number)
    walk.add(
        "compares",
        Compare(
            _FLIP[op] if negated else op,
            number.number,
            concept=concept,
            unit=unit,
            near=walk.last_table,
        ),
    )


def on_between(walk: Walk) -> None:
    """between 2 and 4 dollars."""
    item = walk.items[walk.at]
    low, joint, high = walk.peek(1), walk.peek(2), walk.peek(3)
    if (
        low
        and joint
        and high
        and low.kind == high.kind == "num"
        and joint.kind in ("and", "prep", "punct")
    ):
        walk.at += 4
        _compare(walk, "between", low, high)
        return
    walk.at += 1
    if low is not None and low.kind != "period":
        walk.unread(item)


def _compare(walk: Walk, op: str, number: Item, upper: Item | None) -> None:
    """Settle what a comparison is about: what stands before it, or the noun behind it."""
    assert number.number is not None
    unit = _unit(walk, upper or number)
    if walk.kind() in ("ormore", "orless"):
        walk.at += 1
    high = upper.number if upper else None
    if unit == "money" and walk.kind() == "noun" and walk.items[walk.at].links[0].kind == "money":
        walk.at += 1
    concept = ""
    if unit and walk.kind() == "long":
        concept = walk.items[walk.at].value
        walk.at += 1
    base = Compare(op, number.number, high, unit=unit, concept=concept, near=walk.last_table)
    left = _column_before(walk)
    after = walk.find({"noun"}, within=3, over=("distinct", "unknown"))
    right = walk.peek(after) if after is not None and not unit else None
    if left is not None:
        walk.add("compares", replace(base, noun=left))
    elif measure := _figure_before(walk, unit):
        walk.add("compares", replace(base, measure=measure))
    elif right is not None and right.links[0].kind in ("table", "event"):
        walk.skip("distinct")
        distinct = walk.kind(-1) == "distinct"
        noun = _compound(walk) if walk.kind() == "noun" else noun_of(right)
        walk.note_noun(noun)
        walk.add("compares", replace(base, measure=Asked("count", noun, distinct)))
    elif right is not None:
        noun = _compound(walk) if walk.kind() == "noun" else noun_of(right)
        if noun.kind == "money":
            walk.add("compares", replace(base, measure=Asked("sum", noun)))
        else:
            walk.add("compares", replace(base, noun=noun, behind=noun.plural))
    elif unit == "times":
        walk.add("compares", replace(base, measure=Asked("count", _verb_before(walk))))
    else:
        walk.add("compares", replace(base, noun=_verb_before(walk)))


def _verb_before(walk: Walk) -> Noun | None:
    noun = walk.last_noun
    return noun if noun is not None and (noun.verb or noun.kind in ("event", "money")) else None


def _column_before(walk: Walk) -> Noun | None:
    """Return the column that stands just before the comparison ("a length of over 120")."""
    noun = walk.last_noun
    if (
        noun is None
        or noun.kind != "column"
        or noun.verb
        or walk.last_kind not in ("noun", "prep", "neg", "that", "which")
    ):
        return None
    show = walk.get("show")
    if show and show[-1] == noun:
        walk.put("show", show[:-1])
    mentions = walk.get("mentions")
    if mentions and mentions[-1] == noun:
        walk.put("mentions", mentions[:-1])
    asked = walk.get("asked")
    if asked and asked[-1].noun == noun and walk.get("subject") is not None:
        return None
    return noun


def _figure_before(walk: Walk, unit: str) -> Asked | None:
    """Return the figure that was asked for just before ("whose number of rentals exceeds 30")."""
    asked = walk.get("asked")
    if walk.get("subject") is not None and asked and asked[-1].noun == walk.last_noun:
        walk.put("asked", asked[:-1])
        figure: Asked = asked[-1]
        return figure
    noun = walk.last_noun
    if noun is not None and noun.kind == "money" and walk.has_head:
        return Asked("sum", noun)
    return None


def _unit(walk: Walk, number: Item) -> str:
    item = walk.peek()
    if (
        item is not None
        and item.low in UNITS
        and item.kind in ("unknown", "grain", "prep", "noun", "share", "rank")
    ):
        walk.at += 1
        return UNITS[item.low]
    if item is not None and item.low in UNITS and item.kind == "punct":
        walk.at += 1
    return "money" if number.text[:1] in "$€£" else ("percent" if number.text.endswith("%") else "")


def on_num(walk: Walk) -> None:
    """A bare number: a row's number, a column's value, or how many to show."""
    item = walk.items[walk.at]
    assert item.number is not None
    walk.at += 1
    if walk.kind() in ("ormore", "orless"):
        op = ">=" if walk.kind() == "ormore" else "<="
        walk.at += 1
        _compare(walk, op, item, None)
    elif _with_unit_or_more(walk, item):
        return
    elif walk.last_kind == "noun" and walk.last_noun is not None and _takes_number(walk, item):
        return
    elif walk.kind() in ("top", "rank", "common"):
        rank = walk.get("rank") or Rank()
        walk.put("rank", replace(rank, limit=int(item.number)))
    elif walk.kind() == "noun" and not walk.has_head and not walk.pending:
        rank = walk.get("rank") or Rank(superlative=True, concept="first")
        walk.put("rank", replace(rank, limit=int(item.number)))
    elif (
        walk.has_head
        and walk.kind() == "noun"
        and walk.items[walk.at].links[0].kind == "table"
        and not _after_possession(walk)
    ):
        rank = walk.get("rank") or Rank(superlative=True, concept="first")
        walk.put("rank", replace(rank, limit=int(item.number)))
    elif walk.has_head and walk.kind() == "noun" and walk.items[walk.at].links[0].kind == "table":
        _compare(walk, "=", item, None)
    elif walk.has_head and walk.last_kind == "prep" and (left := _column_before(walk)):
        walk.add("compares", Compare("=", item.number, noun=left, near=walk.last_table))
    else:
        walk.unread(item)


def _after_possession(walk: Walk) -> bool:
    """Whether the number tells how many something has: with 3 copies, who rented 30 films."""
    before = walk.peek(-2)
    if before is None:
        return False
    return (
        before.low in ("with", "have", "has", "had", "exactly")
        or before.verb
        or before.kind == "neg"
    )


def _with_unit_or_more(walk: Walk, item: Item) -> bool:
    """Read "120 minutes or more" and "30 rentals or more"."""
    for ahead in (1, 2):
        if walk.kind(ahead) in ("ormore", "orless"):
            op = ">=" if walk.kind(ahead) == "ormore" else "<="
            _compare(walk, op, item, None)
            walk.skip("ormore", "orless")
            return True
    return False


def _takes_number(walk: Walk, item: Item) -> bool:
    noun = walk.last_noun
    assert noun is not None
    assert item.number is not None
    if noun.kind == "table" and not noun.plural:
        numbers = [item.number, *_more_numbers(walk)]
        _forget(walk, noun)
        walk.add("row_numbers", RowNumber(noun, tuple(numbers), walk.take_negation()))
        return True
    if noun.kind == "column":
        left = _column_before(walk)
        if left is None:
            return False
        walk.add(
            "compares",
            Compare("=", item.number, noun=left, near=walk.last_table, unit=_unit(walk, item)),
        )
        return True
    return False


def _more_numbers(walk: Walk) -> list[float]:
    more: list[float] = []
    while walk.kind() in ("and", "or", "punct", "compare") and walk.kind(1) == "num":
        number = walk.items[walk.at + 1].number
        assert number is not None
        more.append(number)
        walk.at += 2
    return more


def _forget(walk: Walk, noun: Noun) -> None:
    """Take back a role that was given to a noun before its number was seen."""
    mentions = walk.get("mentions")
    if mentions and mentions[-1] == noun:
        walk.put("mentions", mentions[:-1])
    groups = walk.get("groups")
    if groups and groups[-1].noun == noun:
        walk.put("groups", groups[:-1])


def on_value(walk: Walk) -> None:
    """Words that name nothing in the schema: perhaps a value that rows hold."""
    if _is_new(walk):
        walk.at += 1
        return
    if _is_piece(walk):
        item = walk.items[walk.at]
        walk.at += 1
        walk.skip("prep")
        walk.add(
            "likes",
            Like("contains", item.text, _compound(walk), walk.last_table, walk.take_negation()),
        )
        return
    by = walk.last_kind == "by"
    phrases, every = _phrases(walk)
    hint = _hint_before(walk)
    negated = walk.take_negation()
    if hint is None:
        hint = _hint_after(walk)
    inside = any(missing.negated for missing in walk.get("missing"))
    walk.add("values", ValueCond(tuple(phrases), hint, walk.last_table, negated, every, inside, by))


def _is_new(walk: Walk) -> bool:
    """Whether "new" only says that rows are counted by when they came: new customers per month."""
    timed = any(item.kind in ("period", "grain", "time") for item in walk.items)
    return walk.items[walk.at].low == "new" and walk.kind(1) == "noun" and timed


def _is_piece(walk: Walk) -> bool:
    """Whether a word is looked for inside a text: 'love' in the title."""
    item = walk.items[walk.at]
    ahead = walk.peek(2)
    return (
        (item.kind == "quoted" or walk.last_kind == "contains")
        and walk.kind(1) == "prep"
        and ahead is not None
        and ahead.kind == "noun"
        and ahead.links[0].kind == "column"
    )


def _phrases(walk: Walk) -> tuple[list[str], bool]:
    """Read one value or a list of them: "Horror", "Canada and Mexico"."""
    phrases = [_run(walk)]
    every = False
    while walk.kind() in ("and", "or", "punct", "both"):
        ahead = 1
        while walk.kind(ahead) in ("and", "or", "punct"):
            ahead += 1
        if walk.kind(ahead) not in ("unknown", "quoted"):
            break
        walk.at += ahead
        phrases.append(_run(walk))
    return phrases, every


def _run(walk: Walk) -> str:
    first = walk.items[walk.at]
    walk.at += 1
    if first.kind == "quoted":
        return first.text
    end = first.end
    item = walk.peek()
    while item is not None and item.kind == "unknown" and item.close:
        end = item.end
        walk.at += 1
        item = walk.peek()
    return f"{first.start}:{end}"


def _hint_before(walk: Walk) -> Noun | None:
    """Return the noun that says what the value is: category Horror, a rating of PG."""
    noun = walk.last_noun
    if (
        noun is not None
        and noun.kind == "role"
        and walk.last_kind in ("noun", "prep", "by", "which")
    ):
        mentions = walk.get("mentions")
        if mentions and mentions[-1] == noun:
            walk.put("mentions", mentions[:-1])
        return noun
    if (
        noun is None
        or noun.plural
        or walk.last_kind not in ("noun", "prep", "cmp", "neg", "which", "by")
    ):
        return None
    if walk.last_kind == "prep" and (
        noun.kind != "column" or any(a.noun == noun for a in walk.get("asked"))
    ):
        return None
    if noun.kind == "column" and not noun.verb:
        _drop(walk, noun)
        return noun
    if noun.verb and noun.has("column"):
        return noun
    if (
        noun.kind == "table"
        and walk.last_kind == "noun"
        and walk.get("subject") != noun
        and not any(a.noun == noun for a in walk.get("asked"))
    ):
        _forget(walk, noun)
        return noun
    return None


def _drop(walk: Walk, noun: Noun) -> None:
    """Stop showing a column, now that it is known to be a condition; the last one stays."""
    show = walk.get("show")
    if show and show[-1] == noun and (len(show) > 1 or walk.get("subject") or walk.get("asked")):
        walk.put("show", show[:-1])
    mentions = walk.get("mentions")
    if mentions and mentions[-1] == noun:
        walk.put("mentions", mentions[:-1])


def _hint_after(walk: Walk) -> Noun | None:
    """Return the noun behind a value, where it cannot be what is asked for: Horror category."""
    item = walk.peek()
    if item is None or item.kind != "noun" or item.plural or item.verb:
        return None
    noun = noun_of(item)
    if walk.kind(1) == "noun" or walk.last_kind in ("count",) or walk.pending:
        return None
    if noun.kind == "column" or (noun.kind == "table" and walk.has_head):
        walk.at += 1
        walk.note_noun(noun)
        return noun
    return None


def on_neg(walk: Walk) -> None:
    """not, never, without, no: what follows must not be there."""
    walk.at += 1
    walk.skip("prep", "that")
    item = walk.peek()
    ahead = walk.find({"noun", "whether"}, within=5, over=("prep", "by", "distinct", "that"))
    if item is None or ahead is None or item.kind in _NEGATED_LATER:
        walk.negate = True
        return
    if walk.kind(ahead) == "whether":
        walk.negate = True
        return
    walk.at += ahead
    here = walk.items[walk.at]
    participle = here.verb and here.links[0].kind != "column"
    if walk.kind(1) in ("unknown", "quoted") and not here.plural and not participle:
        walk.negate = True
        walk.note_noun(noun_of(walk.items[walk.at]))
        walk.at += 1
        return
    noun = _compound(walk)
    near = walk.last_table
    walk.note_noun(noun)
    walk.add("missing", Missing(noun, near))
    _rest_of_negation(walk)


def _rest_of_negation(walk: Walk) -> None:
    """Take in the objects of a negated verb: never rented *a film*."""
    while (ahead := walk.find({"noun"}, within=3, over=("prep",))) is not None and walk.kind(
        1
    ) not in ("unknown", "quoted"):
        item = walk.items[walk.at + ahead]
        if item.links[0].kind != "table" or item.verb:
            return
        if walk.kind(ahead + 1) in ("unknown", "quoted", "num"):
            return
        walk.at += ahead
        walk.add("mentions", _compound(walk))


def on_whether(walk: Walk) -> None:
    """null, empty, unknown: a column without a value."""
    item = walk.items[walk.at]
    negated = walk.take_negation()
    walk.at += 1
    ahead = walk.find({"noun"}, within=3)
    if ahead is not None:
        walk.at += ahead
        noun = _compound(walk)
    elif walk.last_noun is not None:
        noun = walk.last_noun
        _drop(walk, noun)
    else:
        walk.unread(item)
        return
    walk.add("missing", Missing(noun, walk.last_table, not negated, whole=True))


def on_like(walk: Walk) -> None:
    """with the word X in the title, starting with X."""
    item = walk.items[walk.at]
    text = walk.peek(1)
    negated = walk.take_negation()
    loose = item.low in ("contains", "contain", "containing")
    named = walk.last_noun is not None and walk.last_noun.kind == "column"
    if loose and not (
        text is not None and (text.kind == "quoted" or (text.kind == "unknown" and named))
    ):
        walk.at += 1
        walk.negate = negated
        return
    if text is None or text.kind not in ("unknown", "quoted"):
        walk.at += 1
        if text is not None and text.kind == "noun" and item.kind == "contains":
            return
        if text is None or text.kind not in ("num", "noun"):
            walk.unread(item)
            return
    else:
        walk.at += 1
    value = walk.items[walk.at]
    walk.at += 1
    noun = (
        walk.last_noun if walk.last_noun is not None and walk.last_noun.kind == "column" else None
    )
    if noun is not None:
        _drop(walk, noun)
    elif (ahead := walk.find({"noun"}, within=3)) is not None and walk.items[walk.at + ahead].links[
        0
    ].kind == "column":
        walk.at += ahead
        noun = _compound(walk)
    walk.add("likes", Like(item.kind, value.text, noun, walk.last_table, negated))


def on_period(walk: Walk) -> None:
    """in 2024, since March: a period, said of what stands before it."""
    item = walk.items[walk.at]
    walk.at += 1
    if walk.take_negation():
        walk.unread(item)
        return
    walk.add("periods", item.period)
    walk.put("period_inside", any(missing.negated for missing in walk.get("missing")))
    noun = walk.last_noun
    if (
        walk.get("period_near") is None
        and noun is not None
        and (noun.verb or noun.kind == "column" or noun.kind == "event")
    ):
        walk.put("period_near", noun)


def resolve_phrases(phrases: Sequence[str], text: str) -> tuple[str, ...]:
    """Turn the character spans that the walk noted into the words as they were written."""
    found = []
    for phrase in phrases:
        start, colon, end = phrase.partition(":")
        spans = colon and start.isdigit() and end.isdigit()
        found.append(text[int(start) : int(end)] if spans else phrase)
    return tuple(found)
