"""Where money is kept: an amount, or a price and a quantity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.models.offline.atlas import Atlas
from agent.models.offline.draft import Asked
from agent.models.offline.frame import Figure, Spot, Unclear
from agent.models.offline.places import Places
from agent.models.offline.reading import name_words
from agent.models.offline.thesaurus import PRICE_WORDS, QUANTITY_WORDS
from agent.models.offline.units import currency

AGG_WORDS: Final = {
    "avg": "average",
    "sum": "total",
    "min": "lowest",
    "max": "highest",
    "median": "median",
}


@dataclass(frozen=True)
class Money:
    """A column of money, or a price to be multiplied by a quantity, in one table."""

    table: str
    columns: tuple[str, ...]
    discount: str = ""
    score: float = 1.0


def money_sources(atlas: Atlas) -> tuple[Money, ...]:
    """Return where money that changed hands may be recorded, the likeliest first."""
    found: list[Money] = []
    for table in atlas.tables:
        penalty = 0.5 if atlas.is_view(table) else 0.0
        for column in atlas.tables[table].columns:
            score = _money_score(atlas, table, column)
            if score:
                found.append(Money(table, (column,), score=score - penalty))
        product = _product(atlas, table)
        if product:
            found.append(Money(table, product[0], product[1], 0.85 - penalty))
    return tuple(sorted(found, key=lambda money: -money.score))


def _money_score(atlas: Atlas, table: str, column: str) -> float:
    if atlas.tables[table].complete and not atlas.is_numeric(table, column):
        return 0.0
    words = name_words(column)
    joined = " ".join(words)
    if joined in (
        "amount",
        "revenu",
        "sale",
        "total amount",
        "total price",
        "grand total",
        "total revenu",
        "total sale",
        "sale amount",
        "order total",
        "sale price",
        "net amount",
        "payment amount",
        "line total",
        "subtotal",
    ):
        return 1.0 if joined != "sale price" else 0.9
    if joined == "total":
        return 0.95
    return 0.8 if words[-1:] == ("amount",) and len(words) == 2 else 0.0


def _product(atlas: Atlas, table: str) -> tuple[tuple[str, str], str] | None:
    columns = atlas.tables[table].columns
    prices = [
        c
        for c in columns
        if set(name_words(c)) & PRICE_WORDS and not set(name_words(c)) & {"rate", "amount"}
    ]
    quantities = [
        c
        for c in columns
        if set(name_words(c)) & QUANTITY_WORDS and len(name_words(c)) <= 2 and c not in prices
    ]
    if len(prices) != 1 or len(quantities) != 1:
        return None
    # A stock list has prices and quantities too; a sale points at what was sold.
    if not any(key.table == table for key in atlas.all_keys):
        return None
    if any(set(name_words(c)) & {"stock", "order", "reorder"} for c in columns if c in quantities):
        return None
    discount = next((c for c in columns if name_words(c) == ("discount",)), "")
    return (prices[0], quantities[0]), discount


def money_figure(asked: Asked, places: Places, needed: Sequence[str], atlas: Atlas) -> Figure:
    """Return the figure for money words; the source is the one that splits by all that is `needed`.

    Raises `Unclear` where no column holds money, or two hold it equally well.
    """
    sources = [
        s for s in money_sources(atlas) if s.score > 0.3 or not money_sources(atlas)[0].score > 0.3
    ]
    if asked.noun is not None and asked.noun.best.kind == "table":
        sources = [s for s in sources if s.table == asked.noun.best.table]
    sources = [s for s in sources if all(atlas.distance(s.table, t) < float("inf") for t in needed)]
    if not sources:
        word = asked.noun.text if asked.noun else "money"
        raise Unclear(f"I found no column that holds “{word}”. Which figure do you mean?", ())
    ranked = sorted(
        sources,
        key=lambda s: (
            _downs(s, needed, atlas),
            -s.score,
            sum(atlas.distance(s.table, t) for t in needed),
        ),
    )
    best = ranked[0]
    return _money(asked, best, places, atlas)


def _downs(source: Money, needed: Sequence[str], atlas: Atlas) -> int:
    count = 0
    for table in needed:
        ways = atlas.paths(source.table, table)
        count += any(
            not step.up and not atlas.is_link(step.target) for step in (ways[0] if ways else ())
        )
    return count


def _money(asked: Asked, source: Money, places: Places, atlas: Atlas) -> Figure:
    agg = asked.agg or "sum"
    word = (
        asked.noun.text.lower()
        if asked.noun is not None and asked.noun.best.kind == "money"
        else "amount"
    )
    spots = tuple(Spot((), source.table, column) for column in source.columns)
    formula = " × ".join(f"{plain_name(source.table)}.{column}" for column in source.columns)
    if source.discount:
        formula += f", less the {source.discount}"
    verb = AGG_WORDS.get(agg, agg)
    if asked.noun is not None and asked.noun.best.kind == "money":
        places.note(f"{word} = {'sum' if agg == 'sum' else verb} of {formula}")
    label = _money_label(word, agg)
    sign = currency(atlas.column(source.table, source.columns[0]))
    if len(spots) == 1:
        return Figure(
            agg,
            source.table,
            spots[0],
            label=label,
            words=_money_words(word, agg),
            money=True,
            currency=sign,
            outer=asked.outer,
        )
    discount = Spot((), source.table, source.discount) if source.discount else None
    return Figure(
        agg,
        source.table,
        None,
        factors=spots,
        discount=discount,
        label=label,
        words=_money_words(word, agg),
        money=True,
        currency=sign,
        outer=asked.outer,
    )


_NOUNLIKE: Final = frozenset(
    {
        "revenue",
        "sales",
        "income",
        "earnings",
        "turnover",
        "takings",
        "proceeds",
        "receipts",
        "spending",
        "amount",
    }
)


def _money_label(word: str, agg: str) -> str:
    noun = word if word in _NOUNLIKE else "amount"
    if agg == "sum":
        return f"total_{noun}" if noun == "amount" else noun
    return f"{AGG_WORDS.get(agg, agg)}_{noun}"


def _money_words(word: str, agg: str) -> str:
    noun = word if word in _NOUNLIKE else "amount"
    return f"total {noun}" if agg == "sum" else f"{AGG_WORDS.get(agg, agg)} {noun}"


def plain_name(name: str) -> str:
    """Return a table's name without its schema and quotes."""
    return name.rsplit(".", 1)[-1].strip('"')
