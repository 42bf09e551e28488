"""The words behind a number: "600 registered customers", "9,000 in revenue"."""

from __future__ import annotations

import re
from typing import Final

from agent.evidence.text.nouns import concept, words
from agent.evidence.text.numerals import DIGITS, NUMBER_WORDS

_STOPS: Final = words(
    "in for from at by with and or to than on were was is are had have has which that while but as"
    " who where when per each during over under across among between earned came went brought made"
    " account accounts accounted followed against versus vs und oder before after since until"
    " ahead behind more less fewer higher lower not out so if because it they this these those also"
    " lost lose grew fell rose gained declined dropped shrank increased decreased improved made"
    " exceeded exceed up down would will can may cost costs spent paid compared including includes"
    " about around roughly respectively only then both all"
)
_SKIPPED: Final = words("of the all our its their his her different distinct total")
_OF_NUMBER: Final = re.compile(
    rf"^ (?:out )?of (?:the |all |our |these |those )*(?:{DIGITS}|{NUMBER_WORDS}) (?=[a-z])",
    re.IGNORECASE,
)
_WORDS: Final = re.compile(r"[ -]((?:[^\W\d_][\w'-]*)(?:[ -][^\W\d_][\w'-]*){0,3})")


_DONE: Final = re.compile(
    r" (?:[\w'-]+ ){1,3}(?:were|was|got) (?:\w+ly )?"
    r"(rented|paid|ordered|sold|hired)(?=\s*(?:[.,;]|$)| (?:in|on|at|during|since|from|by)\b)"
)


def nouns_after(tail: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the concepts of the words right after a number, and of those behind "in" or "of".

    Of "198 films were rented" it is the rentals that count, too.
    """
    nouns, behind = _nouns_after(tail)
    done = _DONE.match(tail)
    return (*nouns, concept(done[1])) if done else nouns, behind


def _nouns_after(tail: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    first = _WORDS.match(_OF_NUMBER.sub(" of ", tail, count=1))
    if first is None:
        return (), ()
    said = re.findall(r"[^\W\d_][\w']*", first[1])
    nouns: list[str] = []
    for position, word in enumerate(map(str.lower, said)):
        if word == "of" or word == "in":
            return tuple(nouns), _behind(said[position + 1 :]) if word == "of" or not nouns else (
                tuple(concept(w) for w in said[position + 1 : position + 3])
            )
        if word in _STOPS:
            break
        nouns.append(concept(word))
    return tuple(nouns), ()


def _behind(said: list[str]) -> tuple[str, ...]:
    found: list[str] = []
    for word in map(str.lower, said):
        if word in _SKIPPED:
            continue
        if word in _STOPS:
            break
        found.append(concept(word))
    return tuple(found)
