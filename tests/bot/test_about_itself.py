"""The bot asked about itself: over its own log, with the offline model."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import psycopg
import pytest

from agent.messages import AgentResult, Outcome, Step, Transition, Usage
from agent.settings import AgentSettings
from agent.state import AgentState, Event, Phase
from bot.about_itself import NoSelfAgent, about_itself, open_self_agent
from bot.store import Question, Store, Thread

OFFLINE = AgentSettings(model="offline")
ENDINGS = (Outcome.ANSWERED, Outcome.ANSWERED, Outcome.FAILED, Outcome.ESCALATED, Outcome.NO_DATA)
RUNS = 60
BY = "from runs group by 1 order by 2 desc, 1"
LAST_WEEK = "date_trunc('week', now()) - interval '7 days'"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("about yourself: how many runs failed?", "how many runs failed?"),
        ("About  yourself : how many?", "how many?"),
        ("about yourself how many runs failed?", "how many runs failed?"),
        ("about you: how many?", "how many?"),
        ("yourself: how many?", "how many?"),
        ("about the bot: how many?", "how many?"),
        ("about yourself", ""),
        ("about yourself:", ""),
        ("how many films are about yourself?", None),
        ("about your films", None),
        ("about you and me", None),
        ("yourself and I", None),
        ("tell me about yourself: how many?", None),
    ],
)
def test_a_question_about_the_bot_is_told_by_its_beginning(text, question):
    assert about_itself(text) == question


@pytest.fixture(scope="module")
def log(store_url):
    """Sixty runs of the last thirty days, by three people, in channels and direct messages."""
    store = Store(store_url)
    store.open()
    with psycopg.connect(store_url) as connection:
        connection.execute("truncate db_agent.conversations cascade")
    store.note_channel("T1", "C1", is_public=True)
    for number in range(RUNS):
        _have_run(store, number)
    store.close()
    with psycopg.connect(store_url) as connection:
        # Spread over thirty days, at noon: no run is near the edge of a week.
        connection.execute(
            "update db_agent.runs set created_at = date_trunc('day', now() at time zone 'UTC')"
            " at time zone 'UTC' + interval '12 hours' - interval '12 hours'"
            " * message_ts::numeric - interval '1 day'"
        )
    yield store_url
    with psycopg.connect(store_url) as connection:
        connection.execute("truncate db_agent.conversations, db_agent.channels cascade")


def _have_run(store, number):
    channel = "D1" if number % 10 == 9 else "C1" if number % 3 else "CPRIVATE"
    thread, outcome = Thread("T1", channel, f"{number}.0"), ENDINGS[number % len(ENDINGS)]
    asked = Question(thread, thread.ts, ("UANN", "UBOB", "UCY")[number % 3], f"q{number}")
    wrong = number % 4 == 0
    steps = (
        Step("get_schema", True, "film"),
        Step("execute_read_only_sql", not wrong, "select", "no column" if wrong else "", rows=5),
    )
    at = datetime.now(UTC) - timedelta(days=1)
    ended = Transition(
        at, Phase.ACTION, Event.TOOLS_DONE, Phase.OBSERVATION, "ran", AgentState(), steps=steps
    )
    store.finish(
        store.claim(asked),
        AgentResult(
            question=asked.text, outcome=outcome, failed=outcome is Outcome.FAILED, answer="a",
            summary="s", results=(), charts=(), warnings=(), trail=(ended,),
            model="offline" if number % 2 else "claude-sonnet-5", hops=2 + number % 3,
            duration_ms=1000 * (number + 1), usage=Usage(1000, 100 + number),
            cost_usd=Decimal("0.01") * (number % 7),
        ),
    )  # fmt: skip


@pytest.fixture(scope="module")
def agent(log):
    with open_self_agent(log, OFFLINE) as opened:
        assert not isinstance(opened, NoSelfAgent), opened.reason
        yield opened


@pytest.mark.parametrize(
    ("question", "truth"),
    [
        ("how many runs failed?", "select count(*) from runs where failed"),
        (
            "how many runs failed last week?",
            "select count(*) from runs where failed and started_at >= " + LAST_WEEK
            + " and started_at < date_trunc('week', now())",
        ),
        (
            "runs per day last week",
            "select started_at::date::text, count(*) from runs where started_at >= " + LAST_WEEK
            + " and started_at < date_trunc('week', now()) group by 1 order by 1",
        ),
        ("how many runs per person?", f"select person, count(*) {BY}"),
        ("runs by outcome", f"select outcome, count(*) {BY}"),
        ("how many runs were escalated?", "select count(*) from runs where escalated"),
        ("total cost", "select sum(cost_usd) from runs"),
        ("total cost per person", f"select person, sum(cost_usd) {BY}"),
        ("average seconds per model", f"select model, avg(seconds) {BY}"),
        ("total tokens", "select sum(tokens) from runs"),
        ("average number of tool calls", "select avg(tool_calls) from runs"),
        ("failed steps by tool", "select tool, count(*) from steps where failed group by 1"),
        ("steps by tool", "select tool, count(*) from steps group by 1 order by 2 desc, 1"),
    ],
)  # fmt: skip
def test_plain_questions_are_answered_rightly_without_a_key(agent, log, question, truth):
    result = agent.run(question)
    assert result.answer, result.summary
    with psycopg.connect(log) as owner:
        owner.execute("set search_path = db_agent_log; set timezone = 'UTC'")
        expected = owner.execute(truth).fetchall()
    assert [_rounded(row) for row in result.results[-1].rows] == [_rounded(row) for row in expected]


def _rounded(row):
    return tuple(round(float(each), 6) if isinstance(each, Decimal) else each for each in row)


def test_which_runs_failed_lists_the_failed_ones(agent, log):
    result = agent.run("which runs failed?")
    failed = [column.name for column in result.results[-1].columns].index("failed")
    assert {row[failed] for row in result.results[-1].rows} == {True}


def test_only_the_two_views_can_be_read(agent):
    assert agent.database.get_table("runs").comment.startswith("One row for each question")
    for sql in (
        "select * from db_agent.runs",
        "select * from db_agent.escalations",
        "select rolpassword from pg_authid",
        "delete from runs",
    ):
        with pytest.raises(Exception, match=r"(?i)refused|permission"):
            agent.database.fetch(sql)


def test_questions_of_direct_messages_cannot_be_asked_for(agent):
    rows = agent.database.fetch("select question from runs where question is not null").rows
    asked = {row[0] for row in rows}
    assert asked == {f"q{n}" for n in range(RUNS) if n % 10 != 9 and n % 3}


def test_where_it_cannot_be_asked_the_reason_says_what_to_do():
    with open_self_agent("postgresql://nobody@/nowhere?host=/nonexistent", OFFLINE) as opened:
        assert isinstance(opened, NoSelfAgent)
        assert "cannot be reached" in opened.reason


def test_a_login_that_may_write_is_no_reader(log):
    with open_self_agent(log, OFFLINE, reader_url=log) as opened:
        assert not isinstance(opened, NoSelfAgent)
        result = opened.run("how many runs failed?")
    assert result.outcome is Outcome.SYSTEM_FAULT
