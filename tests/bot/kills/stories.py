"""What a question makes the model say, turn by turn, and how its card has to end."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Block = dict[str, Any]
CASE = re.compile(r"\bcase [a-z]+\b")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def case_of(number: int) -> str:
    """Return the words that name the question with this number: figures would have to be proved."""
    letters = ""
    for _ in range(4):  # all as long, so that none is the beginning of another
        number, at = divmod(number, len(_LETTERS))
        letters = _LETTERS[at] + letters
    return f"case {letters}"


def use(tool: str, **arguments: Any) -> Block:
    """Return a call of a tool; the server gives it its id."""
    return {"type": "tool_use", "name": tool, "input": arguments}


def look(case: str) -> Block:
    return use("get_schema", table_name="payment")


def query(case: str) -> Block:
    return use("execute_read_only_sql", query=_SUM.format(case=case))


def slow_query(case: str) -> Block:
    """A tenth of a second of work for the server, and more where it has much to do."""
    return use("execute_read_only_sql", query=_SLOW_SUM.format(case=case))


def wrong_query(case: str) -> Block:
    """One that the server refuses."""
    return use("execute_read_only_sql", query=_SUM.format(case=case).replace("amount", "amounts"))


def two_queries(case: str) -> list[Block]:
    """Both in one turn."""
    count = _SUM.format(case=case).replace("sum(amount)", "count(*)")
    return [query(case), use("execute_read_only_sql", query=count)]


def chart(case: str) -> Block:
    spec = {
        "result": 1,
        "title": "Revenue by staff",
        "mark": "bar",
        "encoding": {"x": {"field": "staff_id"}, "y": {"field": "revenue"}},
    }
    return use("generate_chart", spec=spec)


def answer(case: str) -> str:
    return f"Number 4 took the most, 15,724.73, in {case}."


def ask_back(case: str) -> Block:
    choices = ["revenue", "rentals"]
    return use("ask_user", question=f"Revenue or rentals, in {case}?", options=choices)


Said = Callable[[str], Block | list[Block] | str]
_SUM = (
    "SELECT staff_id, sum(amount) AS revenue FROM payment WHERE '{case}' <> '' "
    "GROUP BY 1 ORDER BY 1"
)
_SLOW_SUM = (
    "SELECT staff_id, sum(amount) AS revenue FROM payment WHERE '{case}' <> '' AND 0 < "
    "(SELECT count(*) FROM inventory, category AS a, category AS b, store) "
    "GROUP BY 1 ORDER BY 1"
)


@dataclass(frozen=True)
class Story:
    """A question, what the model says to it, and what comes of it where nothing dies."""

    says: Sequence[Said]
    """The turns of the model; the last is said again where the checks ask for it."""
    ends: str = "Number 4 took the most, 15,724.73, in {case}."
    """Words of its card."""
    outcome: str = "answered"
    words: str = "revenue by staff"
    is_judged_right: bool = True
    turns: int = 0
    """How many turns it takes, where it is not one for each thing that is said."""
    verdicts: int = 1
    queries: int = 1
    is_drawn: bool = False

    def asked(self, case: str) -> str:
        """Return the question."""
        return f"{self.words}, {case}"

    @property
    def turns_in_all(self) -> int:
        """How often the model is asked, the judge's turns among it."""
        return (self.turns or len(self.says)) + self.verdicts


STORIES: Mapping[str, Story] = {
    "plain": Story((look, query, answer)),
    "slow query": Story((look, slow_query, answer)),
    "two queries": Story((look, two_queries, answer), queries=2),
    "wrong query": Story((look, wrong_query, query, answer), queries=2),
    "chart": Story(
        (look, query, chart, answer), words="revenue by staff, as a bar chart", is_drawn=True
    ),
    "asked back": Story(
        (look, ask_back),
        ends="Revenue or rentals, in {case}?",
        outcome="needs_clarification",
        verdicts=0,
        queries=0,
    ),
    "escalated": Story(
        (look, query, answer),
        ends="It leaves out who sold most.",
        outcome="escalated",
        is_judged_right=False,
        turns=5,
        verdicts=3,
    ),
}
