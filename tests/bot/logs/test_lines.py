"""How a line of the log looks, and what it hides."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys

import pytest

from agent.errors import SettingsInvalid
from bot.logs.faults import fault_words
from bot.logs.json_lines import JsonLines
from bot.logs.lines import Discretion, TextLines
from bot.logs.redaction import HIDDEN, Redaction, secrets_of
from bot.logs.scope import RunScope, in_scope
from bot.logs.set_up import set_up_log

PRIVATE = "salaries of Bob"


def record(words="it happened", *args, error=None, **extra):
    made = logging.LogRecord("bot.x", logging.WARNING, __file__, 1, words, args, None)
    if error is not None:
        try:
            raise error
        except type(error):
            made.exc_info = sys.exc_info()
    made.__dict__.update(extra)
    return made


def as_json(made, **discretion):
    line = JsonLines(Discretion(**discretion), "worker").format(made)
    assert "\n" not in line
    return json.loads(line)


def test_json_has_time_level_logger_event_and_role():
    line = as_json(record("%d things", 3))
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("time"))
    assert line == {"level": "warning", "logger": "bot.x", "event": "3 things", "role": "worker"}


def test_an_exception_is_one_field_of_one_line_with_its_causes():
    def fail():
        try:
            raise KeyError(PRIVATE)
        except KeyError as error:
            raise ValueError(PRIVATE) from error

    try:
        fail()
    except ValueError as error:
        said = as_json(record(error=error))["exception"]
    assert said.index("KeyError") < said.index("ValueError")
    assert "in fail" in said
    assert PRIVATE not in said


@pytest.mark.parametrize("lines", [TextLines, lambda each: JsonLines(each, "serve")])
def test_what_is_private_is_shown_only_to_those_who_want_it(lines):
    made = record("a query failed", error=ValueError(PRIVATE), private=PRIVATE)
    assert PRIVATE not in lines(Discretion()).format(made)
    shown = lines(Discretion(shows_text=True)).format(made)
    assert shown.count(PRIVATE) == 2
    secret = record("token xoxb-123456-abc", private="password=hunter2")
    assert "xoxb-1" not in lines(Discretion(shows_text=True)).format(secret)
    assert "hunter2" not in lines(Discretion(shows_text=True)).format(secret)


def test_a_line_of_a_run_carries_it_and_hides_its_words():
    scope = RunScope("r-1", "T1", "C1", "17.1", attempt=2, phase="thought", trace_id="ab")
    scope.hide("who earns most?", "")
    scope.hide_literals("select 1 where x = 'O''Hara'")
    with in_scope(scope):
        line = as_json(record("asked: who earns most? of O'Hara"))
        text = TextLines(Discretion()).format(record("asked"))
    assert line["event"] == "asked: [withheld] of [withheld]"
    told = {name: line[name] for name in ("run_id", "team", "channel", "thread", "attempt")}
    assert told == dict(run_id="r-1", team="T1", channel="C1", thread="17.1", attempt=2)
    assert (line["phase"], line["trace_id"]) == ("thought", "ab")
    assert "[run r-1] asked" in text
    assert "run_id" not in as_json(record())


def test_arguments_that_do_not_fit_cost_no_line():
    assert as_json(record("%d and %d", 1))["event"] == "%d and %d"


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("xoxp-12-34-ab", "xoxp-12"),
        ("postgresql://bot:p@ss/word@host:5432/x", "word@"),
        ("PASSWORD = 'geheim99'", "geheim99"),
        ('{"authorization": "Bearer abc.def-ghi"}', "abc.def"),
        ("client_secret=abcdef123&x=1", "abcdef123"),
        ("wss://wss-primary.slack.com/link/?ticket=abc123", "abc123"),
        ("eyJhbGciOi.eyJzdWIiOi.SflKxwRJ", "SflKxwRJ"),
        ("the key is known-by-heart", "known-by-heart"),
    ],
)
def test_secrets_are_hidden_by_their_shape_or_since_they_are_known(text, hidden):
    said = Redaction(["known-by-heart"])(text)
    assert hidden not in said
    assert HIDDEN in said


def test_what_is_no_secret_stays():
    for text in (
        "run 7f7c1d1e-0c4e-4b52-9c8e-0a4f5f7e1a2b finished: outcome=answered tokens=812 usd=0.01",
        "connection to server at 127.0.0.1, port 5432 failed: Connection refused",
        "HTTP at http://127.0.0.1:8080: /healthz",
    ):
        assert Redaction()(text) == text


def test_the_settings_own_secrets_are_known():
    found = secrets_of(
        {
            "SLACK_SIGNING_SECRET": "0123456789abcdef",
            "DATABASE_URL": "postgresql://agent_ro:pass:word@host/db",
            "OTEL_EXPORTER_OTLP_HEADERS": "api-key=collector99",
            "DB_AGENT_MODEL": "offline",
        }
    )
    assert {"0123456789abcdef", "pass:word", "collector99"} <= found
    assert "offline" not in found


def test_the_fault_of_a_bug_is_its_name_and_quotes_of_a_statement_are_left_out():
    assert fault_words(f"ValueError: {PRIVATE}") == "ValueError"
    said = fault_words(f"SqlFailed 22P02: invalid input syntax: '{PRIVATE}'")
    assert PRIVATE not in said
    assert "22P02" in said
    assert fault_words("connection refused at 10.0.0.1") == "connection refused at 10.0.0.1"


@pytest.mark.parametrize("name", ["DB_AGENT_LOG_FORMAT", "DB_AGENT_LOG_LEVEL", "DB_AGENT_LOG_TEXT"])
def test_a_setting_that_is_none_is_refused(monkeypatch, name):
    monkeypatch.setenv(name, "loud")
    with pytest.raises(SettingsInvalid, match=name):
        set_up_log("serve")


def test_all_that_a_process_says_is_one_object_a_line(tmp_path):
    program = (
        "import logging, threading, warnings\n"
        "from bot.commands.ask import say\n"
        "from bot.logs.set_up import set_up_log\n"
        "set_up_log('worker')\n"
        "say('db-agent serves')\n"
        "warnings.warn('old')\n"
        "logging.getLogger('bot.y').info('an event')\n"
        "logging.getLogger('other').info('left out')\n"
        "thread = threading.Thread(target=lambda: 1 / 0)\n"
        "thread.start(); thread.join()\n"
        "raise ValueError('private words')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "DB_AGENT_LOG_FORMAT": "json"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    said = [(each["level"], each["event"].partition(":")[0]) for each in lines]
    assert said[0] == ("info", "db-agent serves")
    assert ("info", "an event") in said
    assert ("critical", "a thread ended for a bug") in said
    assert said[-1] == ("critical", "the process ends for a bug")
    assert len(lines) == 5
    assert "private words" not in done.stderr
    assert {each["role"] for each in lines} == {"worker"}
