"""What the doctor says of the settings themselves."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from bot.doctor import Finding, Level
from bot.doctor.set_up import SetUp
from bot.doctor.settings_area import known_variables, settings_findings

MakeSetUp = Callable[..., SetUp]
Said = Callable[[Iterable[Finding], Level], str]
ALL = frozenset({"database", "slack", "model", "store", "machine"})


def look(set_up: SetUp, areas: frozenset[str] = ALL) -> list[Finding]:
    return list(settings_findings(set_up, areas, os.environ))


def test_every_wrong_variable_is_named_with_what_it_must_be(set_up: MakeSetUp, said: Said) -> None:
    given = set_up(
        DB_AGENT_MAX_ROWS="many",
        DB_AGENT_WORKERS="900",
        DB_AGENT_TIME_ZONE="Berlin",
        SLACK_BOT_TOKEN="xapp-1-swapped",
        SLACK_APP_TOKEN="xapp-",
        DB_AGENT_ESCALATION_CHANNEL="#help",
    )
    wrong = said(look(given), Level.WRONG)
    for words in (
        "DB_AGENT_MAX_ROWS must be a whole number from 1 to 100,000, not 'many'",
        "DB_AGENT_WORKERS must be a whole number from 1 to 64",
        "DB_AGENT_TIME_ZONE must be a time zone such as Europe/Berlin",
        "SLACK_BOT_TOKEN must be a token that starts with xoxb-",
        "SLACK_APP_TOKEN is not filled in",
        "DB_AGENT_ESCALATION_CHANNEL must be a channel's id",
    ):
        assert words in wrong
    # The rest is looked at with the defaults in place of what is wrong.
    assert given.agent.max_rows == 1_000
    assert given.agent.time_zone == "UTC"


@pytest.mark.parametrize(
    ("count", "words"), [(0, "no setting is set"), (1, "1 setting is set"), (2, "2 settings are")]
)
def test_it_counts_what_is_set(
    set_up: MakeSetUp, said: Said, monkeypatch: pytest.MonkeyPatch, count: int, words: str
) -> None:
    for name in known_variables():
        monkeypatch.delenv(name, raising=False)
    given = set_up(**dict([("DB_AGENT_MAX_ROWS", "5"), ("DB_AGENT_WORKERS", "2")][:count]))
    assert said(look(given), Level.OK).startswith(words)


def test_a_wrong_variable_of_an_area_that_is_left_out_is_no_matter(set_up: MakeSetUp) -> None:
    given = set_up(SLACK_BOT_TOKEN="xapp-1-swapped")
    assert all(each.level is Level.OK for each in look(given, frozenset({"database"})))


def test_a_misspelt_variable_is_wrong_and_names_the_right_one(
    set_up: MakeSetUp, said: Said, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("SLACK_BOT_TOKN=xoxb-1\nOTHER_PROGRAM=1\nAGENT_RO_PASSWORD=x\n")
    given = set_up(DB_AGENT_MAX_ROW="5", DB_AGENT_COLOUR="red", PG_BIG="of another")
    found = look(given)
    wrong = said(found, Level.WRONG)
    assert "DB_AGENT_MAX_ROW in the environment is read by nobody" in wrong
    assert "it should be DB_AGENT_MAX_ROWS" in wrong
    assert "it should be SLACK_BOT_TOKEN:" in wrong
    assert "DB_AGENT_COLOUR" in said(found, Level.NOTE)
    # What is not ours in the environment is none of our business, nor what only compose reads.
    everything = wrong + said(found, Level.NOTE)
    assert "PG_BIG" not in everything
    assert "OTHER_PROGRAM" not in everything
    assert "AGENT_RO_PASSWORD" not in everything


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("SLACK_BOT_TOKN", "SLACK_BOT_TOKEN"),
        ("DATABSE_URL", "DATABASE_URL"),
        ("ANTHROPIC_API_KY", "ANTHROPIC_API_KEY"),
    ],
)
def test_a_misspelt_variable_of_the_environment_is_noted_where_the_right_one_is_missing(
    set_up: MakeSetUp, said: Said, monkeypatch: pytest.MonkeyPatch, name: str, meant: str
) -> None:
    monkeypatch.delenv(meant, raising=False)
    words = f"{name} is set in the environment, and {meant} is not"
    assert words in said(look(set_up(**{name: "secret-word"})), Level.NOTE)
    assert words not in said(look(set_up(**{meant: "secret-word"})), Level.NOTE)


def test_a_token_in_quotation_marks_is_told_so(set_up: MakeSetUp, said: Said) -> None:
    given = set_up(SLACK_BOT_TOKEN='"xoxb-1-secret"')
    wrong = said(look(given), Level.WRONG)
    assert "SLACK_BOT_TOKEN must not have quotation marks around it | leave them out" in wrong
    assert "secret" not in wrong


def test_the_environment_that_overrules_the_file_is_noted(
    set_up: MakeSetUp, said: Said, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("DB_AGENT_MAX_ROWS=10\nDB_AGENT_WORKERS=2\n")
    notes = said(look(set_up(DB_AGENT_MAX_ROWS="20", DB_AGENT_WORKERS="2")), Level.NOTE)
    assert "DB_AGENT_MAX_ROWS is set in the environment and differs from .env" in notes
    assert "DB_AGENT_WORKERS" not in notes


@pytest.mark.parametrize(("mode", "open_to_others"), [(0o644, True), (0o640, True), (0o600, False)])
def test_a_file_that_others_can_read_is_noted(
    set_up: MakeSetUp, said: Said, tmp_path: Path, mode: int, open_to_others: bool
) -> None:
    (tmp_path / ".env").write_text("DB_AGENT_WORKERS=2\n")
    (tmp_path / ".env").chmod(mode)
    assert ("chmod 600 .env" in said(look(set_up()), Level.NOTE)) is open_to_others
