"""A chart that was tried and not drawn costs the picture, says so, and never costs the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from agent.errors import ChartRejected
from agent.messages import Outcome
from agent.run import Agent
from agent.testing import ScriptedModel, call, text
from agent.warnings import NO_CHART_CAVEAT

MakeAgent = Callable[..., Agent]

LOOK = call("get_schema", table_name="film")
COUNT = call("execute_read_only_sql", query="SELECT count(*) AS films, 'all' AS kind FROM film")
BARS = {"mark": "bar", "encoding": {"x": {"field": "kind"}, "y": {"field": "films"}}}
DRAW = call("generate_chart", spec=BARS)
ANSWER = text("There are 1,000 films.")


class Draws:
    """A renderer that fails so many times, and draws then."""

    def __init__(self, failing: int) -> None:
        self._left = failing

    def render(self, spec: dict[str, object]) -> bytes:
        self._left -= 1
        if self._left >= 0:
            raise ChartRejected("Too many charts are waiting to be drawn.")
        return b"\x89PNG\r\n\x1a\n"


def test_an_answer_without_its_chart_says_so(make_agent: MakeAgent) -> None:
    agent = make_agent(ScriptedModel(LOOK, COUNT, DRAW, ANSWER))
    result = replace(agent, renderer=Draws(failing=9)).run("films as a bar chart")
    assert (result.outcome, result.failed) == (Outcome.ANSWERED, False)
    assert result.answer == "There are 1,000 films."
    assert result.charts == ()
    assert result.caveats == (NO_CHART_CAVEAT,)


def test_a_chart_that_came_out_at_last_is_not_missed(make_agent: MakeAgent) -> None:
    simpler = call("generate_chart", spec={**BARS, "title": "Films"})
    agent = make_agent(ScriptedModel(LOOK, COUNT, DRAW, simpler, ANSWER))
    result = replace(agent, renderer=Draws(failing=1)).run("films as a bar chart")
    assert len(result.charts) == 1
    assert result.caveats == ()


def test_it_is_said_once(make_agent: MakeAgent) -> None:
    says_so = text(f"There are 1,000 films. {NO_CHART_CAVEAT}")
    agent = make_agent(ScriptedModel(LOOK, COUNT, DRAW, says_so))
    result = replace(agent, renderer=Draws(failing=9)).run("films as a bar chart")
    assert result.caveats == ()


def test_why_there_is_none_is_said_in_words(make_agent: MakeAgent) -> None:
    rows = call("execute_read_only_sql", query="SELECT rating, length FROM film LIMIT 50")
    pie = {"mark": "arc", "encoding": {"theta": {"field": "length"}, "color": {"field": "rating"}}}
    model = ScriptedModel(LOOK, rows, call("generate_chart", spec=pie), text("Here they are."))
    (caveat,) = make_agent(model).run("as a pie").caveats[-1:]
    assert caveat == (
        "The chart could not be drawn: a pie needs one slice for each rating, and there are "
        "several rows for some."
    )
