"""What a run may meet, whoever speaks: other questions, troubles around it, judges and limits."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from agent.messages import Outcome

from .what_models_do import BY_RATING, COUNT, DRAW, LOOK, RATINGS, RIGHT, answered, unanswered
from .wording import Rows, Says, Scenario, call, sql

CAVEATS = Outcome.ANSWERED_WITH_CAVEATS
IN_2025 = (
    "SELECT count(*) AS rentals FROM rental "
    "WHERE rental_date >= DATE '2025-01-01' AND rental_date < DATE '2026-01-01'"
)
IN_1999 = (
    "SELECT {} FROM rental "
    "WHERE rental_date >= DATE '1999-03-01' AND rental_date < DATE '1999-04-01'{}"
)
AT_RENTAL = call("get_schema", table_name="rental")
AT_PAYMENT = call("get_schema", table_name="payment")
FILMS = "SELECT film_id, title, release_year, rental_duration, rental_rate FROM film ORDER BY title"
TOP_CUSTOMERS = (
    "SELECT c.first_name || ' ' || c.last_name AS customer, count(*) AS rentals, c.customer_id, "
    "c.first_name, c.last_name FROM rental r JOIN customer c USING (customer_id) "
    "GROUP BY c.customer_id ORDER BY rentals DESC, customer LIMIT 10"
)
WRITE = call("ask_user", question="I can only read. What would you like to know?")


def other(question: str, rows: Rows | int, answer: str, *says: Says, figures: int = 1) -> Scenario:
    """Return a scenario of another question, answered after a look and a query."""
    plain = answered("PAOTAOTC✓", *says, Says(answer))
    return replace(plain, question=question, rows=rows, answer=answer, figures=figures)


def count_in(
    world: str, *, way: str = "PAOTAOTC✓", outcome: Outcome = Outcome.ANSWERED
) -> Scenario:
    """Return the plain count in another world."""
    return replace(answered(way, LOOK, sql(COUNT), RIGHT), world=world, outcome=outcome)


def ended_in(world: str, outcome: Outcome, way: str, *says: Says) -> Scenario:
    """Return a run that ends early in a world."""
    return replace(unanswered(outcome, way, *says), world=world)


WITHOUT_CHART = "PG leads with 326 films. The chart could not be drawn."
GROUPED = other("films by rating", RATINGS, "PG leads with 326 films.", LOOK, sql(BY_RATING))

WHAT_RUNS_MEET: dict[str, Scenario] = {
    "a total": other(
        "total revenue",
        ((Decimal("65963.37"),),),
        "The revenue is $65,963.37.",
        AT_PAYMENT,
        sql("SELECT sum(amount) AS revenue FROM payment"),
    ),
    "groups": GROUPED,
    "a period": other(
        "how many rentals in 2025?",
        ((8870,),),
        "There were 8,870 rentals.",
        AT_RENTAL,
        sql(IN_2025),
    ),
    "no such rows": replace(
        other(
            "list rentals in march 1999 by customer 10",
            (),
            "There are no such rentals.",
            AT_RENTAL,
            sql(IN_1999.format("rental_id", " AND customer_id = 10")),
            figures=0,
        ),
        outcome=Outcome.NO_DATA,
    ),
    "a count of nothing": replace(
        other(
            "how many rentals in march 1999?",
            ((0,),),
            "There are 0 rentals.",
            AT_RENTAL,
            sql(IN_1999.format("count(*) AS rentals", "")),
        ),
        outcome=CAVEATS,
    ),
    "more rows than are read": replace(
        other("list all films", 100, "Here are the first films.", LOOK, sql(FILMS), figures=0),
        outcome=CAVEATS,
        world="few rows are read",
    ),
    "asked to write": replace(
        unanswered(Outcome.NEEDS_CLARIFICATION, "PAO?", WRITE),
        answer="I can only read. What would you like to know?",
        question="delete all films",
    ),
    "a word that nobody knows": replace(
        unanswered(
            Outcome.NEEDS_CLARIFICATION, "PAO?", call("ask_user", question="What is a zodiac sign?")
        ),
        answer="What is a zodiac sign?",
        question="revenue by zodiac sign",
    ),
    "a follow-up": replace(
        other(
            "only PG-13",
            (("PG-13", 253),),
            "There are 253 films.",
            LOOK,
            sql(
                "SELECT rating, count(*) AS films FROM film WHERE rating = 'PG-13' GROUP BY rating"
            ),
        ),
        world="after films by rating",
    ),
    "an answer to a question back": replace(
        other("by number of rentals", 10, "Here they are.", sql(TOP_CUSTOMERS), figures=0),
        world="after a question back",
        way="PAOTC✓",
    ),
    "a database out of reach": ended_in(
        "the database is out of reach", Outcome.SYSTEM_FAULT, "PA✗", LOOK
    ),
    "a database that goes away": ended_in(
        "the database goes away", Outcome.SYSTEM_FAULT, "PAOTA✗", LOOK, sql(COUNT)
    ),
    "a query that takes too long": replace(
        GROUPED,
        says=(LOOK, sql(f"{BY_RATING}, rating"), *GROUPED.says[1:]),
        way="PAOTAOTAOTC✓",
        world="the first query takes too long",
    ),
    "a table that is locked at first": replace(
        answered("PAOTAOTAOTC✓", LOOK, sql(COUNT), sql(COUNT), RIGHT),
        world="a table is locked at first",
    ),
    "cancelled before it begins": ended_in("cancelled before it begins", Outcome.CANCELLED, "P■"),
    "cancelled in the middle": ended_in(
        "cancelled at the first look", Outcome.CANCELLED, "PAO■", LOOK
    ),
    "no time left": ended_in("time runs out", Outcome.FAILED, "PAO✗", LOOK),
    "a ceiling in money": ended_in("the ceiling is met", Outcome.FAILED, "P✗"),
    "a ceiling in money met on the way": replace(
        ended_in(
            "the ceiling is met after two calls", Outcome.FAILED, "PAOTAOT✗", LOOK, sql(COUNT)
        ),
        rows=((1000,),),
    ),
    "a judge that agrees": count_in("the judge agrees"),
    "a judge that refuses once": replace(
        answered("PAOTAOTCBTC✓", LOOK, sql(COUNT), RIGHT, RIGHT), world="the judge refuses once"
    ),
    "a judge that refuses all": replace(
        unanswered(Outcome.ESCALATED, "PAOTAOTCBTCBTC!", LOOK, sql(COUNT), RIGHT, RIGHT, RIGHT),
        rows=((1000,),),
        figures=1,
        world="the judge refuses all",
    ),
    "no judge to be had": count_in("no judge is there", outcome=CAVEATS),
    "a chart that cannot be drawn": replace(
        GROUPED,
        says=(LOOK, sql(BY_RATING), DRAW, Says(WITHOUT_CHART)),
        answer=WITHOUT_CHART,
        way="PAOTAOTAOTC✓",
        question="films by rating as a bar chart",
        world="no chart can be drawn",
    ),
    "a bug in our own code": replace(
        unanswered(Outcome.SYSTEM_FAULT, "PAOTAOTA✗", LOOK, sql(BY_RATING), DRAW),
        rows=RATINGS,
        question="films by rating as a bar chart",
        world="drawing breaks",
    ),
}
