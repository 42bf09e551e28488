"""`db-agent migrate` says what it did, and its exit code is one that a script can wait for."""

from __future__ import annotations

from bot.store import migrate
from bot.store.migrate import known_revisions

NEWEST, BEFORE, *_ = known_revisions()


def test_brings_the_record_up_to_date_and_says_so(fresh_db_agent, scratch_database):
    migrate(scratch_database, BEFORE)
    place = {"DB_AGENT_STORE_URL": scratch_database}
    behind = fresh_db_agent("migrate", "--check", **place)
    assert behind.returncode == 3
    assert f"is at {BEFORE}, and this version needs {NEWEST}" in behind.stdout
    done = fresh_db_agent("migrate", **place)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"The record was brought from {BEFORE} to {NEWEST}.\n"
    checked = fresh_db_agent("migrate", "--check", **place)
    assert checked.returncode == 0
    assert f"up to date, at {NEWEST}" in checked.stdout


def test_a_record_that_is_out_of_reach_is_told_in_a_line(db_agent):
    place = {"DB_AGENT_STORE_URL": "postgresql://somebody:secret@127.0.0.1:1/nothing"}
    failed = db_agent("migrate", "--check", **place)
    assert failed.returncode == 1
    assert failed.stderr.startswith("db-agent: The database for the bot's own record cannot be")
    assert "secret" not in failed.stderr
    assert failed.stderr.count("\n") == 1


def test_what_only_looks_does_not_migrate_where_that_is_off(db_agent, scratch_database):
    migrate(scratch_database, BEFORE)
    place = {"DB_AGENT_STORE_URL": scratch_database, "DB_AGENT_MIGRATE": "off"}
    refused = db_agent("trail", "1", **place)
    assert refused.returncode == 2
    assert "run `db-agent migrate`" in refused.stderr
