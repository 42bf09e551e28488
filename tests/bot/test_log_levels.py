"""The log at its most talkative, as `--verbose` has it, holds nothing of what people say."""

from __future__ import annotations

import logging

import pytest

from bot.log_levels import LEVELS, keep_private


@pytest.fixture
def verbose(caplog):
    """Everything is logged that `--verbose` logs."""
    before = {name: logging.getLogger(name).level for name in LEVELS}
    caplog.set_level(logging.DEBUG)
    keep_private()
    yield caplog
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


def test_no_private_words_and_no_way_to_answer_are_in_it(verbose, start_bot, workspace, you):
    start_bot()
    you.command("data", "private salaries of Bob?")
    you.told("data", "You asked: salaries of Bob?")
    channel = you.dm()
    card = you.card(channel, you.say(channel, "how many secrets?"))
    you.click(card, "show_sql")
    you.cards(channel, card["thread_ts"], 2)
    said = [each.getMessage() for each in verbose.records]
    for words in ("salaries of Bob", "how many secrets", "response_url", "xoxb-", "xapp-"):
        assert [each[:300] for each in said if words in each] == []
