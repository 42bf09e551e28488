"""A second model takes over from one that is out of reach: over real HTTP, with the real loop."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any

import pytest

from agent.charts.renderer import ProcessRenderer
from agent.database.postgres import PostgresDatabase
from agent.errors import ModelUnavailable, SettingsInvalid
from agent.judge import ModelJudge
from agent.messages import AgentResult, Outcome, ToolSpec, Turn, UserMessage
from agent.models import make_models
from agent.models.claude import ClaudeModel
from agent.models.offline import OfflineModel
from agent.models.openai_compatible import PRESETS
from agent.models.openai_compatible.model import OpenAICompatibleModel
from agent.models.taking_over import FAILURES_IN_A_ROW, REST_S, Reach, TakingOver, names_of
from agent.prices import Price, Prices
from agent.protocols import Model
from agent.run import Agent, make_agent
from agent.settings import AgentSettings
from agent.story import tell

CLAUDE_KEY = "sk-ant-test-0123456789abcdef"
KEY = "sk-test-0123456789abcdef"
QUESTION = "How many films are there?"
COUNT = "SELECT count(*) AS films FROM film"
RIGHT = "There are 1,000 films."
BOTH = "claude-sonnet-5, then groq:small"
PRICES = Prices(
    {
        "claude-sonnet-5": Price(Decimal(1000), Decimal(0), Decimal(0), Decimal(0)),
        "groq:small": Price(Decimal(1), Decimal(0), Decimal(0), Decimal(0)),
    }
)


@pytest.fixture
def chat(start_server: Callable[[str], Any]) -> Any:
    return start_server("groq")


def claude(api: Any) -> ClaudeModel:
    return ClaudeModel(CLAUDE_KEY, base_url=api.url, first_wait_s=0.01, longest_wait_s=1)


def groq(chat: Any) -> OpenAICompatibleModel:
    return OpenAICompatibleModel(
        PRESETS["groq"], "small", api_key=KEY, base_url=chat.url, first_wait_s=0.01
    )


@pytest.fixture(scope="module")
def parts(demo_database_url: str) -> Iterator[tuple[PostgresDatabase, ProcessRenderer]]:
    database, renderer = PostgresDatabase(demo_database_url), ProcessRenderer()
    yield database, renderer
    renderer.close()
    database.close()


def run(model: Model, parts: Any, **options: Any) -> AgentResult:
    return Agent(model, *parts, prices=PRICES, **options).run(QUESTION)


def says(api: Any, *calls: tuple[str, dict[str, Any]], thinking: bool = True) -> None:
    """Queue a turn of Claude's with calls, and thoughts that only Claude can read."""
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
    given = len(api.given)
    blocks = [
        {"type": "tool_use", "id": f"toolu_{given}_{place}", "name": name, "input": arguments}
        for place, (name, arguments) in enumerate(calls)
    ]
    api.say(*([thought] if thinking else []), *blocks, stop="tool_use")


def calls(chat: Any, name: str, call_id: str, **arguments: Any) -> None:
    function = {"name": name, "arguments": json.dumps(arguments)}
    chat.say(None, {"id": call_id, "type": "function", "function": function})


LOOK = ("get_schema", {"table_name": "film"})


def no_trouble(*servers: Any) -> None:
    for server in servers:
        assert not server.refusals
        assert not server.replies


def test_what_claude_began_another_ends_and_each_turn_has_its_price(
    api: Any, chat: Any, parts: Any
) -> None:
    says(api, LOOK)
    for _ in range(4):
        api.fail(529, "Overloaded")
    calls(chat, "execute_read_only_sql", "call_1", query=COUNT)
    chat.say(RIGHT)
    result = run(TakingOver(claude(api), groq(chat)), parts)
    assert (result.outcome, result.answer) == (Outcome.ANSWERED, RIGHT)
    no_trouble(api, chat)
    assert len(api.requests) == 5  # once taken over, the first is left alone
    assert result.model == BOTH
    told = [each.trigger for each in result.trail if "took over" in each.trigger]
    assert len(told) == 1
    assert told[0].startswith("claude-sonnet-5 was out of reach, so groq:small took over. ")
    assert told[0].partition(". ")[0] in tell(result.trail)
    assert tell(result.trail).index("I looked at film") < tell(result.trail).index("took over")
    # 11 tokens of the one at 1,000 dollars a million, 2 × 11 of the other at 1
    assert result.cost_usd == Decimal("0.011022")


