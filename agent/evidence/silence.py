"""An answer that says nothing of the rows that were found, as small models give them; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from agent.messages import Evidence, QueryResult

_WORD: Final = re.compile(r"[^\W\d_]+")
_STEM: Final = 4
"""Letters that tell a word: an answer may say “comedies” where a row says “Comedy”."""
_MAX_ROWS: Final = 1_000
_FEW_WORDS: Final = 15
"""In which an answer may do without names: “all of them”. In more, it could name something."""
_SAYS_WITHOUT_NAMING: Final = re.compile(
    r"\b(?:yes|no|none|nobody|nothing|never|nowhere|neither|both|all|every|everyone|each|any|"
    r"same|equal(?:ly)?|only|zero|half|most|majority|more|less|fewer|higher|lower|least|"
    r"increas\w*|decreas\w*|gr[eo]w\w*|rising|rose|fell|fall\w*|declin\w*|"
    r"chart|graph|plot|diagram|table|list(?:ed)?|below|above|attached|"
    r"shown|here (?:they are|it is|are)|"
    r"ja|nein|kein\w*|alle|beide|oui|non|aucun\w*|tous|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|"
    r"august|september|october|november|december)\b",
    re.IGNORECASE,
)


def is_silent(draft: str, evidence: Evidence, results: Sequence[QueryResult]) -> bool:
    """Say whether a draft says nothing of the last result, although that has rows.

    It speaks of them where it holds a figure, a word of a cell, or a word that can stand for them
    without naming them. A question back is no answer yet.
    """
    if not results or not results[-1].rows or evidence.figures or evidence.faults:
        return False
    is_short = len(draft.split()) <= _FEW_WORDS
    if (is_short and _SAYS_WITHOUT_NAMING.search(draft)) or draft.rstrip().endswith("?"):
        return False
    said = {_stem(word) for word in _WORD.findall(draft)}
    return not any(stem in said for stem in _told(results[-1]))


def _told(result: QueryResult) -> Iterator[str]:
    for row in result.rows[:_MAX_ROWS]:
        for cell in row:
            if isinstance(cell, str):
                yield from _names(cell)


def _names(cell: str) -> Iterator[str]:
    """A short word of a longer text, such as “the” of a title, names nothing."""
    words = _WORD.findall(cell)
    return (_stem(word) for word in words if len(word) >= _STEM or len(words) == 1)


def _stem(word: str) -> str:
    return word[:_STEM].casefold()
