"""What a person's questions produced is deleted whole; what others wrote stays."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import psycopg
import pytest

from agent.messages import Column, Evidence, Figure, QueryResult, Step
from bot.keep import Keep
from bot.store import ChannelSettings, EscalationStatus, Period, Question, Share, Thread
from bot.store.forget_store import SlackMessage, Traces
from bot.store.forgetting import forget
from bot.store.retention import age_out

from ..conftest import eventually

NOW = datetime.now(UTC)
ALWAYS = Period(NOW - timedelta(days=1), NOW + timedelta(days=1))
ANN, BOB = "UANN", "UBOB"
SECRETS = (ANN, "zebra", "DANN")
"""Her id, a word that stands in all that came of her questions, and her direct messages."""
LEFT = """
select table_schema || '.' || table_name from information_schema.tables
where table_schema = 'db_agent' and table_type = 'BASE TABLE'
"""


@pytest.fixture
def found(store_url):
    """All rows of all tables, the queue's too, in which one of some words stands."""

    def look(words=SECRETS):
        with psycopg.connect(store_url) as connection:
            return [
                (table, row)
                for (table,) in connection.execute(LEFT).fetchall()
                for (row,) in connection.execute(f"select each::text from {table} as each")
                if any(word.lower() in row.lower() for word in words)
            ]

    return look


@pytest.fixture
def life(store, store_url, ran, a_transition):
    """All that somebody does with the bot; gives the runs that are of others."""
    told = {
        "by": ANN,
        "answer": "The zebra.",
        "summary": "I looked for a zebra.",
        "warnings": ("zebra?",),
        "plan": ("find the zebra",),
        "caveats": ("one zebra is missing",),
        "draft": "zebra",
        "fault_detail": "zebra",
        "results": (QueryResult("select 'zebra'", (Column("zebra", "text"),), (("zebra",),)),),
        "set_aside": (QueryResult("select 'zebra', 2", (), ()),),
        "evidence": Evidence((Figure("zebra", "result 1"),)),
        "trail": (a_transition("zebra", Step("get_schema", True, "zebra"), model_output="zebra"),),
    }
    first = ran("where is the zebra?", ts="1.000", **told)
    ran("zebra in private", channel="DANN", **told)
    ran("zebra by command", ts="command 5.0", **told)
    store.place_card(first, "1.500")
    store.vote(first, BOB, is_good=False, at=NOW)
    store.explain(first, BOB, "no zebra at all")
    called = store.escalate(first, reason="asked for by a person", asked_by=ANN)
    store.place_escalation(called.id, "CHELP", "7.000")
    store.answer_escalation(called.id, BOB, "The zebra is in row 3.")
    store.begin_share(first)
    store.end_share(first, "8.000")
    store.note_channel("T1", "DANN", is_public=False)
    waits = store.claim(Question(Thread("T1", "C1", "2.000"), "2.000", ANN, "zebra?", "a zebra"))
    store.queue_up(waits, most_usd=Decimal(1), lasts_s=60.0)

    theirs = ran("what of it?", by=BOB, ts="1.700")
    store.vote(theirs, ANN, is_good=False, at=NOW)
    store.explain(theirs, ANN, "not what the zebra said")
    asked = store.escalate(theirs, reason="asked for by a person", asked_by=ANN)
    store.claim_escalation(asked.id, ANN)
    settled = ran("and of that?", by=BOB, ts="6.000")
    store.answer_escalation(
        store.escalate(settled, reason="asked", asked_by=BOB).id, ANN, "It is 5."
    )
    store.set_channel("T1", "C1", ChannelSettings(set_by=ANN))
    with psycopg.connect(store_url) as connection:
        connection.execute(
            "update db_agent.runs set how = '{\"response_url\": \"https://zebra\"}', part = '{}'"
            " where asked_by = %s",
            [ANN],
        )
        connection.execute(
            'update db_agent.transitions set checkpoint = \'{"said": "zebra"}\''
            " where run_id in (select id from db_agent.runs where asked_by = %s)",
            [ANN],
        )
        connection.execute("update db_agent.runs set stop_by = %s where id = %s", [ANN, theirs])
        connection.execute("set local search_path = db_agent")
        connection.execute(
            "insert into db_agent.procrastinate_jobs (queue_name, task_name, lock, args)"
            " select 'questions', 'answer', 'T1/DANN/1.0', jsonb_build_object('run_id', id)"
            " from db_agent.runs where asked_by = %s",
            [ANN],
        )
        connection.execute(
            "insert into db_agent.slack_installations (client_id, app_id, team_id, user_id,"
            " user_token) values ('1', 'A1', 'T1', %s, 'zebra')",
            [ANN],
        )
    yield theirs, settled
    with psycopg.connect(store_url) as connection:
        connection.execute(
            "truncate db_agent.slack_installations, db_agent.procrastinate_jobs cascade"
        )


def test_no_table_knows_the_person_or_their_words_any_more(store, life, found):
    tables = {table.removeprefix("db_agent.") for table, _ in found()}
    assert tables >= {"runs", "results", "transitions", "feedback", "escalations", "channels"}
    assert tables >= {"channel_settings", "slack_installations", "procrastinate_jobs"}
    assert forget(store, "T1", ANN, wait_s=0.0) == 4
    assert found() == []
    assert store.traces_of("T1", ANN).is_nothing
    assert store.teams_of(ANN) == ()


