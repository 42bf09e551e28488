"""Ceilings in money hold in the middle of a run; no price, no promise."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from agent.errors import DatabaseUnavailable, SettingsInvalid
from agent.judge import ModelJudge
from agent.messages import Outcome, Turn, Usage
from agent.prices import published_prices, read_prices
from agent.protocols import CallAhead
from agent.run import Agent
from agent.run import make_agent as agent_of_settings
from agent.settings import AgentSettings
from agent.state import Event
from agent.story import tell
from agent.testing import RecordingModel, ScriptedModel, call, text
from agent.warnings import UNJUDGED_CAVEAT

MakeAgent = Callable[..., Agent]

TEN_CENTS = Usage(input_tokens=50_000, output_tokens=25_000)
TABLES = ("film", "customer", "rental", "payment", "store", "staff")
PRICE_FILE = """
as_of = 2026-11-30
source = "the contract"

[models]
priced = { input = 1, output = 2 }
"scripted:dear" = { input = 10, output = 10, cache_read = 1, cache_write = 20 }
claude-sonnet-5 = { input = 0, output = 0.5 }
"""


def paid(turn: Turn) -> Turn:
    return replace(turn, usage=TEN_CENTS)


LOOKS = [paid(call("get_schema", table_name=name)) for name in TABLES]
COUNT = paid(call("execute_read_only_sql", query="SELECT count(*) AS films FROM film"))
ANSWER = paid(text("There are 1,000 films."))


@pytest.fixture
def price_file(tmp_path: Path) -> Path:
    (tmp_path / "prices.toml").write_text(PRICE_FILE)
    return tmp_path / "prices.toml"


@pytest.fixture
def priced(make_agent: MakeAgent, price_file: Path) -> Callable[..., Agent]:
    """An agent with a ceiling, whose model takes ten cents a turn."""

    def make(model: object, limit: str | None, **given: object) -> Agent:
        max_usd = None if limit is None else Decimal(limit)
        agent = make_agent(model, given.pop("judge", None))
        return replace(agent, **{"prices": read_prices(price_file), "max_usd": max_usd, **given})

    return make


@pytest.mark.parametrize(
    ("limit", "calls"), [("0.001", 1), ("0.10", 1), ("0.1001", 2), ("0.25", 3), ("0.30", 3)]
)
def test_a_question_exceeds_its_ceiling_by_the_call_under_way_at_most(
    priced: Callable[..., Agent], limit: str, calls: int
) -> None:
    model = RecordingModel(ScriptedModel(*LOOKS, ANSWER, name="priced"))
    result = priced(model, limit).run("how many?")
    assert len(model.heard) == calls
    assert result.cost_usd == Decimal("0.10") * calls < Decimal(limit) + Decimal("0.10")
    assert (result.outcome, result.failed) == (Outcome.FAILED, True)
    assert result.trail[-1].event is Event.BUDGET_SPENT
    words = f"The limit of ${Decimal(limit):.2f}" if len(limit) < 5 else f"The limit of ${limit}"
    assert result.summary == f"{words} for one question was met. Ask for less at once."
    assert words in tell(result.trail)


def test_a_question_within_its_ceiling_is_answered(priced: Callable[..., Agent]) -> None:
    result = priced(ScriptedModel(LOOKS[0], COUNT, ANSWER, name="priced"), "0.31").run("how many?")
    assert (result.outcome, result.cost_usd) == (Outcome.ANSWERED, Decimal("0.3"))


def test_no_judge_is_asked_past_the_ceiling_and_the_answer_says_so(
    priced: Callable[..., Agent],
) -> None:
    judge = RecordingModel(ScriptedModel(ANSWER, name="priced"))
    model = ScriptedModel(LOOKS[0], COUNT, ANSWER, name="priced")
    result = priced(model, "0.30", judge=ModelJudge(judge)).run("how many?")
    assert (result.answer, judge.heard) == ("There are 1,000 films.", [])
    assert UNJUDGED_CAVEAT in result.caveats
    assert result.cost_usd == Decimal("0.3")


@pytest.mark.parametrize(("limit", "turns"), [("0.31", 1), ("0.41", 2)])
def test_a_judge_takes_its_second_turn_only_within_the_ceiling(
    priced: Callable[..., Agent], limit: str, turns: int
) -> None:
    judge = RecordingModel(ScriptedModel(paid(text("hm")), paid(text("hm")), name="priced"))
    model = ScriptedModel(LOOKS[0], COUNT, ANSWER, name="priced")
    result = priced(model, limit, judge=ModelJudge(judge)).run("how many?")
    assert (len(judge.heard), result.cost_usd) == (turns, Decimal("0.3") + turns * Decimal("0.1"))


class Allowance:
    """A budget of some calls, which then says no, or cannot say."""

    def __init__(self, calls: int, broken: bool = False) -> None:
        self.left = calls
        self.broken = broken
        self.told: list[Decimal | None] = []

    def begin_call(self, usage: Usage, cost_usd: Decimal | None, call: CallAhead) -> str:
        self.told.append(cost_usd)
        self.left -= 1
        if self.left >= 0:
            return ""
        if self.broken:
            raise DatabaseUnavailable("The record is away. Ask again.", detail="no route")
        return "Your limit of $1.00 a day is met."


def test_a_budget_ends_the_run_in_its_own_words(priced: Callable[..., Agent]) -> None:
    budget, model = Allowance(2), RecordingModel(ScriptedModel(*LOOKS, name="priced"))
    result = priced(model, None).run("how many?", budget=budget)
    assert (len(model.heard), result.summary) == (2, "Your limit of $1.00 a day is met.")
    assert budget.told == [Decimal(0), Decimal("0.1"), Decimal("0.2")]


def test_where_nobody_can_count_no_more_is_spent(priced: Callable[..., Agent]) -> None:
    model = RecordingModel(ScriptedModel(*LOOKS, name="priced"))
    result = priced(model, None).run("how many?", budget=Allowance(1, broken=True))
    assert (len(model.heard), result.outcome) == (1, Outcome.SYSTEM_FAULT)
    assert (result.summary, result.fault_detail) == ("The record is away. Ask again.", "no route")


def test_a_ceiling_without_a_price_lets_no_call_through(priced: Callable[..., Agent]) -> None:
    model = RecordingModel(ScriptedModel(*LOOKS, name="groq:unheard-of"))
    result = priced(model, "5").run("how many?")
    assert (model.heard, result.outcome) == ([], Outcome.FAILED)
    assert "what the model costs is not known" in result.summary


@pytest.mark.parametrize(
    ("given", "starts"),
    [
        ({"model": "claude-unheard-of", "max_usd_per_question": "1"}, False),
        ({"model": "claude-unheard-of"}, True),
        ({"model": "claude-opus-5", "max_usd_per_question": "1"}, True),
        ({"judge_model": "claude-unheard-of", "max_usd_per_question": "1"}, False),
        ({"model": "offline", "max_usd_per_question": "1"}, True),
    ],
)
def test_an_agent_with_a_ceiling_starts_only_where_its_models_prices_are_known(
    given: Mapping[str, str], starts: bool
) -> None:
    settings = AgentSettings(anthropic_api_key="sk-ant-test", **given)  # type: ignore[arg-type]
    if starts:
        with agent_of_settings(settings, "postgresql://nobody@localhost:1/none"):
            return
    with (
        pytest.raises(SettingsInvalid, match=r"DB_AGENT_MAX_USD_PER_QUESTION .*claude-unheard-of"),
        agent_of_settings(settings, "postgresql://nobody@localhost:1/none"),
    ):
        pass


def test_a_file_of_prices_adds_to_ours_and_wins(price_file: Path, tmp_path: Path) -> None:
    as_json = tmp_path / "prices.json"
    row = {"input": 1, "output": 2.5}
    as_json.write_text(json.dumps({"as_of": "2026-01-31", "models": {"groq:any": row}}))
    million = Usage(10**6, 10**6, 10**6, 10**6)
    prices = read_prices(price_file)
    assert prices.cost_usd("claude-sonnet-5", million) == Decimal("0.5")
    assert prices.cost_usd("scripted:dear", million) == 41
    assert prices.cost_usd("claude-opus-5", million) == published_prices().cost_usd(
        "claude-opus-5", million
    )
    groq = read_prices(as_json).price("groq:any")
    assert groq is not None
    assert (groq.of(million), groq.as_of) == (Decimal("5.5"), date(2026, 1, 31))


@pytest.mark.parametrize("kind", ["toml", "json"])
def test_a_mark_that_an_editor_puts_before_a_file_is_no_part_of_it(
    tmp_path: Path, kind: str
) -> None:
    path = tmp_path / f"prices.{kind}"
    as_toml = 'as_of = 2026-11-30\n[models]\n"groq:any" = { input = 1, output = 2.5 }'
    row = {"input": 1, "output": 2.5}
    as_json = json.dumps({"as_of": "2026-11-30", "models": {"groq:any": row}})
    path.write_text(as_toml if kind == "toml" else as_json, encoding="utf-8-sig")
    assert read_prices(path).cost_usd("groq:any", Usage(10**6, 10**6)) == Decimal("3.5")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("as_of = 2026-11-30\n[models]\na = { input = -1, output = 2 }", "models.a.input: .*0"),
        ("as_of = 2026-11-30\n[models]\na = { input = nan, output = 2 }", "models.a.input"),
        ("as_of = 2026-11-30\n[models]\na = { output = 2 }", "models.a.input: Field required"),
        ("as_of = 2026-11-30\n[models]\na = { input = 1, output = 2, in = 3 }", "models.a.in: "),
        ("[models]\na = { input = 1, output = 2 }", "as_of: Field required"),
        ("as_of = 2026-11-30\na = { input = 1, output = 2 }", "models: Field required"),
        ("as_of = soon", "line 1"),
        ("\x00", "no list of prices"),
    ],
)
def test_a_wrong_file_of_prices_is_told_what_is_wrong(
    tmp_path: Path, text: str, words: str
) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(text)
    with pytest.raises(SettingsInvalid, match=rf"(?s)DB_AGENT_PRICES: .*prices.toml .*{words}"):
        read_prices(path)


def test_a_file_of_prices_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match=r"DB_AGENT_PRICES: .*none\.toml cannot be read"):
        read_prices(tmp_path / "none.toml")
