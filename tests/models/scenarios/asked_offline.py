"""The scenarios as the offline model meets them: it follows no script, but is asked the question.

The outcome, the rows and the charts are the scenario's; its words and its way are its own.
"""

from __future__ import annotations

from dataclasses import dataclass

PLAIN = "PAOTAOTAOTC✓"
"""A search, a look, a query, the answer."""
MENDED = "PAOTAOTAOTAOTC✓"
"""The same, but the first query fails."""
COUNTED = "There are 1,000 films."
READ_AS = "Read as: dates are those of rental.rental_date."
BY_RATING = (
    "Number of films by rating, highest first: PG (326), PG-13 (253), G (223); 6 ratings in all."
)


@dataclass(frozen=True)
class Asked:
    """How the offline model answers."""

    way: str
    answer: str = ""
    question: str = ""
    """Empty: the scenario's own; so is the world."""
    world: str = ""
    is_ordered: bool = True
    """The rows come in the order of the scenario's."""


ASKED: dict[str, Asked] = {
    "a plain count": Asked(PLAIN, COUNTED),
    "a plan and two calls in one turn": Asked(
        PLAIN, COUNTED, question="how many films have a language?"
    ),
    "words beside a call": Asked(PLAIN, COUNTED),
    "a query that fails": Asked(MENDED, COUNTED, world="a table is locked at first"),
    "a table that there is not": Asked(PLAIN, COUNTED, question="how many filmes are there?"),
    "a chart": Asked("PAOTAOTAOTAOTC✓", BY_RATING),
    "a question back": Asked("PAOTAOTAO?", "By which figure shall I rank?"),
    "a total": Asked(
        PLAIN, "The total revenue is $65,963.37. Read as: revenue = sum of payment.amount."
    ),
    "groups": Asked(PLAIN, BY_RATING),
    "a period": Asked(PLAIN, f"There are 8,870 rentals (2025). {READ_AS}"),
    "no such rows": Asked(PLAIN, f"There are no rentals with customer 10 (March 1999). {READ_AS}"),
    "a count of nothing": Asked(PLAIN, f"There are no rentals (March 1999). {READ_AS}"),
    "more rows than are read": Asked(
        PLAIN,
        "At least 100 films: "
        "Accidental Casserole, Accidental Dentist, Accidental Plumber and more.",
    ),
    "asked to write": Asked(
        "PAO?", "I can only read the data, never change it. What would you like to know about it?"
    ),
    "a word that nobody knows": Asked(
        "PAOTAOTAOTAOTAOTAO?",
        "I do not know what “zodiac” means in this database. Could you put it differently?",
    ),
    "a follow-up": Asked(
        PLAIN, "Number of films by rating with rating PG-13, highest first: PG-13 (253)."
    ),
    "an answer to a question back": Asked(
        "PAOTAOTC✓",
        "Number of rentals by customer, the 10 highest: Frieda Schröder (183), Inès Besson (164), "
        "João Magalhães (160) and more.",
    ),
    "a database out of reach": Asked("PA✗"),
    "a database that goes away": Asked("PAOTAOTA✗"),
    "a query that takes too long": Asked(
        MENDED,
        "Number of films by rating: R (153), no value (9), PG-13 (253); 6 ratings in all.",
        is_ordered=False,
    ),
    "a table that is locked at first": Asked(MENDED, COUNTED),
    "cancelled before it begins": Asked("P■"),
    "cancelled in the middle": Asked("PAO■"),
    "no time left": Asked("PAO✗"),
    "a ceiling in money": Asked("P✗"),
    "a ceiling in money met on the way": Asked(
        "PAOTAOTAOT✗", world="the ceiling is met after three calls"
    ),
    "a judge that agrees": Asked(PLAIN, COUNTED),
    "a judge that refuses once": Asked("PAOTAOTAOTCBTC✓", "Found for films: film count 1000."),
    "a judge that refuses all": Asked("PAOTAOTAOTCBTCBTC!"),
    "no judge to be had": Asked(PLAIN, COUNTED),
    "a chart that cannot be drawn": Asked(
        "PAOTAOTAOTAOTC✓", f"{BY_RATING} The chart could not be drawn."
    ),
    "a bug in our own code": Asked("PAOTAOTAOTA✗"),
}

NO_SERVER = "It has no server that could refuse it, or be busy."
WELL_FORMED = "Its calls are made by rules: each fits its tool, and comes in its time."
ENDS = "It says each turn to its end, and never says nothing."
EXCEPTIONS: dict[str, str] = {
    "a plan in a turn of its own": "It plans beside its first call.",
    "a query that is refused": "Its queries only read; asked to write, it says that it only reads.",
    "arguments that are no object": WELL_FORMED,
    "arguments that do not fit": WELL_FORMED,
    "a tool that there is not": WELL_FORMED,
    "a tool before its time": WELL_FORMED,
    "nothing but nonsense": WELL_FORMED,
    "a turn that was cut off": ENDS,
    "a call that was cut off": ENDS,
    "an empty turn": ENDS,
    "a refusal": ENDS,
    "a figure from nowhere": "Its figures are copied from the rows.",
    "overload that passes": NO_SERVER,
    "a wrong key": NO_SERVER,
    "a model that there is not": NO_SERVER,
    "no credit": NO_SERVER,
    "too large": NO_SERVER,
    "a limit that lasts": NO_SERVER,
}
"""What the offline model cannot meet, and why not."""
