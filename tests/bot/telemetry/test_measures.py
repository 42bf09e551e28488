"""/metrics of a whole bot: what it counts, and how it calls it."""

from __future__ import annotations

import re
import shutil
import subprocess
import threading

import pytest

from agent.errors import ModelUnavailable
from agent.messages import Turn, Usage
from agent.testing import ScriptedModel
from bot.metrics import Metrics
from bot.telemetry.slack_meter import MOST_WORDS, OTHER, SlackMeter
from tests.bot.telemetry.conftest import TURNS

BOUNDED = {"outcome", "tool", "kind", "model", "result", "what", "method", "error", "le"} | {
    "version",
    "generation",
}
"""Labels whose values come from closed sets, or from our own settings."""


class Costly(ScriptedModel):
    """Takes tokens, and has a price."""

    def respond(self, *given, **more):
        turn = super().respond(*given, **more)
        return Turn(turn.text, turn.tool_calls, turn.stop_reason, Usage(100, 20, 30, 4))


def test_what_a_run_did_is_counted(start_bot, real, measured, you):
    bot = start_bot(agent=real(Costly(*TURNS, name="claude-sonnet-5")))
    read = measured(bot)
    you.card("data", you.ask("data", "revenue by staff as a bar chart"), within=30)
    you.eventually(lambda: read.value("run_seconds_count") == 1)
    assert read.value("questions_taken_total") == 1
    assert read.value("runs_ended_total") == 1
    assert read.value("hops_total", tool="execute_read_only_sql") == 2
    assert read.value("tool_errors_total") == 1
    assert read.value("model_calls_total", model="claude-sonnet-5", result="ok") == 5
    assert read.value("model_tokens_total", kind="input") == 500
    assert read.value("model_tokens_total", kind="cache_read") == 150
    assert read.value("model_cost_dollars_total", model="claude-sonnet-5") > 0
    assert read.value("model_call_seconds_count") == 5
    for once in ("queue_wait", "first_status", "chart", "upload"):
        assert read.value(f"{once}_seconds_count") == 1, once
    assert read.value("query_seconds_count") >= 2
    assert read.value("ack_seconds_count") >= 1
    assert read.value("slack_calls_total", method="chat.postMessage", error="none") + read.value(
        "slack_calls_total", method="chat.startStream", error="none"
    )
    assert read.value("questions_running") == 0
    assert read.value("store_up") == 1
    assert read.value("queue_questions") == 0


def test_a_model_out_of_reach_is_counted_as_such(start_bot, real, measured, you):
    class Away(ScriptedModel):
        def respond(self, *given, **more):
            raise ModelUnavailable("The model is away.")

    bot = start_bot(agent=real(Away(name="m")))
    read = measured(bot)
    you.card("data", you.ask("data", "how many films?"))
    assert read.value("model_calls_total", model="m", result="unavailable") == 1
    you.eventually(lambda: read.value("runs_ended_total", outcome="system_fault") == 1)


def test_the_line_is_seen_while_questions_wait(start_bot, agent, measured, you):
    agent.gate = threading.Event()
    read = measured(start_bot(workers=1))
    for _ in range(3):
        you.ask("data", "how many films?")
    you.eventually(lambda: read.value("questions_running") == 1)
    you.eventually(lambda: read.value("queue_questions") == 2)
    assert read.value("queue_oldest_age_seconds") >= 0
    agent.gate.set()
    you.eventually(lambda: read.value("questions_running") == 0)


def test_a_record_that_is_away_is_seen_and_costs_no_page(start_bot, store, measured):
    read = measured(start_bot())
    store.close()
    assert read.value("store_up") == 0
    assert "db_agent_queue_questions" not in read.families()
    assert read.value("store_errors_total") >= 1


def test_refusals_and_rate_limits_of_slack_are_counted(start_bot, measured, you):
    read = measured(start_bot())
    limited = {"method": "chat.update", "error": "ratelimited", "times": 1}
    you.without_streams()
    you.card("data", you.ask("data", "how many films?"))
    refused = "channel_type_not_supported"
    assert read.value("slack_calls_total", method="chat.startStream", error=refused) == 1
    you.faults(error=limited)
    you.card("data", you.ask("data", "how many films?"))
    you.eventually(
        lambda: (
            read.value("slack_rate_limits_total")
            or read.value("slack_calls_total", error="ratelimited")
        )
    )


def test_words_of_slack_have_an_end():
    metrics = Metrics()
    meter = SlackMeter(metrics.instruments)
    assert {meter._known(f"e{number}") for number in range(2 * MOST_WORDS)} >= {"e0", OTHER}
    assert len({meter._known(f"f{number}") for number in range(100)}) == 1


def test_several_bots_in_one_process_count_apart():
    first, second = Metrics(), Metrics()
    first.count("answered")
    assert 'outcome="answered"' in first.exposition()
    assert 'outcome="answered"' not in second.exposition()


def test_names_labels_and_helps_are_as_prometheus_wants_them(start_bot, measured, you):
    read = measured(start_bot())
    you.card("data", you.ask("data", "how many films?"))
    for name, family in read.families().items():
        assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
        assert len(family.documentation) > 5, name
        if not name.startswith("db_agent_"):
            continue
        assert family.documentation.endswith("."), name
        assert not re.search(r"_(ms|milliseconds|minutes|count|sum|bucket|gauge)$", name), name
        for sample in family.samples:
            assert set(sample.labels) <= BOUNDED, sample
            assert sample.name.endswith("_total") is (family.type == "counter"), sample
        if family.type == "histogram":
            assert name.endswith("_seconds"), name


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_promtool_finds_nothing():
    done = subprocess.run(
        ["promtool", "check", "metrics"], input=Metrics().exposition(), text=True, check=False,
        capture_output=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_a_question_that_needs_no_run_is_told_apart(start_bot, agent, measured, you):
    read = measured(start_bot())
    channel = you.dm()
    you.card(channel, you.say(channel, "thank you!"))
    you.eventually(lambda: read.value("runs_ended_total", outcome="turned_away") == 1)
    assert agent.asked == []
    assert read.value("run_seconds_count") == 0
