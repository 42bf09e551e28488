"""A question back may say something on the side; a figure that no row supports is named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.messages import Outcome
from agent.run import Agent
from agent.testing import ScriptedModel, call

MakeAgent = Callable[..., Agent]

LOOK = call("get_schema", table_name="film")
COUNT = call("execute_read_only_sql", query="SELECT count(*) AS films FROM film")


def test_a_figure_that_a_question_back_makes_up_is_named(make_agent: MakeAgent) -> None:
    asked = call("ask_user", question="The revenue was $1,246.71. Which year do you mean?")
    result = make_agent(ScriptedModel(LOOK, asked)).run("what is the revenue?")
    assert result.outcome is Outcome.NEEDS_CLARIFICATION
    assert result.warnings == ("No row of a query supports “$1,246.71”.",)


@pytest.mark.parametrize(
    "question",
    ["Do you mean the top 5, or the top 10?", "I cannot read “1,234”. Could you put it otherwise?"],
)
def test_a_figure_that_is_offered_or_repeated_is_not(make_agent: MakeAgent, question: str) -> None:
    model = ScriptedModel(LOOK, call("ask_user", question=question))
    assert make_agent(model).run("top films by 1,234?").warnings == ()


def test_a_figure_that_was_found_may_be_said(make_agent: MakeAgent) -> None:
    asked = call("ask_user", question="There are 1,000 films. Of which year do you want them?")
    assert make_agent(ScriptedModel(LOOK, COUNT, asked)).run("the films?").warnings == ()
