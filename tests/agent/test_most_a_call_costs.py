"""What a budget is told that a call costs at most is never less than what it can cost."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import pytest

from agent.errors import ModelUnavailable
from agent.judge import ModelJudge
from agent.messages import Turn, Usage
from agent.models.claude.model import MAX_TOKENS as MOST_OF_CLAUDE
from agent.models.claude.wire import to_request as to_claude
from agent.models.openai_compatible.dialect import Dialect
from agent.models.openai_compatible.model import MAX_TOKENS as MOST_OF_OTHERS
from agent.models.openai_compatible.wire import to_request as to_others
from agent.models.taking_over import TakingOver
from agent.prices import Price, Prices
from agent.protocols import CallAhead
from agent.run import Agent
from agent.testing import ScriptedModel, call, text

CHEAP = Price(Decimal(1), Decimal(5), Decimal("0.1"), Decimal("1.25"))
DEAR = Price(Decimal(10), Decimal(50), Decimal(1), Decimal(20))
PRICES = Prices({"cheap": CHEAP, "dear": DEAR})
WORDS = "Wie viele Filme über Größe gibt es? 映画は何本ありますか 🎬 " * 20
TURNS = (
    call("get_schema", table_name="film"),
    call("execute_read_only_sql", query="SELECT film_id, title, length FROM film"),
    call("execute_read_only_sql", query="SELECT nothing FROM film"),
    text("There are 1,000 films."),
)


@dataclass
class Weighing:
    """A model that weighs what the adapters would send for each of its calls."""

    turns: tuple[Turn, ...]
    name: str = "cheap"
    is_away: bool = False
    weighed: list[int] = field(default_factory=list)
    """Bytes, of the larger request."""

    def respond(self, system: str, messages: Any, tools: Any, *, timeout_s: float) -> Turn:
        requests = (
            to_claude(self.name, 1, system, messages, tools),
            to_others(self.name, 1, system, messages, tools, Dialect()),
        )
        sent = [json.dumps(each, ensure_ascii=False, default=str).encode() for each in requests]
        self.weighed.append(max(map(len, sent)))
        if self.is_away:
            raise ModelUnavailable("Ask again.", detail="529")
        script = ScriptedModel(*self.turns, name=self.name)
        return script.respond(system, messages, tools, timeout_s=timeout_s)


@dataclass
class Listening:
    """A budget that lets all calls through and remembers the most that each can cost."""

    most: list[Decimal] = field(default_factory=list)

    def begin_call(self, usage: Usage, cost_usd: Decimal | None, call: CallAhead) -> str:
        most_usd = call.most_usd()
        if most_usd is None:
            return "not known"
        self.most.append(most_usd)
        return ""

    def end_late_call(self, usage: Usage, cost_usd: Decimal | None) -> None:
        raise AssertionError("no run was cancelled")


def bound(price: Price, sent: int) -> Decimal:
    """What a call costs in which each byte is a token, and the turn as long as it may be."""
    written = max(MOST_OF_CLAUDE, MOST_OF_OTHERS)
    return price.of(Usage(cache_write_tokens=sent, output_tokens=written))


def test_no_call_of_the_model_or_the_judge_can_cost_more(make_agent: Callable[..., Agent]) -> None:
    judging = Weighing((text("hm"), text("hm")), "dear")
    model, budget = Weighing(TURNS), Listening()
    agent = replace(make_agent(model, ModelJudge(judging)), prices=PRICES)
    agent.run(WORDS, budget=budget)
    least = [bound(CHEAP, each) for each in model.weighed]
    least += [bound(DEAR, each) for each in judging.weighed]
    assert len(least) == len(budget.most) == len(TURNS) + 2
    assert [most >= least for most, least in zip(budget.most, least, strict=True)] == [True] * 6
    assert max(budget.most[:4]) < 4 * max(least[:4]), "nor is it far too much"


@pytest.mark.parametrize("dear_one", ["first", "second"])
def test_where_either_of_two_models_may_answer_it_is_the_dearer_ones_price(
    make_agent: Callable[..., Agent], dear_one: str
) -> None:
    names = ("dear", "cheap") if dear_one == "first" else ("cheap", "dear")
    first, second = Weighing(TURNS, names[0], is_away=True), Weighing(TURNS, names[1])
    budget = Listening()
    replace(make_agent(TakingOver(first, second)), prices=PRICES).run(WORDS, budget=budget)
    assert budget.most[0] >= bound(DEAR, first.weighed[0])
    after = DEAR if dear_one == "second" else CHEAP
    assert bound(after, second.weighed[1]) <= budget.most[1] < 4 * bound(after, second.weighed[1])


def test_it_is_not_known_where_a_price_is_not(make_agent: Callable[..., Agent]) -> None:
    first, second = Weighing(TURNS, "cheap"), Weighing(TURNS, "groq:unheard-of")
    agent = replace(make_agent(TakingOver(first, second)), prices=PRICES)
    assert agent.run(WORDS, budget=Listening()).summary == "not known"
