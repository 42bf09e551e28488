"""What a run costs: prices of models from a dated file, times the tokens used. Exact decimals."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.errors import SettingsInvalid
from agent.messages import Usage

SETTING: Final = "DB_AGENT_PRICES"
OLD_AFTER_DAYS: Final = 180
"""Prices that are older may no longer be the providers' own."""
_OURS: Final = Path(__file__).with_name("prices.toml")
_MILLION: Final = Decimal(1_000_000)
_FREE: Final = ("offline", "scripted", "ollama", "vllm")
"""They run on one's own machines: the first word of the name, which may be followed by ":…"."""
_SNAPSHOT: Final = re.compile(r"-(?:20\d{6}|latest|0)$")
_SHAPE: Final = (
    'It must hold as_of = 2026-11-30 and [models] with lines such as "groq:MODEL" = '
    "{ input = 0.5, output = 1.5 }, in US dollars per million tokens"
)


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens, and when they were looked up."""

    input: Decimal
    output: Decimal
    cache_read: Decimal
    cache_write: Decimal
    as_of: date | None = None
    """None: what costs nothing has no date."""

    def of(self, usage: Usage) -> Decimal:
        """Return what `usage` costs, in US dollars, exactly."""
        return (
            usage.input_tokens * self.input
            + usage.output_tokens * self.output
            + usage.cache_read_tokens * self.cache_read
            + usage.cache_write_tokens * self.cache_write
        ) / _MILLION

    def most_of(self, *, read: int, written: int) -> Decimal:
        """Return what so many tokens cost at most, whatever the cache has of those read."""
        dearest = max(self.input, self.cache_read, self.cache_write)
        return (read * dearest + written * self.output) / _MILLION


FREE: Final = Price(Decimal(0), Decimal(0), Decimal(0), Decimal(0))


@dataclass(frozen=True)
class Prices:
    """What models cost, by name."""

    models: Mapping[str, Price] = field(default_factory=dict)

    def price(self, model_name: str) -> Price | None:
        """Return the price of a model; None where it is not known.

        `model_name` is what the model calls itself: "claude-sonnet-5", a dated snapshot of it such
        as "claude-sonnet-4-5-20250929", "groq:MODEL". What runs here ("offline", "scripted:FILE",
        "ollama:MODEL", "vllm:MODEL") is free unless it is listed. A name is never taken for
        another one's that it merely begins like.
        """
        listed = self.models.get(model_name) or self.models.get(_SNAPSHOT.sub("", model_name))
        if listed is None and model_name.partition(":")[0] in _FREE:
            return FREE
        return listed

    def cost_usd(self, model_name: str, usage: Usage) -> Decimal | None:
        """Return what `usage` cost with a model, in US dollars; None where no price is known."""
        price = self.price(model_name)
        return None if price is None else price.of(usage)


@cache
def published_prices() -> Prices:
    """Return the prices that come with db-agent."""
    return _read(_OURS)


def read_prices(path: Path | None) -> Prices:
    """Return the published prices, with those of the file at `path`, TOML or JSON, before them.

    Raises `SettingsInvalid`, which says what is wrong with the file and where.
    """
    if path is None:
        return published_prices()
    return Prices({**published_prices().models, **_read(path).models})


def dollars(amount: Decimal) -> str:
    """Return an amount in full, with cents at least: "$2.00", "$0.0025", "$1,000.00"."""
    _, digits, exponent = amount.normalize().as_tuple()
    decimals = max(2, -exponent) if digits and isinstance(exponent, int) else 2
    return f"${amount:,.{decimals}f}"


_Dollars = Annotated[Decimal, Field(ge=0, le=100_000)]


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid")

    input: _Dollars
    output: _Dollars
    cache_read: _Dollars | None = None
    cache_write: _Dollars | None = None

    def as_of(self, day: date) -> Price:
        read, write = self.cache_read, self.cache_write
        return Price(
            self.input,
            self.output,
            self.input if read is None else read,
            self.input if write is None else write,
            day,
        )


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    as_of: date
    source: str = ""
    models: dict[str, _Row]


def _read(path: Path) -> Prices:
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors put a mark before it
        if path.suffix.lower() == ".json":
            raw = json.loads(text, parse_float=Decimal)
        else:
            raw = tomllib.loads(text, parse_float=Decimal)
        table = _File.model_validate(raw)
    except OSError as error:
        reason = error.strerror or str(error)
        raise SettingsInvalid(f"{SETTING}: {path} cannot be read: {reason}.") from error
    except (ValueError, RecursionError) as error:
        wrong = f"{SETTING}: {path} is no list of prices: {_first_problem(error)}. {_SHAPE}."
        raise SettingsInvalid(wrong) from error
    return Prices({name: row.as_of(table.as_of) for name, row in table.models.items()})


def _first_problem(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, ValidationError):
        problem = error.errors(include_url=False)[0]
        return f"{'.'.join(map(str, problem['loc'])) or 'the file'}: {problem['msg']}"
    return str(error)
