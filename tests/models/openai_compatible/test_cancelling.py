"""A run that is cancelled while a model is being asked ends at once, whoever is asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agent import giving_up
from agent.charts.renderer import ProcessRenderer
from agent.database.postgres import PostgresDatabase
from agent.judge import ModelJudge
from agent.messages import AgentResult, Outcome
from agent.models.claude import ClaudeModel
from agent.models.openai_compatible import PRESETS
from agent.models.openai_compatible.model import OpenAICompatibleModel
from agent.models.taking_over import TakingOver
from agent.protocols import Model
from agent.run import Agent

CLAUDE_KEY = "sk-ant-test-0123456789abcdef"
KEY = "sk-test-0123456789abcdef"
SLOW_S = 20.0


@pytest.fixture(scope="module")
def parts(demo_database_url: str) -> Iterator[tuple[PostgresDatabase, ProcessRenderer]]:
    database, renderer = PostgresDatabase(demo_database_url), ProcessRenderer()
    yield database, renderer
    renderer.close()
    database.close()


@pytest.fixture
def chat(start_server: Callable[[str], Any]) -> Any:
    return start_server("groq")


def claude(api: Any, first_wait_s: float = 0.01) -> ClaudeModel:
    return ClaudeModel(CLAUDE_KEY, base_url=api.url, first_wait_s=first_wait_s)


def groq(chat: Any, first_wait_s: float = 0.01) -> OpenAICompatibleModel:
    preset = PRESETS["groq"]
    return OpenAICompatibleModel(
        preset, "small", api_key=KEY, base_url=chat.url, first_wait_s=first_wait_s
    )


def cancelled_when(
    reached: Callable[[], bool], model: Model, parts: Any, **options: Any
) -> tuple[AgentResult, float]:
    """Run, cancel once `reached`, and return the result and the seconds from there to the end."""
    cancelled, at = threading.Event(), [0.0]

    def cancel() -> None:
        while not reached():
            time.sleep(0.01)
        at[0] = time.monotonic()
        cancelled.set()

    threading.Thread(target=cancel, daemon=True).start()
    result = Agent(model, *parts, **options).run("How many films are there?", cancelled=cancelled)
    return result, time.monotonic() - at[0]


@pytest.mark.parametrize("who", ["claude", "groq"])
def test_a_call_under_way_is_left_behind(who: str, api: Any, chat: Any, parts: Any) -> None:
    api.say("1", delay_s=SLOW_S)
    chat.say("1", delay_s=SLOW_S)
    server, model = (api, claude(api)) if who == "claude" else (chat, groq(chat))
    result, seconds = cancelled_when(lambda: bool(server.requests), model, parts)
    assert (result.outcome, seconds < 1) == (Outcome.CANCELLED, True)
    assert result.usage.input_tokens == 0
    assert result.trail[-1].trigger == "The run was cancelled."


@pytest.mark.parametrize("who", ["claude", "groq"])
def test_a_pause_before_a_retry_ends_and_nothing_is_tried_again(
    who: str, api: Any, chat: Any, parts: Any
) -> None:
    server, model = (api, claude(api, 0.6)) if who == "claude" else (chat, groq(chat, 0.6))
    server.fail(503, "Busy.")
    server.say("Too late.")
    result, seconds = cancelled_when(lambda: bool(server.requests), model, parts)
    assert (result.outcome, seconds < 0.5) == (Outcome.CANCELLED, True)
    time.sleep(1)
    assert len(server.requests) == 1


def test_no_second_model_takes_over_a_run_that_was_cancelled(
    api: Any, chat: Any, parts: Any
) -> None:
    api.fail(503, "Busy.")
    model = TakingOver(claude(api, 30), groq(chat))
    result, seconds = cancelled_when(lambda: bool(api.requests), model, parts)
    assert (result.outcome, seconds < 1) == (Outcome.CANCELLED, True)
    time.sleep(0.3)
    assert not chat.requests


def test_a_judge_under_way_is_left_behind(api: Any, chat: Any, parts: Any) -> None:
    api.say("There are films.")
    chat.say("Hm.", delay_s=SLOW_S)
    judge = ModelJudge(groq(chat))
    result, seconds = cancelled_when(lambda: bool(chat.requests), claude(api), parts, judge=judge)
    assert (result.outcome, seconds < 1) == (Outcome.CANCELLED, True)
    assert result.answer == ""


def test_no_more_than_a_few_calls_are_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(giving_up, "_left_behind", threading.BoundedSemaphore(2))
    cancelled, go_on = threading.Event(), threading.Event()
    cancelled.set()
    for _ in range(2):
        with pytest.raises(giving_up.GivenUp):
            giving_up.unless_cancelled(go_on.wait, cancelled)
    third = threading.Event()
    threading.Timer(0.5, third.set).start()
    assert giving_up.unless_cancelled(third.wait, cancelled)  # this one had to be waited for
    go_on.set()
    deadline = time.monotonic() + 10
    while True:  # until the places of the two are free again
        try:
            giving_up.unless_cancelled(lambda: time.sleep(0.5), cancelled)
        except giving_up.GivenUp:
            break
        assert time.monotonic() < deadline
