"""The spellings under which a text may name a label of the rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agent.evidence.text.nouns import is_noun, words

Key = tuple[str, ...]
"""A label's words in lower case."""

MAX_WORDS: Final = 9
WORD: Final = re.compile(r"[^\W_]+")
PERSON: Final = words("customer actor staff name person manager author artist player user employee")
NULL_KEYS: Final[tuple[Key, ...]] = (
    ("none",), ("unknown",), ("unrated",), ("not", "rated"), ("null",), ("unspecified",),
    ("missing",), ("n", "a"), ("no", "value"), ("blank",), ("not", "set"), ("undefined",),
    ("unassigned",), ("not", "specified"), ("no", "entry"),
)  # fmt: skip
"""How a text may call a row whose label is NULL."""
COMMON: Final = words(
    "new other all total old top best first last open high low good unknown free small large medium"
    " none no yes true false active closed on off any some more most action a i in at is it as"
)
"""Labels that are everyday words: only a capital inside a sentence makes a name of them."""
_BEFORE_LETTER: Final = re.compile(
    r"\b(?:for|of|than|vs\.?|versus|variant|group|option|class|grade|plan|type|version|arm|over|beats?|beating|"
    r"outperform\w*|trails?|leads?|ahead of|behind|"
    r"section|team|zone|block|to|and)\s$",
    re.IGNORECASE,
)
_FUNCTIONAL: Final = words("none no yes all some any most more a i in at is it as on off total")


def key_of(text: str) -> Key:
    """Return the words of a text as a label is looked up by."""
    return tuple(word.lower() for word in WORD.findall(text))


def keys_of(cell: str, *, is_person: bool) -> Iterator[Key]:
    """Yield the keys of a label: the whole, its head ("Bremen, Germany"), a person's last name."""
    key = key_of(cell)
    if not key or len(key) > MAX_WORDS:
        return
    yield key
    head = re.split(r",| \(| / | [-–] ", cell, maxsplit=1)[0]
    if head != cell and len(head) > 2:
        yield key_of(head)
    if is_person and 2 <= len(key) <= 4:
        for part in (key[-1], key[0]):
            if len(part) > 3:
                yield (part,)


def forms_of(word: str) -> set[str]:
    """Return a word and its neighbours in number: what a text may say for it."""
    forms = {word, word + "s", word.removesuffix("s")}
    return forms | {word[:-1] + "ies"} if word.endswith("y") else forms


def variants_of(key: Key) -> Iterator[Key]:
    """Yield a key and what it becomes in the singular and the plural."""
    yield key
    *head, last = key
    if len(last) <= 3:
        return
    if last.endswith("s"):
        yield (*head, last[:-1])
    if last.endswith("ies"):
        yield (*head, last[:-3] + "y")
    yield (*head, last + "s")


def is_sure_name(text: str, start: int, end: int, label: str) -> bool:
    """Whether `text[start:end]` must mean a label, and is not just a word of the language."""
    said = text[start:end]
    if said.lower() not in COMMON and label.lower() not in COMMON:
        return True
    if said == label and label.islower():
        return label not in _FUNCTIONAL
    if not said[0].isupper():
        return False
    if re.search(r"[\w,;)'\"]\s*$", text[:start]):
        return True  # a capital inside a sentence
    behind = re.match(r"\s+([a-z]+)", text[end:])
    is_verb = behind is not None and behind[1].endswith(("ed", "ing"))
    return behind is None or is_verb or not is_noun(behind[1])  # not "New customers …"


def is_sure_short(text: str, start: int, end: int) -> bool:
    """Whether a short form must mean its label: it has its capital, and no noun behind it."""
    said = text[start:end]
    if not said[0].isupper():
        return False
    behind = re.match(r"[\s-]+([a-z]+)", text[end:])
    return behind is None or not is_noun(behind[1])


def is_letter_name(text: str, start: int, end: int) -> bool:
    """Whether a single letter is a label, and not the word "a" or "I"."""
    said = text[start:end]
    if said not in "AI":
        return said.isupper()
    return _BEFORE_LETTER.search(text[:start]) is not None and text[end : end + 1] != "'"