def test_what_others_wrote_stays(store, life):
    forget(store, "T1", ANN, wait_s=0.0)
    theirs, settled = life
    assert store.run(theirs).answer == "answer to what of it?"
    assert [store.run(each).question.asked_by for each in life] == [BOB, BOB]
    (waiting,) = store.open_escalations(team="T1")
    # What she had asked for goes to who asked, and what she had taken waits for somebody else.
    assert (waiting.run.id, waiting.asked_by, waiting.claimed_by) == (theirs, BOB, None)
    assert waiting.status is EscalationStatus.OPEN
    assert store.claim_escalation(waiting.id, BOB) is not None
    assert store.channel_settings("T1")["C1"].set_by == ""
    asked = Question(Thread("T1", "C1", "1.000"), "9.000", BOB, "and now?")
    assert store.engaged(Thread("T1", "C1", "1.700"))
    assert store.exchanges(asked, limit=5, rows=5) == ()
    found = store.run(settled)
    assert found.answer


def test_an_answer_to_others_is_somebodys(store, store_url, life):
    forget(store, "T1", ANN, wait_s=0.0)
    with psycopg.connect(store_url) as connection:
        row = connection.execute(
            "select status, answered_by, answer from db_agent.escalations where run_id = %s",
            [life[1]],
        ).fetchone()
    assert row == ("answered", "", "It is 5.")


def test_what_it_cost_stays_as_nobodys(store, life):
    before = store.spending("T1", ALWAYS)
    channels = store.shares("T1", ALWAYS, Share.CHANNEL, 9)
    forget(store, "T1", ANN, wait_s=0.0)
    assert store.spending("T1", ALWAYS) == before
    assert store.shares("T1", ALWAYS, Share.CHANNEL, 9) == channels
    people = {each.name: each.questions for each in store.shares("T1", ALWAYS, Share.PERSON, 9)}
    assert people == {"": 3, BOB: 2}


def test_other_workspaces_are_left_alone(store, life, ran):
    elsewhere = ran("zebra", by=ANN, team="T2")
    assert store.teams_of(ANN) == ("T1", "T2")
    forget(store, "T1", ANN, wait_s=0.0)
    assert store.run(elsewhere) is not None
    assert store.teams_of(ANN) == ("T2",)


def test_says_what_there_is_and_where_it_stands_in_slack(store, life):
    assert store.traces_of("T1", ANN) == Traces(4, 1, votes=1, helped=2, settings=2)
    places = store.messages_of("T1", ANN)
    assert SlackMessage("C1", "1.000", "question") in places
    assert SlackMessage("C1", "1.500", "answer") in places
    assert SlackMessage("C1", "8.000", "shared answer") in places
    assert SlackMessage("CHELP", "7.000", "question for a person") in places
    assert not [each for each in places if each.ts.startswith("command")]
    assert store.traces_of("T1", "UNOBODY").is_nothing


def test_what_runs_is_stopped_first(store, a_result):
    run_id = store.claim(Question(Thread("T1", "C1", "1.0"), "1.0", ANN, "slow zebra"))
    assert store.begin(run_id, "a process")
    gone = []
    thread = threading.Thread(target=lambda: gone.append(forget(store, "T1", ANN, wait_s=60.0)))
    thread.start()
    try:
        eventually(lambda: store.renew([run_id], "a process")[run_id].dropped)
        assert not gone, "it waits for the run"
        assert store.finish(run_id, a_result())
    finally:
        thread.join(30)
    assert gone == [1]
    assert store.run(run_id) is None


def test_who_still_works_on_a_run_that_is_gone_changes_nothing(store, found, a_result):
    run_id = store.claim(Question(Thread("T1", "C1", "1.0"), "1.0", ANN, "slow zebra"))
    forget(store, "T1", ANN, wait_s=0.0)
    assert not store.finish(run_id, a_result("slow zebra"))
    store.place_card(run_id, "1.5")
    store.turn_away(run_id, "zebra")
    assert found() == []


def test_what_a_later_question_in_the_thread_was_told_goes_too(store, store_url, life, ran, found):
    """A checkpoint that was left behind has what was asked before in it."""
    theirs = store.claim(Question(Thread("T1", "C1", "1.000"), "3.000", BOB, "and then?"))
    store.turn_away(theirs, "cut off")
    with psycopg.connect(store_url) as connection:
        connection.execute(
            "insert into db_agent.transitions (run_id, number, at, source, event, target, trigger,"
            " state, model_output, checkpoint)"
            " values (%s, 1, now(), 'planning', 'plan_ready', 'thought', 'x', '{}', '', %s)",
            [theirs, '{"before": "where is the zebra?"}'],
        )
    forget(store, "T1", ANN, wait_s=0.0)
    assert found() == []
    assert store.run(theirs) is not None


def test_checkpoints_that_were_left_behind_age_out(store, store_url, life, found):
    with psycopg.connect(store_url) as connection:
        connection.execute(
            "update db_agent.runs set finished_at = now() - interval '31 days'"
            " where status <> 'running'"
        )
    age_out(store, Keep(30, 0))
    with psycopg.connect(store_url) as connection:
        left = connection.execute(
            "select from db_agent.transitions join db_agent.runs on runs.id = run_id"
            " where status <> 'running' and (checkpoint is not null or part is not null)"
        ).fetchall()
    assert left == []
