"""Whether amounts of money are in the currency of their column, of the question, of each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.text.nouns import name_words
from agent.evidence.text.plain import plain_text

_WORDS: Final = {
    "dollars": "$ us$ u.s.$ ca$ a$ c$ usd dollar dollars cad aud bucks",
    "euros": "€ eur euro euros",
    "pounds": "£ gbp pound pounds sterling",
    "yen": "¥ jpy yen",
    "rupees": "₹ inr rupee rupees",
    "francs": "chf franc francs franken",
    "kronor": "sek kronor krona",
    "zloty": "pln zloty",
}
_NAMES: Final = {word: name for name, words in _WORDS.items() for word in words.split()}
_SAID: Final = re.compile(r"[$€£¥₹]|[^\W\d_]+")


def currency_faults(ground: Ground) -> Iterator[str]:
    """Yield the amounts whose currency is another than that of their column or of the rest."""
    claims = [c for c in ground.claims if c.source and _currency(c)]
    said = Counter(_currency(claim) for claim in claims)
    asked = _in_text(plain_text(ground.sources.question))
    told = _in_text(" ".join(scene.text for scene in ground.scenes))
    wanted = min(asked) if len(asked) == 1 else ""
    usual = wanted if wanted in said else next((name for name, _ in said.most_common(1)), "")
    for claim in claims:
        own, known = _currency(claim), _of_column(claim, ground)
        if known:
            if own not in known:
                yield f"“{claim.mention.text}” is in {own}, but its column is in {min(known)}."
        elif own != usual and len(asked) < 2:
            yield f"“{claim.mention.text}” is in {own}, but other amounts are in {usual}."
        elif wanted and own != wanted and wanted not in told:
            yield f"“{claim.mention.text}” is in {own}, but the question is about {wanted}."


def _currency(claim: Claim) -> str:
    words = claim.mention.currency.lower().split()
    return _NAMES.get(words[-1], "") if words else ""


def _of_column(claim: Claim, ground: Ground) -> set[str]:
    spots = [*claim.spots, *([claim.worked] if claim.worked is not None else [])]
    columns = {ground.tables[s.table].column_name(s.column) for s in spots}
    return {_NAMES[word] for name in columns for word in name_words(name) if word in _NAMES}


def _in_text(text: str) -> set[str]:
    found = (_NAMES.get(match[0].lower()) for match in _SAID.finditer(text))
    return {name for name in found if name}
