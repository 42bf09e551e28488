"""What a model and its server may do: one question, and every way to come to an answer or not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agent.messages import Outcome

from .wording import Fails, Says, Scenario, Turns, call, sql

COUNT = "SELECT count(*) AS films FROM film"
BY_RATING = "SELECT rating, count(*) AS films FROM film GROUP BY rating ORDER BY films DESC"
RATINGS = (("PG", 326), ("PG-13", 253), ("G", 223), ("R", 153), ("NC-17", 36), (None, 9))
LOOK = call("get_schema", table_name="film")
RIGHT = Says("There are 1,000 films.")
SPEC: dict[str, Any] = {"result": 1, "title": "Films", "mark": "bar"}
SPEC["encoding"] = {"x": {"field": "rating"}, "y": {"field": "films"}}
DRAW = call("generate_chart", spec=SPEC)
TWO = Says("Plan:\n1. Look.", (*LOOK.calls, ("find_tables", {"words": "rental"})))
FAULT = Outcome.SYSTEM_FAULT


def answered(way: str, *says: Says | Fails, open_end: bool = False) -> Scenario:
    """Return a scenario that ends well; an open end is the query and the answer."""
    end: Turns = (sql(COUNT), RIGHT) if open_end else ()
    return Scenario(Outcome.ANSWERED, (*says, *end), way)


def unanswered(outcome: Outcome, way: str, *says: Says | Fails) -> Scenario:
    """Return a scenario without an answer."""
    return Scenario(outcome, says, way, answer="", rows=(), figures=0)


def opened(way: str, *says: Says) -> Scenario:
    """Return a scenario that is about its beginning."""
    return answered(way, *says, open_end=True)


WHAT_MODELS_DO: dict[str, Scenario] = {
    "a plain count": answered("PAOTAOTC✓", LOOK, sql(COUNT), RIGHT),
    "a plan and two calls in one turn": answered("PAOTAOTC✓", TWO, sql(COUNT), RIGHT),
    "a plan in a turn of its own": answered(
        "PTAOTAOTC✓", Says("Plan:\n1. Count."), LOOK, sql(COUNT), RIGHT
    ),
    "words beside a call": answered(
        "PAOTAOTC✓", Says("Let me look.", LOOK.calls), sql(COUNT), RIGHT
    ),
    "a query that fails": opened("PAOTAOTAOTC✓", LOOK, sql("SELECT x FROM film")),
    "a query that is refused": opened("PAOTAOTAOTC✓", LOOK, sql("DELETE FROM film")),
    "a table that there is not": opened(
        "PAOTAOTAOTC✓", call("get_schema", table_name="flim"), LOOK
    ),
    "arguments that are no object": opened(
        "PAOTAOTAOTC✓", Says(calls=(("get_schema", "film"),)), LOOK
    ),
    "arguments that do not fit": opened("PAOTAOTAOTC✓", call("get_schema", table="film"), LOOK),
    "a tool that there is not": opened("PAOTAOTAOTC✓", call("drop_table", name="film"), LOOK),
    "a tool before its time": opened("PAOTAOTAOTC✓", sql(COUNT), LOOK),
    "a turn that was cut off": opened("POTAOTAOTC✓", Says("There ar", cut=True), LOOK),
    "a call that was cut off": opened("POTAOTAOTC✓", Says(calls=LOOK.calls, cut=True), LOOK),
    "an empty turn": opened("POTAOTAOTC✓", Says(), LOOK),
    "a figure from nowhere": answered(
        "PAOTAOTCBTC✓", LOOK, sql(COUNT), Says("There are 1,200 films."), RIGHT
    ),
    "a chart": replace(
        answered("PAOTAOTAOTC✓", LOOK, sql(BY_RATING), DRAW, Says("Shown.")),
        answer="Shown.",
        rows=RATINGS,
        figures=0,
        charts=1,
        question="films by rating as a bar chart",
    ),
    "overload that passes": answered(
        "PAOTAOTC✓", Fails("overloaded"), LOOK, Fails("broken"), sql(COUNT), RIGHT
    ),
    "a question back": replace(
        unanswered(
            Outcome.NEEDS_CLARIFICATION, "PAO?", call("ask_user", question="By which figure?")
        ),
        answer="By which figure?",
        question="best customers",
    ),
    "nothing but nonsense": unanswered(
        Outcome.FAILED, "PAOTAOBTAO✗", *3 * (Says(calls=(("nothing", "no"),)),)
    ),
    "a refusal": unanswered(Outcome.FAILED, "P✗", Says(declined=True)),
    "a wrong key": unanswered(FAULT, "P✗", Fails("wrong key")),
    "a model that there is not": unanswered(FAULT, "P✗", Fails("no model")),
    "no credit": unanswered(FAULT, "PAOT✗", LOOK, Fails("no credit")),
    "too large": replace(
        unanswered(FAULT, "PAOTAOT✗", LOOK, sql(COUNT), Fails("too large")), rows=((1000,),)
    ),
    "a limit that lasts": unanswered(FAULT, "P✗", Fails("limited")),
}
