"""A whole bot at its most talkative: each line is an object, knows its run, tells no secret."""

from __future__ import annotations

import io
import json
import logging

import pytest

from agent.database.postgres import PostgresDatabase
from agent.messages import Outcome
from agent.run import Agent
from agent.testing import ScriptedModel, call, text
from bot.log_levels import LEVELS, keep_private
from bot.logs.json_lines import JsonLines
from bot.logs.lines import Discretion
from bot.logs.redaction import Redaction

SECRETS = (
    "xoxb-1234567890-abcdefghijkl",
    "xapp-1-A0123-456-deadbeef",
    "xoxe.xoxp-1-Mi0yLTEyMzQ1",
    "sk-ant-api03-verysecretkey",
    "hunter2pass",
    "https://hooks.slack.com/commands/T1/2/3abc",
    "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    "Zm9vOmJhcmJhemJheg",
)
TROUBLE = (
    f"token {SECRETS[0]} and {SECRETS[1]}; {SECRETS[2]} key={SECRETS[3]} at "
    f"postgresql://bot:{SECRETS[4]}@db.internal/x password={SECRETS[4]} "
    f"{{'response_url': '{SECRETS[5]}'}} X-Slack-Signature: {SECRETS[6]} "
    f"Authorization: Basic {SECRETS[7]}"
)
NAME = "Ophelia Quarterstaff"
QUESTION = f"what does {NAME} earn? {SECRETS[0]} it's 'quoted'"


class Written(list):
    """The lines of the log, as they come."""

    def of_runs(self):
        return [line for line in map(json.loads, self) if "run_id" in line]


@pytest.fixture
def written():
    """Everything that is logged at DEBUG, in JSON."""
    stream, root = io.StringIO(), logging.getLogger()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines(Discretion(Redaction()), "serve"))
    before = {name: logging.getLogger(name).level for name in LEVELS} | {None: root.level}
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    keep_private()
    yield lambda: Written(stream.getvalue().splitlines())
    root.removeHandler(handler)
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


def assert_nothing_private(lines):
    assert lines
    for line in lines:
        found = json.loads(line)
        assert found["time"].endswith("Z")
        assert {"level", "logger", "event", "role"} <= set(found)
        for secret in (*SECRETS, NAME, "xoxb-"):
            assert secret not in line, line


@pytest.mark.parametrize("ends", ["well", "with a bug", "as a fault"])
def test_no_line_tells_a_secret_or_what_was_asked(written, start_bot, agent, you, ends):
    if ends == "with a bug":
        agent.breaks_with = RuntimeError(f"{NAME}: {TROUBLE}")
    if ends == "as a fault":
        agent.outcome = Outcome.SYSTEM_FAULT
        agent.changes = {"fault_detail": TROUBLE}
    start_bot()
    channel = you.dm()
    you.card(channel, you.say(channel, QUESTION))
    you.command("data", f"private {QUESTION}")
    you.told("data", "broke" if ends == "with a bug" else "")
    you.eventually(lambda: sum("finished: outcome" in each for each in written()) == 2)
    lines = written()
    assert_nothing_private(lines)
    if ends == "with a bug":
        (broke, _) = [each for each in lines.of_runs() if each["event"].endswith("broke")]
        assert "RuntimeError" in broke["exception"]
        assert "in run" in broke["exception"]  # where it broke is told all the same


def test_rows_values_in_sql_and_what_a_server_says_of_them_stay_out(
    written, start_bot, demo_database_url, you
):
    database = PostgresDatabase(demo_database_url)
    secret = "Zanzibar Confidential"
    model = ScriptedModel(
        call("get_schema", table_name="payment"),
        call("execute_read_only_sql", query=f"SELECT count(*) FROM payment WHERE '{secret}' = '1'"),
        call("execute_read_only_sql", query=f"SELECT CAST('{secret}' AS int) FROM payment"),
        text("No payments."),
    )
    start_bot(agent=Agent(model, database, renderer=None))
    you.card("data", you.ask("data", "how many payments?"))
    you.eventually(lambda: any("finished: outcome" in each for each in written()))
    database.close()
    lines = written()
    assert [each for each in lines if secret in each or "how many payments" in each] == []


def test_each_line_of_a_run_knows_it_whatever_thread_wrote_it(
    written, start_bot, demo_database_url, you
):
    database = PostgresDatabase(demo_database_url)

    class Talkative(ScriptedModel):
        def respond(self, *given, **more):  # called in a thread of its own
            logging.getLogger("some.library").debug("asked")
            return super().respond(*given, **more)

    model = Talkative(call("get_schema", table_name="payment"), text("I do not know."))
    bot = start_bot(agent=Agent(model, database, renderer=None))
    card = you.card("data", you.ask("data", "how many payments?"))
    you.eventually(lambda: any("finished: outcome" in each for each in written()))
    database.close()
    said = written().of_runs()
    (end,) = [each for each in said if "finished: outcome" in each["event"]]
    assert (end["outcome"], end["hops"], end["model_calls"]) == ("answered", 1, 2)
    assert {"tokens", "usd", "ms", "queue_wait_ms"} <= set(end)
    run_id, where = end["run_id"], (bot.me.team_id, card["channel"], card["thread_ts"])
    asked = [each for each in said if each["logger"] == "some.library"]
    assert {each["phase"] for each in asked} == {"planning", "thought"}
    for each in said:
        assert each["run_id"] == run_id
        assert (each["team"], each["channel"], each["thread"]) == where