def test_what_another_began_claude_ends_whatever_its_ids_look_like(
    api: Any, chat: Any, parts: Any
) -> None:
    calls(chat, "get_schema", "functions.get_schema:0", table_name="film")
    chat.fail(401, "No.")
    says(api, ("execute_read_only_sql", {"query": COUNT}))
    api.say(RIGHT)
    result = run(TakingOver(groq(chat), claude(api)), parts)
    assert (result.answer, result.model) == (RIGHT, "groq:small, then claude-sonnet-5")
    no_trouble(api, chat)


def test_another_claude_does_not_get_the_thoughts_of_the_first(
    start_api: Callable[[], Any], parts: Any
) -> None:
    first, second = start_api(), start_api()
    says(first, LOOK)
    first.fail(401)
    says(second, ("execute_read_only_sql", {"query": COUNT}), thinking=False)
    second.say(RIGHT)
    opus = ClaudeModel(CLAUDE_KEY, "claude-opus-5", base_url=second.url)
    result = run(TakingOver(claude(first), opus), parts)
    assert result.answer == RIGHT
    no_trouble(first, second)  # the stand-in refuses thoughts that it has not given out


class Listening(OfflineModel):
    """The offline model; it remembers which tools it was offered."""

    def respond(
        self, system: str, messages: Any, tools: Sequence[ToolSpec], *, timeout_s: float
    ) -> Turn:
        self.tools_offered = {*getattr(self, "tools_offered", ()), *(tool.name for tool in tools)}
        return super().respond(system, messages, tools, timeout_s=timeout_s)


def test_the_offline_model_ends_what_claude_began(api: Any, parts: Any) -> None:
    says(api, LOOK)
    api.fail(402, "No credit.")
    offline = Listening()
    model = TakingOver(claude(api), offline)
    result = run(model, parts, judge=ModelJudge(model))
    assert "1,000" in result.answer
    assert result.model == "claude-sonnet-5, then offline"
    assert len(api.requests) == 2
    assert offline.tools_offered
    assert "give_verdict" not in offline.tools_offered  # it is no judge
    assert any("second look" in each for each in result.caveats)


def test_the_judge_goes_where_the_run_went(api: Any, chat: Any, parts: Any) -> None:
    says(api, LOOK)
    says(api, ("execute_read_only_sql", {"query": COUNT}))
    api.say(RIGHT)
    api.fail(401)
    calls(chat, "give_verdict", "call_1", valid=True, reason="So it is.")
    model = TakingOver(claude(api), groq(chat))
    result = run(model, parts, judge=ModelJudge(model))
    assert (result.outcome, result.judge) == (Outcome.ANSWERED, "groq:small")
    assert result.model == "claude-sonnet-5"
    assert result.cost_usd == 3 * Decimal("0.011") + Decimal("0.000011")
    no_trouble(api, chat)


def ask(model: Model, timeout_s: float = 60.0) -> str:
    said = [UserMessage(QUESTION)]
    return model.respond("Answer.", said, (), timeout_s=timeout_s).text


@pytest.mark.parametrize("status", [401, 402, 403, 404, 429, 500, 503, 529])
def test_whoever_is_out_of_reach_is_stood_in_for(api: Any, chat: Any, status: int) -> None:
    for _ in range(4):
        api.fail(status, "No.", retry_after="30")
    chat.say("Here I am.")
    started = time.monotonic()
    assert ask(TakingOver(claude(api), groq(chat))) == "Here I am."
    assert time.monotonic() - started < 5  # no waiting where somebody else is there


@pytest.mark.parametrize(("status", "message"), [(413, "Too large"), (400, "messages.0: wrong")])
def test_what_is_wrong_with_the_request_is_wrong_for_both(
    api: Any, chat: Any, status: int, message: str
) -> None:
    api.fail(status, message)
    with pytest.raises(ModelUnavailable):
        ask(TakingOver(claude(api), groq(chat)))
    assert not chat.requests


def test_a_slow_first_model_leaves_time_for_the_second(api: Any, chat: Any) -> None:
    api.say("Too late.", delay_s=8)
    chat.say("In time.")
    started = time.monotonic()
    assert ask(TakingOver(claude(api), groq(chat)), timeout_s=2) == "In time."
    assert 0.9 < time.monotonic() - started < 6


