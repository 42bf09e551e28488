"""Where a thread begins anew: "new question: …", "forget that"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

Ending = Literal["answered", "asked_back", "failed"]
"""How a question ended: with an answer, with a question back, or not at all."""

_FRESH: Final = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|and|now|so|no|a|an|please|"
    r"let'?s|let us|i have|i've got|here is|here's)\W+)*"
    r"(?:(?:(?:completely |totally |entirely )?(?:new|another|different|separate|unrelated|other)|"
    r"next) (?:question|topic|subject)\b|"
    r"forget (?:(?:about )?(?:that|this|it|those|them|all that|everything)|"
    r"(?:the|my) (?:last|previous|earlier) (?:question|one)s?)\b|never ?mind(?: that)?\b|"
    r"(?:start|starting|begin) (?:over|afresh|again|anew)\b|something else\W|"
    r"(?:on|to) (?:a|an)(?:other| different) (?:note|topic|question)\b)[\s,.:;!–—-]*",
    re.IGNORECASE,
)


def since_fresh_start(
    earlier: Sequence[str], endings: Sequence[Ending], question: str
) -> tuple[tuple[str, ...], tuple[Ending, ...], str]:
    """Return the messages since the thread last began anew, without the words that say so.

    Takes the earlier messages with how each ended, and the last message.
    """
    texts = [*earlier, question]
    start = max((n for n, text in enumerate(texts) if _FRESH.match(text)), default=0)
    kept = [_FRESH.sub("", text, count=1).strip() for text in texts[start:]]
    return tuple(kept[:-1]), tuple(endings[start:]), kept[-1]
