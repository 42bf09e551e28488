"""A store that lived through every version up to some one is read whole by this one.

`versions/` has a file for each version that wrote something in a way of its own: SQL, since what
writes today would not write it so.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from agent.messages import (
    AgentResult,
    AuditNote,
    Calculation,
    Column,
    Evidence,
    Figure,
    NoteKind,
    Outcome,
    QueryResult,
    Severity,
    Usage,
    Verdict,
)
from bot.installations.directory import Directory
from bot.installations.seal import Seal, new_key
from bot.installations.sealed_stores import SealedInstallations, open_engine
from bot.store import (
    Dropped,
    EscalationStatus,
    LogSearch,
    Payer,
    Period,
    Purse,
    Question,
    Share,
    SharingStatus,
    Store,
    Thread,
    migrate,
)
from bot.store.migrate import Migrated, known_revisions

WRITTEN = Path(__file__).with_name("versions")
WROTE_NOTHING_NEW = {"0003", "0005"}
"""Versions that brought views or indexes alone."""
NEWEST, *EARLIER = known_revisions()
KEY = new_key()
FIRST_RUN = "11111111-1111-1111-1111-111111111111"
LOST_RUN = "11111111-1111-1111-1111-111111111113"
WHOLE_RUN = "22222222-2222-2222-2222-222222222222"
SHARED_RUN = "88888888-8888-8888-8888-888888888888"
ALWAYS = Period(datetime(2000, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC))


@pytest.fixture(scope="module")
def ages(demo_admin_url):
    """A database for each version but the newest, with what all up to it wrote; their addresses."""
    with psycopg.connect(demo_admin_url, autocommit=True) as admin:
        admin.execute("create database growing")
        growing, at = address_of(demo_admin_url, "growing"), {}
        for revision in sorted(EARLIER):
            migrate(growing, revision)
            write(growing, revision)
            admin.execute(f'create database "lived_{revision}" template growing')
            at[revision] = address_of(demo_admin_url, f"lived_{revision}")
        yield at
        for name in ("growing", *(f"lived_{revision}" for revision in at)):
            admin.execute(f'drop database "{name}" with (force)')


def address_of(url: str, database: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


def write(url: str, revision: str) -> None:
    """Write what a version wrote."""
    file = WRITTEN / f"{revision}.sql"
    text = file.read_text() if file.exists() else "select 1"
    with psycopg.connect(url, cursor_factory=psycopg.ClientCursor) as old:
        if "%(sealed)s" in text:
            old.execute(text, {"sealed": Seal(KEY).close("xoxb-ours")})
        else:
            old.execute(text)


@pytest.fixture(params=sorted(EARLIER))
def lived(request, ages, open_store):
    """A store of a version, brought up to date; and the version."""
    url = ages[request.param]
    assert migrate(url) == Migrated(request.param, NEWEST)
    return open_store(url), request.param


def test_each_version_but_the_newest_has_its_rows():
    assert {each.stem for each in WRITTEN.glob("*.sql")} >= {*EARLIER} - WROTE_NOTHING_NEW


def test_everything_is_read_through_the_doors_of_today(lived, a_result):
    store, version = lived
    for since, read in READERS.items():
        if since <= version:
            read(store)
    with psycopg.connect(store.url) as connection:
        for view in ("runs", "steps"):
            assert connection.execute(f"select * from db_agent_log.{view}").fetchall()
    goes_on(store, a_result)


def goes_on(store: Store, a_result: Callable[..., AgentResult]) -> None:
    asked = Question(Thread("T1", "C1", "1.0"), "1.9", "UANN", "and now?")
    assert store.claim(Question(Thread("T1", "C1", "1.0"), "1.0", "UANN", "again")) is None
    run_id = store.claim(asked)
    assert store.finish(run_id, a_result("and now?"))
    assert store.last_run(asked.thread).id == run_id
    assert store.escalate(run_id, reason="asked", asked_by="UANN").run.id == run_id
    assert store.queue_up(run_id, most_usd=Decimal(1), lasts_s=60.0) > 0


def read_first(store: Store) -> None:
    record = store.run(FIRST_RUN)
    assert (record.question.text, record.answer, record.outcome) == (
        "how many films?",
        "1,000 films.",
        Outcome.ANSWERED,
    )
    assert (record.warnings, record.tables, record.card_ts) == (("careful",), ("film",), "1.5")
    assert (record.usage, record.hops, record.duration_ms) == (Usage(100, 20, 3, 4), 2, 1200)
    assert record.results == (
        QueryResult(
            "select count(*), sum(price) from film",
            (Column("count", "int8"), Column("sum", "numeric")),
            ((1000, Decimal("2.990")), (None, 1e20)),
            truncated=True,
            duration_ms=1.5,
            notes=("2 rows were cut.",),
        ),
    )
    (step,) = store.trail(FIRST_RUN)
    assert (step.trigger, step.state.hop_count) == ("I answered.", 2)
    asked = Question(Thread("T1", "C1", "1.0"), "1.8", "UANN", "and now?")
    (earlier,) = store.exchanges(asked, limit=5, rows=5)
    assert (earlier.question, earlier.answer) == ("how many films?", "1,000 films.")
    assert store.engaged(asked.thread)
    assert store.last_run(asked.thread).id == FIRST_RUN
    found = store.find_runs(LogSearch("T1", "UBOB", here="C1", channel="C1"))
    assert {each.question for each in found} == {"how many films?", "and actors?"}
    assert store.spending("T1", ALWAYS, "UANN").tokens >= 127
    assert store.run(LOST_RUN).finished_at is None


def read_whole(store: Store) -> None:
    record = store.run(WHOLE_RUN)
    assert (record.plan, record.caveats) == (("look", "sum"), ("12 have no rental.",))
    figures = (Figure("5.3k", "result 1, row 2, revenue"),)
    assert record.evidence == Evidence(figures, ("no EUR",))
    assert record.calculations == (Calculation("r1.a[1] / 3", Decimal("0.5")),)
    assert record.verdict == Verdict(False, "The rows are of 2024.", Severity.MINOR)
    assert (record.judge, record.draft, record.cost_usd) == ("judge", "5.3k", Decimal("0.0123"))
    assert record.results[0].audit == (
        AuditNote(NoteKind.FAN_OUT, "The join repeats.", "Sum first."),
    )
    assert [each.sql for each in record.set_aside] == ["select 2"]
    (step,) = store.trail(WHOLE_RUN)
    assert (step.steps[0].subject, step.usage, step.plan) == (
        "category",
        Usage(1, 2, 3, 4),
        ("look",),
    )
    assert step.critique.faults == ("no EUR",)
    (waiting,) = store.open_escalations(team="T1")
    assert (waiting.run.id, waiting.asked_by, waiting.ts) == (WHOLE_RUN, "UBOB", "2.7")
    settled = store.escalation("22222222-2222-2222-2222-22222222222a")
    assert (settled.status, settled.answer) == (EscalationStatus.ANSWERED, "Sports.")
    public = store.find_runs(LogSearch("T1", "UBOB", escalated=True))
    assert [each.run_id for each in public] == [WHOLE_RUN]
    spent = store.shares("T1", ALWAYS, Share.CHANNEL, 5)
    assert ("C2", Decimal("0.0123")) in [(each.name, each.cost_usd) for each in spent]


def read_reminded(store: Store) -> None:
    assert store.take_overdue(open_for_s=-60.0) == ()


def read_calls(store: Store) -> None:
    purse = Purse(Payer.WORKSPACE, ALWAYS)
    standing = store.standings("T1", [purse], ticket=1_000)[purse]
    assert (standing.spent, standing.ahead) == (Decimal("0.0123"), Decimal("0.5"))


def read_settings(store: Store) -> None:
    found = store.channel_settings("T1")["C2"]
    assert (found.allowed, found.follow_ups, found.private, found.guests) == (
        True,
        False,
        True,
        False,
    )
    assert (found.shared_with, found.set_by) == ({"EOTHER"}, "UADMIN")


def read_feedback(store: Store) -> None:
    record = store.run(SHARED_RUN)
    assert (record.question.text, record.question.about) == ("is that so?", "We sold 5 films.")
    assert record.time_zone == "Asia/Tokyo"
    assert store.was_shared(SHARED_RUN)
    sharing = store.begin_share(SHARED_RUN)
    assert (sharing.status, sharing.ts) == (SharingStatus.DONE, "8.5")
    (bad,) = store.find_runs(LogSearch("T1", "UANN", thumbs_down=True))
    assert (bad.run_id, bad.complaint) == (FIRST_RUN, "too few")
    again = store.vote(FIRST_RUN, "UBOB", is_good=False, at=datetime.now(UTC) + timedelta(hours=1))
    assert again.reason == "too few"


def read_revised(store: Store) -> None:
    asked = Question(Thread("T1", "C9", "9.0"), "9.8", "UANN", "more")
    assert [each.question for each in store.exchanges(asked, limit=5, rows=5)] == ["second wording"]
    third = Question(asked.thread, "9.0", "UANN", "third wording")
    assert store.revise(third, "9.4") is None
    assert store.revise(third, "9.6").before == "99999999-9999-9999-9999-999999999992"
    with psycopg.connect(store.url) as connection:
        sql = "select dropped from db_agent.runs where id = '99999999-9999-9999-9999-999999999992'"
        assert connection.execute(sql).fetchone() == (Dropped.EDITED,)
    assert Dropped.EDITED == "edited"


def read_installations(store: Store) -> None:
    engine = open_engine(store.url)
    directory = Directory(engine, SealedInstallations("1.1", engine, Seal(KEY)))
    assert directory.teams() == ("T1",)
    found = directory.find("T1")
    assert (found.token, found.team_name, found.bot_user) == ("xoxb-ours", "Ours", "UBOT")


def read_about(store: Store) -> None:
    asked = store.run("11111111-1111-1111-1111-1111111111aa").question
    assert (asked.text, asked.about) == ("who says so?", "We sold 6 films.")


def read_under_way(store: Store) -> None:
    assert store.run("14141414-1414-1414-1414-141414141401").rows_gone
    with psycopg.connect(store.url) as connection:
        jobs = connection.execute(
            "select args ->> 'run_id', lock, queue_name, task_name, status::text"
            " from db_agent.procrastinate_jobs where args ->> 'run_id' like '1414%'"
        ).fetchall()
    # The other had its place in the memory of the process before this one.
    waiting = "14141414-1414-1414-1414-141414141402"
    assert jobs == [(waiting, "T1/C14/14.0", "questions", "answer", "todo")]
    assert store.run("14141414-1414-1414-1414-141414141403").finished_at is not None


def read_left_behind(store: Store) -> None:
    going_on = "15151515-1515-1515-1515-151515151501"
    assert store.run(going_on).finished_at is None
    assert [each.trigger for each in store.trail(going_on)] == ["I made a plan."]
    assert store.run("15151515-1515-1515-1515-151515151502").answer == "6 films."


READERS = {
    "0001": read_first,
    "0002": read_whole,
    "0004": read_reminded,
    "0006": read_calls,
    "0007": read_settings,
    "0008": read_feedback,
    "0009": read_revised,
    "0010": read_installations,
    "0011": read_about,
    "0014": read_under_way,
    "0015": read_left_behind,
}
"""By the version that wrote it."""