def test_where_both_are_out_of_reach_the_person_reads_of_the_first(api: Any, chat: Any) -> None:
    api.fail(402, "No credit.")
    chat.fail(401, f"Wrong key {KEY}")
    with pytest.raises(ModelUnavailable, match="The Claude account has no credit left") as caught:
        ask(TakingOver(claude(api), groq(chat)))
    assert "HTTP 402" in caught.value.detail
    assert "HTTP 401" in caught.value.detail
    assert KEY not in caught.value.detail


def test_after_failures_in_a_row_the_first_rests_and_is_then_tried_once(
    api: Any, chat: Any
) -> None:
    now = [0.0]
    model = TakingOver(claude(api), groq(chat), Reach(lambda: now[0]))
    for number in range(FAILURES_IN_A_ROW + 2):
        if number < FAILURES_IN_A_ROW:
            api.fail(401)
        chat.say("Here I am.")
        assert ask(model) == "Here I am."
    assert len(api.requests) == FAILURES_IN_A_ROW
    now[0] = REST_S + 1
    api.say("Back again.")
    assert ask(model) == "Back again."
    api.say("Still here.")
    assert ask(model) == "Still here."


def test_of_many_who_come_after_a_rest_one_finds_out() -> None:
    now = [0.0]
    reach = Reach(lambda: now[0])
    for _ in range(FAILURES_IN_A_ROW):
        reach.failed()
    now[0] = REST_S + 1
    allowed: list[bool] = []
    threads = [
        threading.Thread(target=lambda: allowed.append(reach.may_be_asked())) for _ in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(allowed) == [False] * 15 + [True]


def settings(**given: str) -> AgentSettings:
    return AgentSettings(_env_file=None, **given)  # type: ignore[arg-type, call-arg]


def test_the_second_model_is_checked_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GROQ_API_KEY", raising=False)
    keyed = {"ANTHROPIC_API_KEY": CLAUDE_KEY, "DB_AGENT_MODEL": "claude-sonnet-5"}
    for second, wrong in {
        "groq:small": "DB_AGENT_FALLBACK_MODEL: The model groq:small needs a key. Set GROQ",
        "nope": "DB_AGENT_FALLBACK_MODEL: There is no model 'nope'",
        "claude-sonnet-5": "which is the model that answers already",
    }.items():
        with pytest.raises(SettingsInvalid, match=wrong):
            make_models(settings(**keyed, DB_AGENT_FALLBACK_MODEL=second))
    both = make_models(settings(**keyed, DB_AGENT_FALLBACK_MODEL="offline"))
    assert names_of(both) == ("claude-sonnet-5", "offline")
    alone = {**keyed, "DB_AGENT_MODEL": "offline", "DB_AGENT_FALLBACK_MODEL": "claude-sonnet-5"}
    assert names_of(make_models(settings(**alone))) == ("offline",)


def test_a_ceiling_in_money_needs_the_price_of_the_second_too() -> None:
    keys = {"ANTHROPIC_API_KEY": CLAUDE_KEY, "GROQ_API_KEY": KEY}
    both = {"DB_AGENT_MODEL": "claude-sonnet-5", "DB_AGENT_FALLBACK_MODEL": "groq:small"}
    given = settings(**keys, **both, DB_AGENT_MAX_USD_PER_QUESTION="1")
    with (
        pytest.raises(SettingsInvalid, match="not known what groq:small costs"),
        make_agent(given, "postgresql://nobody@127.0.0.1:1/none"),
    ):
        pass


def test_a_first_model_that_gave_nothing_is_told_before_what_the_second_did(
    api: Any, chat: Any, parts: Any
) -> None:
    for _ in range(4):
        api.fail(529, "Overloaded")
    calls(chat, "get_schema", "call_1", table_name="film")
    calls(chat, "execute_read_only_sql", "call_2", query=COUNT)
    chat.say(RIGHT)
    result = run(TakingOver(claude(api), groq(chat)), parts)
    no_trouble(api, chat)
    assert result.model == "groq:small"  # who answered; the story says whom it stood in for
    assert tell(result.trail).startswith(
        "claude-sonnet-5 was out of reach, so groq:small took over. I looked at film."
    )
