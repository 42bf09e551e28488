"""`db-agent forget` says what there is, asks, and deletes it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from bot.store import Question, Store, Thread


@pytest.fixture
def place(scratch_database):
    """A record in which somebody has asked, in two workspaces; the settings that name it."""
    store = Store(scratch_database)
    store.open()
    for team, ts in (("T1", "1.000"), ("T2", "2.000")):
        run_id = store.claim(Question(Thread(team, "C1", ts), ts, "U0123ABCD", "how many films?"))
        store.turn_away(run_id, "busy", card_ts="1.500")
    store.close()
    return {"DB_AGENT_STORE_URL": scratch_database}


@pytest.fixture
def left(scratch_database):
    """The workspaces in which the person is still on record."""

    def look():
        store = Store(scratch_database)
        store.open()
        try:
            return store.teams_of("U0123ABCD")
        finally:
            store.close()

    return look


def test_shows_what_there_is_and_deletes_only_what_is_confirmed(db_agent, place, left):
    several = db_agent("forget", "U0123ABCD", **place)
    assert several.returncode == 1
    assert "on record in T1, T2: say which with --team" in several.stderr
    shown = db_agent("forget", "<@U0123ABCD|mia>", "--team", "T1", "--messages", **place)
    assert shown.returncode == 1
    assert "C1\t1.000\tquestion\nC1\t1.500\tanswer\n" in shown.stdout
    assert "1 question, with all that came of them" in shown.stdout
    assert "their messages in Slack" in shown.stdout
    assert shown.stdout.endswith("--yes deletes it.\nNothing was deleted.\n")
    assert left() == ("T1", "T2")
    done = db_agent("forget", "U0123ABCD", "--team", "T1", "--yes", **place)
    assert done.returncode == 0
    assert done.stdout.endswith("Deleted: 1 question, and the name everywhere else.\n")
    assert left() == ("T2",)


def test_who_is_not_on_record_needs_no_forgetting(db_agent, place):
    done = db_agent("forget", "U0000NOBODY", "--yes", **place)
    assert (done.returncode, done.stdout) == (
        0,
        "There is nothing of U0000NOBODY in the bot's record.\n",
    )
    wrong = db_agent("forget", "mia", "--yes", **place)
    assert wrong.returncode == 2
    assert "'mia' is no member's id" in wrong.stderr


@pytest.mark.parametrize(("answer", "kept"), [("yes", ("T1", "T2")), ("U0123ABCD", ("T2",))])
def test_a_person_at_a_terminal_writes_the_id_to_confirm(tmp_path, place, left, answer, kept):
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "bot.cli", "forget", "U0123ABCD", "--team", "T1"],
        cwd=tmp_path,
        env={**os.environ, **place},
        stdin=theirs,
        stdout=subprocess.PIPE,
    ) as asking:
        os.write(ours, f"{answer}\n".encode())
        said, _ = asking.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert b"Write U0123ABCD to delete all of this for good" in said
    assert left() == kept
