"""A model's words before anything has shown that they are true: shown without its figures."""

from __future__ import annotations

import logging
import re
from typing import Final

from agent.evidence import Sources, check_evidence

HIDDEN: Final = "…"

_DIGITS: Final = re.compile(r"(?<!\w)\w*\d[\w.,'’]*")
_NAME: Final = re.compile(r"[^\W\d](?:\w*_\w*|(?!.*\d{3})\w*)")
"""Such as q1, pg13 or sales_2023; EUR500 is an amount."""
_RANK: Final = re.compile(r"\b(?:first|last)\b", re.IGNORECASE)
_SEVERAL: Final = re.compile(rf"{HIDDEN}(?:[\s.,]*{HIDDEN})+")

logger = logging.getLogger(__name__)


def without_figures(text: str, question: str) -> str:
    """Return `text` with an ellipsis for each figure that `question` does not name.

    A figure is what the gate takes for one, in digits or in words, and whatever else has digits
    and is not like the name of a column.
    """
    named, unnamed = _figures(text, question)
    for figure in sorted(unnamed, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(figure)}(?!\w)", HIDDEN, text)
    known = " ".join([question, *named])
    return _SEVERAL.sub(HIDDEN, _DIGITS.sub(lambda found: _kept(found[0], known), text))


def _kept(word: str, known: str) -> str:
    bare = word.rstrip(".,'’")
    is_name = all(_NAME.fullmatch(part) for part in bare.split("."))
    return word if is_name or _says(known, bare) else HIDDEN + word[len(bare) :]


def _says(known: str, figure: str) -> bool:
    return re.search(rf"(?<![\w.,]){re.escape(figure)}(?!\w|[.,]\d)", known) is not None


def _figures(text: str, question: str) -> tuple[list[str], list[str]]:
    """Return the figures of `text` that the question names, and the others."""
    try:
        figures = check_evidence(text, Sources(question)).figures
    except Exception:
        logger.exception("bug in reading the figures of a plan or a step")
        return [], []
    named = [each.text for each in figures if each.source]
    # The gate reads no claim in an answer such as "2" to a question back.
    unnamed = [each.text for each in figures if not each.source and not _RANK.search(each.text)]
    return named, [each for each in unnamed if not _says(question, each)]
