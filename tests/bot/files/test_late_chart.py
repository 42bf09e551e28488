"""A chart that Slack looks at for long holds up neither who stops it nor the end of the bot."""

from __future__ import annotations

import pytest


@pytest.fixture
def waiting(start_bot, agent, chart, you, looked_for):
    """A bot whose answer waits for its chart; the question, and the message of its steps."""
    bot = start_bot()
    agent.charts = (chart,)
    you.faults(file_ready_after_s=600)
    ts = you.ask("data", "films by category")
    steps = you.eventually(lambda: you.from_bot("data", ts))[0]
    you.eventually(looked_for.is_set)
    return bot, ts, steps


def test_stop_gives_the_picture_up_and_shows_the_answer(waiting, you):
    _, ts, steps = waiting
    you.click(steps, "stop_run")
    card = you.card("data", ts, within=5)
    assert "You asked: films by category" in card["text"]
    assert "could not be shown" in str(card["blocks"])


def test_bot_that_ends_leaves_an_answer_that_waits_for_its_picture_to_the_next(
    waiting, start_bot, you, store_url, open_store
):
    bot, ts, steps = waiting
    bot.stop(grace_s=0.0)
    you.faults(file_ready_after_s=0)
    start_bot(store=open_store(store_url))
    card = you.card("data", ts, within=5)
    assert card["ts"] == steps["ts"]
    assert "You asked: films by category" in card["text"]
    assert "stop_run" not in str(card["blocks"])
