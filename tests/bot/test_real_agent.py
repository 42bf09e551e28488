"""The bot with the real agent over the demo database; only the model plays from a script."""

from __future__ import annotations

from decimal import Decimal

import psycopg
import pytest

from agent.charts.renderer import ProcessRenderer
from agent.database.embedded import EmbeddedPostgres
from agent.database.postgres import PostgresDatabase
from agent.messages import Severity, Verdict
from agent.run import Agent
from agent.testing import ScriptedJudge, ScriptedModel, call, text
from agent.warnings import FAILED_WARNING, NO_QUERY_WARNING

LOOK = call("get_schema", table_name="payment")
SUM = call(
    "execute_read_only_sql",
    query="SELECT staff_id, sum(amount) AS revenue FROM payment GROUP BY 1 ORDER BY 1",
)
DRAW = call(
    "generate_chart",
    spec={
        "result": 1,
        "title": "Revenue by staff",
        "mark": "bar",
        "encoding": {"x": {"field": "staff_id"}, "y": {"field": "revenue"}},
    },
)


@pytest.fixture(scope="module")
def renderer():
    renderer = ProcessRenderer()
    yield renderer
    renderer.close()


@pytest.fixture
def make_agent(renderer):
    """Makes agents over a database, and closes their connections."""
    opened = []

    def make(url, model, judge=None, **options):
        opened.append(PostgresDatabase(url, **options))
        return Agent(model, opened[-1], renderer, judge)

    yield make
    for database in opened:
        database.close()


@pytest.fixture
def ask(start_bot, make_agent, demo_database_url, you):
    """Asks a bot whose model plays these turns; gives the card."""

    def ask_it(*turns):
        start_bot(agent=make_agent(demo_database_url, ScriptedModel(*turns)))
        return you.card("data", you.ask("data", "revenue by staff, as a chart"), within=30)

    return ask_it


def test_question_becomes_answer_table_and_picture(ask, you):
    card = ask(LOOK, SUM, DRAW, text("Both sold about the same."))
    kinds = [block["type"] for block in card["blocks"]]
    assert kinds[:3] == ["section", "table", "image"]
    assert "Both sold about the same." in card["text"]
    picture = next(block for block in card["blocks"] if block["type"] == "image")
    file = you.client.files_info(file=picture["slack_file"]["id"])["file"]
    assert file["size"] > 5_000
    assert file["title"] == "Revenue by staff"
    you.click(card, "show_sql")
    _, sql = you.cards("data", card["thread_ts"], 2)
    assert "sum(amount) AS revenue FROM payment" in str(sql["blocks"])


def test_record_holds_the_trail_and_the_exact_figures(ask, store, store_url):
    ask(LOOK, SUM, text("Both sold about the same."))
    with psycopg.connect(store_url) as connection:
        (run_id,) = connection.execute("select id from db_agent.runs").fetchone()
        events = connection.execute(
            "select event from db_agent.transitions where run_id = %s order by number", [run_id]
        ).fetchall()
    assert events[0] == ("tools_requested",)
    assert events[-1] == ("accepted",)
    (result,) = store.run(str(run_id)).results
    assert all(isinstance(row[1], Decimal) for row in result.rows)


def test_answer_without_a_query_carries_its_warning(ask):
    assert NO_QUERY_WARNING in ask(text("About a million, I guess."))["text"]


def test_model_out_of_reach_is_told(ask):
    card = ask(LOOK)  # the script ends here
    assert FAILED_WARNING in card["text"]


def test_database_that_is_down_is_told_and_the_bot_lives_on(start_bot, make_agent, you):
    nowhere = "postgresql://nobody:word@127.0.0.1:1/nothing"
    start_bot(agent=make_agent(nowhere, ScriptedModel(LOOK, text("done"))))
    for _ in range(2):
        card = you.card("data", you.ask("data", "revenue?"), within=30)
        assert FAILED_WARNING in card["text"]
        assert "word" not in card["text"].split()
        assert "No rows" not in card["text"]


class ServerDiesBefore:
    """A model that plays its turns, and stops the database server before the last but one."""

    name = "scripted"

    def __init__(self, server, *turns):
        self._server, self._script, self._left = server, ScriptedModel(*turns), len(turns)

    def respond(self, system, messages, tools, *, timeout_s):
        self._left -= 1
        if self._left == 1:
            self._server.stop()
        return self._script.respond(system, messages, tools, timeout_s=timeout_s)


def test_database_that_dies_in_mid_run_is_told(start_bot, make_agent, you):
    with EmbeddedPostgres.throwaway() as server:
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("create table payment (staff_id int, amount numeric)")
        model = ServerDiesBefore(server, LOOK, SUM, text("done"))
        start_bot(agent=make_agent(server.url(), model, allow_strong_role=True))
        card = you.card("data", you.ask("data", "revenue?"), within=30)
    assert FAILED_WARNING in card["text"]
    assert "No rows" not in card["text"]


def test_draft_that_the_judge_refuses_goes_to_a_person_and_not_to_who_asked(
    start_bot, make_agent, demo_database_url, workspace, you, mia
):
    verdict = Verdict(valid=False, reason="It leaves out who sold most.", severity=Severity.MINOR)
    judge = ScriptedJudge(lambda case: verdict, name="the judge")
    drafts = [text(f"Both sold about the same, as far as I see ({word}).") for word in "abc"]
    agent = make_agent(demo_database_url, ScriptedModel(LOOK, SUM, *drafts), judge)
    start_bot(agent=agent, escalation_channel=workspace.channels["helpdesk"])
    ts = you.ask("data", "revenue by staff")
    card = you.card("data", ts, within=30)
    assert "It leaves out who sold most." in card["text"]
    assert "table" in [block["type"] for block in card["blocks"]]
    post = str(mia.told("helpdesk", "A question for a person")["blocks"])
    assert "Both sold about the same, as far as I see (c)." in post
    assert "It leaves out who sold most." in post
    you.click(card, "why")
    story = you.cards("data", ts, 2)[-1]["text"]
    assert "a person" in story
    assert "Both sold" not in str(you.seen("data", ts))
