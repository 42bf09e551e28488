"""What rows must be like: numbers, values, texts, periods, and what must not be there."""

from __future__ import annotations

from collections.abc import Sequence

from agent.models.offline.compounds import read_compound
from agent.models.offline.denying import drop_shown
from agent.models.offline.draft import Like, Noun, ValueCond
from agent.models.offline.item import Item
from agent.models.offline.numbering import forget_role
from agent.models.offline.walk import Walk, noun_of


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
            Like("contains", item.text, read_compound(walk), walk.last_table, walk.take_negation()),
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
    every = walk.last_kind == "both"
    while walk.kind() in ("and", "or", "punct", "both", "compare"):
        ahead = 1
        while walk.kind(ahead) in ("and", "or", "punct"):
            ahead += 1
        if walk.kind(ahead) not in ("unknown", "quoted"):
            break
        if walk.kind() == "compare":
            walk.put("compare", True)
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
    while item is not None and item.kind == "unknown" and (item.close or _is_title(walk, item)):
        end = item.end
        walk.at += 1
        item = walk.peek()
    return f"{first.start}:{end}"


def _is_title(walk: Walk, item: Item) -> bool:
    """Whether small words only join two words of one name: Behind the Scenes."""
    before = walk.peek(-1)
    return bool(before and before.capital and item.capital and item.between in _SMALL)


_SMALL = ("the", "of", "of the", "in the", "and the", "a", "de", "la")


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
        if walk.last_kind != "prep":
            drop_shown(walk, noun)
        return noun
    if noun.verb and noun.has("column"):
        return noun
    if (
        noun.kind == "table"
        and walk.last_kind == "noun"
        and walk.get("subject") != noun
        and not any(a.noun == noun for a in walk.get("asked"))
    ):
        forget_role(walk, noun)
        return noun
    return None


def _hint_after(walk: Walk) -> Noun | None:
    """Return the noun behind a value, where it cannot be what is asked for: Horror category."""
    item = walk.peek()
    if item is None or item.kind != "noun" or item.plural or item.verb:
        return None
    noun = noun_of(item)
    if walk.kind(1) == "noun" or walk.last_kind in ("count",) or walk.pending:
        return None
    if noun.kind == "column" and not walk.has_head and walk.kind(1) in ("", "punct"):
        # Luis Rojas's phone number: the number is what is asked for.
        return None
    if noun.kind == "column" or (noun.kind == "table" and walk.has_head):
        walk.at += 1
        walk.note_noun(noun)
        return noun
    return None


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
        drop_shown(walk, noun)
    elif (ahead := walk.find({"noun"}, within=3)) is not None and walk.items[walk.at + ahead].links[
        0
    ].kind == "column":
        walk.at += ahead
        noun = read_compound(walk)
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
