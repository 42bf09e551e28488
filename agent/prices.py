"""What a run costs: published prices of models, times the tokens that were used. Exact decimals."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from agent.messages import Usage

_MILLION: Final = Decimal(1_000_000)
_FREE: Final = ("offline", "scripted")


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens."""

    input: Decimal
    output: Decimal
    cache_read: Decimal
    cache_write: Decimal
    """For entries that live five minutes, the only ones that we write."""


def _price(input: str, output: str, *, read: str, write: str) -> Price:
    return Price(Decimal(input), Decimal(output), Decimal(read), Decimal(write))


# Base input, output, cache hit and five-minute cache write, in US dollars per million tokens, as
# of November 2026. Source of every row: https://platform.claude.com/docs/en/about-claude/pricing,
# and where a remark names one, the model's own page, platform.claude.com/docs/en/models/MODEL.
# Read in other pages' copies only, so to be checked against the source before a release: what the
# cache costs with fable-5-2, sonnet-5-5, sonnet-4-6, sonnet-4-5, haiku-5-5 and haiku-4-5.
_OPUS_OF_2026: Final = _price("5", "25", read="0.50", write="6.25")
_OPUS_OF_2025: Final = _price("15", "75", read="1.50", write="18.75")
_SONNET_4: Final = _price("3", "15", read="0.30", write="3.75")
PRICES: Final[dict[str, Price]] = {
    "claude-fable-5-2": _price("8", "40", read="0.20", write="10"),  # fable-5-2/overview
    "claude-fable-5-1": _price("10", "50", read="0.25", write="12.50"),
    "claude-fable-5": _price("10", "50", read="1", write="12.50"),
    "claude-opus-5-5": _price("4", "20", read="0.20", write="5"),  # opus-5-5/overview
    "claude-opus-5": _OPUS_OF_2026,
    "claude-opus-4-8": _OPUS_OF_2026,
    "claude-opus-4-7": _OPUS_OF_2026,
    "claude-opus-4-6": _OPUS_OF_2026,
    "claude-opus-4-5": _OPUS_OF_2026,
    "claude-opus-4-1": _OPUS_OF_2025,
    "claude-opus-4": _OPUS_OF_2025,
    # sonnet-5-5/overview; a cache hit cost 0.20 until 7 October 2026.
    "claude-sonnet-5-5": _price("2", "10", read="0.10", write="2.50"),
    # sonnet-5/overview; what was announced as a price for the first weeks became the price.
    "claude-sonnet-5": _price("2", "10", read="0.20", write="2.50"),
    "claude-sonnet-4-6": _SONNET_4,
    "claude-sonnet-4-5": _SONNET_4,
    "claude-sonnet-4": _SONNET_4,
    # haiku-5-5/overview. Prompts of more than 100,000 tokens cost five times as much; ours are
    # kept to a quarter of that.
    "claude-haiku-5-5": _price("0.10", "0.50", read="0.01", write="0.125"),
    "claude-haiku-4-5": _price("1", "5", read="0.10", write="1.25"),
}

_SNAPSHOT: Final = re.compile(r"-(?:20\d{6}|latest|0)$")


def cost_usd(model_name: str, usage: Usage) -> Decimal | None:
    """Return what `usage` cost with a model, in US dollars, exactly.

    `model_name` is what the model calls itself: "claude-sonnet-5", a dated snapshot of it such as
    "claude-sonnet-4-5-20250929", "offline" or "scripted:FILE" (which cost nothing). None where the
    price is not known: a name is never taken for another one's that it merely begins like.
    """
    if model_name.partition(":")[0] in _FREE:
        return Decimal(0)
    price = PRICES.get(model_name) or PRICES.get(_SNAPSHOT.sub("", model_name))
    if price is None:
        return None
    return (
        usage.input_tokens * price.input
        + usage.output_tokens * price.output
        + usage.cache_read_tokens * price.cache_read
        + usage.cache_write_tokens * price.cache_write
    ) / _MILLION
